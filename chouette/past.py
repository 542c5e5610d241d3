"""A past game of a chouette: its Box, and each cube with winner and level; the points follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.kernel.figures.past_sheets import PastField

BOX, MEMBER = "box", "member"
HIGHEST = 64

OF_MEMBERS = ("side", MEMBER)

FIELDS = (
    PastField("side", _("Side"), {MEMBER: _("Team"), BOX: _("Box")}),
    PastField("cube", _("Cube"), {str(2**n): str(2**n) for n in range(HIGHEST.bit_length())}, OF_MEMBERS),
    PastField("winner", _("Outcome"), {BOX: _("lost"), MEMBER: _("won")}, OF_MEMBERS),
    PastField("level", _("Level"), {"1": _("plain"), "2": _("gammon"), "3": _("backgammon")}, OF_MEMBERS),
)


TOLD = ("level", "cube")
"""The fields that say, beside the winner, how a game of two was won."""


def points(lines: Sequence[Mapping[str, str]]) -> list[int]:
    """Return the points of each line: a member's cube times its level, the Box against all; Illegal `one_box`."""
    if sum(line["side"] == BOX for line in lines) != 1:
        raise Illegal("one_box")
    won = [0 if line["side"] == BOX else _won(line) for line in lines]
    return [-sum(won) if line["side"] == BOX else mine for line, mine in zip(lines, won, strict=True)]


def _won(line: Mapping[str, str]) -> int:
    """Return the points that a member has won from the Box by their cube."""
    stake = int(line["cube"]) * int(line["level"])
    return stake if line["winner"] == MEMBER else -stake
