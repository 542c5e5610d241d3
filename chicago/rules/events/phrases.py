"""Phrases of Chicago's sentences, by name (games.kernel.sentences)."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel.sentences import (
    Node,
    equals,
    first,
    given,
    missing,
    name_of,
    names_of,
    ngettext,
    no,
    pgettext,
    phrase,
    pick,
    say,
    together,
    when,
    within,
)
from games.kernel.text import gettext_noop as _

_IS_BAVARIAN = equals("options.playing_off", "discard")
_IS_HIGH = equals("kind", "high")
_IN_WORDS: dict[str, Node] = {"throws": phrase("word")}
_VALUATION: dict[str, Node] = {"ones": "valuation.ones", "sixes": "valuation.sixes"}


def _thrown(text: str) -> Node:
    """Return a sentence in which the number of throws is a word."""
    return say(text, **_IN_WORDS)


def _called(path: str) -> Node:
    """Return a result that is a member of the data as it is called; nothing without it."""
    return when(given(path), within(path, phrase("called")))


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

NUMBERS: Mapping[int, Node] = {0: _("none"), 1: _("one"), 2: _("two"), 3: _("three")}

_HIGH_AND_LOW_OF_ROUND = together(
    when(given("high"), say(_("High: %(name)s, %(result)s."), name=name_of("high"), result=_called("best"))),
    say(_("Low: %(name)s, %(result)s."), name=name_of("low"), result=_called("worst")),
)
_BEST_AND_WORST_OF_ROUND = together(
    when(given("high"), say(_("Best: %(name)s, %(result)s."), name=name_of("high"), result=_called("best"))),
    say(_("Worst: %(name)s, %(result)s."), name=name_of("low"), result=_called("worst")),
)

PHRASES: Mapping[str, Node] = {
    "word": pick("throws", NUMBERS),
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
    "declared": when(
        "high",
        _("ones %(ones)s, sixes %(sixes)s, high counts"),
        _("ones %(ones)s, sixes %(sixes)s, low counts"),
    ),
    "counts": within("valuation", phrase("declared")),
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
    "forfeits": first(
        (equals("count", 1), phrase("forfeit")),
        (equals("options.forfeit_name", "a point"), _("%(count)s points")),
        (missing("options.forfeit_name"), _("%(count)s points")),
        otherwise=_("%(count)s × %(forfeit)s"),
    ),
    "breach_name": pick(
        "breach",
        {
            "spilling": _("spilling"),
            "not_in_one_go": _("not finishing in one go"),
            "foreign_object": _("something foreign in the cup"),
        },
    ),
    # What a round and a game came to.
    "round_reason": pick(
        "reason",
        {
            "full": when("low_counts", _BEST_AND_WORST_OF_ROUND, _HIGH_AND_LOW_OF_ROUND),
            "one_left": say(_("Only %(name)s is left without a Chick."), name=name_of("low")),
            "named": say(_("%(name)s was named the loser of the round."), name=name_of("low")),
            "breach": say(_("%(name)s has lost the round by a breach."), name=name_of("low")),
            "abandoned": _("The round is broken off: nobody pays."),
        },
        otherwise=None,
    ),
    "all_others_take": say(_("All the others take %(forfeits)s.")),
    "worst_by_die": _("One die each: %(name)s is worst."),
    "next_round": pick(
        "why",
        {
            "lot": _("%(name)s starts the next round, by lot."),
            "worst": _("%(name)s starts the next round: the worst does."),
            "low": _("%(name)s starts the next round: the low does."),
            "chick": _("%(name)s starts the next round: a Chick earns that."),
            "mats": _("%(name)s starts the next round, with the most mats."),
        },
        otherwise=_("%(name)s starts the next round."),
    ),
    "game_lost": pick(
        "by",
        {
            "forfeits": ngettext(
                "%(names)s has taken most: %(forfeits)s",
                "%(names)s have taken most: %(forfeits)s each",
                "seats.length",
                names=names_of("seats"),
                forfeits=phrase("forfeits"),
            ),
            "rounds": ngettext(
                "%(names)s has paid most rounds",
                "%(names)s have paid most rounds",
                "seats.length",
                names=names_of("seats"),
            ),
            "mats": ngettext(
                "%(names)s pays the round", "%(names)s pay the round", "seats.length", names=names_of("seats")
            ),
        },
        otherwise=_("The game is over"),
    ),
    "why_ended": pick(
        "reason",
        {
            "played_off": _("All the others are safe."),
            "rounds_played": _("All rounds are played."),
            "forfeits_taken": _("As many forfeits have been taken as the house rules say."),
            "abandoned": _("Too few players are left."),
            "closed": _("The host has closed the game."),
        },
        otherwise=None,
    ),
}
