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
from chouette.rules.state import ANSWERS, MOVE, OFFER, PLAYING, TEAM, WINDOW, Game, State
from chouette.rules.step_graph import step_graph
from games.kernel.contract import JsonObject, Seat, Times
from games.kernel.options import Values

_NOTHING: JsonObject = {
    "talk": [],
    "suggestions": [],
    "may_talk": False,
    "hears": [],
    "words": [],
    "given": [],
    "forbidden": [],
    "steps": None,
}


def mine(state: State, viewer: Seat, times: Times) -> JsonObject:
    """Return what only `viewer` may see: of what was told, that from when they sat there."""
    auto = viewer < len(state.players) and state.players[viewer].auto
    game = state.game
    if game is None or state.phase != PLAYING:
        return {**_NOTHING, "auto": auto}
    lines = consultation.readable(state, game, viewer, times)
    hears = consultation.audience(state, game, viewer)
    return {
        "auto": auto,
        "talk": [{"seat": ln.seat, "text": ln.text} for ln in lines if ln.text],
        "suggestions": [{"seat": ln.seat, "play": ln.play} for ln in lines if ln.play],
        "may_talk": bool(hears),
        "hears": list(hears),
        "words": _words(game, viewer, times),
        "given": _given(game, viewer, times),
        "forbidden": _forbidden(state, game) if viewer == game.box else [],
        "steps": _steps(state, game, viewer),
    }


def _steps(state: State, game: Game, viewer: Seat) -> list[JsonObject] | None:
    """Return the steps of the roll for who moves, and for who may suggest a play."""
    if game.stage != MOVE:
        return None
    if viewer != roller(game) and not consultation.may_suggest(state, game, viewer):
        return None
    return list(step_graph(movers_view(game), game.dice))


def _words(game: Game, viewer: Seat, times: Times) -> list[JsonObject]:
    if game.stage != WINDOW:
        return []
    own = _own(game, TEAM, viewer, times)
    return [{"for": cube, "says": says} for cube, says in game.words if cube in own]


def _given(game: Game, viewer: Seat, times: Times) -> list[JsonObject]:
    if game.stage != ANSWERS:
        return []
    own = _own(game, other(game.turn), viewer, times)
    return [{"for": cube, "takes": takes} for cube, takes in game.answers if cube in own]


def _own(game: Game, side: str, viewer: Seat, times: Times) -> set[int]:
    """Return the cubes that a viewer decides about and about which they know what was said.

    What was sealed is known to who sat there then; what was said openly, to everybody.
    """
    hidden = {sealed.cube for sealed in game.sealed if sealed.seat != viewer or sealed.seq not in times}
    held = {i for i, cube in enumerate(game.cubes) if holder(game, cube, side) == viewer}
    return held - hidden


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
