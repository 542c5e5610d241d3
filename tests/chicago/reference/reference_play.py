"""Random play of the engine and the reference side by side, compared after each entry."""

import random

from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from games.kernel import simulate
from games.kernel.contract import Command
from games.kernel.options import BoolOption, ChoiceOption, IntOption
from games.kernel.replay import Entry, fold_entry
from tests.chicago.reference.reference_turn import high_of, low_of, sharers_of
from tests.chicago.reference.reference_typed import Game

RANGES = {"rounds": (0, 4), "end_total": (0, 9), "mats_fixed": (1, 14), "turn_seconds": (0, 60)}
SEATS = (2, 3, 3, 3, 4, 4, 5, 6, 6, 7, 8, 12)
FAIR, CHICKS, MANY_CHICKS, SIXES, FISH = (
    (1, 1, 1, 1, 1, 1),
    (4, 1, 1, 1, 1, 4),
    (9, 1, 1, 1, 1, 3),
    (1, 0, 0, 0, 1, 9),
    (1, 6, 6, 0, 0, 1),
)
LONGEST = 600


class Chance:
    """What fell in one entry, from its events; checked to be what the dice gave."""

    def feed(self, events, drawn):
        self.thrown = [(e.data["seat"], e.data["dice"]) for e in events if e.type == "dice_thrown"]
        self.rolls = [roll for e in events for roll in e.data.get("rolls", ())]
        told = [die for e in events if e.type == "dice_thrown" and not e.data.get("typed") for die in e.data["dice"]]
        told += [one["die"] for roll in self.rolls for one in roll]
        assert sorted(told) == sorted(drawn)

    def throw(self, seat):
        who, dice = self.thrown.pop(0)
        assert who == seat
        return dice

    def one_die_each(self, seats):
        dice = {one["seat"]: one["die"] for one in self.rolls.pop(0)}
        assert sorted(dice) == sorted(seats)
        return dice

    def is_used_up(self):
        return not self.thrown and not self.rolls


class LoadedDice:
    """Dice with weights, so that rare things happen; `drawn` keeps what fell."""

    def __init__(self, rng, weights):
        self.rng, self.weights, self.drawn = rng, weights, []

    def roll(self, count):
        values = tuple(self.rng.choices(range(1, 7), self.weights, k=count))
        self.drawn.extend(values)
        return values


def random_options(rng):
    """Return a preset, a preset with some changes, or house rules out of a hat."""
    values = OPTIONS.values(rng.choice([p.id for p in OPTIONS.presets]))
    share = rng.choice([0, 0.15, 0.5, 1])
    values |= {o.id: random_value(o, rng) for o in OPTIONS.options if rng.random() < share}
    if rng.random() < 0.7:
        values["rounds"] = rng.randint(1, 4)
    if values["forfeits"] and values["mats"] != "none":
        values |= rng.choice([{"forfeits": False}, {"mats": "none"}])
    return OPTIONS.validate(values)


def random_value(option, rng):
    if isinstance(option, BoolOption):
        return rng.random() < 0.5
    if isinstance(option, ChoiceOption):
        return rng.choice(option.picks).id
    if isinstance(option, IntOption):
        return rng.randint(*RANGES.get(option.id, (option.low, option.high)))
    return option.default


BOTS = (1, 4)
"""Seats for which bots act, as far as it makes a difference: what the house throws for them is thrown again."""


def pick(choices, rng, house_share, aside_share):
    """Return a legal command: mostly what the game waits for, or something aside."""
    aside = [c for c in choices if not c.required and c.seat is not None]
    lot = rng.random()
    if lot < house_share:
        pool = [c for c in choices if c.seat is None]
    elif aside and lot > 1 - aside_share:
        pool = aside
    else:
        pool = [c for c in choices if c.required]
    choice = rng.choice(pool)
    args = rng.choice(choice.options)
    acts = args.get("seat") if choice.seat is None else choice.seat
    return Command(choice.name, choice.seat, args, choice.opened_at, by_bot=acts in BOTS)


def tell(game, command):
    """Give the reference the command that the engine took."""
    seat, args = command.seat, command.args
    acts = {
        "throw": lambda: game.lay_or_throw(seat, tuple(args["lay"]), turned(args)),
        "type_dice": lambda: game.throw_typed(seat),
        "stand": lambda: game.stand(seat, valuation_of(args or None)),
        "refill": lambda: game.refill(seat),
        "name_loser": lambda: game.name_loser(seat, args["seat"]),
        "take_for": lambda: game.take_for(seat, args["seat"]),
        "call_breach": lambda: game.call_breach(seat, args["seat"], args["breach"]),
        "vote_breach": lambda: game.vote_breach(seat, args["guilty"]),
        "timeout": lambda: game.timeout(args["seat"]),
        "leave": lambda: game.leave(args["seat"]),
        "join": lambda: game.join(args["seat"]),
        "vacate": lambda: game.vacate(args["seat"]),
        "occupy": lambda: game.occupy(args["seat"]),
        "close": game.close,
        "declare": lambda: game.declare(valuation_of(args)),
        "enter_result": lambda: game.enter_result(seat, args["throws"], args["value"], args["kind"]),
        "take_back": lambda: game.take_back(args.get("seat", seat)),
    }
    threw = sum(game.throws)
    acts[command.name]()
    game.ends_for_forfeits()
    if command.name != "take_back":
        threw = sum(game.throws) != threw
    game.remember(command, threw is True)


