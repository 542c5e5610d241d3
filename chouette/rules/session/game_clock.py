"""Game clocks between two players: simple delay, and the time limit of a match (docs/rules-chouette.md §12).

No time is read here: a command brings what the running clock has left until its flag falls (`Command.clocks`), and
each entry that presses a clock keeps the reserves in its event.
"""

from __future__ import annotations

from dataclasses import dataclass

from chouette.rules.cube import beavers
from chouette.rules.cube.cubes import roller
from chouette.rules.events.time import BELL, ClockPressed, ClockSet
from chouette.rules.session import match
from chouette.rules.state import (
    ANSWERS,
    BOX,
    MOVE,
    OFFER,
    PLAYING,
    REPLIES,
    ROLL,
    TEAM,
    WINDOW,
    WOOD,
    Draft,
    Game,
    GameClock,
    State,
    is_wood,
    playing,
    rule_of,
)
from games.kernel.contract import FLAG, TIME_LIMIT, Command, Illegal, Seat, Timer

MINUTE_MS = 60_000
_QUARTER_MS = MINUTE_MS // 4


@dataclass(frozen=True, slots=True)
class ClockKind:
    """A kind of clock: the free milliseconds of each turn, and the reserve of a match in quarters of a minute.

    The reserve is `per_point` for each point of the match's length, less `per_won` for each point that is won.
    """

    delay: int
    per_point: int
    per_won: int


KINDS = {"delay": ClockKind(12_000, 8, 4), "pairs": ClockKind(18_000, 10, 5)}


def kind_of(state: State) -> ClockKind | None:
    """Return the kind of clock of a table, None without one."""
    agreed = state.clock_rules
    return KINDS.get(rule_of(state, "clock") if agreed is None else agreed.clock)


def reserve(state: State, kind: ClockKind) -> int:
    """Return the reserve of each side when the clocks are put in now, in milliseconds."""
    if not match.is_match(state):
        return int(rule_of(state, "clock_minutes")) * MINUTE_MS
    won = sum(match.points_of(state, seat) for seat in state.line)
    return (kind.per_point * int(state.options["match_length"]) - kind.per_won * won) * _QUARTER_MS


def put_in(draft: Draft) -> None:
    """Put the clocks in before the game that has just been begun: once in a match, anew for each money game.

    A game that is begun again after that was taken back keeps its reserves.
    """
    state, kind = draft.state, kind_of(draft.state)
    number = playing(state).number
    if kind is None or (state.clock is not None and (match.is_match(state) or state.clock.game == number)):
        return
    draft.add(ClockSet(left=[reserve(state, kind)] * len(state.players), game=number))


def press(draft: Draft, command: Command) -> None:
    """Stop and start the clocks after a command, by the seat that has to act now.

    Raises Illegal `flag_fell` if the command's own seat acts when its time is up: then only the house acts.
    """
    state, clock = draft.state, draft.state.clock
    if clock is None:
        return
    turn = _turn_on_board(state, clock)
    runs = _to_act(state, turn)
    if (runs, turn) == (clock.runs, clock.turn):
        return
    draft.add(ClockPressed(left=_left(clock, command), runs=runs, turn=turn))


def _left(clock: GameClock, command: Command) -> list[int]:
    """Return the reserves after a command that stops the running clock: it never has more than before."""
    left = list(clock.left)
    seat = clock.runs
    if seat is None or command.name == FLAG or (until_flag := command.clocks.get(seat)) is None:
        return left
    if until_flag < 0 and command.seat == seat:
        raise Illegal("flag_fell")
    left[seat] = min(left[seat], max(0, until_flag))
    return left


def _turn_on_board(state: State, clock: GameClock) -> Seat | None:
    """Return the seat on turn on a real board: a press tells it, or a double; None on the screen and between games."""
    if not is_wood(state) or state.phase != PLAYING or state.game is None:
        return None
    return _seat_of(state.game, state.game.turn) if state.game.stage == ANSWERS else clock.turn


def _seat_of(game: Game, side: str) -> Seat:
    return game.box if side == BOX else game.captain


def _to_act(state: State, turn: Seat | None) -> Seat | None:
    """Return the seat whose clock runs: the one that has to act in the game; None if both or neither have to."""
    game = state.game
    if game is None or state.phase != PLAYING:
        return None
    if game.resignation is not None:
        return game.captain if game.resignation.by == game.box else game.box
    if game.stage in (WINDOW, OFFER, ROLL, MOVE):
        return roller(game)
    if game.stage == ANSWERS:
        return _seat_of(game, TEAM if game.turn == BOX else BOX)
    if game.stage == REPLIES:
        return next((ask.seat for ask in beavers.waiting(game)), None)
    return turn if game.stage == WOOD else None


PRESS = "press"
"""The choice on a real board by which a side ends its turn."""


def may_press(state: State, seat: Seat) -> bool:
    """Tell whether a seat may press on a real board: the side on turn, or at first either, for the other's clock."""
    clock, game = state.clock, state.game
    if clock is None or game is None or state.phase != PLAYING or game.stage != WOOD or game.resignation is not None:
        return False
    return seat in (game.box, game.captain) and clock.turn in (seat, None)


def pressed(draft: Draft, seat: Seat, clocks: Command) -> None:
    """End a seat's turn on a real board: its clock stops, the other's starts. Raises Illegal `flag_fell`."""
    clock, game = draft.state.clock, playing(draft.state)
    if clock is None:
        return
    other = game.captain if seat == game.box else game.box
    draft.add(ClockPressed(left=_left(clock, clocks), runs=other, turn=other))


def timers(state: State) -> tuple[Timer, ...]:
    """Return the running times: the clock of the seat that has to act, and the time limit of the match."""
    return (*_clock_timers(state), *_limit(state))


def _clock_timers(state: State) -> tuple[Timer, ...]:
    clock, kind = state.clock, kind_of(state)
    if clock is None or kind is None or clock.runs is None or state.phase != PLAYING:
        return ()
    if clock.runs in clock.fallen and effect_of(state) == BELL:
        return ()
    return (Timer(FLAG, clock.runs, clock.since, kind.delay + clock.left[clock.runs]),)


def _limit(state: State) -> tuple[Timer, ...]:
    minutes = int(rule_of(state, "match_minutes"))
    is_running = minutes > 0 and not state.is_time_over and state.ended is None
    return (Timer(TIME_LIMIT, None, 1, minutes * MINUTE_MS),) if is_running else ()


def effect_of(state: State) -> str:
    """Return the effect of a fallen flag by the house rules."""
    return str(rule_of(state, "clock_expiry")) if state.clock_rules is None else state.clock_rules.clock_expiry
