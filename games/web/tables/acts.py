"""Acts at a table before and after play: POST table/<id>/do/<act>/."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services import arguments
from games.services.tables.registry import ACTS
from games.web import fragments
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages
from games.web.identity import come_in, need_inside
from games.web.links import table_url
from games.web.tables.opening import change_rules
from games.web.tables.page import find_table, lobby_parts


@require_POST
@pages_refusals
def table_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act; answer with the waiting room's parts (htmx) or redirect to the table."""
    found = find_table(public_id)
    player = need_inside(request, found.night)
    if act == "rules":
        return change_rules(request, found, player)
    if act not in ACTS:
        raise Http404
    goes_to: Table | None = None
    is_done = False
    with refusals_as_messages(request, found.game_id):
        goes_to = _carry_out(request, found, player, act)
        is_done = True
    if fragments.is_htmx(request) and goes_to is None:
        return lobby_parts(request, find_table(public_id), player, always=True, done=is_done)
    return redirect(table_url(goes_to or found))


def _carry_out(request: HttpRequest, table: Table, player: Player, act: str) -> Table | None:
    """Carry out an act; return the table that it leads to, if that is another one."""
    is_sitting = act in {"sit", "join"} or (act == "accept" and not table.seats.filter(player=player).exists())
    try:
        made = ACTS.do(table, player, act, request.POST, arguments.typed)
    except Illegal as refusal:
        if (act, refusal.code) != ("accept", "card_changed"):
            raise
        messages.warning(request, refusal_text(refusal))
        return None
    if is_sitting:
        # The browser gets a new session key.
        request.took_seat = True  # type: ignore[attr-defined]
        come_in(request)
    is_own_move = act == "change_table" and made.seats.filter(player=player).exists()
    return made if act == "again" or (is_own_move and not fragments.is_htmx(request)) else None
