"""What a viewer alone gets: their own sealed words, their side's talk (§§4.3–4.9)."""

from __future__ import annotations

from chouette.rules import consultation
from chouette.rules.cubes import holder, other
from chouette.rules.state import ANSWERS, BOX, PLAYING, TEAM, WINDOW, Game, State
from games.kernel.contract import JsonObject, Seat, Times

TALK_BYTES, LINE_BYTES = 1800, 25
"""How much of the talk a view holds, and what a line takes besides its text."""

_NOTHING: JsonObject = {
    "talk": [],
    "suggestions": [],
    "may_talk": False,
    "hears": [],
    "words": [],
    "given": [],
    "replied": [],
    "resigned_to": None,
    "closed": [],
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
        "talk": _newest([{"seat": ln.seat, "text": ln.text} for ln in lines if ln.text]),
        "suggestions": [{"seat": ln.seat, "play": ln.play} for ln in lines if ln.play],
        "may_talk": bool(hears),
        "hears": list(hears),
        "words": _words(game, viewer, times),
        "given": _given(game, viewer, times),
        "replied": [{"for": cube, "reply": reply} for cube, _, seat, reply in game.said if seat == viewer],
        "resigned_to": _resigned_to(game, viewer),
        "closed": [
            {"what": c.what, "became": c.became, "cube": c.cube, "by": c.by} for c in game.closed if c.seat == viewer
        ],
    }


def _newest(talk: list[JsonObject]) -> list[JsonObject]:
    """Return the newest lines of the talk, as many as fit: a view stays small."""
    left, kept = TALK_BYTES, 0
    for line in reversed(talk):
        left -= len(line["text"].encode()) + LINE_BYTES
        if left < 0:
            break
        kept += 1
    return talk[len(talk) - kept :]


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


def _resigned_to(game: Game, viewer: Seat) -> bool | None:
    """Return whether a viewer has accepted the open resignation, None where they have not answered."""
    offered = game.resignation
    if offered is None:
        return None
    side = TEAM if offered.by == game.box else BOX
    said = {**dict.fromkeys(offered.accepted, True), **dict.fromkeys(offered.refused, False)}
    return next((yes for cube, yes in said.items() if holder(game, game.cubes[cube], side) == viewer), None)
