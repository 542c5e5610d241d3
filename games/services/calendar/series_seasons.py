"""Series and seasons belong together, many to many: a month's and a year's season of one series, two series in one.

What a change of that finds counted stays so: its rows are written first (`season_nights.keep`).
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Player, Season, Series
from games.services import row_locks
from games.services.acts import LogLine
from games.services.calendar.rights import SERIES, SeriesRight
from games.services.seasons import season_log, season_nights
from games.services.seasons.registry import ACTS, Ids, SeasonRight
from games.services.seasons.rights import check_open, check_organiser


def seasons_on_offer(series: Series | None, by: Player) -> QuerySet[Season]:
    """Return the open seasons in which a person may let a series, None for a new one, count.

    They are their own, for staff also the organiser's.
    """
    own = [pk for pk in (by.pk, None if series is None else series.organiser_id) if pk]
    rows = Season.objects.filter(Q(organiser__in=own) | Q(second__in=own), status=Season.Status.OPEN)
    return rows.filter(pk__in=[each.pk for each in rows if _may(each, by)]).order_by("-last_day", "pk")


def _may(season: Season, by: Player) -> bool:
    try:
        check_organiser(season, by)
    except Illegal:
        return False
    return True


def series_on_offer(season: Season | None, by: Player) -> QuerySet[Series]:
    """Return the series that a person may let count in a season, None for a new one: those that they organise."""
    own = Q(organiser=by) | Q(second=by)
    if season is not None:
        own |= Q(seasons=season)
    return Series.objects.filter(own, ended_at=None).distinct().order_by("name", "pk")


@SERIES.act("seasons", SeriesRight.ORGANISER, done=_("Saved."), label=_("Seasons in which its nights count"))
@transaction.atomic
def set_seasons(series: Series, by: Player, seasons: Ids) -> None:
    """Let the nights of a series count in these open seasons, of those that `by` organises, and in no other of them.

    Raises Illegal `no_such_season`.
    """
    offered = {each.public_id: each for each in seasons_on_offer(series, by)}
    if not set(seasons) <= set(offered):
        raise Illegal("no_such_season")
    had = set(series.seasons.values_list("pk", flat=True))
    for public_id, season in offered.items():
        if (season.pk in had) != (public_id in seasons):
            _change(season, by, [series], is_in=public_id in seasons)


@ACTS.act(
    "series",
    SeasonRight.ORGANISER,
    LogLine("series_added", _("The nights of a series count in it: %(name)s.")),
    LogLine("series_removed", _("The nights of a series count in it no more: %(name)s. Those that did stay.")),
    done=_("Saved."),
    label=_("Series whose nights count"),
)
@transaction.atomic
def set_series(season: Season, by: Player, series: Ids) -> None:
    """Let the nights of these series, by their keys, count in a season; those that were counted stay.

    Raises Illegal `season_closed`, `not_organiser`, `no_such_series`.
    """
    check_organiser(season, by)
    check_open(season)
    offered = {each.key: each for each in series_on_offer(season, by)}
    if not set(series) <= set(offered):
        raise Illegal("no_such_series")
    had = set(season.series.values_list("pk", flat=True))
    added = [each for key, each in offered.items() if key in series and each.pk not in had]
    removed = [each for key, each in offered.items() if key not in series and each.pk in had]
    _change(season, by, added, is_in=True)
    _change(season, by, removed, is_in=False)


def _change(season: Season, by: Player, series: Collection[Series], *, is_in: bool) -> None:
    if not series:
        return
    row_locks.person(by)
    Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    season_nights.keep(season)
    for each in series:
        (season.series.add if is_in else season.series.remove)(each)
        season_log.note(season, "series_added" if is_in else "series_removed", by, name=each.name)
