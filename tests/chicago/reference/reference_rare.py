"""What rare things a step of play held: so that the random games are known to meet them."""

from chicago.rules.state import is_starter

RARE = {
    *(f"Chick, {p}, starter: {s}" for p in ("rounds", "deal", "discard", "give") for s in (0, 1)),
    *(f"left, {p}, {who}" for p in ("rounds", "deal", "playing off") for who in ("starter", "other")),
    *(f"left while a breach is judged: {who}" for who in ("caller", "accused", "voter", "voted")),
    *(f"time is up: {what}" for what in ("throw", "vote", "refill", "names low", "names self")),
    *("rolled off by two", "rolled off by more", "rolled off again", "fewer throws decide"),
    *("stock cut", "stock cut to nothing", "given", "surplus out", "starter of phase 2 drawn"),
    *(
        "a round broken off",
        "two losers",
        "all mats with one",
        "a leaver has lost",
        "alone in the round",
        "closed",
    ),
    *("three sixes forced", "sixes turned", "taken back", "low wins", "three ones, no Chick"),
    *(
        "threw before the refill",
        "taken for a leaver",
        "guilty",
        "in vain",
        "two Chicks in a round",
    ),
    *("named before the starter stood", "a Chick for forfeits", "reward used up"),
    *(f"joined, {how}, {who}" for how in ("at once", "next round") for who in ("new", "back")),
    *("joined, with mats, new", "joined, with mats, back", "left while coming", "left and back in a round"),
    *("worked out anew, some stand", "worked out anew, none stands", "fewer throws than thrown"),
    *("vacated", "occupied", "left a vacant seat", "two leavers of a seat"),
    *("lost by a foreign object", "lost in their own turn", "a breach that loses nothing"),
    *("side forfeit, rounds", "side forfeit, mats", "a Chick without the side forfeit"),
    "the high must be beaten",
    *("entered", "declared before the result", "a Chick entered", "entered before the refill"),
    *("a turn taken back by its player", "a turn taken back by the host", "the turn that runs taken back"),
}


def rare(before, command, events, after):
    """Return the names of what this step held."""
    kinds = {e.type for e in events}
    data = {e.type: e.data for e in events}
    return {
        name
        for name, met in [
            *chicks(before, data),
            *leaving(before, command, data),
            *clock(before, command, data),
            *dice(before, command, events, data),
            *mats(before, after, kinds, data),
            *forfeits(before, command, kinds, events, data),
            *coming(before, command, data),
            *worked_out_anew(before, after, data),
            *side_forfeits(before, data),
            *real_dice(before, command, data),
        ]
        if met
    }


def phase_of(state):
    if state.phase == "playing_off":
        return state.options["playing_off"]
    return {"rounds": "rounds", "dealing": "deal"}[state.phase]


def chicks(before, data):
    chick = "chick_thrown" in data
    forfeits = before.options["forfeits"]
    phase, starter = phase_of(before), int(is_starter(before))
    yield f"Chick, {phase}, starter: {starter}", chick and not forfeits
    yield "a Chick for forfeits", chick and forfeits
    yield "two Chicks in a round", chick and before.round.out
    alone = data.get("round_ended", {}).get("reason") == "one_left"
    yield "alone in the round", alone


def leaving(before, command, data):
    seat, breach = command.args.get("seat"), before.breach
    left = "player_left" in data
    was_starter = left and is_starter(before) and before.on_turn == seat
    phase = {"rounds": "rounds", "dealing": "deal"}.get(before.phase, "playing off")
    yield f"left, {phase}, {'starter' if was_starter else 'other'}", left
    ended = data.get("round_ended", {}).get("reason")
    yield "a round broken off", ended == "abandoned"
    yield "a leaver has lost", left and data.get("game_ended", {}).get("losers") == [seat]
    if breach and left:
        yield "left while a breach is judged: caller", seat == breach.by
        yield "left while a breach is judged: accused", seat == breach.seat
        voted = seat in dict(breach.votes)
        yield "left while a breach is judged: voted", voted
        yield "left while a breach is judged: voter", seat in breach.voters and not voted


def clock(before, command, data):
    late = command.name == "timeout"
    yield "time is up: throw", late and "dice_thrown" in data
    yield "time is up: vote", late and "breach_voted" in data
    yield "time is up: refill", late and "refilled" in data
    named = data.get("loser_named")
    yield "time is up: names self", late and named and named["loser"] == named["seat"]
    yield "time is up: names low", late and named and named["loser"] != named["seat"]