def turned(args):
    """Return False, True, or "laid" where a laid-out six is turned."""
    return "laid" if args.get("laid") else args["turn"]


def valuation_of(raw):
    return raw and (raw["ones"], raw["sixes"], raw["high"])


def of_reference(game):
    """Return what the page says of a table, in the words of `of_engine`."""
    said = {
        "phase": game.phase,
        "round": game.number,
        "turn": game.on_turn,
        "stock": game.stock,
        "mats_out": game.mats_out,
        "status": game.status,
        "mats": game.mats,
        "mats_taken": game.mats_taken,
        "forfeits": game.forfeits,
        "side_forfeits": game.side_forfeits,
        "rounds_paid": game.paid,
        "chicks": game.chicks,
        "throws": game.throws,
        "last_round": game.last_round,
    }
    if game.phase == "over":
        return said | {"losers": game.losers}
    return said | turn_of_reference(game) | round_of_reference(game)


def turn_of_reference(game):
    turn = game.turn
    return {
        "cup": (turn.laid, turn.rolled, turn.throws),
        "throws_left": turn.limit - turn.throws,
        "declares": game.declares(),
        "ways": set() if game.breach or game.naming or game.awaits else turn.ways_on(),
        "to_type": None if game.breach or game.naming else game.to_type(),
        "can_stand": not game.breach and not game.awaits and game.can_stand(),
        "naming": game.on_turn if game.naming else None,
        "refill": game.refill_by,
        "breach": game.breach,
        "awaited": game.awaited(),
        "can_call": [s for s in game.still_in() if game.can_call(s)],
        "can_take_for": {s: game.can_take_for(s) for s in game.still_in() if game.can_take_for(s)},
        "can_close": game.can_close(),
        "entries": game.entries() if not game.naming else set(),
        "can_declare": game.can_declare() if not game.naming else set(),
        "can_undo": game.can_undo(),
        "can_undo_alone": game.can_undo_alone(),
        "can_leave": set(game.staying()),
        "can_join": game.can_join(),
        "can_vacate": game.can_vacate(),
        "can_occupy": set(game.still_in()) & game.vacant,
    }


def round_of_reference(game):
    results = game.results
    high, low = high_of(results), low_of(results)
    beaten = high if game.beats_high() else low or high
    give = game.options["playing_off"] == "give" and game.stock is not None
    return {
        "starter": game.starter,
        "throws_allowed": game.allowed,
        "waiting": game.queue,
        "valuation": game.valuation,
        "results": [(r.seat, r.value, r.throws, r.fish) for r in results],
        "high": high and high.seat,
        "low": low and low.seat,
        "beat": beaten and beaten.seat,
        "shared_low": [r.seat for r in sharers_of(results)] if low else [],
        "announced": game.announced,
        "order": [s for s in game.ring if game.status[s] == "in"],
        "coming": game.coming,
        "out": [s for s in game.still_in() if s in game.out],
        "target": game.target() if give else None,
    }


def of_engine(state, choices):
    view = rules.view(state, None)
    last = view["last_round"]
    said = {key: view[key] for key in ("phase", "round", "turn", "stock", "mats_out")}
    columns = ("mats", "mats_taken", "forfeits", "side_forfeits", "rounds_paid", "chicks", "throws")
    said |= {key: [s[key] for s in view["seats"]] for key in columns}
    said["status"] = ["in" if s["status"] == "out" else s["status"] for s in view["seats"]]
    said["last_round"] = last and tuple(last[k] for k in ("round", "reason", "high", "low"))
    if view["phase"] == "over":
        return said | {"losers": view["outcome"]["losers"]}
    return said | turn_of_engine(view, choices) | round_of_engine(state, view)


def turn_of_engine(view, choices):
    found = {(c.name, c.seat): c.options for c in choices}
    turn, cup, breach = view["turn"], view["cup"], view["breach"]
    required = {c.seat for c in choices if c.required}
    assert required == {o["seat"] for o in found["timeout", None]}
    return {
        "cup": (cup["laid"], sorted(cup["rolled"]), cup["throws"]),
        "throws_left": view["throws_left"],
        "declares": view["declares"],
        "ways": ways_of_engine(view, found),
        "to_type": typed_of_engine(view, found),
        "can_stand": ("stand", turn) in found,
        "naming": view["naming"],
        "refill": view["refill"],
        "breach": breach and breach_of_engine(breach),
        "awaited": required,
        "can_call": [s for s in range(len(view["seats"])) if ("call_breach", s) in found],
        "can_take_for": {c.seat: seats_named(c) for c in choices if c.name == "take_for"},
        "can_close": ("close", None) in found,
        "entries": {(o["throws"], o["value"], o["kind"]) for o in found.get(("enter_result", turn), ())},
        "can_declare": {valuation_of(o) for o in found.get(("declare", turn), ())},
        "can_undo": house_seats(found, "take_back"),
        "can_undo_alone": {c.seat for c in choices if c.name == "take_back" and c.seat is not None},
        **{f"can_{name}": house_seats(found, name) for name in ("leave", "join", "vacate", "occupy")},
    }


