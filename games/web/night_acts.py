"""What the host (and who takes over) does at a night: POST night/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.row_ids import row_id
from games.services import claims, lobby, moves
from games.web import live
from games.web.errors import pages_refusals, told
from games.web.landing import night_url
from games.web.nights import PARTS, find_night, need_inside, page_context

Act = Callable[[HttpRequest, Night, Player], str]


@require_POST
@pages_refusals
def night_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act; answers with the page's new parts (htmx) or goes back to it."""
    found = find_night(public_id)
    player = need_inside(request, found)
    if act not in ACTS:
        raise Http404
    done = ""
    with told(request):
        if done := ACTS[act](request, found, player):
            messages.success(request, done)
    if live.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return live.parts(request, PARTS, context, always=True, done=bool(done))
    return redirect(_back_to(request, found))


def _back_to(request: HttpRequest, night: Night) -> str:
    """Return where an act leads: to the table of the night that it came from, or the night."""
    table = night.tables.filter(public_id=request.POST.get("table", "")).first()
    return reverse("table", args=[table.public_id]) if table else night_url(night)


def posted_id(request: HttpRequest, name: str = "player") -> int:
    """Return a posted row id; raises Illegal `no_such_player`."""
    found = row_id(request.POST.get(name, ""))
    if found is None:
        raise Illegal("no_such_player")
    return found


def _lock(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.set_lock(night, player, True)
    return _("The night is locked.")


def _unlock(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.set_lock(night, player, False)
    return _("The night is open again.")


def _rotate(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.rotate_code(night, player)
    return _("There is a new room code. Old links and codes open nothing any more.")


def _admission(request: HttpRequest, night: Night, player: Player) -> str:
    raw = request.POST.get("cap", "")
    if not raw.isdecimal() or len(raw) > 6:
        raise Illegal("bad_cap")
    lobby.set_admission(night, player, "by_hand" in request.POST, int(raw))
    return _("Saved.")


def _admit(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.admit(night, player, posted_id(request))
    return ""


def _remove(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.remove(night, player, posted_id(request))
    return ""


def _give_host(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.give_host(night, player, posted_id(request))
    return _("You have handed the night over.")


def posted_number(request: HttpRequest) -> str:
    """Return the number of another phone as it was typed, without blanks."""
    return "".join(c for c in request.POST.get("number", "")[:40] if c.isdecimal())


def _approve_move(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.check_host(night, player)
    if moves.approve_move(night, player, posted_id(request), posted_number(request)):
        return _("Approved: they go on, on the other phone.")
    return _("Noted. They have been at nights of other hosts: those must approve it as well, or their old phone.")


def _refuse_move(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.check_host(night, player)
    moves.refuse_move(night, player, posted_id(request))
    return _("Refused: nobody else goes on under this name.")


def _decide(request: HttpRequest, night: Night, player: Player, is_true: bool) -> str:
    """Answer an account that says of a guest "that was me"."""
    lobby.check_host(night, player)
    decision = claims.decide(night, player, posted_id(request, "claim"), is_true)
    if not is_true:
        return _("Refused: nothing was joined.")
    if not decision.is_done:
        return _("Noted. They have been at nights of other hosts: those must confirm it as well, or their old phone.")
    names = {"name": decision.claim.guest.nickname, "by": decision.claim.account.nickname}
    return _("Confirmed: what %(name)s played belongs to %(by)s now.") % names


def _take_over(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.hand_over(night, player, settings.HOST_AWAY_SECONDS)
    return _("You are the host now.")


def _close(request: HttpRequest, night: Night, player: Player) -> str:
    lobby.close(night, player)
    return _("The night is closed. Good night!")


ACTS: dict[str, Act] = {
    "lock": _lock,
    "unlock": _unlock,
    "rotate": _rotate,
    "admission": _admission,
    "admit": _admit,
    "remove": _remove,
    "give_host": _give_host,
    "approve_move": _approve_move,
    "refuse_move": _refuse_move,
    "claim_confirm": partial(_decide, is_true=True),
    "claim_refuse": partial(_decide, is_true=False),
    "take_over": _take_over,
    "close": _close,
}
