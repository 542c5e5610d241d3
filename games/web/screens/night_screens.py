"""The screens on the page of a night, for its host."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games import plugin
from games.models import Night, Player, Screen
from games.services.calendar import dates, rights
from games.services.nights import tv_screens
from games.services.screens import screens
from games.web import links


def context(request: HttpRequest, night: Night, host: Player) -> dict[str, Any]:
    """Return the night's TV link, and the screens that its host may use."""
    found = {"tv_url": links.tv_url(request, night)}
    if night.status == Night.Status.CLOSED or night.is_practice:
        return found
    date = dates.of_night(night)
    series = date.series if date is not None and rights.is_organiser(date.series, host) else None
    usable = list(screens.usable(night, host).prefetch_related("shows"))
    showing = tv_screens.showing([each.secret_hash for each in usable])
    series_id = None if series is None else series.pk
    tables = _tables(night) if usable else []
    return found | {
        "screens_addresses": links.screens_addresses(request),
        "screens_series": "" if series is None else series.name,
        "screens_key": "" if series is None else series.key,
        "screens": [_row(each, night, host, showing, series_id) | {"choices": tables} for each in usable],
    }


def _row(
    screen: Screen, night: Night, host: Player, showing: dict[str, tv_screens.Showing], series_id: int | None
) -> dict[str, Any]:
    shown = showing.get(screen.secret_hash)
    return {
        "screen": screen,
        "is_here": shown is not None and shown.night == night,
        "is_busy": shown is not None and shown.night != night,
        "is_own": screen.taken_by_id == host.pk and not screen.is_staffs,
        "is_of_series": any(each.series_id == series_id for each in screen.shows.all() if each.series_id is not None),
        "chosen": screen.table.public_id if screen.table is not None else screen.tables,
    }


def _tables(night: Night) -> list[tuple[str, Any]]:
    """Return what a screen may show of a night, with its words: the running tables one by one, too."""
    found: list[tuple[str, Any]] = [
        (choice.value, choice.label) for choice in (Screen.Tables.LATEST, Screen.Tables.TURNS)
    ]
    return found + [
        (each.public_id, _("Table %(n)s: %(game)s") % {"n": each.number, "game": plugin.game(each.game_id).title})
        for each in tv_screens.running_tables(night)
    ]
