"""The rules of Bluffing Dice: each throw is seen by one seat alone until somebody lifts the cup.

Who throws announces a value above the last one. The next seat believes it, and throws in turn, or lifts the cup: if
less lies there than was announced it has a point, else the one who threw. 21 is best, then pairs, then the others.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from random import Random

from games.kernel.codec import codec
from games.kernel.contract import (
    ALWAYS,
    LEAVE,
    OVER,
    TIMEOUT,
    Choice,
    Command,
    Decision,
    Event,
    JsonObject,
    Outcome,
    Seat,
    Times,
    match,
)
from games.kernel.dice import Dice
from games.kernel.draft import Draft
from games.kernel.house_choices import house_choices
from games.kernel.options import IntOption, OptionSet, Preset, Values
from games.kernel.rules import Rules
from games.kernel.standings import ranking
from games.kernel.text import gettext_noop as _

_TARGET = IntOption(
    id="target",
    label=_("Points to win"),
    default=3,
    group=_("The game"),
    low=1,
    high=9,
    card=_("Whoever has {value} points has won."),
)
OPTIONS = OptionSet((_TARGET,), (Preset("pub", _("Pub"), _("Three points win."), {}, (2, 4)),))

VALUES = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21)
"""All values, the lowest first."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat."""

    points: int = 0
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class State:
    """A table: `dice` lie under the cup of seat `thrower` since entry `fell`; `lifted` are the last ones seen by all.

    `announced` is the last value of the round; seat `turn` throws, announces or answers since entry `opened`.
    """

    options: Values
    players: tuple[Player, ...]
    turn: Seat = 0
    opened: int = 0
    thrower: Seat | None = None
    dice: tuple[int, ...] = ()
    fell: int = 0
    announced: int | None = None
    lifted: tuple[int, ...] = ()
    over: bool = False


def value_of(dice: tuple[int, ...]) -> int:
    """Return the value of two dice, the higher one first, but 21 for the best."""
    return 10 * max(dice) + min(dice)


def options() -> OptionSet:
    """Return the declaration of the house rules."""
    return OPTIONS


def initial(options: Values, seats: int) -> State:
    """Return the state before any event."""
    return State(dict(options), (Player(),) * seats)


def opened(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry: seat 0 begins."""
    draft = Draft(fold, initial(options, seats), dice, seq=1)
    draft.add("round_began", seat=0)
    return draft.decision()


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return the open choices of a seat, or of the house for None."""
    if state.over or seat not in (None, state.turn):
        return ()
    if seat is None:
        return house_choices(state.opened, {TIMEOUT: [state.turn], LEAVE: _staying(state)}, can_close=False)
    if state.thrower is None:
        return (Choice("throw", seat, state.opened),)
    if state.thrower == seat:
        higher = tuple({"value": value} for value in _above(state.announced))
        return (Choice("announce", seat, state.opened, higher),)
    answers = ("believe", "lift") if _above(state.announced) else ("lift",)
    return tuple(Choice(name, seat, state.opened) for name in answers)


def _above(announced: int | None) -> tuple[int, ...]:
    return VALUES if announced is None else VALUES[VALUES.index(announced) + 1 :]


def _staying(state: State) -> list[Seat]:
    """Return the seats that are in, from the one after `turn` on."""
    count = len(state.players)
    order = ((state.turn + step) % count for step in range(1, count + 1))
    return [seat for seat in order if state.players[seat].is_in]


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return the decision of a command in log entry `seq`; raises Illegal."""
    match(choices(state, command.seat), command)
    draft, name = Draft(fold, state, dice, seq), command.name
    if name == TIMEOUT:
        own = choices(state, state.turn)[0]
        return decide(state, Command(own.name, state.turn, own.options[0]), dice, seq)
    if name == LEAVE:
        draft.add("seat_left", seat=command.args["seat"])
        _go_on(draft, "left")
    elif name == "announce":
        draft.add("announced", seat=state.turn, value=command.args["value"], next=_staying(state)[0])
    elif name == "lift":
        is_true = state.announced in VALUES[: VALUES.index(value_of(state.dice)) + 1]
        winner = state.thrower if is_true else state.turn
        draft.add("cup_lifted", seat=state.turn, dice=list(state.dice), winner=winner)
        _go_on(draft, "played")
    else:
        draft.add("cup_thrown", seat=state.turn)
        fell = Event("dice_seen", {"seat": state.turn, "dice": list(dice.roll(2))}, audience=(state.turn,), until=OVER)
        draft.write(fell)
    return draft.decision()


def _go_on(draft: Draft[State], reason: str) -> None:
    """Write the end of the game, or the next round."""
    state, staying = draft.state, _staying(draft.state)
    has_won = any(player.points >= state.options["target"] for player in state.players)
    if has_won or len(staying) < 2:
        ranked = ranking({seat: (not player.is_in, -player.points) for seat, player in enumerate(state.players)})
        draft.add("game_ended", reason=reason, points=[player.points for player in state.players], ranking=ranked)
    else:
        draft.add("round_began", seat=state.turn if state.turn in staying else staying[0])


def fold(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of log entry `seq`."""
    data = event.data
    match event.type:
        case "round_began":
            return replace(state, turn=data["seat"], opened=seq, thrower=None, dice=(), announced=None)
        case "cup_thrown":
            return replace(state, thrower=data["seat"], opened=seq, lifted=())
        case "dice_seen":
            return replace(state, dice=tuple(data["dice"]), fell=seq)
        case "announced":
            return replace(state, announced=data["value"], turn=data["next"], opened=seq)
        case "cup_lifted":
            return _with(replace(state, lifted=tuple(data["dice"])), data["winner"], points=1)
        case "seat_left":
            return _with(state, data["seat"], is_in=False)
    return replace(state, over=True, dice=()) if event.type == "game_ended" else state


def _with(state: State, seat: Seat, points: int = 0, is_in: bool = True) -> State:
    old = state.players[seat]
    player = Player(old.points + points, old.is_in and is_in)
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> JsonObject:
    """Return what `viewer` sees: the dice under the cup only if it threw them, and sat there when they fell."""
    is_own = viewer is not None and viewer == state.thrower and state.fell in times
    return {
        "seats": [asdict(player) for player in state.players],
        "dice": list(state.dice if is_own and state.dice else state.lifted),
        "waiting_for": [] if state.over else [state.turn],
        "over": state.over,
        "announced": state.announced,
    }


def resample(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the state with other dice under the cup, where `viewer` has not seen them."""
    if not state.dice or viewer == state.thrower:
        return state
    return replace(state, dice=tuple(rng.randint(1, 6) for _die in state.dice))


def has_secrets(state: State, seat: Seat) -> bool:
    """Tell whether a seat has seen the dice, or is to throw them."""
    return not state.over and seat in (state.thrower, state.turn)


def outcome(event: Event) -> Outcome | None:
    """Return the result that `game_ended` states."""
    if event.type != "game_ended":
        return None
    points = dict(enumerate(event.data["points"]))
    groups = tuple(tuple(group) for group in event.data["ranking"])
    return Outcome(event.data["reason"], points, groups, {seat: {} for seat in points})


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.is_in)


dump, load = codec(State)
rules = Rules(
    version=1, options=options, open=opened, initial=initial, choices=choices, decide=decide, fold=fold, view=view,
    resample=resample, is_over=lambda state: state.over, gone=gone, outcome=outcome, dump=dump, load=load,
    audit=lambda state: () if state.over or state.players[state.turn].is_in else ("it is the turn of nobody",),
    has_secrets=has_secrets,
)  # fmt: skip
