"""Commands of the house: the clock, and the end of an open-ended table.

A time-out is as neutral as can be (docs/rules-chouette.md §§4.3, 7). Nobody is made to
double: an opening die and a roll are thrown, a word is no double, a question of the Box is
no, a resignation is refused, nothing is beavered and no extra is given. A forced play is
played. A play or a take is never chosen for anybody: the seat has the same time once more;
then a cube that waits for an answer is dropped, which costs just what resigning it at 1 ×
its value costs, and whoever does not move has left for good.
"""

from __future__ import annotations

from chouette.rules import play
from chouette.rules.cube import answers, beavers, resignation, window
from chouette.rules.cube import automatics as automatic
from chouette.rules.cube.cubes import roller
from chouette.rules.session import captaincy as partners
from chouette.rules.session import coming_and_going, opening
from chouette.rules.session.match import is_match
from chouette.rules.state import ANSWERS, AUTOMATIC, BETWEEN, MOVE, OPENING, REPLIES, WINDOW, Draft, State, playing
from games.kernel.contract import JsonObject, Seat


def can_close(state: State) -> bool:
    """Tell whether the host may close the table: no match, and between two games."""
    return state.phase == BETWEEN and not is_match(state)


def close(draft: Draft, house: None, args: JsonObject) -> None:
    """End an open-ended session."""
    draft.add("session_ended", reason="closed", winner=None)


def timeout(draft: Draft, house: None, args: JsonObject) -> None:
    """Act for a seat that let the time run out."""
    seat, state = args["seat"], draft.state
    if _ends_grace(state, seat):
        draft.add("grace_ended")
        return
    again = _has_time_left(state, seat)
    draft.add("timed_out", seat=seat, again=again)
    if again:
        return
    if state.phase == BETWEEN:
        _between(draft, seat)
    elif playing(state).resignation is not None:
        resignation.answer(draft, seat, {"accept": False})
    else:
        _in_game(draft, seat)


def _ends_grace(state: State, seat: Seat) -> bool:
    """Tell whether it is the grace time of a cube window that is over: everybody's, not a seat's."""
    if state.phase == BETWEEN or (game := playing(state)).resignation is not None:
        return False
    return game.stage == WINDOW and window.ends_grace(state, game, seat)


def _between(draft: Draft, seat: Seat) -> None:
    question = opening.question(draft.state)
    if question == "carry":
        opening.answer_carry(draft, seat, {"agree": False})
    elif question == "partner":
        partners.answer(draft, seat, {"take": False})
    elif opening.is_study(draft.state):
        opening.start_study(draft, seat, {})
    else:
        opening.opening_roll(draft, seat, {})


def _has_time_left(state: State, seat: Seat) -> bool:
    """Tell whether a play or an answer gets the same time once more."""
    if state.phase == BETWEEN or playing(state).resignation is not None:
        return False
    game = playing(state)
    if seat in dict(game.reopened):
        return False
    if game.stage == MOVE:
        return len(play.plays(game)) > 1
    binding = [ask for ask in beavers.waiting(game) if ask.seat == seat and ask.kind in beavers.BINDING]
    return game.stage == ANSWERS or bool(binding)


def _in_game(draft: Draft, seat: Seat) -> None:
    game = playing(draft.state)
    if game.stage == OPENING:
        opening.opening_roll(draft, seat, {})
    elif game.stage == AUTOMATIC:
        automatic.answer(draft, seat, {"agree": False})
    elif game.stage == WINDOW:
        window.time_out(draft, seat)
    elif game.stage == ANSWERS:
        answers.give(draft, seat, list(answers.to_answer(game, seat)), [])
    elif game.stage == REPLIES:
        _reply(draft, seat)
    elif game.stage == MOVE:
        _move(draft, seat)
    else:
        play.roll(draft, roller(game), {})


def _reply(draft: Draft, seat: Seat) -> None:
    for ask in beavers.waiting(playing(draft.state)):
        if ask.seat == seat:
            beavers.seal(draft, ask, beavers.quiet(ask))
    beavers.go_on(draft)


def _move(draft: Draft, seat: Seat) -> None:
    plays = play.plays(playing(draft.state))
    if len(plays) == 1:
        play.move(draft, seat, {"play": plays[0]})
    else:
        coming_and_going.leave(draft, None, {"seat": seat})
