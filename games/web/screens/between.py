"""A screen of the house between nights: the next dates, standings of seasons, a poster's code."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Screen, Season, Series, SeriesDate
from games.services.calendar import all_series, feeds, season_days
from games.services.calendar.dates import when_text
from games.services.history import player_history
from games.services.people import players
from games.web import links
from games.web.tables import tv_slides
from games.web.tables.tv_slides import Slide

MOST_SERIES = 5


def context_of(request: HttpRequest, screen: Screen) -> dict[str, Any]:
    """Return the context of a screen between nights."""
    dates = _dates(screen)
    slides = [_dates_slide(dates[1:]), *(tv_slides.standing_slide(each, None) for each in _seasons(dates))]
    first = dates[0] if dates else None
    return {
        "next": first,
        "next_when": _when(first) if first is not None else "",
        "next_counts": feeds.counts(first) if first is not None else "",
        "slides": [slide for slide in slides if slide.lines],
        "poster_qr": _poster(request, first.series) if first is not None else "",
    }


def _dates(screen: Screen) -> list[SeriesDate]:
    """Return the next date of each series that a screen may show, the soonest first.

    Those are the series that organisers have let it show, and those of the front page, which all guests of the house
    see, where the staff or such a guest has taken the screen in.
    """
    own = Series.objects.filter(screen_shows__screen=screen, ended_at=None)
    found = {each.series_id: each for series in own if (each := _next(series)) is not None}
    if _sees_house(screen):
        found = {each.series_id: each for each in all_series.listed()} | found
    return sorted(found.values(), key=lambda each: (each.day, each.start))[:MOST_SERIES]


def _next(series: Series) -> SeriesDate | None:
    found = all_series.next_date(series)
    if found is not None:
        found.series = series
    return found


def _sees_house(screen: Screen) -> bool:
    if screen.is_staffs:
        return True
    keeper = screen.taken_by
    return keeper is not None and players.not_banned(keeper) is not None and player_history.may_browse(keeper)


def _seasons(dates: list[SeriesDate]) -> list[Season]:
    """Return the open seasons of the series of some dates, of these days."""
    found = {season.pk: season for each in dates for season in season_days.told(each.series, each.day)}
    return [season for season in found.values() if season.status == Season.Status.OPEN]


def _dates_slide(dates: list[SeriesDate]) -> Slide:
    return Slide(_("Next dates"), tuple((each.series.name, _when(each)) for each in dates))


def _when(each: SeriesDate) -> str:
    return when_text(each, "coming")


def _poster(request: HttpRequest, series: Series) -> str:
    """Return the code of a series' poster, as it hangs in the house."""
    return links.qr_svg(links.lasting_origin(request) + reverse("poster_door", args=[series.key]))
