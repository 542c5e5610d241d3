"""Refusals and failures as pages, in the guest's language."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import refusals, scopes
from games.kernel.contract import Illegal
from games.web import busy
from games.web.fragments import is_htmx

View = Callable[..., HttpResponseBase]


def refusal_text(refusal: Illegal, game_id: str | None = None) -> str:
    """Return the sentence of a refusal."""
    return refusals.translate(refusal.code, refusal.params, game_id)


def status_of(refusal: Illegal) -> int:
    """Return the status of the page that shows a refusal; 400 for one shown in a form or as a message."""
    declared = refusals.refusal(refusal.code)
    return declared.status if declared.page else 400


def refusal_page(request: HttpRequest, refusal: Illegal) -> HttpResponse:
    """Return the page of a refusal, with the form to join where that helps.

    htmx gets no page: it is told to reload it, or with a 429 to wait.
    """
    status = status_of(refusal)
    wait = {"Retry-After": str(refusal.params["seconds"])} if status == 429 and "seconds" in refusal.params else {}
    if is_htmx(request):
        # A reload would be one more request of a client that already sends too many.
        return HttpResponse(status=status, headers=wait or {"HX-Refresh": "true"})
    context = {
        "title": _titles().get(status, _("That did not work")),
        "text": refusal_text(refusal),
        "show_join": refusal.code in {"not_inside", "guests_only", "not_in_season", "wrong_link"},
        "status": status,
    }
    response = render(request, "error.html", context, status=status)
    for name, value in wait.items():
        response[name] = value
    return response


def _titles() -> dict[int, str]:
    """Return the headings by status."""
    return {
        403: _("This is not open to you"),
        404: _("There is nothing here"),
        410: _("This is over"),
        429: _("Slow down a little"),
    }


def pages_refusals(view: View) -> View:
    """Decorate a view: an Illegal that it raises becomes its page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Illegal as refusal:
            return refusal_page(request, refusal)

    return wrapped


def forms_only(leads_to: str) -> Callable[[View], View]:
    """Decorate a view that takes only POST: a GET, as of a reload or a bookmark, leads to the page of this name."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in ("GET", "HEAD"):
                return redirect(leads_to)
            return require_POST(view)(request, *args, **kwargs)

        return wrapped

    return decorate


@contextmanager
def refusals_as_messages(request: HttpRequest, game_id: str | None = None) -> Iterator[None]:
    """Turn the refusal of an act into a message on the page; refusals with a page of their own are raised."""
    try:
        yield
    except Illegal as refusal:
        if status_of(refusal) != 400:
            raise
        messages.error(request, refusal_text(refusal, game_id))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 400; an unknown host name is explained."""
    if isinstance(exception, DisallowedHost):
        text = _(
            "This house does not know the name in your address bar. Use the address on the screen or the QR code. "
            "Whoever runs the house can add the name: PUBLIC_URL or ALLOWED_HOSTS."
        )
        return _plain(request, 400, _("That did not work"), text)
    return _plain(request, 400, _("That did not work"), _("The request made no sense to us."))


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form without its token, or from a page of another site.

    If a proxy speaks HTTPS for the house and is not configured, the page says so: no cookie and no reload would help.
    """
    status = 403
    if scopes.is_hidden_https(request):
        scopes.log_once("a form came from an https:// page of this house: set PUBLIC_URL, BEHIND_TLS and PROXIES")
        text = _(
            "A proxy speaks HTTPS for this house, and the house does not know of it. "
            "Whoever runs the house has to set PUBLIC_URL, BEHIND_TLS and PROXIES."
        )
        return _plain(request, status, _("That did not work"), text)
    return render(request, "403_csrf.html", status=status)


def denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 403."""
    return _plain(request, 403, _titles()[403], _("Ask the host of the night to let you in."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 404."""
    text = _("The address may be mistyped, or the night has a new code.")
    return _plain(request, 404, _titles()[404], text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for 500, or for 503 if the database was not ready; it reads no database."""
    error = sys.exc_info()[1]
    if isinstance(error, busy.NOT_READY):
        return busy.not_ready(request, error)
    text = _("Something broke on our side. Go back and try again; nothing you played is lost.")
    return _plain(request, 500, _("That did not work"), text)


def _plain(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    """Return an error page without the form to join."""
    context = {"title": title, "text": text, "status": status}
    return render(request, "error.html", context, status=status)
