"""The parts of a player's choices: by kind, by role in a chouette, and by the stage of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chouette.board.position import HOME, Position
from chouette.board.xgid import parse_xgid
from chouette.export.record import DOUBLE, NO_DOUBLE, PLAY
from games.kernel.contract import JsonObject
from games.kernel.text import gettext_noop as _

BY_KIND = _("By kind")
PARTS: Mapping[str, Mapping[str, str]] = {
    BY_KIND: {"plays": _("Plays"), "doubles": _("Doubles, and none"), "answers": _("Takes and drops")},
    _("By role in a chouette"): {"box": _("Box"), "captain": _("Captain"), "member": _("Member")},
    _("By stage of the game"): {
        "opening": _("Opening: the first three turns of each side"),
        "contact": _("Contact"),
        "race": _("Race"),
        "bear_off": _("Bear-off: all checkers home"),
    },
}

_OPENING_TURNS = 6
_DUEL = 2


def parts(rows: Sequence[JsonObject]) -> list[tuple[str, ...]]:
    """Return the parts of each row of a game; a game of two has no roles."""
    is_duel = len({row["seat"] for row in rows} - {None}) <= _DUEL
    stages = _stages(rows)
    return [
        (_kind(row), stage) if is_duel else (_kind(row), row["role"], stage)
        for row, stage in zip(rows, stages, strict=True)
    ]


def _kind(row: JsonObject) -> str:
    if row["kind"] == PLAY:
        return "plays"
    return "doubles" if row["kind"] in (DOUBLE, NO_DOUBLE) else "answers"


def _stages(rows: Sequence[JsonObject]) -> Iterator[str]:
    turns = 0
    for row in rows:
        yield "opening" if turns < _OPENING_TURNS else _stage(parse_xgid(row["xgid"]).position)
        turns += row["kind"] == PLAY


def _stage(position: Position) -> str:
    """Return the stage of a position after the opening; it is the same for both sides."""
    own = max((point for point, count in enumerate(position) if count > 0), default=0)
    theirs = min((point for point, count in enumerate(position) if count < 0), default=len(position))
    if own > theirs:
        return "contact"
    # A side is home when its rearmost checker is; the other side counts its points from the other end.
    return "bear_off" if own <= HOME and len(position) - 1 - theirs <= HOME else "race"
