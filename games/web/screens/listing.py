"""The page of the house's screens: hosts of open nights and the staff enter letters there, the staff see them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.kernel.contract import Illegal
from games.models import Night, Player, Screen
from games.services.calendar import dates, rights
from games.services.nights import tv_screens
from games.services.screens import screen_letters, screens
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import account_of, is_banned, player_of


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def listing(request: HttpRequest) -> HttpResponse:
    """Show where letters are entered: for each open night that the reader hosts, and for the staff."""
    player, user = player_of(request), _staff(request)
    nights = [] if player is None else list(_hosted(player))
    if is_banned(request):
        raise Illegal("banned")
    if user is None and not nights:
        raise Illegal("no_screens_to_take")
    context = {
        "letters": screen_letters.clean(request.GET.get("letters", ""))[: screen_letters.LENGTH],
        "longest": screen_letters.LENGTH,
        "nights": [{"night": night, "series": organised(night, player)} for night in nights],
        "is_staff": user is not None,
        "rows": [_row(each) for each in screens.of_house()] if user is not None else [],
    }
    return render(request, "screens/list.html", context)


def _hosted(player: Player) -> Any:
    return Night.objects.filter(host=player, is_practice=False).exclude(status=Night.Status.CLOSED)


def organised(night: Night, player: Player | None) -> str:
    """Return the name of a night's series that a player organises; "" for none."""
    date = dates.of_night(night)
    return date.series.name if date is not None and rights.is_organiser(date.series, player) else ""


def _staff(request: HttpRequest) -> Any:
    """Return the account of a request that is one of the staff's, else None."""
    user: Any = account_of(request)
    return user if user is not None and user.is_active and user.is_staff else None


def _row(screen: Screen) -> dict[str, Any]:
    """Return what the staff see of a screen: what it shows, and the open nights that it may show instead."""
    now = tv_screens.showing([screen.secret_hash]).get(screen.secret_hash)
    shown = None if now is None else now.night
    return {"screen": screen, "shows": shown, "others": [each for each in _may_show(screen) if each != shown]}


def _may_show(screen: Screen) -> list[Night]:
    """Return the open nights that a screen was let show."""
    return [each.night for each in tv_screens.candidates(screen) if each.night.closed_at is None]


# Acts of the staff


def _enter(post: Mapping[str, str], user: Any) -> str:
    found = screens.enter_by_staff(post.get("letters", ""), post.get("name", ""), user)
    return _("“%(name)s” is a screen of the house now.") % {"name": found.name}


def _rename(post: Mapping[str, str], user: Any) -> str:
    screens.rename_by_staff(_find(post), post.get("name", ""), user)
    return _("Saved.")


def _send(post: Mapping[str, str], user: Any) -> str:
    night = Night.objects.filter(public_id=post.get("night", "")).first()
    if night is None:
        raise Illegal("no_such_night")
    screens.send_by_staff(_find(post), night, user)
    return _("The screen shows this night.")


def _end(post: Mapping[str, str], user: Any) -> str:
    screens.end_by_staff(_find(post), user)
    return _("The screen shows letters again.")


def _find(post: Mapping[str, str]) -> Screen:
    found = screens.of_house().filter(public_id=post.get("screen", "")).first()
    if found is None:
        raise Illegal("no_such_screen")
    return found


ACTS: Mapping[str, Callable[[Mapping[str, str], Any], str]] = {
    "enter": _enter,
    "rename": _rename,
    "send": _send,
    "end": _end,
}
"""Acts of the staff at screens, by name."""


@require_POST
@pages_refusals
def screen_act(request: HttpRequest, act: str) -> HttpResponse:
    """Carry out an act of the staff at a screen, and go back to the list."""
    user = _staff(request)
    if user is None:
        raise Illegal("no_screens_to_take")
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        messages.success(request, ACTS[act](request.POST, user))
    return redirect("screens")
