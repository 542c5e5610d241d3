"""Acts on what is owed at a night: POST night/<id>/owed/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.row_ids import number, row_id
from games.services.payments import bank_details, naming, settlings, ticks
from games.services.payments.ticks import Side, Wanted
from games.services.people import players
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.members import find_night, need_inside


@sensitive_post_parameters("iban", "account_name", "street", "town")
@require_POST
@pages_refusals
def owed_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act of a member, and go back to the page."""
    night = find_night(public_id)
    player = need_inside(request, night)
    if act not in ACTS:
        raise Http404
    carry_out, done = ACTS[act]
    with refusals_as_messages(request):
        carry_out(request, night, player)
        if done:
            messages.success(request, str(done))
    return redirect("night_owed", public_id)


def _person(request: HttpRequest, name: str) -> Player:
    """Return a posted person; raises Illegal `no_such_player`."""
    found = players.current_player(row_id(request.POST.get(name, "")))
    if found is None:
        raise Illegal("no_such_player")
    return found


def _id(request: HttpRequest, name: str, code: str) -> int:
    """Return a posted row id; raises the refusal `code` without one."""
    found = row_id(request.POST.get(name, ""))
    if found is None:
        raise Illegal(code)
    return found


def _side(request: HttpRequest) -> Side:
    side = request.POST.get("side", "")
    if side not in ("payer", "payee"):
        raise Illegal("payment_moved")
    return cast(Side, side)


def _tick(request: HttpRequest, night: Night, player: Player) -> None:
    if request.POST.get("payment"):
        ticks.tick(night, player, _side(request), _id(request, "payment", "payment_moved"))
        return
    amount = number(request.POST.get("amount", ""), digits=12)
    if amount is None:
        raise Illegal("payment_moved")
    pair = row_id(request.POST.get("payer", "")), row_id(request.POST.get("payee", ""))
    ticks.tick(night, player, _side(request), Wanted(*pair, request.POST.get("currency", "")[:8], amount))


def _untick(request: HttpRequest, night: Night, player: Player) -> None:
    ticks.untick(night, player, _side(request), _id(request, "payment", "payment_moved"))


def _settle(request: HttpRequest, night: Night, player: Player) -> None:
    taker = None if request.POST.get("taker") == "all" else _person(request, "taker")
    settlings.propose(night, player, _person(request, "leaver"), request.POST.get("currency", "")[:8], taker)


def _agree(request: HttpRequest, night: Night, player: Player) -> None:
    settlings.agree(night, player, _id(request, "settling", "no_such_settling"))


def _drop(request: HttpRequest, night: Night, player: Player) -> None:
    settlings.drop(night, player, _id(request, "settling", "no_such_settling"))


def _kitty(request: HttpRequest, night: Night, player: Player) -> None:
    naming.name_holder(night, player, _person(request, "player"))


def _value(request: HttpRequest, night: Night, player: Player) -> None:
    table = night.tables.filter(pk=_id(request, "table", "no_such_table")).first()
    if table is None:
        raise Illegal("no_such_table")
    naming.set_value(table, player, _person(request, "player"), number(request.POST.get("value", "")) or 0)


def _details(request: HttpRequest, night: Night, player: Player) -> None:
    name, iban, *address = (request.POST.get(name, "") for name in ("account_name", "iban", "street", "town"))
    bank_details.enter(night, player, name, iban, (address[0], address[1]))


ACTS: Mapping[str, tuple[Callable[[HttpRequest, Night, Player], Any], Any]] = {
    "tick": (_tick, ""),
    "untick": (_untick, ""),
    "settle": (_settle, _("Proposed. It counts as soon as everybody has agreed against whom it is closed.")),
    "agree": (_agree, _("Agreed.")),
    "drop": (_drop, _("The proposal is gone.")),
    "kitty": (_kitty, _("Saved.")),
    "value": (_value, _("Saved. It counts from the next game on.")),
    "details": (_details, _("Kept for this night. Only those who owe you money can read it.")),
    "forget_details": (lambda _request, night, player: bank_details.forget(night, player), _("Thrown away.")),
}
"""Name of an act → what carries it out, and what is said then."""
