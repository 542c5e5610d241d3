"""The rules of Bluffing Dice: each throw is seen by one seat alone until somebody lifts the cup.

Who throws announces a value above the last one. The next seat believes it, and throws in turn, or lifts the cup: if
less lies there than was announced it has a point, else the one who threw. 21 is best, then pairs, then the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.kernel import contract, events
from games.kernel.codec import codec
from games.kernel.contract import Choice, Command, Decision, JsonObject, Seat
from games.kernel.dice import Dice
from games.kernel.draft import Draft
from games.kernel.events import Registry
from games.kernel.house_choices import house_choices
from games.kernel.options import IntOption, OptionSet, Preset, Values
from games.kernel.rules import Rules
from games.kernel.sentences import say
from games.kernel.standings import ranking
from games.kernel.text import gettext_noop as _
from games.kernel.words import Words

_TARGET = IntOption(
    id="target", label=_("Points to win"), default=3, group=_("The game"), low=1, high=9,
    card=_("Whoever has {value} points has won."),
)  # fmt: skip
OPTIONS = OptionSet((_TARGET,), (Preset("pub", _("Pub"), _("Three points win."), {}, (2, 4)),))

VALUES = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21)  # the lowest first


@dataclass(frozen=True, slots=True)
class State:
    """A table: `turn` acts since entry `opened`; `dice` lie under `thrower`'s cup since `fell`; all see `lifted`."""

    options: Values
    points: tuple[int, ...]
    is_in: tuple[bool, ...]
    turn: Seat = 0
    opened: int = 0
    thrower: Seat | None = None
    dice: tuple[int, ...] = ()
    fell: int = 0
    announced: int | None = None
    lifted: tuple[int, ...] = ()
    over: bool = False


_BELIEVE = say(_("Do you believe %(value)s?"), value="view.announced")
_DOUBTS = _("%(name)s believes it or lifts the cup")
WORDS = {
    "throw": Words(own=_("Your turn: throw"), others=_("%(name)s throws"), label=_("Throw")),
    "announce": Words(own=_("Announce more"), others=_("%(name)s announces"), title=_("Say"), label=_("Say %(value)s")),
    "believe": Words(own=_BELIEVE, others=_DOUBTS, label=_("Believe")),
    "lift": Words(own=_BELIEVE, others=_DOUBTS, label=_("Lift the cup"), order=1),
}
EVENTS: Registry[State] = Registry(words=WORDS)


class Fact(events.Fact[State]):
    declared = EVENTS


class RoundBegan(Fact):
    seat: Seat
    sentence = _("%(name)s begins the round.")

    def apply(self, state: State, seq: int) -> State:
        return replace(state, turn=self.seat, opened=seq, thrower=None, dice=(), announced=None)


class CupThrown(Fact):
    seat: Seat
    sentence = _("%(name)s throws.")

    def apply(self, state: State, seq: int) -> State:
        return replace(state, thrower=self.seat, opened=seq, lifted=())


class DiceSeen(Fact):
    seat: Seat
    dice: list[int]

    def apply(self, state: State, seq: int) -> State:
        return replace(state, dice=tuple(self.dice), fell=seq)


class Announced(Fact):
    seat: Seat
    value: int
    next: Seat
    sentence = _("%(name)s announces %(value)s.")

    def apply(self, state: State, seq: int) -> State:
        return replace(state, announced=self.value, turn=self.next, opened=seq)


class CupLifted(Fact):
    seat: Seat
    dice: list[int]
    winner: Seat
    sentence = _("%(name)s lifts the cup.")

    def apply(self, state: State, seq: int) -> State:
        points = tuple(had + (seat == self.winner) for seat, had in enumerate(state.points))
        return replace(state, lifted=tuple(self.dice), points=points)


class SeatLeft(Fact):
    seat: Seat
    sentence = _("%(name)s leaves.")

    def apply(self, state: State, seq: int) -> State:
        return replace(state, is_in=tuple(was and seat != self.seat for seat, was in enumerate(state.is_in)))


class GameEnded(Fact):
    reason: str
    points: list[int]
    ranking: list[list[int]]

    def apply(self, state: State, seq: int) -> State:
        return replace(state, over=True, dice=())


