"""Phrases of the chouette's sentences, by name (games.kernel.sentences)."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel.sentences import Node, equals, given, name_of, ngettext, phrase, pick, say, when
from games.kernel.text import gettext_noop as _


def points_of(count: Node) -> Node:
    """Return a number of points: "1 point"."""
    return ngettext("%(count)s point", "%(count)s points", count, count=count)


HOST_OR_SEAT = when(given("seat"), name_of("seat"), _("The host"))

PHRASES: Mapping[str, Node] = {
    "points_text": points_of("count"),
    "how_text": pick(
        "how",
        {
            "single": _("single"),
            "gammon": _("gammon"),
            "backgammon": _("backgammon"),
            "dropped": _("dropped"),
            "beaver_dropped": _("beaver dropped"),
            "settled": _("settled"),
            "resigned": _("resigned"),
            "left": _("left"),
            "time": _("on time"),
        },
    ),
    "level_text": pick("level", {1: _("single"), 2: _("gammon"), 3: _("backgammon")}),
    "told_text": when(
        equals("winner", "box"),
        say(_("Box wins, %(how)s"), how=phrase("level_text")),
        say(_("Team wins, %(how)s"), how=phrase("level_text")),
    ),
}
