"""Phrases of Chicago's sentences, by name (games.kernel.sentences)."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel.sentences import Node, equals, first, given, missing, no, pgettext, phrase, pick, say, when
from games.kernel.text import gettext_noop as _

_IS_BAVARIAN = equals("options.playing_off", "discard")
_IS_HIGH = equals("kind", "high")
_IN_WORDS: dict[str, Node] = {"throws": phrase("word")}
_VALUATION: dict[str, Node] = {"ones": "valuation.ones", "sixes": "valuation.sixes"}


def _thrown(text: str) -> Node:
    """Return a sentence in which the number of throws is a word."""
    return say(text, **_IN_WORDS)


_BEST_AND_WORST = when(
    _IS_HIGH,
    _thrown(_("%(value)s in %(throws)s is best, low counts")),
    _thrown(_("%(value)s in %(throws)s is worst, low counts")),
)
_HIGH_AND_LOW = first(
    ((no("fish"), _IS_HIGH), _thrown(_("%(value)s in %(throws)s are high"))),
    (no("fish"), _thrown(_("%(value)s in %(throws)s are low"))),
    (("value", _IS_HIGH), _thrown(_("Fish %(value)s in %(throws)s is high"))),
    ("value", _thrown(_("Fish %(value)s in %(throws)s is low"))),
    (_IS_HIGH, _thrown(_("Fish in %(throws)s is high"))),
    otherwise=_thrown(_("Fish in %(throws)s is low")),
)
# Announcements in old logs have no `low_counts`.
_OLD_LOW_COUNTS = (missing("low_counts"), given("valuation"), no("valuation.high"))

PHRASES: Mapping[str, Node] = {
    "word": pick("throws", {0: _("none"), 1: _("one"), 2: _("two"), 3: _("three")}),
    "called": first(
        ("chick", _("Chick")),
        (no("fish"), _thrown(_("%(value)s in %(throws)s"))),
        ("value", _thrown(_("Fish %(value)s in %(throws)s"))),
        otherwise=_thrown(_("Fish in %(throws)s")),
    ),
    "short": first(
        ("chick", _("Chick")),
        (("fish", "value"), _("Fish %(value)s")),
        ("fish", _("Fish")),
        otherwise="%(value)s",
    ),
    "announced": first(("low_counts", _BEST_AND_WORST), (_OLD_LOW_COUNTS, _BEST_AND_WORST), otherwise=_HIGH_AND_LOW),
    "announcement": when("valuation", "%(announced)s · %(as_declared)s", phrase("announced")),
    "as_declared": first(
        ("low_counts", phrase("worths")), (_OLD_LOW_COUNTS, phrase("worths")), otherwise=phrase("counts")
    ),
    "counts": when(
        "valuation.high",
        say(_("ones %(ones)s, sixes %(sixes)s, high counts"), **_VALUATION),
        say(_("ones %(ones)s, sixes %(sixes)s, low counts"), **_VALUATION),
    ),
    "worths": say(_("ones %(ones)s, sixes %(sixes)s"), **_VALUATION),
    "mat": when(_IS_BAVARIAN, pgettext("Bavarian", "beer mat"), _("beer mat")),
    "mats": when(_IS_BAVARIAN, pgettext("Bavarian", "beer mats"), _("beer mats")),
    "of_mats": when(equals("count", 1), phrase("mat"), phrase("mats")),
    "counted_mats": say(_("%(count)s %(mats)s"), mats=phrase("of_mats")),
    "forfeit": first(
        (equals("options.forfeit_name", "a point"), _("a point")),
        (missing("options.forfeit_name"), _("a point")),
        otherwise=pick("options.forfeit_name", {}),
    ),
    "forfeits": when(equals("count", 1), phrase("forfeit"), _("%(count)s × %(forfeit)s")),
    "breach_name": pick(
        "breach",
        {
            "spilling": _("spilling"),
            "not_in_one_go": _("not finishing in one go"),
            "foreign_object": _("something foreign in the cup"),
        },
    ),
}