def ways_of_engine(view, found):
    """The first throw of real dice needs no command of its own: what fell is typed at once."""
    if ("type_dice", view["turn"]) in found and view["cup"]["throws"] == 0:
        return {((), False)}
    return {(tuple(o["lay"]), turned(o)) for o in found.get(("throw", view["turn"]), ())}


def typed_of_engine(view, found):
    options = found.get(("type_dice", view["turn"]))
    if options is None:
        return None
    assert {"server": True} in options
    counts = {len(o["dice"]) for o in options if "dice" in o}
    assert counts == {view["to_type"]["count"]}
    return 3 - view["to_type"]["count"], view["to_type"]["laid"]


def house_seats(found, name):
    return {option["seat"] for option in found.get((name, None), ())}


def seats_named(choice):
    return {option["seat"] for option in choice.options}


def breach_of_engine(breach):
    votes = {int(seat): guilty for seat, guilty in breach["votes"].items()}
    return {key: breach[key] for key in ("by", "seat", "voters")} | {"votes": votes, "kind": breach["breach"]}


def round_of_engine(state, view):
    said, saying = view["announcement"], ("kind", "seat", "value", "throws", "fish")
    present = [s["seat"] for s in view["seats"] if s["status"] in ("in", "out")]
    return {
        "starter": view["starter"],
        "throws_allowed": view["throws_allowed"],
        "waiting": view["waiting"],
        "valuation": valuation_of(view["valuation"]),
        "results": [(r.seat, r.value, r.throws, r.is_fish) for r in state.round.results],
        "high": view["high"] and view["high"]["seat"],
        "low": view["low"] and view["low"]["seat"],
        "beat": view["beat"] and view["beat"]["seat"],
        "shared_low": view["shared_low"],
        "announced": said and (*[said[k] for k in saying], valuation_of(said["valuation"]), said["low_counts"]),
        "order": [s for s in view["order"] if s in present],
        "coming": [s for s in view["order"] if view["seats"][s]["status"] == "coming"],
        "out": [s["seat"] for s in view["seats"] if s["status"] == "out"],
        "target": view["target"],
    }


class SideBySide:
    """One table of the engine and the reference, with what is needed to tell of a difference."""

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        self.options, self.seats = random_options(rng), rng.choice(SEATS)
        self.dice = LoadedDice(rng, rng.choice([FAIR, FAIR, CHICKS, CHICKS, MANY_CHICKS, SIXES, FISH]))
        self.shares = rng.choice([0, 0.02, 0.1, 0.3]), rng.choice([0, 0.1, 0.3])
        self.chance, self.log, self.seq = Chance(), [], 0
        self.state = rules.initial(self.options, self.seats)
        self.take(rules.open(self.options, self.seats, self.dice).events)
        self.game = Game(self.options, self.seats, self.chance)
        self.game.remember(None, False)

    def take(self, events):
        self.seq += 1
        self.chance.feed(events, self.dice.drawn)
        self.dice.drawn = []
        self.state = fold_entry(rules, self.state, Entry(self.seq, events))
        self.choices = simulate.open_choices(rules, self.state, self.seats, house=True)

    def step(self):
        """Play one random command; return it with its events and the state before it."""
        before = self.state
        command = pick(self.choices, self.rng, *self.shares)
        events = rules.decide(before, command, self.dice, self.seq + 1).events
        fell = [e.data["dice"] for e in events if e.type == "dice_thrown"]
        self.log.append((command.seat, command.name, command.args, fell))
        if command.name == "join":
            self.seats = max(self.seats, command.args["seat"] + 1)
        self.take(events)
        tell(self.game, command)
        return before, command, events

    def compare(self):
        page, engine = of_reference(self.game), of_engine(self.state, self.choices)
        assert page.keys() == engine.keys(), (page["phase"], engine["phase"])
        wrong = {k: (page[k], engine[k]) for k in page if page[k] != engine[k]}
        assert not wrong, f"the page says, the engine says: {wrong}"
        assert self.chance.is_used_up(), "the page asks for fewer dice"

    def story(self):
        """Return what a reader needs to see the difference: seed, house rules, last commands."""
        told = [f"seed {self.seed}, {self.seats} seats, {self.options}"]
        return "\n".join(told + [str(line) for line in self.log[-16:]])


def play_side_by_side(seed):
    """Play a game, comparing after each entry; yield (before, command, events, after)."""
    table = SideBySide(seed)
    try:
        table.compare()
        while not rules.is_over(table.state) and table.seq < LONGEST:
            step = table.step()
            table.compare()
            yield (*step, table.state)
    except Exception as problem:
        raise AssertionError(f"{problem!r}\n{table.story()}") from problem
