"""The engine beside a second reading of docs/rules-chouette.md, entry by entry.

`python -m tests.chouette.reference.against_reference 1000 --seed 5` plays so many random sessions under
random house rules, players leaving, coming, resigning, settling and sleeping, and holds every
entry to the reference: cubes, Captain, caretakers, who is asked what, what the Box may take and
offer, the sheet and the line. The board is the engine's: the reference is told who has won.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from chouette.rules import rules
from games.kernel.contract import CLOSE, CLOSE_AFTER, LEAVE, PLACE, TIMEOUT, Command
from tests.chouette.reference import reference_cubes
from tests.chouette.reference.reference_model import RANKS, Session
from tests.chouette.sessions import Session as Played
from tests.chouette.sessions import house_rules

QUIET_REPLIES = {"extra": "keep"}
STATUS = {"bot": "played_on"}


class Beside(Played):
    """A random session of the engine, with the reference beside it."""

    def __init__(self, rng, options, seats):
        self.reference = self.command = None
        self.met = Counter()
        super().__init__(rng, options, seats)

    def give(self, command):
        self.command = command
        super().give(command)

    def act(self):
        """Let somebody do something; proposals are taken up more often than at random."""
        asked = [c for c in self.choices() if c.name == "answer_proposal"]
        if asked and self.rng.random() < 0.3:
            choice = self.rng.choice(asked)
            args = {**choice.options[0], "accept": True}
            self.give(Command(choice.name, choice.seat, args, choice.opened_at))
        else:
            super().act()

    def _write(self, events):
        ids = self.ids()
        super()._write(events)
        if self.reference is None:
            rolls = [event.data["rolls"] for event in events if event.type == "order_rolled"]
            drawn = next(event.data["line"] for event in events if event.type == "line_set")
            self.reference = Session(self.options, self.seats, rolls, drawn)
        else:
            self.met.update(rare(self.reference, self.command, events))
            tell(self.reference, self.command, events, ids)
        compare(self.reference, self.state, self.open)

    def ids(self):
        """Return cube → (member, None), or (taker, dropper) for an extra, before an entry."""
        return cubes_by_id(self.state) if self.reference is not None else {}


def cubes_by_id(state):
    game = rules.view(state, None)["game"]
    return {c["cube"]: (c["member"], c["against"] if c["extra"] else None) for c in (game or {"cubes": []})["cubes"]}


# What happened, told to the reference.


def tell(session, command, events, ids):
    """Tell the reference a command, and then what chance and the board did."""
    name, args = command.name, command.args
    if any(event.type == "game_started" for event in events):
        session.begin()
        name = ""
    if name == TIMEOUT:
        time_out(session, args["seat"], events)
    elif name in TOLD:
        TOLD[name](session, command.seat, args, ids)
    for event in events:
        if event.type in CHANCE:
            CHANCE[event.type](session.game, event.data, ids)


def time_out(session, seat, events):
    """§4.3 and §7: nobody doubles, takes or plays by a time-out; the second one of a play is leaving."""
    if any((event.type == "timed_out" and event.data["again"]) or event.type == "pause_ended" for event in events):
        return
    game = session.game
    if game is None:
        between_no(session)
    elif game.resigning is not None:
        game.answer_resignation(seat, accept=False)
    elif game.stage == "automatic":
        game.automatic(agree=False)
    elif game.stage == "answers":
        game.answer(dict.fromkeys(game.unanswered(seat), False))
    elif game.stage == "replies":
        for ask in [ask for ask in game.round() if ask[2] == seat]:
            game.reply(ask, QUIET_REPLIES.get(ask[0], "drop"))
    elif game.stage == "move" and not any(event.type == "play_made" for event in events):
        session.leave(seat)


def between_no(session):
    box = session.lineup()[0]
    if session.carried and box not in session.agreed:
        session.agreed[box] = False
    else:
        session.takes_partner = False


def automatic(session, seat, args, ids):
    if session.game is not None:
        session.game.automatic(args["agree"])
        return
    session.agreed[seat] = args["agree"]


def partner(session, seat, args, ids):
    session.takes_partner = args["take"]


def offer(session, seat, args, ids):
    session.game.double([ids[cube][0] for cube in args["cubes"]])


def answer_batch(session, seat, args, ids):
    taken, raised = ([ids[cube][0] for cube in args.get(key, ())] for key in ("take", "beaver"))
    game = session.game
    game.answer({member: member in taken for member in game.stands_for(game.batch)}, raised)


def answer(session, seat, args, ids):
    member = ids[args["cube"]][0]
    session.game.answer({member: args["take"]}, [member] if args.get("beaver") else [])


def reply(session, seat, args, ids):
    member = ids[args["cube"]][0]
    ask = next(ask for ask in session.game.round() if ask[1:] == (member, seat))
    session.game.reply(ask, args["reply"])


def resign(session, seat, args, ids):
    session.game.resign(seat, args["level"])


def answer_resignation(session, seat, args, ids):
    session.game.answer_resignation(seat, args["accept"])


def propose(session, seat, args, ids):
    session.game.proposals[ids[args["cube"]]] = args["points"]


def answer_proposal(session, seat, args, ids):
    member, against = ids[args["cube"]]
    points = session.game.proposals.pop((member, against))
    if args["accept"] and against is None:
        session.game.settle(member, points)
    elif args["accept"]:
        session.game.settle_extra(member, against, points)


def name_proxy(session, seat, args, ids):
    session.named[seat] = args["seat"]


def leave_after(session, seat, args, ids):
    (session.leaving.add if args["on"] else session.leaving.discard)(seat)


TOLD = {
    "automatic": automatic, "partner": partner, "offer": offer, "answer_batch": answer_batch, "answer": answer,
    "reply": reply, "resign": resign, "answer_resignation": answer_resignation, "propose": propose,
    "answer_proposal": answer_proposal, "name_proxy": name_proxy,
    LEAVE: lambda session, seat, args, ids: session.leave(args["seat"]),
    "join": lambda session, seat, args, ids: session.join(args["seat"]),
    CLOSE: lambda session, seat, args, ids: setattr(session, "over", True),
    CLOSE_AFTER: lambda session, seat, args, ids: setattr(session, "closing", args["on"]),
    "sit_out": lambda session, seat, args, ids: session.sit_out(seat, args["on"]),
    "leave_after": leave_after,
    "pass_box": lambda session, seat, args, ids: session.pass_box(seat),
    PLACE: lambda session, seat, args, ids: session.place(args["seat"], args["to"]),
}  # fmt: skip


def window_closed(game, data, ids):
    if data["doubles"]:
        game.double([ids[cube][0] for cube in data["doubles"]])


def turn_began(game, data, ids):
    """A study table begins without an opening roll."""
    if game is not None and not game.turn and data["stage"] != "move":
        game.begin_turn(data["side"])


CHANCE = {
    "opening_die_rolled": lambda game, data, ids: game.opening_die(data["seat"], data["die"]),
    "turn_began": turn_began,
    "window_closed": window_closed,
    "dice_awaited": lambda game, data, ids: game.to_roll(),
    "dice_rolled": lambda game, data, ids: game.rolled(),
    "play_made": lambda game, data, ids: game.played(times_won(data["position"])),
    "play_taken_back": lambda game, data, ids: game.taken_back(),
}


def times_won(position):
    """§3: what the game was won with, 0 while it goes on; the Box's checkers are positive."""
    box, team = [max(n, 0) for n in position], [max(-n, 0) for n in position]
    if sum(box) and sum(team):
        return 0
    loser, home = (team, (0, *range(1, 7))) if not sum(box) else (box, (25, *range(19, 25)))
    if sum(loser) < 15:
        return 1
    return 3 if any(loser[point] for point in home) else 2


