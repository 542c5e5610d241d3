"""The page of a night: the ways to join, tables and people, and the acts of its host."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from games import interfaces, plugin
from games.game_texts import gettext_of
from games.interfaces import NetworkKind
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Seat, Table
from games.services.calendar import dates, expected
from games.services.draws import drawn_rounds, regrouping, waiting_list, waiting_tables
from games.services.hosting import claims, device_transfer
from games.services.nights import agreement, membership, newcomers, night_rights, phone_address, wifi
from games.services.payments import games
from games.services.people import confusable_names
from games.services.tables import handover, setup
from games.services.tables.seating import acceptance, joining, leaving
from games.web import fragments, links
from games.web.errors import pages_refusals
from games.web.identity import find_night, has_new_key, need_inside, need_player_at_night
from games.web.nights import door, events
from games.web.nights.absent_host import host_gone, taken_by
from games.web.screens import night_screens
from games.web.seasons import asking
from games.web.seasons.claiming import asks_listed
from games.web.tournaments.on_night import on_night

FEED_LENGTH = 25
FINISHED_PAGE = 20
PARTS = "nights/parts/night_live.html"
_KINDS = {
    NetworkKind.WIFI: _("Wi-Fi"),
    NetworkKind.CABLE: _("cable"),
    NetworkKind.PUBLIC: _("public"),
    NetworkKind.VPN: _("VPN or mobile network"),
    NetworkKind.BRIDGE: _("containers on this computer"),
    NetworkKind.SELF_MADE: _("without a network"),
}


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a night to its members, and a waiting page to players that are not admitted yet."""
    found = find_night(public_id)
    try:
        member = night_rights.member(found, need_player_at_night(request))
    except Illegal as refusal:
        series = door.led_to(request, found) if refusal.code == "not_inside" else None
        if series is None:
            raise
        return redirect("poster_door", series.key)
    if member.status == Membership.Status.WAITING:
        return render(request, "nights/waiting.html", _waiting_context(found, member))
    context = page_context(request, found)
    context["live_mark"] = fragments.mark_of(request, PARTS, context)
    context |= series_context(request, found)
    return render(request, "nights/night.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the parts of a night's page; newly admitted and removed players get a full reload."""
    found = find_night(public_id)
    try:
        need_inside(request, found)
    except Illegal as refusal:
        if refusal.code == "not_inside" and _waits(request, found):
            return HttpResponse(status=204)
        return fresh_page(request)
    if "waiting" in request.GET:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return fragments.parts(request, PARTS, page_context(request, found))


def fresh_page(request: HttpRequest) -> HttpResponse:
    """Answer a request for parts that is refused: the page shall reload.

    No reload for a browser that has just been given another session key: it is on its way to a seat, and a reload would
    stop it.
    """
    is_known = has_new_key(request)
    return HttpResponse(status=204, headers={} if is_known else {"HX-Refresh": "true"})


def _waiting_context(found: Night, member: Membership) -> dict[str, Any]:
    """Return the context of the page of a player who waits; `join_path` is for another name, "" if that is no help."""
    is_for_name = not found.admit_by_hand and newcomers.looks_like_host(found, member.player_id, member.player.nickname)
    path = (
        reverse("join_link", args=[found.public_id, membership.invitation(found, member.player)]) if is_for_name else ""
    )
    return {"night": found, "nickname": member.player.nickname, "join_path": path}


def _is_removed(member: Membership) -> bool:
    """Tell whether the host may let a member in again who was shown the door."""
    return member.status == Membership.Status.KICKED and member.player.banned_at is None


def _waits(request: HttpRequest, found: Night) -> bool:
    """Tell whether the asking player waits for the host."""
    try:
        return night_rights.member(found, need_player_at_night(request)).status == Membership.Status.WAITING
    except Illegal:
        return False


def _way_in(request: HttpRequest, found: Night, player: Player, *, is_host: bool) -> dict[str, Any]:
    """Return the link and the codes by which phones come in: the night's, and the Wi-Fi's."""
    url = links.join_url(request, found, membership.invitation(found, player))
    return {
        "join_url": url,
        "qr": links.qr_svg(url),
        "wifi_qr": links.wifi_qr(found),
        "wifi": wifi.of(found) if is_host else None,
        "lost_wifi": is_host and wifi.is_lost(found),
        "is_only_here": links.is_only_here(request, found),
        "lan_address": links.lan_address(request),
        "phone_addresses": _phone_addresses(request, found) if is_host else [],
        "is_address_gone": is_host and phone_address.is_gone(found),
    }


def page_context(request: HttpRequest, found: Night) -> dict[str, Any]:
    """Return the context of the night's page."""
    player = need_player_at_night(request)
    members = list(found.memberships.select_related("player", "keeper"))
    is_host = found.host_id == player.pk
    inside = [m for m in members if m.status == Membership.Status.IN]
    cards = table_cards(found.tables.exclude(status=Table.Status.FINISHED), player)
    finished = finished_page(request, found, player)
    if is_host:
        phone_address.note_host(found, links.arrived_at(request))
    people = people_rows(found, inside, cards, player)
    return {
        "night": found,
        "has_values": games.has_values(found),
        "is_host": is_host,
        "games": list(plugin.all_games().values()),
        "is_open": found.status != Night.Status.CLOSED,
        **_way_in(request, found, player, is_host=is_host),
        **(night_screens.context(request, found, player) if is_host else {}),
        "tables": [card for card in cards if not card["is_of_tournament"] or card["is_mine"]],
        "tournaments": on_night(found, player),
        **_of_many(found, is_host=is_host),
        "finished": finished,
        "finished_of_tournaments": found.tables.filter(status=Table.Status.FINISHED, pairing__isnull=False).count(),
        "people": [row for row in people if not row["is_gone"]],
        "gone": [row for row in people if row["is_gone"]],
        "waiting": [m.player for m in members if m.status == Membership.Status.WAITING],
        "removed": [m.player for m in members if _is_removed(m)] if is_host else [],
        "moves": device_transfer.waiting(found) if is_host else [],
        "claims": claims.waiting(found) if is_host else [],
        "lists": handover.of_night(found) if is_host else [],
        "can_claim": player.user_id is not None and bool(claims.claimable(found, player)),
        "feed": events.feed(found.events.all()[:FEED_LENGTH]),
        "host_gone": host_gone(found, player),
        "taken_by": taken_by(found, player),
        "is_asked": agreement.has_request(player),
    }


def series_context(request: HttpRequest, found: Night) -> dict[str, Any]:
    """Return who is expected at a night of a series, and the season that asks whether the reader is counted in."""
    return {
        "date": dates.of_night(found),
        "expected": expected.at(found),
        "asks_listed": asks_listed(request, need_player_at_night(request)),
        "asking_season": asking.season_for(request, found, need_player_at_night(request)),
    }


def _of_many(found: Night, *, is_host: bool) -> dict[str, Any]:
    """Return the latest drawn round, the waiting list with the minutes that each person still waits, and regroupings.

    What is proposed to be split or joined is for the host alone.
    """
    is_asked = is_host and found.status != Night.Status.CLOSED and not found.is_practice
    waiting = [] if found.is_practice else waiting_list.of(found)
    return {
        "together": waiting_tables.together(found) if is_asked else None,
        "drawn_round": drawn_rounds.last(found),
        "queue": [(each, waiting_list.minutes(each)) for each in waiting],
        "regroupings": [] if found.is_practice else regrouping.waiting(found),
        "splits": regrouping.splits(found) if is_asked else [],
        "joins": regrouping.joins(found) if is_asked else [],
    }


def _phone_addresses(request: HttpRequest, found: Night) -> list[tuple[str, str]]:
    """Return the addresses among which the host may choose, with their words; empty where there is no choice.

    The first, "", is the one that is found by itself.
    """
    if settings.PUBLIC_URL:
        return []
    rows = [(each.text, f"{each.text} ({_KINDS[each.kind]})") for each in interfaces.reachable()]
    if name := interfaces.announced_name():
        rows.append((name, gettext("%(name)s (name in this network)") % {"name": name}))
    is_choice = len(rows) > 1 or found.phone_address
    return [("", gettext("Found by itself")), *rows] if is_choice else []


def table_cards(rows: QuerySet[Table], player: Player) -> list[dict[str, Any]]:
    """Return cards of tables, the newest first, with the player's possible acts at each."""
    listed = _listed(rows).prefetch_related("seats__player").order_by("-number")
    return [_card(table, player) for table in listed]


def _listed(rows: QuerySet[Table]) -> QuerySet[Table]:
    """Return the tables that lists show: not archived, of installed games."""
    return rows.filter(archived_at=None, game_id__in=plugin.all_games()).select_related("pairing")


def finished_page(request: HttpRequest, found: Night, player: Player) -> Page[Any]:
    """Return a page of the finished tables, the newest first, without their games' states."""
    rows = _listed(found.tables.filter(status=Table.Status.FINISHED)).order_by("-number").defer("state", "clocks")
    pages = Paginator(rows.prefetch_related("seats__player"), FINISHED_PAGE)
    page: Page[Any] = pages.get_page(request.GET.get("finished"))
    page.object_list = [_card(table, player) for table in page.object_list]
    return page


def _has_left(table: Table, seat: Seat) -> bool:
    """Tell whether nobody sits on a seat of a running table any more, and nobody is waited for."""
    is_empty = seat.player_id is None and not seat.bot_level
    return table.is_running and is_empty and plugin.game(table.game_id).leaving == plugin.LEAVING_AT_ONCE


def _card(table: Table, player: Player) -> dict[str, Any]:
    """Return the card of a table for the night's page."""
    seats = list(table.seats.all())
    game = plugin.game(table.game_id)
    free = setup.seat_bounds(table)[1] - len(seats)
    is_mine = any(seat.player_id == player.pk for seat in seats)
    return {
        "table": table,
        "game": game,
        "preset": gettext_of(game, game.options.preset(table.preset).label),
        "seats": [seat for seat in seats if not _has_left(table, seat)],
        "free": free,
        "is_mine": is_mine,
        "can_sit": table.status == Table.Status.LOBBY and free > 0 and not is_mine,
        "can_join": not is_mine and joining.is_open(table),
        "is_of_tournament": hasattr(table, "pairing"),
        "is_over": table.status == Table.Status.FINISHED,
        "is_for_adults": acceptance.is_for_adults(table),
    }


def people_rows(
    found: Night, inside: list[Membership], cards: list[dict[str, Any]], reader: Player
) -> list[dict[str, Any]]:
    """Return the members, the host first, each with their unfinished table from `cards`, as a reader sees them."""
    is_director = leaving.is_director(found, reader)
    sits: dict[int, Table] = {}
    for card in cards:
        for seat in card["seats"]:
            if seat.player_id:
                sits.setdefault(seat.player_id, card["table"])
    alike = confusable_names.flags({m.player_id: m.player.nickname for m in inside})
    rows = [
        {
            "player": m.player,
            "looks_like": alike.get(m.player_id, ""),
            "is_host": m.player_id == found.host_id,
            "keeper": m.keeper.nickname if m.keeper else "",
            "is_muted": m.is_muted,
            "is_away": m.player_id == found.host_id and found.host_away_since is not None,
            "table": sits.get(m.player_id),
            "is_gone": m.gone_at is not None,
            "gone_at": m.gone_at,
            "may_say": leaving.may_say_gone(found, reader, m, is_director=is_director),
        }
        for m in inside
    ]
    return sorted(rows, key=lambda row: not row["is_host"])
