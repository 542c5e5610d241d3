"""The page of a table: the waiting room before the start, the game after it.

`templates/tables/table.html` gets:

* `table`, `night`, `game` (the GameConfig), `seat` (the reader's own Seat or None),
  `is_host`, `is_tv` (False here), `is_asked` (another device wants to go on as the reader),
  `config` for the page's module (`json_script`);
* while `table.status == "lobby"` also all that `table_lobby.html` shows; from then on `card`,
  the rules card, and `takes_in`: newcomers may join now; while it runs, for the host,
  `why_open`: why the table cannot be closed now, "" where it can.

`config` is {"table", "night", "game", "element", "module", "status", "host", "tv", "seat",
"leaving": {"kind", "note"},
"urls": {"table", "night", "again", "results", "dice", "socket", "nightSocket"}}.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import CLOSE, Command, Illegal
from games.models import Night, Player, Seat, Table
from games.services.house_rules.cards import table_card
from games.services.people import agreement
from games.services.tables import acceptance, joining, log, setup
from games.web import fragments
from games.web.errors import pages_refusals, refusal_text
from games.web.nights import links
from games.web.nights.page import fresh_page, host_gone, need_inside

PARTS = "tables/parts/table_live.html"


def find_table(public_id: str) -> Table:
    """Return a table with its night; raises Http404."""
    return get_object_or_404(Table.objects.select_related("night__host"), public_id=public_id)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table to the members of its night."""
    found = find_table(public_id)
    player = need_inside(request, found.night)
    context = page_context(request, found, player)
    if found.status == Table.Status.LOBBY:
        context["live_mark"] = fragments.mark_of(request, PARTS, context)
    return render(request, "tables/table.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of the waiting room; the whole page anew once play has begun."""
    found = find_table(public_id)
    try:
        player = need_inside(request, found.night)
    except Illegal:
        return fresh_page(request)
    return lobby_parts(request, found, player)


def lobby_parts(request: HttpRequest, found: Table, player: Player, *, always: bool = False) -> HttpResponse:
    """Return the waiting room's parts for htmx."""
    if found.status != Table.Status.LOBBY:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = page_context(request, found, player)
    return fragments.parts(request, PARTS, context, always=always)


def page_context(request: HttpRequest, found: Table, player: Player) -> dict[str, Any]:
    """Return everything that the table's page shows."""
    seats = list(found.seats.select_related("player"))
    seat = next((s for s in seats if s.player_id == player.pk), None)
    is_host = found.night.host_id == player.pk
    context: dict[str, Any] = {
        "table": found,
        "night": found.night,
        "game": plugin.game(found.game_id),
        "seat": seat,
        "is_host": is_host,
        "is_tv": False,
        "is_for_adults": acceptance.is_for_adults(found),
        "config": config(found, seat, is_host=is_host),
        "is_asked": agreement.is_asked(player),
    }
    if found.status != Table.Status.LOBBY:
        context["card"] = table_card(found)
        context["takes_in"] = joining.is_open(found)
        if is_host and found.is_running:
            context["why_open"] = why_open(found)
    else:
        context |= lobby_context(request, found, seats)
        context["host_gone"] = host_gone(found.night, player)
    return context


def config(found: Table, seat: Seat | None, *, is_host: bool, is_tv: bool = False) -> dict[str, Any]:
    """Return what the page's module needs to know."""
    game = plugin.game(found.game_id)
    return {
        "table": found.public_id,
        "night": found.night.public_id,
        "game": found.game_id,
        "element": game.element,
        "module": game.script,
        "status": found.status,
        "host": is_host,
        "tv": is_tv,
        "seat": None if seat is None else seat.index,
        "adults": acceptance.is_for_adults(found),
        "leaving": {"kind": game.leaving, "note": str(game.leaving_note)},
        "urls": {**_page_urls(found), **_socket_paths(found)},
    }


def _page_urls(found: Table) -> dict[str, str]:
    """Return the addresses of the pages around a table."""
    return {
        "table": reverse("table", args=[found.public_id]),
        "night": reverse("night", args=[found.night.public_id]),
        "again": reverse("table_act", args=[found.public_id, "again"]),
        "results": reverse("night_results", args=[found.night.public_id]),
        "dice": reverse("dice_check", args=[found.public_id]),
    }


def _socket_paths(found: Table) -> dict[str, str]:
    """Return the paths of the live connections."""
    return {
        "socket": f"/ws/table/{found.public_id}/",
        "nightSocket": f"/ws/night/{found.night.public_id}/",
    }


def why_open(found: Table) -> str:
    """Return why the host cannot close a running table now, in words; "" where they can."""
    if found.status == Table.Status.PAUSED:
        return refusal_text(Illegal("paused"))
    rules = plugin.game(found.game_id).rules
    try:
        # The rules are asked as the act itself will ask them; nothing is written down.
        rules.decide(log.state_of(found), Command(CLOSE, None, {}), log.dice_of(found), found.seq + 1)
    except Illegal as refusal:
        return refusal_text(refusal, found.game_id)
    return ""


def lobby_context(request: HttpRequest, found: Table, seats: list[Seat]) -> dict[str, Any]:
    """Return what the waiting room shows besides: seats, rules, bots, the way in."""
    game = plugin.game(found.game_id)
    few, many = setup.seat_bounds(found)
    url = links.join_url(request, found.night)
    return {
        "seats": seats,
        "few": few,
        "many": many,
        "free": many - len(seats),
        "card": table_card(found),
        "bot_levels": list(game.bot_levels.items()),
        "not_yet": why_not_yet(seats, few, many),
        "join_url": url,
        "qr": links.qr_svg(url),
        "is_only_here": links.is_only_here(request),
        "is_open": found.night.status == Night.Status.OPEN,
    }


def why_not_yet(seats: list[Seat], few: int, many: int) -> str:
    """Return in words what the start still waits for; "" when nothing."""
    if len(seats) < few:
        missing = few - len(seats)
        text = ngettext("%(n)d more player is needed.", "%(n)d more players are needed.", missing)
        return text % {"n": missing}
    if len(seats) > many:
        return _("These rules seat %(many)d players at most.") % {"many": many}
    waiting = [seat.name for seat in seats if seat.accepted_at is None]
    if waiting:
        names = ", ".join(waiting)
        return _("The rules card is still to be accepted by %(names)s.") % {"names": names}
    return ""