# What must be the same.


def compare(session, state, open_now):
    view = rules.view(state, None)
    phase = "over" if session.over else "playing" if session.game is not None else "between"
    assert view["phase"].replace("pause", "between") == phase, (view["phase"], phase)
    statuses = [STATUS.get(status, status) for status in session.status]
    assert [seat["status"] for seat in view["seats"]] == statuses
    rows = [row["points"] for row in view["sheet"] if row["game"]]
    assert len(rows) == len(session.rows)
    if rows:
        assert rows[-1][: len(session.rows[-1])] == session.rows[-1], (rows[-1], session.rows[-1])
    if phase == "between":
        assert view["line"] == session.lineup(), (view["line"], session.line, session.sitting)
        passing = {c.seat for c in named(open_now, "pass_box")}
        assert passing == {seat for seat in open_now if session.may_pass_box(seat)}, (passing, session.passed)
    if phase == "playing":
        compare_game(session.game, view, open_now)


def compare_game(game, view, open_now):
    seen = view["game"]
    who = (game.box, game.captain, game.mate)
    assert (seen["box"], seen["captain"], seen["partner"]) == who, (seen, who)
    plain = {c["member"]: (c["value"], c["owner"], c["result"], c["turned"], c["holder"], c["against"])
             for c in seen["cubes"] if not c["extra"]}  # fmt: skip
    mine = {m: (c.value, c.owner, c.points, c.turned, game.decides(m), game.box) for m, c in game.cubes.items()}
    assert plain == mine, (plain, mine)
    extras = sorted((c["member"], c["against"], c["value"], str(c["result"])) for c in seen["cubes"] if c["extra"])
    own = sorted((m, e.against, e.value, str(e.points)) for m, c in game.cubes.items() for e in c.extras)
    assert extras == own, (extras, own)
    compare_asked(game, seen, open_now)
    compare_box(game, seen, open_now)
    talking = {c.seat for c in named(open_now, "say")}
    assert talking == game.talking(seen["deputies"]["team"], set(seen["asked"])), (talking, game.captain)


