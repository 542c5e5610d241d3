"""The steps of a house's first evening, each done on one page: name the house, invite, open a table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Table
from games.services.nights import membership
from games.services.tables import setup
from games.services.tables.seating import acceptance
from games.web import links
from games.web.errors import refusals_as_messages
from games.web.guests import known_nickname
from games.web.house_rules.starting_values import start_of
from games.web.identity import need_player, player_of
from games.web.nights import home


def context(request: HttpRequest, *, is_asked: bool) -> dict[str, Any]:
    """Return what the steps that are left need; with `is_asked` the house is not named yet, and the others wait."""
    found: dict[str, Any] = {"is_first_evening": True, "is_house_asked": is_asked, "nickname": known_nickname(request)}
    player = player_of(request)
    night = None if is_asked else _night(player)
    if night is None or player is None:
        return found
    url = links.join_url(request, night, membership.invitation(night, player))
    return found | {
        "night": night,
        "is_alone": night.memberships.count() == 1,
        "join_url": url,
        "qr": links.qr_svg(url),
        "games": list(plugin.all_games().values()),
    }


def _night(player: Player | None) -> Night | None:
    """Return the open night that a player hosts, the newest."""
    rows = Night.objects.filter(host=player, is_practice=False).exclude(status=Night.Status.CLOSED)
    return rows.order_by("-pk").first() if player is not None else None


def carry_out(request: HttpRequest) -> HttpResponse:
    """Open the night or its first table, as the form says, and lead on; a refusal is a message on the page."""
    with refusals_as_messages(request):
        if request.POST["step"] == "table":
            return redirect(links.table_url(_open_table(request)))
        home.open_night(request, request.POST.get("name", ""), request.POST.get("nickname", ""), "")
    return redirect("house")


def _open_table(request: HttpRequest) -> Table:
    """Open a table by the house's own choice of rules, and take its first seat.

    Raises Illegal `no_such_game`, `not_host`, `sets_only` and as `setup.open_table`.
    """
    host, game = need_player(request), plugin.game(request.POST.get("game", ""))
    night = _night(host)
    if night is None:
        raise Illegal("not_host")
    start = start_of(request, game, host)
    if start is None:
        raise Illegal("sets_only")
    table = setup.open_table(night, host, game.game_id, start.preset.id, {}, **start.chosen)
    if not acceptance.is_for_adults(table):
        setup.sit(table, host)
    return table
