"""Acts at a table before and after play: POST table/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Player, Table
from games.row_ids import number
from games.services.calendar import expected
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.tables import setup
from games.services.tables.commit import submit
from games.web import fragments
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages
from games.web.identity import come_in
from games.web.links import table_url
from games.web.members import need_inside
from games.web.nights.acts import posted_id
from games.web.tables.opening import change_rules
from games.web.tables.page import find_table, lobby_parts

Act = Callable[[HttpRequest, Table, Player], Table | None]


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
        goes_to = ACTS[act](request, found, player)
        is_done = True
    if fragments.is_htmx(request) and goes_to is None:
        return lobby_parts(request, find_table(public_id), player, always=True, done=is_done)
    return redirect(table_url(goes_to or found))


def _index(request: HttpRequest) -> int:
    """Return the posted seat; raises Illegal `bad_args`."""
    found = number(request.POST.get("seat", ""), 3)
    if found is None:
        raise Illegal("bad_args", name="seat")
    return found


def _is_adult(request: HttpRequest) -> bool:
    """Tell whether the sender has confirmed in the form to be of age."""
    return request.POST.get("adult") == "yes"


def _take_seat(request: HttpRequest) -> None:
    """Note that the browser took a seat: it gets a new session key."""
    request.took_seat = True  # type: ignore[attr-defined]
    come_in(request)


def _sit(request: HttpRequest, table: Table, player: Player) -> None:
    setup.sit(table, player, is_adult=_is_adult(request))
    _take_seat(request)


def _accept(request: HttpRequest, table: Table, player: Player) -> None:
    """Accept the rules card that the browser showed, with the browser's random number for the dice."""
    mark, nonce = request.POST.get("card", ""), request.POST.get("nonce", "")
    is_seated = table.seats.filter(player=player).exists()
    try:
        setup.sit(table, player, accept=True, mark=mark, nonce=nonce, is_adult=_is_adult(request))
    except Illegal as refusal:
        if refusal.code != "card_changed":
            raise
        messages.warning(request, refusal_text(refusal))
        return
    if not is_seated:
        _take_seat(request)


def _vacate(request: HttpRequest, table: Table, player: Player) -> None:
    setup.vacate(table, player, request.POST.get("seat", ""))


def _add_bot(request: HttpRequest, table: Table, player: Player) -> None:
    setup.add_bot(table, player, request.POST.get("level", ""))


def _add_person(request: HttpRequest, table: Table, player: Player) -> None:
    """Seat a person without a phone, on a new seat or on the posted empty one: new, known, or expected tonight."""
    seat = request.POST.get("seat", "")
    instead_of = _index(request) if seat else None
    name, mark = request.POST.get("name", ""), request.POST.get("card", "")
    known = posted_id(request, "known") if "known" in request.POST else None
    about: dict[str, Any] = {"mark": mark, "is_adult": _is_adult(request), "instead_of": instead_of}
    if known is not None:
        kept_seats.seat_person(table, player, name, known=known, **about)
        return
    is_tap, night = "expected" in request.POST, table.night
    seating = (
        expected.seating(night, player, posted_id(request, "expected"))
        if is_tap
        else expected.seating_name(night, player, name)
    )
    with seating as tapped:
        tapped.person = kept_seats.seat_person(table, player, tapped.name, known=tapped.known, **about)


def _accept_for(request: HttpRequest, table: Table, player: Player) -> None:
    seat_id, mark = request.POST.get("seat", ""), request.POST.get("card", "")
    kept_seats.accept_for(table, player, seat_id, mark=mark, is_adult=_is_adult(request))


def _scorekeeper(request: HttpRequest, table: Table, player: Player) -> None:
    kept_seats.name_scorekeeper(table, player, posted_id(request))


def _reorder(request: HttpRequest, table: Table, player: Player) -> None:
    """Move one seat a place up (`by` -1) or down (`by` 1)."""
    setup.move(table, player, request.POST.get("seat", ""), -1 if request.POST.get("by") == "-1" else 1)


def _start(request: HttpRequest, table: Table, player: Player) -> None:
    setup.start(table, player, new_command_id())


def _join(request: HttpRequest, table: Table, player: Player) -> None:
    """Take a seat at a running table, which accepts its house rules."""
    args = {"adult": True} if _is_adult(request) else {}
    submit(table.pk, Actor(player.pk), Request("table.join", args, new_command_id()))
    _take_seat(request)


def _again(request: HttpRequest, table: Table, player: Player) -> Table:
    return setup.play_again(table, player)


ACTS: dict[str, Act] = {
    "sit": _sit,
    "accept": _accept,
    "vacate": _vacate,
    "add_bot": _add_bot,
    "add_person": _add_person,
    "accept_for": _accept_for,
    "scorekeeper": _scorekeeper,
    "reorder": _reorder,
    "start": _start,
    "join": _join,
    "again": _again,
}