def compare_asked(game, seen, open_now):
    by_id = {c["cube"]: c["member"] for c in seen["cubes"]}
    asks = {(ask["kind"], by_id[ask["cube"]], ask["seat"]) for ask in seen["asks"]}
    assert asks == {ask for ask in game.asks if ask not in game.said}, (asks, game.asks, game.said)
    ways = {(by_id[o["cube"]], c.seat, o["reply"]) for c in named(open_now, "reply") for o in c.options}
    if game.resigning is None:
        assert ways == {(ask[1], ask[2], way) for ask in game.round() for way in game.ways(ask)}
    single = {(c.seat, by_id[o["cube"]]) for c in named(open_now, "answer") for o in c.options}
    if game.stage == "answers" and game.turn == "box":
        raising = {by_id[o["cube"]] for c in named(open_now, "answer") for o in c.options if o.get("beaver")}
        asked = {m for _, m in single} & set(game.stands_for([cube.member for cube in game.live()]))
        can = {m for m in asked if game.cubes[m].value * 4 <= reference_cubes.MOST and game.options["beavers"]}
        assert raising == can if game.is_single else raising <= {m for _, m in single}
        assert single == {(seat, m) for seat in open_now for m in game.unanswered(seat)}
    accepting = {c.seat for c in named(open_now, "answer_resignation")}
    assert accepting == {seat for seat in open_now if game.asked_to_accept(seat)}
    levels = {(c.seat, o["level"]) for c in named(open_now, "resign") for o in c.options}
    may = {(seat, n) for seat in open_now if game.here(seat) for n in game.levels(seat)}
    assert levels == may, (levels, may, game.stage, game.offered_levels)


def compare_box(game, seen, open_now):
    by_id = {c["cube"]: c["member"] for c in seen["cubes"]}

    def sets(name, key):
        return {frozenset(by_id[i] for i in o[key]) for c in named(open_now, name) for o in c.options}

    if game.resigning is not None:
        return
    if game.stage == "answers" and game.turn == "team":
        batch = [cube for cube in game.live() if cube.member in game.stands_for(game.batch)]
        assert sets("answer_batch", "take") == reference_cubes.answers(game.options, batch, game.live(), game.captain)
        raised = {
            (frozenset(by_id[i] for i in o["take"]), frozenset(by_id[i] for i in o.get("beaver", ())))
            for c in named(open_now, "answer_batch") for o in c.options
        }  # fmt: skip
        assert raised == reference_cubes.beavered(game.options, batch, game.live(), game.captain)
    free = [cube for cube in game.live() if cube.may_turn("against")] if game.may_offer else []
    free = [cube for cube in free if cube.member in game.stands_for([each.member for each in free])]
    assert sets("offer", "cubes") == reference_cubes.offers(game.options, free, game.captain)


