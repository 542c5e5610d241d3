"""What a viewer alone gets: their own sealed words, their side's talk (§§4.3–4.9)."""

from __future__ import annotations

from chouette.rules import consultation
from chouette.rules.cubes import holder, other, roller
from chouette.rules.play import movers_view
from chouette.rules.state import ANSWERS, MOVE, PLAYING, TEAM, WINDOW, Game, State
from chouette.rules.step_graph import step_graph
from games.kernel.contract import JsonObject, Seat

_NOTHING: JsonObject = {
    "talk": [],
    "suggestions": [],
    "may_talk": False,
    "hears": [],
    "words": [],
    "given": [],
    "steps": None,
}


def mine(state: State, viewer: Seat) -> JsonObject:
    """Return what only `viewer` may see."""
    auto = viewer < len(state.players) and state.players[viewer].auto
    game = state.game
    if game is None or state.phase != PLAYING:
        return {**_NOTHING, "auto": auto}
    lines = consultation.readable(state, game, viewer)
    hears = consultation.audience(state, game, viewer)
    return {
        "auto": auto,
        "talk": [{"seat": ln.seat, "text": ln.text} for ln in lines if ln.text],
        "suggestions": [{"seat": ln.seat, "play": ln.play} for ln in lines if ln.play],
        "may_talk": bool(hears),
        "hears": list(hears),
        "words": _words(game, viewer),
        "given": _given(game, viewer),
        "steps": _steps(state, game, viewer),
    }


def _steps(state: State, game: Game, viewer: Seat) -> list[JsonObject] | None:
    """Return the steps of the roll for who moves, and for who may suggest a play."""
    if game.stage != MOVE:
        return None
    if viewer != roller(game) and not consultation.may_suggest(state, game, viewer):
        return None
    return list(step_graph(movers_view(game), game.dice))


def _words(game: Game, viewer: Seat) -> list[JsonObject]:
    if game.stage != WINDOW:
        return []
    return [{"for": cube, "says": says} for cube, says in game.words if holder(game, game.cubes[cube], TEAM) == viewer]


def _given(game: Game, viewer: Seat) -> list[JsonObject]:
    if game.stage != ANSWERS:
        return []
    side = other(game.turn)
    return [
        {"for": cube, "takes": takes} for cube, takes in game.answers if holder(game, game.cubes[cube], side) == viewer
    ]
