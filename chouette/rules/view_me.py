"""What a viewer alone gets: their own sealed words, their side's talk (§§4.3–4.9)."""

from __future__ import annotations

from chouette.rules import consultation
from chouette.rules.cubes import holder, other
from chouette.rules.state import ANSWERS, BOX, PLAYING, TEAM, WINDOW, Game, State
from games.kernel.contract import JsonObject, Seat

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
        "talk": _newest([{"seat": ln.seat, "text": ln.text} for ln in lines if ln.text]),
        "suggestions": [{"seat": ln.seat, "play": ln.play} for ln in lines if ln.play],
        "may_talk": bool(hears),
        "hears": list(hears),
        "words": _words(game, viewer),
        "given": _given(game, viewer),
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