def named(open_now, name):
    return [choice for found in open_now.values() for choice in found if choice.name == name]


# What the sessions have met.


def rare(session, command, events):
    """Return what of interest an entry shows, by name."""
    types = Counter(event.type for event in events)
    found = {name for name in ("box_changed", "cube_handed", "extra_given", "raccooned") if types[name]}
    game = session.game
    left = next((event.data for event in events if event.type == "seat_left"), None)
    if left is not None and game is not None:
        found.add("the Box leaves" if left["seat"] == game.box else "somebody of the Team leaves")
        found |= {"a bot plays on"} if left["played_on"] else set()
        found |= {"leaving in a round"} if game.asks else {"leaving in a resignation"} if game.resigning else set()
        found |= {"a proxy looks after a cube"} if left["proxy"] not in (None, game.captain) else set()
        found |= {"timing out for good"} if command.name == TIMEOUT else set()
        found |= (
            {"a leaver pays"} if any(e.type == "cube_settled" and e.data["how"] == "left" for e in events) else set()
        )
    if any(event.type == "beavered" and event.data["forced"] for event in events):
        found.add("a forced beaver")
    if game is not None and any(e.type == "cube_settled" and e.data["how"] == "settled" for e in events):
        found.add("a settlement with extras" if types["cube_settled"] > 1 else "a settlement")
    for event in events:
        if event.type == "game_ended":
            kept = event.data["line_after"][0] == event.data["box"]
            found.add(f"{session.options['rotation']}, the Box {'kept' if kept else 'lost'}")
            if event.data["partner"] is not None:
                found.add("partner, the Box kept" if kept else "partner, the Box lost")
            if event.data["why"] == "box_below_even":
                found.add("below even")
        elif event.type == "replies_opened" and len(event.data["replies"]) > 1:
            found.add(f"a round of several: {max((r[1] for r in event.data['replies']), key=RANKS.get)}")
        elif event.type == "resignation_closed" and event.data["accepted"] and event.data["refused"]:
            found.add("a resignation accepted in part")
    return found


def rules_of_the_house(rng):
    """Return random house rules, with what is rare at tables not so rare."""
    options = {**house_rules(rng), "turn_seconds": 30}
    if rng.random() < 0.2:
        options |= {"cubes": "single", "beavers": True, "raccoons": rng.random() < 0.7}
    if rng.random() < 0.4:
        options |= {"sole_taker": "extras", "uniform_response": "by_category"}
    if rng.random() < 0.4:
        options |= {"partner": rng.choice(["optional_from", "compulsory_from"]), "partner_from": 4}
    return options


def play(seed):
    """Play a session beside the reference; return what it met."""
    rng = random.Random(seed)
    session = Beside(rng, rules_of_the_house(rng), rng.choice([2, 3, 3, 4, 4, 5, 6, 7]))
    length = rng.randint(20, 160)
    while not rules.is_over(session.state) and len(session.log) < 2 * length:
        chance = rng.random()
        name = "join" if chance < 0.03 else LEAVE if chance < 0.05 else TIMEOUT if chance < 0.09 else ""
        name = CLOSE_AFTER if 0.09 <= chance < 0.095 else PLACE if 0.1 <= chance < 0.2 else name
        if len(session.log) > length:
            name = CLOSE
        if not name or not session.house(name):
            session.act()
    return session.met + Counter(games=len(session.reference.rows), entries=len(session.log))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first session's seed")
    args = parser.parse_args()
    began, met = time.perf_counter(), Counter()
    for seed in range(args.seed, args.seed + args.sessions):
        try:
            met += play(seed)
        except Exception:
            print(f"seed {seed} differs")
            raise
    print(f"{args.sessions} sessions from seed {args.seed} in {time.perf_counter() - began:.0f} s, no difference:")
    print(*(f"  {count:7} {name}" for name, count in sorted(met.items())), sep="\n")


if __name__ == "__main__":
    main()
