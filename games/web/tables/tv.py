"""The big screen: a link that always shows a night's current table.

`templates/tables/tv.html` gets `night`, `table` (or None), `mode` ("door": the members, with
`tv_lobby.html`; "play": the table's own screen), `live_url`, `join_url`, `qr`; in "play"
`game` and `config` as on the table's page, with `config.tv` true and no seat; in "door" the members (`people`),
the `seats` and `card` of a table that is about to start, and the `slides`, shown in turn.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Night, Table
from games.services.house_rules.cards import table_card
from games.services.nights import membership, tv_screens
from games.web import fragments
from games.web.errors import pages_refusals
from games.web.nights import links
from games.web.tables.page import config, first_state
from games.web.tables.tv_slides import slides

COOKIE_SECONDS = 30 * 24 * 3600
RESULT_STANDS = timedelta(minutes=3)
"""The time that a table's result stays on the screen."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tv(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Store the link's token in the browser, for its sockets, and show the night's current table."""
    night = membership.find_by_token(public_id, token, "tv")
    response = render(request, "tables/tv.html", tv_context(request, night, token))
    tokens = tv_screens.read(request.COOKIES.get(tv_screens.COOKIE, ""))
    if not tv_screens.may_show(night, tokens):
        _keep(response, tv_screens.write(tokens, night))
    return response


def _keep(response: HttpResponse, tokens: str) -> None:
    """Set the cookie of a TV screen, which scripts cannot read."""
    is_secure = bool(settings.SESSION_COOKIE_SECURE)
    response.set_cookie(
        tv_screens.COOKIE,
        tokens,
        max_age=COOKIE_SECONDS,
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
        night = membership.find_by_token(public_id, token, "tv")
    except Illegal:
        if not fragments.is_htmx(request):
            raise
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = tv_context(request, night, token)
    if request.GET.get("shown") != context["shown"]:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if context["mode"] == "play":
        return HttpResponse(status=204)
    return fragments.parts(request, "tables/parts/tv_live.html", context)


def current_table(night: Night) -> Table | None:
    """Return the table of the screen: the latest running one, else the newest; None if that ended long ago."""
    running = night.tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED])
    latest = running.order_by("-started_at").first()
    latest = latest or night.tables.filter(archived_at=None).order_by("-number").first()
    if latest is None or latest.finished_at is None or timezone.now() - latest.finished_at < RESULT_STANDS:
        return latest
    return None


def tv_context(request: HttpRequest, night: Night, token: str) -> dict[str, Any]:
    """Return the context of the screen."""
    table = current_table(night)
    is_door = table is None or table.status == Table.Status.LOBBY
    mode = "door" if is_door or night.status == Night.Status.CLOSED else "play"
    url = links.join_url(request, night)
    context: dict[str, Any] = {
        "night": night,
        "table": table,
        "mode": mode,
        "shown": f"{mode}-{table.public_id if table else ''}",
        "live_url": reverse("tv_live", args=[night.public_id, token]),
        "join_url": url,
        "short_url": links.base_url(request).split("//", 1)[-1],
        "qr": links.qr_svg(url),
        "wifi_qr": links.wifi_qr(night),
        "is_open": night.status == Night.Status.OPEN,
        "is_tv": True,
        "is_host": False,
    }
    context |= _table_context(table, mode) if table is not None else {}
    if mode == "play":
        return context
    inside = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    return {**context, "people": [m.player for m in inside], "slides": slides(night, context.get("card"))}


def _table_context(table: Table, mode: str) -> dict[str, Any]:
    """Return the table's part of the context."""
    context: dict[str, Any] = {"game": plugin.game(table.game_id)}
    if mode == "play":
        return context | {
            "config": config(table, None, None, is_host=False, is_tv=True),
            "first": first_state(table, None),
        }
    card = table_card(table)
    return context | {"seats": list(table.seats.select_related("player")), "card": card}
