"""The big screen: a link that always shows a night's current table.

`templates/tables/tv.html` gets `night`, `table` (or None), `mode` ("door": the members, with
`tv_lobby.html`; "tournament": pairings and standing; "play": the table's own screen), `live_url`,
`join_url`, `qr`; in "play" `game` and `config` as on the table's page, with `config.tv` true and no seat; in "door"
the members (`people`), the `seats` and `card` of a table that is about to start, all that are where several are
(`waiting`: table, game, seats), and the `slides`, shown in turn.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Table
from games.services.draws import waiting_tables
from games.services.house_rules.cards import table_card
from games.services.nights import membership, tv_screens
from games.services.tables.seating import leaving
from games.web import fragments, links
from games.web.errors import pages_refusals
from games.web.tables.page import config, first_state
from games.web.tables.tv_slides import result_slides, slides
from games.web.tournaments.on_night import find_ended, find_running, is_last_match, on_screen

TEMPLATE = "tables/tv.html"
KEPT = timedelta(days=30)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tv(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Store the link's token in the browser, for its sockets, and show the night's current table."""
    night = night_of(public_id, token)
    response = render(request, TEMPLATE, of_link(request, night, token))
    tokens = tv_screens.read(request.COOKIES.get(tv_screens.COOKIE, ""))
    if not tv_screens.may_show(night, tokens):
        keep(response, tv_screens.COOKIE, tv_screens.write(tokens, night), KEPT)
    return response


def keep(response: HttpResponse, name: str, content: str, lasts: timedelta) -> None:
    """Set a cookie of a TV screen, which scripts cannot read."""
    is_secure = bool(settings.SESSION_COOKIE_SECURE)
    response.set_cookie(
        name,
        content,
        max_age=lasts,
        secure=is_secure,
        httponly=True,
        samesite="Lax",
        path=settings.BASE_PATH,
    )


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tv_live(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Return the door's parts; reload the page for another current table or an old link."""
    try:
        night = night_of(public_id, token)
    except Illegal:
        if not fragments.is_htmx(request):
            raise
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = of_link(request, night, token)
    if request.GET.get("shown") != context["shown"]:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return live(request, context)


def live(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return the parts of a page that shows the same thing still; those of a table come by its socket."""
    if context["mode"] == "play":
        # Phones may go to another address by now.
        is_same = request.GET.get("to", context["short_url"]) == context["short_url"]
        return HttpResponse(status=204, headers={} if is_same else {"HX-Refresh": "true"})
    return fragments.parts(request, "tables/parts/tv_live.html", context)


def night_of(public_id: str, token: str) -> Night:
    """Return the night of a TV link; raises Illegal `wrong_link`, also long after the end of the night."""
    night = membership.find_by_token(public_id, token, "tv")
    if not tv_screens.is_on(night):
        raise Illegal("wrong_link")
    return night


def of_link(request: HttpRequest, night: Night, token: str) -> dict[str, Any]:
    """Return the context of a screen that shows a night by its link."""
    live_url = reverse("tv_live", args=[night.public_id, token])
    plain_url = reverse("tv_plain", args=[night.public_id, token])
    return tv_context(request, night, live_url, tv_screens.current_table(night)) | {"plain_url": plain_url}


def tv_context(
    request: HttpRequest, night: Night, live_url: str, table: Table | None, *, is_chosen: bool = False
) -> dict[str, Any]:
    """Return the context of a screen that shows a night; a table that `is_chosen` is shown before a tournament."""
    is_door = table is None or table.status == Table.Status.LOBBY
    mode = "door" if is_door or night.status == Night.Status.CLOSED else "play"
    running = find_running(night) or (find_ended(night) if table is None else None)
    if running is not None and not is_chosen and not is_last_match(running.tournament, table):
        mode, table = "tournament", None
    url = links.join_url(request, night)
    context: dict[str, Any] = {
        "night": night,
        "table": table,
        "mode": mode,
        "shown": _shown(night, mode, table.public_id if table else running.tournament.public_id if running else ""),
        "live_url": live_url,
        "join_url": url,
        "short_url": links.base_url(request, night).split("//", 1)[-1],
        "lan_address": links.lan_address(request),
        "qr": links.qr_svg(url),
        "wifi_qr": links.wifi_qr(night),
        "is_own_network": not settings.PUBLIC_URL,
        **overlay(request),
        "is_open": night.status == Night.Status.OPEN,
        "is_tv": True,
        "studies": [game.study for game in plugin.all_games().values() if game.study is not None],
        "is_host": False,
    }
    context |= _table_context(table, mode) if table is not None else {}
    if mode == "play":
        return context
    if mode == "tournament" and running is not None:
        # At the end of a night its other results are told below.
        told = result_slides(night, running.tournament) if night.status == Night.Status.CLOSED else []
        return {**context, **on_screen(running), "slides": told}
    if night.status == Night.Status.CLOSED:
        return {**context, "people": [], "slides": result_slides(night)}
    present = leaving.members_here(night).select_related("player")
    return {**context, "people": [m.player for m in present], "slides": slides(night, context.get("card"))}


def _shown(night: Night, mode: str, what: str) -> str:
    """Return what a page shows in a word: with another one it is loaded anew."""
    return f"{mode}-{what}{'-aloud' if night.calls_aloud else ''}"


def overlay(request: HttpRequest) -> dict[str, Any]:
    """Return whether a screen is laid over another picture, and what its next request says of that."""
    is_overlay = "overlay" in request.GET
    return {"is_overlay": is_overlay, "overlay_query": "&overlay" if is_overlay else ""}


def _table_context(table: Table, mode: str) -> dict[str, Any]:
    """Return the table's part of the context."""
    context: dict[str, Any] = {"game": plugin.game(table.game_id)}
    if mode == "play":
        return context | {
            "config": config(table, None, None, is_host=False, is_tv=True),
            "first": first_state(table, None),
        }
    card, waiting = table_card(table), waiting_tables.waiting(table.night)
    shown = [(each, plugin.game(each.game_id), list(each.seats.select_related("player"))) for each in waiting]
    seats = list(table.seats.select_related("player"))
    return context | {"seats": seats, "card": card, "waiting": shown if len(shown) > 1 else []}
