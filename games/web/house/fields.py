"""The fields of the house's page: what was given, what is wrong with it, and what the environment fixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.translation import gettext as _

from games.models.house import House
from games.services.house import LONGEST_AMOUNT, LONGEST_NAME, LONGEST_PRICE, LONGEST_TEXT, TEXTS, HouseDescription
from games.services.regions import countries
from games.web import languages

VARIABLES = {
    "name": "HOUSE_NAME",
    "country": "HOUSE_COUNTRY",
    "time_zone": "TIME_ZONE",
    "language": "HOUSE_LANGUAGE",
}
"""The variable of the environment that fixes a field."""


@dataclass(frozen=True, slots=True)
class ListedChoice:
    """A choice of a list, with the language of its label, "" for the page's own.

    `countries` has the codes of a time zone's countries.
    """

    value: str
    label: str
    lang: str = "en"
    countries: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: a list with `options`, else a text of at most `longest` characters. `unsaid` is shown without a value.

    `variable` is the variable of the environment that fixes the value, "" for none.
    """

    name: str
    label: str
    value: str
    unsaid: str = ""
    hint: str = ""
    longest: int = 0
    options: list[ListedChoice] = field(default_factory=list)
    error: str = ""
    variable: str = ""

    @property
    def is_long(self) -> bool:
        """Tell whether the text may have several lines."""
        return self.name in TEXTS


def fields(given: HouseDescription, errors: Mapping[str, str]) -> list[Field]:
    """Return the fields with what was given; a fixed field has the environment's value."""
    return [_filled(each, given, errors) for each in _lines_and_lists()]


def _filled(blank: Field, given: HouseDescription, errors: Mapping[str, str]) -> Field:
    name, fixed = blank.name, settings.HOUSE_FIXED
    return Field(
        name,
        blank.label,
        fixed.get(name, getattr(given, name)),
        blank.unsaid,
        blank.hint,
        blank.longest,
        blank.options,
        errors.get(name, ""),
        VARIABLES[name] if name in fixed else "",
    )


def _lines_and_lists() -> list[Field]:
    """Return the fields in their order, without values."""
    return [
        Field("name", _("Name of the house"), "", "Stammtisch", longest=LONGEST_NAME),
        Field("country", _("Country"), "", _("not said"), options=_countries()),
        Field("time_zone", _("Time zone"), "", _("not said (%s)") % settings.TIME_ZONE, options=_zones()),
        Field(
            "language",
            _("Language of the house"),
            "",
            _("not said"),
            _("For guests whose browser asks for none that the house speaks. Everybody else reads their own."),
            options=[ListedChoice(code, name, code) for code, name in languages.named()],
        ),
        Field(
            "price",
            _("What a point or a round costs"),
            "",
            _("A point: 10 cents. A round: a juice for everybody."),
            _("It stands beside the results of an evening."),
            LONGEST_PRICE,
        ),
        *_of_points(),
        *_of_law(),
    ]


def _of_points() -> list[Field]:
    """Return the fields about the worth of points."""
    return [
        Field(
            "points_worth",
            _("What hosts may let points be worth"),
            "",
            options=[ListedChoice(value, str(label), "") for value, label in House.Worth.choices],
        ),
        Field(
            "most_a_point",
            _("Most that a point may be worth"),
            "",
            _("no limit"),
            _("In any currency, such as 0.50."),
            LONGEST_AMOUNT,
        ),
        Field(
            "most_a_night",
            _("Most that somebody may owe at a night"),
            "",
            _("no limit"),
            _("In any currency, such as 20.00. What somebody loses beyond that is not owed."),
            LONGEST_AMOUNT,
        ),
    ]


def _of_law() -> list[Field]:
    """Return the fields that stand on the pages of imprint and privacy."""
    return [
        Field(
            "contact",
            _("Whom people ask about their data"),
            "",
            _("Kari Hansen, kari@example.org"),
            _("It stands on the page Privacy, which says no contact until then."),
            LONGEST_TEXT,
        ),
        Field(
            "imprint",
            _("Imprint"),
            "",
            "",
            _("Who runs the house, as your country's law asks for it. Each page links to it as soon as there is one."),
            LONGEST_TEXT,
        ),
        Field(
            "notice_addition",
            _("Addition to the privacy notice"),
            "",
            "",
            _("The house writes the notice itself. Say here what it can't know, such as whose computer it is on."),
            LONGEST_TEXT,
        ),
    ]


def _countries() -> list[ListedChoice]:
    return [ListedChoice(code, name) for code, name in countries.countries().items()]


def _zones() -> list[ListedChoice]:
    return [ListedChoice(name, name, countries=" ".join(codes)) for name, codes in countries.zones().items()]
