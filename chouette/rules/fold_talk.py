"""What the Team's talk does to the state: each line keeps the seats that may read it."""

from __future__ import annotations

from collections.abc import Callable

from chouette.rules.state import KEPT, Line, State, with_game
from games.kernel.contract import JsonObject, Seat

Audience = tuple[Seat, ...]


def _talked(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    return _keep(state, Line(data["seat"], data["text"], "", tuple(audience), seq))


def _play_suggested(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    """A member's newest suggestion takes the place of the one before."""
    if state.game is None:
        return state
    others = tuple(ln for ln in state.game.talk if not (ln.play and ln.seat == data["seat"]))
    line = Line(data["seat"], "", data["play"], tuple(audience), seq)
    return _keep(with_game(state, talk=others), line)


def _talk_opened(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    if state.game is None:
        return state
    return with_game(state, asked=(*state.game.asked, data["seat"]))


def _keep(state: State, line: Line) -> State:
    if state.game is None:
        return state
    return with_game(state, talk=(*state.game.talk, line)[-KEPT:])


TALK_EVENTS: dict[str, Callable[[State, JsonObject, Audience, int], State]] = {
    "talked": _talked,
    "play_suggested": _play_suggested,
    "talk_opened": _talk_opened,
}
