"""The value of a point: house rules that every game has beside its own (docs/owed.md §1).

A currency's values are whole hundredths (cents, øre), those of rounds are whole rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.kernel.options import BoolOption, ChoiceOption, IntOption, Needs, Option, OptionSet, Pick
from games.kernel.text import gettext_noop as _
from games.kernel.text import pgettext_noop as pgettext

NOTHING, ROUNDS = "none", "rounds"
CURRENCIES = ("EUR", "CHF", "NOK", "SEK", "DKK", "GBP", "USD")
"""The currencies that points may be worth; each has hundredths."""
CURRENCY, VALUE, OWN, KITTY, PART = "point_currency", "point_value", "own_point_values", "kitty", "kitty_part"
"""The ids of the house rules."""
OF_POINTS, OF_LOSSES, OF_LAST = "points", "losses", "last"
"""The kinds of points and losses that a kitty may take a part of."""
MOST = 10_000
"""The highest value of a point: 100 of a currency."""
GROUP = _("What a point is worth")

_COINS: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "EUR": (pgettext("one", "euro cent"), pgettext("several", "euro cents")),
    "CHF": (pgettext("one", "Swiss centime"), pgettext("several", "Swiss centimes")),
    "NOK": (pgettext("one", "Norwegian øre"), pgettext("several", "Norwegian øre")),
    "SEK": (pgettext("one", "Swedish öre"), pgettext("several", "Swedish öre")),
    "DKK": (pgettext("one", "Danish øre"), pgettext("several", "Danish øre")),
    "GBP": (pgettext("one", "penny"), pgettext("several", "pence")),
    "USD": (pgettext("one", "US cent"), pgettext("several", "US cents")),
    ROUNDS: (pgettext("one", "round"), pgettext("several", "rounds")),
}
"""The word for one, and for several, of what a point is worth."""

_MONEY = _("Points are worth money: the house reckons who owes it, and never handles any.")
_WORTH = Needs(CURRENCY, (*CURRENCIES, ROUNDS), _("Points are only counted here."))
_WITH_KITTY = Needs(KITTY, (OF_POINTS, OF_LOSSES, OF_LAST), _("There is no kitty."))

OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id=CURRENCY,
        label=_("Points are worth"),
        default=NOTHING,
        group=GROUP,
        help=_("The house reckons what people owe each other, and never handles money."),
        picks=(
            Pick(NOTHING, _("nothing: they are only counted"), ""),
            Pick("EUR", _("euro cents"), _MONEY),
            Pick("CHF", _("Swiss centimes"), _MONEY),
            Pick("NOK", _("Norwegian øre"), _MONEY),
            Pick("SEK", _("Swedish öre"), _MONEY),
            Pick("DKK", _("Danish øre"), _MONEY),
            Pick("GBP", _("British pence"), _MONEY),
            Pick("USD", _("US cents"), _MONEY),
            Pick(ROUNDS, _("rounds of drinks"), _("Points are worth rounds of drinks.")),
        ),
    ),
    IntOption(
        id=VALUE,
        label=_("So many of them a point"),
        default=10,
        group=GROUP,
        needs=_WORTH,
        low=1,
        high=MOST,
        card=_("A point is worth {value} {coins}."),
        unit=_("cents, øre or rounds"),
    ),
    BoolOption(
        id=OWN,
        label=_("Everybody may have a value of their own"),
        default=False,
        group=GROUP,
        needs=_WORTH,
        on=_("Everybody may have a value of their own for a point; between two people the lower one counts."),
    ),
    ChoiceOption(
        id=KITTY,
        label=_("A kitty takes a part"),
        default=NOTHING,
        group=GROUP,
        needs=_WORTH,
        help=_("The host names who holds it. Parts are rounded down."),
        picks=(
            Pick(NOTHING, _("there is no kitty"), ""),
            Pick(OF_POINTS, _("of every point won"), _("Whoever wins a point gives the kitty a part of it.")),
            Pick(OF_LOSSES, _("of every loss"), _("Whoever loses a game pays the kitty a part of the loss on top.")),
            Pick(
                OF_LAST,
                _("of what the last has lost"),
                _("At the end of the table whoever is last pays the kitty a part of their loss on top."),
            ),
        ),
    ),
    IntOption(
        id=PART,
        label=_("The kitty's part"),
        default=10,
        group=GROUP,
        needs=_WITH_KITTY,
        low=1,
        high=100,
        card=_("The kitty's part is {value} %, rounded down."),
        unit="%",
    ),
)


def with_values(game: OptionSet) -> OptionSet:
    """Return a game's declaration with these house rules behind its own; points are owed as its `points_need` says."""
    currency, *others = OPTIONS
    own = game.words

    def words(values: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        return {**(own(values) if own is not None else {}), "coins": coins(values)}

    options = (*game.options, replace(currency, needs=game.points_need), *others)
    return replace(game, options=options, words=words)


def coins(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the word for what a point is worth, with its context: "euro cents"."""
    is_one = values.get(VALUE) == 1
    return _COINS.get(str(values.get(CURRENCY)), _COINS[ROUNDS])[0 if is_one else 1]


@dataclass(frozen=True, slots=True)
class PointTerms:
    """The worth of a table's points: `value` of one in `currency`, and the kitty's `part` in percent of `kitty`.

    `has_own`: everybody may have a value of their own.
    """

    currency: str
    value: int
    has_own: bool = False
    kitty: str = NOTHING
    part: int = 0


def terms(options: OptionSet, values: Mapping[str, Any]) -> PointTerms | None:
    """Return what points are worth under a table's house rules; None where they are only counted.

    Tables that are older than these rules only count.
    """
    values = {**{option.id: option.default for option in options.options}, **values}
    if not options.is_active(options[VALUE], values):
        return None
    kitty = values[KITTY]
    return PointTerms(values[CURRENCY], values[VALUE], values[OWN], kitty, 0 if kitty == NOTHING else values[PART])
