"""The door of a series: from its poster, its pages and mails to the night that goes on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.models import Night, Series
from games.services.calendar import all_series, answers, dates, rights
from games.web import links
from games.web.errors import pages_refusals
from games.web.identity import player_of
from games.web.nights import join


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def poster_door(request: HttpRequest, key: str) -> HttpResponse:
    """Lead to the open night of a series; while none is open, to the series.

    Who is in goes on; organisers, and who was at a night of the series on this device, come in by a POST. Everybody
    else is led in if the poster opens the door, else to the front door, where the room code is asked for.
    """
    found = all_series.find(key)
    rights.check_goes_on(found)
    night = dates.open_now(found)
    if night is None:
        return redirect("series", key)
    player = player_of(request)
    if (way_on := join.way_on(night, player)) is not None:
        return way_on
    if rights.comes_straight_in(found, player):
        if request.method == "POST":
            return join.come_in_by(request, night, "", by_code=False, is_known=True)
        return join.show(request, night, "", join.name_said(request, night))
    return redirect(links.join_url(request, night)) if found.poster_opens else redirect("home")


def led_to(request: HttpRequest, night: Night) -> Series | None:
    """Return the series whose door leads a reader to its open night: one who has answered, or needs no room code."""
    date = dates.of_night(night)
    if date is None or night.status == Night.Status.CLOSED:
        return None
    player = player_of(request)
    own = answers.of_player(date, player) or answers.of_secret(date, request.COOKIES.get(links.cookie_of(date), ""))
    return date.series if own is not None or rights.comes_straight_in(date.series, player) else None