def dice(before, command, events, data):
    rolls = data.get("rolled_off", {}).get("rolls")
    yield "rolled off by two", rolls and len(rolls[0]) == 2
    yield "rolled off by more", rolls and len(rolls[0]) > 2
    yield "rolled off again", rolls and len(rolls) > 1
    turned = data.get("sixes_turned")
    yield "three sixes forced", turned and turned["forced"]
    yield "sixes turned", turned and not turned["forced"]
    threw = command.name == "throw" and before.turn.throws == 2
    back = set(before.turn.laid) - set(command.args.get("lay", ()))
    yield "taken back", threw and before.options["free_return"] == "third" and back
    stood, ended = data.get("stood"), data.get("round_ended", {})
    yield "three ones, no Chick", stood and stood["dice"] == [1, 1, 1]
    full = ended.get("reason") == "full"
    value = {r["seat"]: r["value"] for r in ended.get("results", ())}
    yield "low wins", full and value[ended["high"]] < value[ended["low"]]
    fewer = before.options["ties"] == "fewer_throws"
    equal = full and list(value.values()).count(value[ended["low"]]) > 1
    last = [r["seat"] for r in ended.get("results", ()) if r["value"] == value.get(ended["low"])]
    yield "fewer throws decide", fewer and equal and last[-1] != ended["low"]


def mats(before, after, kinds, data):
    yield "stock cut", data.get("stock_cut", {}).get("stock")
    yield "stock cut to nothing", data.get("stock_cut", {}).get("stock") == 0
    yield "given", "mat_given" in kinds
    gives = before.options["playing_off"] == "give"
    yield "surplus out", gives and "mat_discarded" in kinds
    yield "starter of phase 2 drawn", "starter_drawn" in kinds
    over = data.get("game_ended", {})
    yield "two losers", len(over.get("losers", ())) == 2
    one = "phase_started" in kinds and len(over.get("losers", ())) == 1
    yield "all mats with one", one
    full = data.get("round_ended", {}).get("reason") == "full"
    yield "reward used up", full and before.phase == "playing_off" and before.round.reward_used
    yield "closed", over.get("reason") == "closed"


def forfeits(before, command, kinds, events, data):
    taken = [e.data["reason"] for e in events if e.type == "forfeit_taken"]
    yield "threw before the refill", "not_refilled" in taken
    yield "taken for a leaver", "forfeits_taken_over" in kinds
    settled = data.get("breach_settled")
    yield "guilty", settled and settled["guilty"]
    lost = data.get("round_ended", {}).get("reason") == "breach"
    foreign = settled and settled["breach"] == "foreign_object"
    own_turn = settled and settled["seat"] == before.on_turn
    yield "lost by a foreign object", lost and foreign and not own_turn
    yield "lost in their own turn", lost and own_turn and not foreign
    yield "a breach that loses nothing", settled and settled["guilty"] and not lost
    yield "in vain", settled and not settled["guilty"]
    yield "named before the starter stood", "loser_named" in kinds and is_starter(before)


def coming(before, command, data):
    joined = data.get("seat_joined")
    if joined:
        how = "with mats" if before.stock is not None else "at once" if joined["at_once"] else "next round"
        yield f"joined, {how}, {'new' if joined['seat'] == len(before.players) else 'back'}", True
    yield "left and back in a round", joined and joined["seat"] in before.ring
    yield "left while coming", "player_left" in data and command.args["seat"] in before.coming
    yield "vacated", "seat_vacated" in data
    yield "occupied", "seat_occupied" in data
    left = data.get("player_left")
    yield "left a vacant seat", left and before.players[left["seat"]].vacant
    offer = data.get("offer_made")
    yield "two leavers of a seat", offer and offer["seat"] in [o.seat for o in before.offers]


def worked_out_anew(before, after, data):
    anew = data.get("round_restated")
    yield "worked out anew, some stand", anew and anew["throws_allowed"]
    yield "worked out anew, none stands", anew and anew["throws_allowed"] is None
    yield "fewer throws than thrown", anew and after.turn.throws > (anew["throws_allowed"] or 3)
    said = data.get("announced")
    is_second = len(before.round.results) == 1
    high_said = said and said["kind"] == "high"
    yield "the high must be beaten", high_said and is_second and before.phase == "playing_off"


def side_forfeits(before, data):
    owed = "side_forfeit_owed" in data
    yield f"side forfeit, {'rounds' if before.stock is None else 'mats'}", owed
    house_says = before.options["chick_pays_schnapps"]
    yield "a Chick without the side forfeit", house_says and "chick_thrown" in data and not owed


def real_dice(before, command, data):
    entered, back = "result_entered" in data, data.get("turn_taken_back")
    yield "entered", entered
    yield "declared before the result", entered and before.declared
    yield "a Chick entered", entered and "chick_thrown" in data
    yield "entered before the refill", entered and before.refill is not None
    yield "a turn taken back by its player", back and back["by"] == "player"
    yield "a turn taken back by the host", back and back["by"] == "host"
    yield "the turn that runs taken back", back and before.began is not None and back["turn"] == before.began.turns
