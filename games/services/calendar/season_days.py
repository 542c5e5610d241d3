"""The seasons of a series: those whose days hold a day, else the next one, else the last."""

from __future__ import annotations

from datetime import date

from django.db.models import QuerySet

from games.models import Player, Season, Series


def all_of(series: Series) -> QuerySet[Season]:
    """Return the seasons of a series, the first one first, but for archived ones."""
    return series.seasons.exclude(status=Season.Status.ARCHIVED).order_by("first_day", "pk")


def holding(series: Series, day: date) -> list[Season]:
    """Return the seasons of a series whose days hold a day, open ones first, of these the shortest."""
    rows = all_of(series).filter(first_day__lte=day, last_day__gte=day)
    return sorted(rows, key=lambda each: (each.status != Season.Status.OPEN, each.last_day - each.first_day, each.pk))


def told(series: Series, day: date) -> list[Season]:
    """Return the seasons that are meant by "the season" on a day: those that hold it, else the next, else the last."""
    found = holding(series, day)
    if not found:
        following = all_of(series).filter(first_day__gt=day)
        last = all_of(series).filter(last_day__lt=day).order_by("-last_day", "-pk")
        found = list(following[:1]) or list(last[:1])
    return found


def has_entrant(series: Series, player: Player, day: date) -> bool:
    """Tell whether a player is counted in at a season of a series on a day."""
    return player.entries.filter(season__in=told(series, day)).exists()
