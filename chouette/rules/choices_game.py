"""What the course of a game asks of a seat (docs/rules-chouette.md §§4.3–4.5)."""

from __future__ import annotations

from chouette.rules import answers, batches, play, replies, resign, responses, window
from chouette.rules.cubes import roller
from chouette.rules.opening import still_to_roll
from chouette.rules.state import (
    ANSWERS,
    AUTOMATIC,
    MOVE,
    OFFER,
    OPENING,
    REPLIES,
    ROLL,
    WINDOW,
    Game,
    State,
    playing,
)
from games.kernel.contract import Choice, JsonObject, Seat
from games.kernel.sets import Sets

Options = tuple[JsonObject, ...]
YES_OR_NO = (True, False)


def of_game(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the choices of a seat in the game that runs; a resignation comes before all."""
    game = playing(state)
    if game.resignation is not None:
        return _answer_resignation(state, game, seat)
    return _STAGES[game.stage](state, game, seat)


def _required(state: State, game: Game, seat: Seat, name: str, options: Options | Sets = ({},)) -> Choice:
    """Return a choice that the game waits for; a time-out may have opened it again."""
    opened = dict(game.reopened).get(seat, game.opened)
    return Choice(name, seat, opened, options, seconds=state.options["turn_seconds"] or None)


def _answer_resignation(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if game.resignation is None or not resign.to_answer(game, seat):
        return ()
    both: Options = tuple({"accept": accept} for accept in YES_OR_NO)
    seconds = state.options["turn_seconds"] or None
    opened = game.resignation.opened
    return (Choice("answer_resignation", seat, opened, both, seconds=seconds),)


def _opening(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat not in still_to_roll(state):
        return ()
    return (_required(state, game, seat, "opening_roll"),)


def _automatic(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    both: Options = tuple({"agree": agree} for agree in YES_OR_NO)
    return (_required(state, game, seat, "automatic", both),) if seat == game.box else ()


def _window(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    found = []
    cubes = window.may_speak(state, game, seat)
    is_awaited = window.is_awaited(state, game)
    if cubes:
        words: Options = tuple({"cube": i, "double": d} for i in cubes for d in YES_OR_NO)
        seconds = state.options["grace_seconds"] or state.options["turn_seconds"] or None
        found.append(Choice("cube", seat, game.opened, words, required=is_awaited, seconds=seconds))
    if seat == game.captain and window.may_close(state, game):
        opened = game.opened if game.grace is None else game.grace
        seconds = state.options["turn_seconds"] or None
        found.append(Choice("close_window", seat, opened, required=not is_awaited, seconds=seconds))
    return tuple(found)


def _offer(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat != game.box:
        return ()
    batch = batches.batch_of(game, batches.offerable(state, game))
    offers = responses.offers(state.options, batch)
    found = [_required(state, game, seat, "offer", offers)] if offers else []
    return (*found, _required(state, game, seat, "roll"))


def _answers(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    cubes = answers.to_answer(game, seat)
    if not cubes:
        return ()
    if answers.answers_as_box(game, seat):
        takes = responses.answers(state.options, batches.batch_of(game, game.batch))
        return (_required(state, game, seat, "answer_batch", takes),)
    single: Options = tuple({"cube": i, "take": t} for i in cubes for t in YES_OR_NO)
    return (_required(state, game, seat, "answer", single),)


def _replies(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    asks = [ask for ask in replies.waiting(game) if ask.seat == seat]
    options: Options = tuple({"cube": ask.cube, "reply": way} for ask in asks for way in replies.ways(state, game, ask))
    if not options:
        return ()
    opened = max([*(ask.opened for ask in asks), dict(game.reopened).get(seat, 0)])
    seconds = state.options["turn_seconds"] or None
    return (Choice("reply", seat, opened, options, seconds=seconds),)


def _roll(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    return (_required(state, game, seat, "roll"),) if seat == roller(game) else ()


def _move(state: State, game: Game, seat: Seat) -> tuple[Choice, ...]:
    if seat != roller(game):
        return ()
    return (_required(state, game, seat, "move", play.listed(game)),)


_STAGES = {
    OPENING: _opening,
    AUTOMATIC: _automatic,
    WINDOW: _window,
    OFFER: _offer,
    ANSWERS: _answers,
    REPLIES: _replies,
    ROLL: _roll,
    MOVE: _move,
}
