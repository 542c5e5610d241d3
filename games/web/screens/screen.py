"""The page of a screen of the house, `/tv`: letters until somebody takes it in, then what it was let show.

Looking at the page stores nothing. Its script, or the button without one, asks for letters by a form: then the browser
gets the secret by which it is known.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from games.addresses import client_address
from games.models import Screen
from games.services import server_time
from games.services.nights import tv_screens
from games.services.nights.tv_screens import Showing
from games.services.screens import screen_letters
from games.web import fragments, links
from games.web.screens import between
from games.web.tables import tv, tv_plain

GREETED = timedelta(seconds=40)
"""The time after somebody let a screen show something for which a page begins with whom it obeys."""
LETTERS_EVERY, BETWEEN_EVERY, TURNS_EVERY = "3s", "10s", "5s"


@require_http_methods(["GET", "HEAD"])
def screen(request: HttpRequest) -> HttpResponse:
    """Show what the browser's screen shows now."""
    return render(request, *shown_to(request))


@require_http_methods(["GET", "HEAD"])
def screen_plain(request: HttpRequest) -> HttpResponse:
    """Show what the browser's screen shows now, without script: the page loads itself again."""
    template, context = shown_to(request)
    if template == tv.TEMPLATE:
        return tv_plain.page(request, context)
    return render(request, template, context | {"reloads_every": tv_plain.EVERY})


@require_http_methods(["GET", "HEAD"])
def screen_live(request: HttpRequest) -> HttpResponse:
    """Return the page's parts; reload it where the screen shows something else by now."""
    template, context = shown_to(request)
    if request.GET.get("shown") != context["shown"]:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if template == tv.TEMPLATE:
        return tv.live(request, context)
    return fragments.parts(request, PARTS[template], context)


LETTERS, BETWEEN = "screens/letters.html", "screens/between.html"
PARTS = {LETTERS: "screens/parts/letters_main.html", BETWEEN: "screens/parts/between_main.html"}


@require_POST
def letters(request: HttpRequest) -> HttpResponse:
    """Give the browser's screen letters, and a browser that is none yet the secret of one."""
    before = request.COOKIES.get(tv_screens.SCREEN_COOKIE, "") if tv_screens.digest_in(request.COOKIES) else ""
    _screen, secret = screen_letters.open_or_renew(before, client_address(request))
    answer = HttpResponse(status=204) if fragments.is_htmx(request) else redirect("screen")
    if secret != before:
        answer["HX-Refresh"] = "true"
    tv.keep(answer, tv_screens.SCREEN_COOKIE, secret, screen_letters.KEPT_UNSEEN)
    return answer


def shown_to(request: HttpRequest) -> tuple[str, dict[str, Any]]:
    """Return the template and the context of what a browser's screen shows now."""
    digest = tv_screens.digest_in(request.COOKIES)
    showing = tv_screens.showing([digest]).get(digest)
    if showing is not None:
        return tv.TEMPLATE, _night(request, showing)
    found = screen_letters.find(digest)
    shown = screen_letters.shown(found) if found is not None else ""
    about = _about(request, shown)
    if found is None or found.taken_at is None:
        return LETTERS, about | {"shown": "letters", "every": LETTERS_EVERY, "is_waiting": bool(shown)}
    obeyed = {"shown": "between", "every": BETWEEN_EVERY, "obeys": _name(found), "is_staffs": found.is_staffs}
    return BETWEEN, about | obeyed | between.context_of(request, found)


def _about(request: HttpRequest, shown: str) -> dict[str, Any]:
    """Return what the pages of letters have in common: the letters, and the code of the page where they are entered."""
    origin = links.base_url(request)
    address = f"{origin}{reverse('screens')}"
    return {
        "letters": shown,
        "letters_qr": links.secret_qr_svg(f"{address}?{urlencode({'letters': shown})}") if shown else "",
        "letters_address": address.split("//", 1)[-1].rstrip("/"),
        "live_url": reverse("screen_live"),
        "plain_url": reverse("screen_plain"),
        "is_own_network": not settings.PUBLIC_URL,
        **tv.overlay(request),
    }


def _night(request: HttpRequest, showing: Showing) -> dict[str, Any]:
    """Return the context of a night on a screen."""
    found, night = showing.screen, showing.night
    table = tv_screens.table_on(found, night)
    is_chosen = found.tables != Screen.Tables.LATEST and table is not None and table.is_running
    context = tv.tv_context(request, night, reverse("screen_live"), table, is_chosen=is_chosen)
    name = showing.by.displayed_name if showing.by is not None else ""
    is_turning = found.tables == Screen.Tables.TURNS
    return context | {
        "shown": f"{night.public_id}-{context['shown']}",
        "is_of_house": True,
        "plain_url": reverse("screen_plain"),
        "obeys": name,
        "greets": bool(name) and server_time.now() - showing.since < GREETED,
        "every": TURNS_EVERY if is_turning else "",
    }


def _name(found: Screen) -> str:
    return found.taken_by.displayed_name if found.taken_by is not None else ""