def opened(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry: seat 0 begins."""
    draft = Draft(EVENTS, rules.initial(options, seats), dice, seq=1)
    draft.add(RoundBegan(seat=0))
    return draft.decision()


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return the open choices of a seat, or of the house for None."""
    if state.over or seat not in (None, state.turn):
        return ()
    if seat is None:
        acts = {contract.TIMEOUT: [state.turn], contract.LEAVE: _staying(state)}
        return house_choices(state.opened, acts, can_close=False)
    higher = tuple({"value": value} for value in _above(state.announced))
    return tuple(Choice(name, seat, state.opened, higher if name == "announce" else ({},)) for name in _asked(state))


def _asked(state: State) -> tuple[str, ...]:
    """Return the names of the choices of seat `turn`."""
    if state.thrower is None:
        return ("throw",)
    if state.thrower == state.turn:
        return ("announce",)
    return ("believe", "lift") if _above(state.announced) else ("lift",)


def _above(announced: int | None) -> tuple[int, ...]:
    return VALUES if announced is None else VALUES[VALUES.index(announced) + 1 :]


def _staying(state: State) -> list[Seat]:
    """Return the seats that are in, from the one after `turn` on."""
    count = len(state.points)
    order = ((state.turn + step) % count for step in range(1, count + 1))
    return [seat for seat in order if state.is_in[seat]]


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return the decision of a command in log entry `seq`; raises Illegal."""
    contract.match(choices(state, command.seat), command)
    draft, name = Draft(EVENTS, state, dice, seq), command.name
    if name == contract.TIMEOUT:
        own = choices(state, state.turn)[0]
        return decide(state, Command(own.name, state.turn, own.options[0]), dice, seq)
    if name == contract.LEAVE:
        draft.add(SeatLeft(seat=command.args["seat"]))
        _go_on(draft, "left")
    elif name == "announce":
        draft.add(Announced(seat=state.turn, value=command.args["value"], next=_staying(state)[0]))
    elif name == "lift":
        lies = 10 * max(state.dice) + min(state.dice)
        winner = state.thrower if state.announced in VALUES[: VALUES.index(lies) + 1] else state.turn
        draft.add(CupLifted(seat=state.turn, dice=list(state.dice), winner=winner))
        _go_on(draft, "played")
    else:
        draft.add(CupThrown(seat=state.turn))
        draft.tell((state.turn,), DiceSeen(seat=state.turn, dice=list(dice.roll(2))), until=contract.OVER)
    return draft.decision()


def _go_on(draft: Draft[State], reason: str) -> None:
    """Write the end of the game, or the next round."""
    state, staying = draft.state, _staying(draft.state)
    if max(state.points) >= state.options["target"] or len(staying) < 2:
        ranked = ranking({seat: (not state.is_in[seat], -points) for seat, points in enumerate(state.points)})
        draft.add(GameEnded(reason=reason, points=list(state.points), ranking=ranked))
    else:
        draft.add(RoundBegan(seat=state.turn if state.turn in staying else staying[0]))


def view(state: State, viewer: Seat | None, times: contract.Times = contract.ALWAYS) -> JsonObject:
    """Return what `viewer` sees: the dice under the cup only if it threw them, and sat there when they fell."""
    is_own = viewer is not None and viewer == state.thrower and state.fell in times
    return {
        "seats": [{"points": points} for points in state.points],
        "dice": list(state.dice if is_own and state.dice else state.lifted),
        "waiting_for": [] if state.over else [state.turn],
        "asked": _asked(state)[0],
        "over": state.over,
        "announced": state.announced,
    }


def outcome(event: contract.Event) -> contract.Outcome | None:
    """Return the result that the end of a game states."""
    if event.type != GameEnded.name:
        return None
    points = dict(enumerate(event.data["points"]))
    return contract.Outcome("played", points, tuple(map(tuple, event.data["ranking"])), {seat: {} for seat in points})


dump, load = codec(State)
rules = Rules(
    version=1, events=EVENTS, fold=EVENTS.fold, options=lambda: OPTIONS, open=opened,
    initial=lambda values, seats: State(dict(values), (0,) * seats, (True,) * seats),
    choices=choices, decide=decide, view=view, outcome=outcome, dump=dump, load=load, is_over=lambda state: state.over,
    resample=lambda state, viewer, rng: state if not state.dice or viewer == state.thrower
    else replace(state, dice=(rng.randint(1, 6), rng.randint(1, 6))),
    gone=lambda state: tuple(seat for seat, is_in in enumerate(state.is_in) if not is_in),
    faults=lambda state: () if state.over or state.is_in[state.turn] else ("it is the turn of nobody",),
    has_secrets=lambda state, seat: not state.over and seat in (state.thrower, state.turn),
)  # fmt: skip
