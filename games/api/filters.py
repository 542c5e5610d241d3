"""Filters of lists; an unknown value is refused, not ignored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any, TypeAlias

import django_filters as df
from django import forms
from django.core.validators import RegexValidator
from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import extend_schema_field

from games import plugin
from games.api.auth import night_access
from games.models import HouseRules, Night, ResultLine
from games.services.history.player_history import LAST_DAY, begin

Rows: TypeAlias = QuerySet[Any]
Method: TypeAlias = Callable[[Any, Rows, str, date], Rows]

ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
NO_NUL = "^[^\\u0000]+$"
CORRECTIONS = ("only", "without")
OWNERS = ("house", "hosts")


class _Day(forms.Field):
    """A date in the form of ISO 8601."""

    def to_python(self, value: Any) -> date | None:
        """Return the date; raises ValidationError."""
        if value in self.empty_values:
            return None
        try:
            if ISO_DAY.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass
        raise forms.ValidationError(forms.DateField.default_error_messages["invalid"], "invalid")


class _DayFilter(df.Filter):  # type: ignore[misc]
    """A date."""

    field_class = _Day


def _pattern(regex: str, **kwargs: Any) -> df.Filter:
    return df.CharFilter(strip=False, validators=[RegexValidator(regex)], **kwargs)


def slug(description: str, **kwargs: Any) -> df.Filter:
    """Return a filter by a public id."""
    schema = {"type": "string", "pattern": "^[a-z0-9]{1,16}$", "description": description}
    return extend_schema_field(schema)(_pattern(r"\A[a-z0-9]{1,16}\Z", **kwargs))


def number(description: str, **kwargs: Any) -> df.Filter:
    """Return a filter by a row's number."""
    schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1, "description": description}
    return extend_schema_field(schema)(_pattern(r"\A[0-9]{1,15}\Z", **kwargs))


def words(description: str, **kwargs: Any) -> df.Filter:
    """Return a filter by typed text."""
    schema = {"type": "string", "pattern": NO_NUL, "maxLength": 96, "description": description}
    return extend_schema_field(schema)(df.CharFilter(max_length=96, strip=False, **kwargs))


def choice(description: str, picks: Iterable[str], **kwargs: Any) -> df.Filter:
    """Return a filter by one of several fixed words."""
    found = list(dict.fromkeys(picks))
    schema = {"type": "string", "enum": found, "description": description}
    return extend_schema_field(schema)(df.ChoiceFilter(choices=[(pick, pick) for pick in found], **kwargs))


def day(description: str, **kwargs: Any) -> df.Filter:
    """Return a filter by a date, such as 2026-05-28, in the house's time zone."""
    schema = {"type": "string", "format": "date", "description": description}
    return extend_schema_field(schema)(_DayFilter(**kwargs))


def since_of(field: str) -> Method:
    """Return a filter method: from the beginning of a day on."""

    def method(self: Any, rows: Rows, name: str, value: date) -> Rows:
        return rows.filter(**{f"{field}__gte": begin(value)})

    return method


def until_of(field: str) -> Method:
    """Return a filter method: to the end of a day."""

    def method(self: Any, rows: Rows, name: str, value: date) -> Rows:
        return rows.filter(**{f"{field}__lt": begin(min(value, LAST_DAY) + timedelta(days=1))})

    return method


def games() -> list[str]:
    """Return the ids of the games."""
    return list(plugin.all_games())


def presets() -> list[str]:
    """Return the ids of all games' presets."""
    return [p.id for g in plugin.all_games().values() for p in g.options.presets]


def units() -> list[str]:
    """Return the units of all games' results."""
    return [unit for g in plugin.all_games().values() for unit in g.units]


def _results_with(player_id: str) -> Rows:
    """Return the ids of the results in which a player had a part."""
    lines = ResultLine.objects.filter(player__id=int(player_id), consent=ResultLine.Consent.GIVEN)
    return lines.values("result")


class NightFilter(df.FilterSet):  # type: ignore[misc]
    """Nights by status, venue and opening day."""

    status = choice("Open, locked or closed.", Night.Status.values)
    venue = slug("The venue's id.", field_name="venue__public_id")
    since = day("Opened on this day or later.", method="since_")
    until = day("Opened on this day or earlier.", method="until_")

    since_, until_ = since_of("created_at"), until_of("created_at")


class ResultFilter(df.FilterSet):  # type: ignore[misc]
    """Results by game, place, time and player."""

    game = choice("The game's id.", games(), field_name="game_id")
    preset = choice("The variant's id.", presets())
    unit = choice("What the points count.", units())
    venue = slug("The venue's id.", method="venue_")
    night = slug("The night's id; somebody else's night is refused.", method="night_")
    table = slug("The table's id.", field_name="table__public_id")
    player = number("Results of this player.", method="player_")
    since = day("Finished on this day or later.", method="since_")
    until = day("Finished on this day or earlier.", method="until_")
    corrections = choice("Corrections alone, or none.", CORRECTIONS, method="corrections_")

    since_, until_ = since_of("finished_at"), until_of("finished_at")

    def venue_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep a venue's results, by a subquery: the database reads rows in order, never all of them first."""
        there = Night.objects.filter(pk=OuterRef("table__night"), venue__public_id=value)
        return rows.filter(Exists(there))

    def night_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep the results of a night; raises Illegal as `night_access` if the asker is not in it."""
        return rows.filter(table__night=night_access(self.request, value))

    def player_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep the results of a player."""
        return rows.filter(pk__in=_results_with(value))

    def corrections_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep only the corrections, or only the other results."""
        return rows.filter(is_correction=value == "only")


class LineFilter(df.FilterSet):  # type: ignore[misc]
    """A player's lines of results, as the player's page filters them."""

    game = choice("The game's id.", games(), field_name="result__game_id")
    preset = choice("The variant's id.", presets(), field_name="result__preset")
    venue = slug("The venue's id.", field_name="result__table__night__venue__public_id")
    opponent = number("Only games together with this player.", method="opponent_")
    since = day("Finished on this day or later.", method="since_")
    until = day("Finished on this day or earlier.", method="until_")

    since_, until_ = since_of("result__finished_at"), until_of("result__finished_at")

    def opponent_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep the lines of results in which a second player had a part, too."""
        return rows.filter(result__in=_results_with(value))


class PlayerFilter(df.FilterSet):  # type: ignore[misc]
    """Players by name."""

    q = words("What the nickname begins with, in large or small letters.", method="begins")

    def begins(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep the players whose nickname begins with the value, in any case."""
        return rows.filter(nickname__istartswith=value)


class RulesFilter(df.FilterSet):  # type: ignore[misc]
    """Sets of house rules."""

    game = choice("The game's id.", games(), field_name="game_id")
    status = choice("In use or archived.", HouseRules.Status.values)
    owner = choice("The house's, or the asker's own.", OWNERS, method="owner_")

    def owner_(self, rows: Rows, name: str, value: str) -> Rows:
        """Keep the sets of the house, or the sets of hosts."""
        return rows.filter(owner__isnull=value == "house")
