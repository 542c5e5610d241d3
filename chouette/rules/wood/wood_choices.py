"""The open choices of a game on a real board (docs/rules-chouette.md §4.13)."""

from __future__ import annotations

from chouette.rules.session import game_clock
from chouette.rules.state import PLAYING, Game, State, is_wood
from chouette.rules.wood import acts, beginning, corrections, doubles, played, results
from games.kernel.contract import (
    CORRECT_RESULT,
    PLAYED,
    STATE_RESULT,
    TAKE_BACK,
    TAKE_BACK_GAME,
    Choice,
    JsonObject,
    Seat,
)
from games.kernel.sets import Sets

Options = tuple[JsonObject, ...]
_BOTH: Options = ({"accept": True}, {"accept": False})


def between(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choice to begin the next game, without a time limit."""
    return (Choice("begin_game", seat, state.opened),) if seat in beginning.may_begin(state) else ()


def of_board(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices while the game runs on the board; only the result is required.

    With game clocks it is required of the side on turn alone: a device that both share shows that side.
    """
    opened = dict(game.reopened).get(seat, game.opened)
    is_asked = state.clock is None or state.clock.turn in (None, seat)
    told = Choice("result", seat, opened, results.LISTED, required=is_asked)
    result = (told,) if seat in results.tellers(game) else ()
    ties: Options = ({},) if result and beginning.may_tie(state, game) else ()
    offers = doubles.offers(state, game) if seat == game.box else None
    return (
        *result,
        *of_batch(state, game, seat),
        *_optional("offer", seat, game.opened, offers or ()),
        *_optional("tie", seat, game.opened, ties),
        *_press(state, seat),
    )


def _press(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choice to press the game clock; each press makes the one before it stale."""
    if state.clock is None or not game_clock.may_press(state, seat):
        return ()
    return _optional(game_clock.PRESS, seat, state.clock.since, ({},))


def of_batch(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return the optional choices to double now, or to withdraw an offered double."""
    cubes: Options = tuple({"cube": cube} for cube in doubles.may_double(state, game, seat))
    withdrawn: Options = ({},) if doubles.may_withdraw(game, seat) else ()
    return (
        *_optional("double", seat, doubles.opened_at(state, game), cubes),
        *_optional("withdraw_double", seat, game.opened, withdrawn),
    )


def of_result(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    """Return the other side's choice to agree to a told result."""
    return (Choice("answer_result", seat, game.opened, _BOTH),) if seat == results.to_agree(game) else ()


def aside(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return a seat's choice to take its last act back."""
    return _optional(TAKE_BACK, seat, _opened(state), _without_arguments(acts.may_take_back(state, seat)))


def of_host(state: State, opened: int) -> tuple[Choice, ...]:
    """Return the house's choices at a real board: whole games handed over or taken back, a result stated, an act."""
    if not is_wood(state):
        return ()
    told, back = played.example(state), _without_arguments(played.may_take_back(state))
    whole = (
        *_optional(PLAYED, None, opened, () if told is None else (told,)),
        *_optional(TAKE_BACK_GAME, None, opened, back),
    )
    return (*whole, *_of_running_game(state, opened))


def _of_running_game(state: State, opened: int) -> tuple[Choice, ...]:
    if state.phase != PLAYING or state.game is None:
        return ()
    stated = results.LISTED if results.may_state(state.game) else ()
    taken: Options = ({"seat": state.acts[-1].seat},) if acts.may_take_back(state, None) else ()
    return (*_optional(STATE_RESULT, None, opened, stated), *_optional(TAKE_BACK, None, opened, taken))


def of_corrections(state: State, opened: int) -> tuple[Choice, ...]:
    """Return the house's choice to correct a result of a match, also after its end."""
    found = corrections.example(state)
    return _optional(CORRECT_RESULT, None, opened, (found,)) if found is not None else ()


def _opened(state: State) -> int:
    return state.game.opened if state.game is not None else state.opened


def _without_arguments(is_open: bool) -> Options:
    return ({},) if is_open else ()


def _optional(name: str, seat: Seat | None, opened: int, options: Options | Sets) -> tuple[Choice, ...]:
    return (Choice(name, seat, opened, options, required=False),) if options else ()
