"""What a viewer alone gets: their own sealed words, their side's talk, why not (§§4.3–4.9)."""

from __future__ import annotations

from collections.abc import Callable

from chouette.rules import answers, batches, consultation
from chouette.rules.cubes import holder, other, roller
from chouette.rules.play import movers_view
from chouette.rules.responses import (
    Batch,
    Takes,
    subsets,
    why_no_offer,
    why_not,
)
from chouette.rules.state import ANSWERS, BOX, MOVE, OFFER, PLAYING, TEAM, WINDOW, Game, State
from chouette.rules.step_graph import step_graph
from games.kernel.contract import JsonObject, Seat
from games.kernel.options import Values

_NOTHING: JsonObject = {
    "talk": [],
    "suggestions": [],
    "may_talk": False,
    "hears": [],
    "words": [],
    "given": [],
    "replied": [],
    "resigned_to": None,
    "forbidden": [],
    "steps": None,
    "closed": [],
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
        "replied": [{"for": cube, "reply": reply} for cube, _, seat, reply in game.said if seat == viewer],
        "resigned_to": _resigned_to(game, viewer),
        "forbidden": _forbidden(state, game) if viewer == game.box else [],
        "steps": _steps(state, game, viewer),
        "closed": [
            {"what": c.what, "became": c.became, "cube": c.cube, "by": c.by} for c in game.closed if c.seat == viewer
        ],
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


def _resigned_to(game: Game, viewer: Seat) -> bool | None:
    """Return whether a viewer has accepted the open resignation, None where they have not answered."""
    offered = game.resignation
    if offered is None:
        return None
    side = TEAM if offered.by == game.box else BOX
    said = {**dict.fromkeys(offered.accepted, True), **dict.fromkeys(offered.refused, False)}
    return next((yes for cube, yes in said.items() if holder(game, game.cubes[cube], side) == viewer), None)


def _forbidden(state: State, game: Game) -> list[JsonObject]:
    """Return what the Box may not take or offer now, and the rules that forbid it."""
    if game.stage == ANSWERS and answers.answers_as_box(game, game.box):
        return _with_reasons(state, batches.batch_of(game, game.batch), why_not)
    if game.stage == OFFER:
        batch = batches.batch_of(game, batches.offerable(state, game))
        return _with_reasons(state, batch, why_no_offer)
    return []


def _with_reasons(
    state: State, batch: Batch, why: Callable[[Values, Batch, Takes], tuple[str, ...]]
) -> list[JsonObject]:
    """Return the sets of cubes that something forbids; choosing none is never forbidden."""
    chosen = [some for some in subsets(cube.id for cube in batch.cubes) if some]
    return [
        {"cubes": sorted(some), "why": list(reasons)} for some in chosen if (reasons := why(state.options, batch, some))
    ]
