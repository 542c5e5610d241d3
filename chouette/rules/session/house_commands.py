"""Commands of the house: time-outs, and the end of an open-ended table.

A time-out is as neutral as possible (docs/rules-chouette.md §§4.3, 7). It never doubles: an
opening die and a roll are thrown, a word is no double, a question of the Box is answered no, a
resignation is refused, nothing is beavered and no extra is given. A forced play is played. A
play or a take is never chosen: the seat has the same time once more; then a cube that waits for
an answer is dropped, which costs as much as resigning it at 1 × its value, and a seat that does
not move has left for good; so has a seat that tells no result of a game on a real board. A told
result is refused.
"""

from __future__ import annotations

from chouette.rules import play, throw
from chouette.rules.cube import answers, automatics, beavers, resignation, window
from chouette.rules.cube.cubes import roller
from chouette.rules.events.game import TimedOut
from chouette.rules.events.session import ClosingAnnounced, SessionEnded
from chouette.rules.events.wood import ResultRefused
from chouette.rules.seating import captaincy, coming_and_going, ordering
from chouette.rules.session import opening, pause
from chouette.rules.session.match import is_won_by_one
from chouette.rules.state import (
    ANSWERS,
    AUTOMATIC,
    BETWEEN,
    MOVE,
    NO_GAME,
    OPENING,
    PAUSE,
    PLAYING,
    REPLIES,
    RESULT,
    ROLL,
    WINDOW,
    WOOD,
    Draft,
    State,
    is_wood,
    playing,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import typed


def can_close(state: State) -> bool:
    """Tell whether the host may close the table: nobody is to win it, and between two games."""
    return state.phase in NO_GAME and not is_won_by_one(state)


def may_announce_closing(state: State) -> tuple[JsonObject, ...]:
    """Return the arguments of closing after this game, or of going on; empty at matches and money sessions."""
    return ({"on": not state.closes},) if state.phase == PLAYING and not is_won_by_one(state) else ()


def announce_closing(draft: Draft, house: None, args: JsonObject) -> None:
    """Announce that an open-ended session ends with the running game, or withdraw that."""
    draft.add(ClosingAnnounced(on=args["on"]))


def close(draft: Draft, house: None, args: JsonObject) -> None:
    """End an open-ended session."""
    draft.add(SessionEnded(reason="closed", winner=None))


def timeout(draft: Draft, house: None, args: JsonObject) -> None:
    """Act for a seat whose time has run out."""
    seat, state = args["seat"], draft.state
    if _is_nobodys(draft, seat):
        return
    again = _has_time_left(state, seat)
    draft.add(TimedOut(seat=seat, again=again))
    if again:
        return
    if state.phase == BETWEEN:
        _between(draft, seat)
    elif playing(state).resignation is not None:
        resignation.answer(draft, seat, {"accept": False})
    else:
        _in_game(draft, seat)


def _is_nobodys(draft: Draft, seat: Seat) -> bool:
    """Handle a time-out that is no seat's fault; tell whether it was one.

    The end of the pause, of the ring of a cube window, or of the display of a roll that can't be played.
    """
    state = draft.state
    if state.phase == PAUSE:
        pause.end(draft)
        return True
    if state.phase != PLAYING or (game := playing(state)).resignation is not None:
        return False
    if window.is_time_of_ring(state, seat):
        window.end_time(draft, seat)
        return True
    if not play.is_possible(game):
        play.move(draft, seat, {"play": play.plays(game)[0]})
        return True
    return False


def _between(draft: Draft, seat: Seat) -> None:
    question = opening.question(draft.state)
    if seat in ordering.to_throw(draft.state):
        ordering.throw(draft, seat, typed.BY_HOUSE)
    elif question == "carry":
        opening.answer_carry(draft, seat, {"agree": False})
    elif question == "partner":
        captaincy.answer(draft, seat, {"take": False})
    elif is_wood(draft.state):
        opening.start_game(draft)
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
    if game.stage == WOOD:
        return True
    binding = [ask for ask in beavers.waiting(game) if ask.seat == seat and ask.kind in beavers.BINDING]
    return game.stage == ANSWERS or bool(binding)


def _in_game(draft: Draft, seat: Seat) -> None:
    game = playing(draft.state)
    if game.stage == OPENING:
        opening.opening_roll(draft, seat, {})
    elif game.stage == AUTOMATIC:
        automatics.answer(draft, seat, {"agree": False})
    elif game.stage == WINDOW:
        window.roll(draft, seat, {})
    elif game.stage == ANSWERS:
        answers.give(draft, seat, list(answers.to_answer(game, seat)), [], [])
    elif game.stage == REPLIES:
        _reply(draft, seat)
    elif game.stage == MOVE:
        _move(draft, seat)
    elif game.stage == WOOD:
        coming_and_going.leave(draft, None, {"seat": seat})
    elif game.stage == RESULT:
        draft.add(ResultRefused(seat=seat))
    elif game.stage == ROLL:
        throw.fall(draft, roller(game), typed.BY_HOUSE)
    else:
        play.roll(draft, roller(game), {})


def _reply(draft: Draft, seat: Seat) -> None:
    for ask in beavers.waiting(playing(draft.state)):
        if ask.seat == seat:
            beavers.seal(draft, ask, beavers.default_reply(ask))
    beavers.go_on(draft)


def _move(draft: Draft, seat: Seat) -> None:
    plays = play.plays(playing(draft.state))
    if len(plays) == 1:
        play.move(draft, seat, {"play": plays[0]})
    else:
        coming_and_going.leave(draft, None, {"seat": seat})
