"""What the events of a game do: the opening roll, turns, dice, plays, Captains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chouette.rules.state import (
    AUTOMATIC,
    MOVE,
    OPENING,
    Cube,
    Game,
    Played,
    State,
    with_game,
)
from games.kernel.contract import JsonObject
from games.kernel.records import changed


def _opening_die_rolled(state: State, data: JsonObject, seq: int) -> State:
    """The other opener's decision stays as it was opened."""
    return with_game(state, opening=(*_of(state).opening, (data["seat"], data["die"])))


def _opening_tied(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, opening=(), ties=data["ties"], stage=OPENING)


def _automatic_asked(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, stage=AUTOMATIC)


def _automatic_answered(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, stage=OPENING)


def _cubes_doubled(state: State, data: JsonObject, seq: int) -> State:
    """An automatic double is no turned cube (§4.2)."""
    cubes: list[Cube] = [replace(cube, value=data["value"]) for cube in _of(state).cubes]
    return with_game(state, cubes=tuple(cubes))


def _double_carried(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, carry=True)


def _turn_began(state: State, data: JsonObject, seq: int) -> State:
    return _game(
        state,
        seq,
        turn=data["side"],
        stage=data["stage"],
        dice=tuple(data["dice"]),
        words=(),
        sealed=(),
        grace=None,
    )


def _dice_rolled(state: State, data: JsonObject, seq: int) -> State:
    """A roll ends what was proposed before it, and the last play stands for good."""
    dice = tuple(data["dice"])
    return _game(state, seq, stage=MOVE, dice=dice, proposals=(), last=None, refused=())


def _play_made(state: State, data: JsonObject, seq: int) -> State:
    game = _of(state)
    last = Played(data["seat"], game.turn, game.dice, data["play"], game.position)
    talk = tuple(line for line in game.talk if not line.play)
    return _game(
        state,
        seq,
        position=tuple(data["position"]),
        dice=(),
        last=last,
        talk=talk,
        asked=(),
        refused=(),
        proposals=(),
    )


def _play_asked_back(state: State, data: JsonObject, seq: int) -> State:
    return _with_last(state, asked=seq, agreed=())


def _play_back_agreed(state: State, data: JsonObject, seq: int) -> State:
    last = _of(state).last
    return _with_last(state, agreed=(*last.agreed, data["seat"])) if last else state


def _play_back_refused(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, last=None)


def _play_taken_back(state: State, data: JsonObject, seq: int) -> State:
    last = _of(state).last
    if last is None:
        return state
    return _game(
        state,
        seq,
        turn=last.side,
        stage=MOVE,
        dice=last.dice,
        position=last.before,
        words=(),
        sealed=(),
        grace=None,
        last=None,
    )


def _captain_changed(state: State, data: JsonObject, seq: int) -> State:
    """The Team's die of the opening stays with whoever is Captain now."""
    game, seat, before = _of(state), data["seat"], data["before"]
    opening = tuple((seat if who == before else who, die) for who, die in game.opening)
    return with_game(state, captain=seat, captains=(*game.captains, seat), opening=opening)


def _timed_out(state: State, data: JsonObject, seq: int) -> State:
    """With `again`, the seat has the same time once more for the same decision."""
    if not data["again"]:
        return state
    return with_game(state, reopened=(*_of(state).reopened, (data["seat"], seq)))


def _of(state: State) -> Game:
    """Return the game, running or just ended; the log has no game event before one started."""
    if state.game is None:
        raise LookupError("a game's event before any game")
    return state.game


def _game(state: State, seq: int, **changes: Any) -> State:
    """Return the state with the game changed and a new decision opened."""
    return with_game(state, opened=seq, reopened=(), **changes)


def _with_last(state: State, **changes: Any) -> State:
    last = _of(state).last
    return with_game(state, last=replace(last, **changes)) if last else state


GAME_EVENTS = {
    "opening_die_rolled": _opening_die_rolled,
    "opening_tied": _opening_tied,
    "automatic_asked": _automatic_asked,
    "automatic_answered": _automatic_answered,
    "cubes_doubled": _cubes_doubled,
    "double_carried": _double_carried,
    "turn_began": _turn_began,
    "dice_rolled": _dice_rolled,
    "play_made": _play_made,
    "play_asked_back": _play_asked_back,
    "play_back_agreed": _play_back_agreed,
    "play_back_refused": _play_back_refused,
    "play_taken_back": _play_taken_back,
    "captain_changed": _captain_changed,
    "timed_out": _timed_out,
}
