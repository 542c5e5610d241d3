"""Refusals and failures as pages, in the guest's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.kernel.contract import Illegal
from games.messages import translate

# Codes that say "not you", and those that say "no such thing" or "not so often".
STATUS = {
    "not_host": 403,
    "not_inside": 403,
    "not_met": 403,
    "not_seated": 403,
    "removed": 403,
    "not_a_host": 403,
    "not_staff": 403,
    "not_your_rules": 403,
    "no_such_token": 404,
    "no_such_rules": 404,
    "banned": 403,
    "wrong_password": 403,
    "wrong_link": 404,
    "no_such_table": 404,
    "too_many_tries": 429,
}

View = Callable[..., HttpResponse]


def said(refusal: Illegal, game_id: str | None = None) -> str:
    """Return what a refusal says to the guest."""
    return translate(refusal.code, refusal.params, game_id)


def status_of(refusal: Illegal) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(refusal.code, 400)


def refusal_page(request: HttpRequest, refusal: Illegal) -> HttpResponse:
    """Return the page that says why not, with the way to join where that helps."""
    status = status_of(refusal)
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=status, headers={"HX-Refresh": "true"})
    context = {
        "title": _titles().get(status, _("That did not work")),
        "text": said(refusal),
        "show_join": refusal.code in {"not_inside", "wrong_link"},
        "status": status,
    }
    return render(request, "error.html", context, status=status)


def _titles() -> dict[int, str]:
    """Return the headings by status."""
    return {
        403: _("This is not open to you"),
        404: _("There is nothing here"),
        429: _("Slow down a little"),
    }


def pages_refusals(view: View) -> View:
    """Turn an Illegal that a view lets through into its page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Illegal as refusal:
            return refusal_page(request, refusal)

    return wrapped


@contextmanager
def told(request: HttpRequest, game_id: str | None = None) -> Iterator[None]:
    """Turn a refusal of an act into a message on the page; "not you" goes through."""
    try:
        yield
    except Illegal as refusal:
        if status_of(refusal) != 400:
            raise
        messages.error(request, said(refusal, game_id))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 400."""
    return _plain(request, 400, _("That did not work"), _("The request made no sense to us."))


def denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 403."""
    return _plain(request, 403, _titles()[403], _("Ask the host of the night to let you in."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for 404."""
    text = _("The address may be mistyped, or the night has a new code.")
    return _plain(request, 404, _titles()[404], text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for 500; it reads no database."""
    text = _("Something broke on our side. Go back and try again; nothing you played is lost.")
    return _plain(request, 500, _("That did not work"), text)


def _plain(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    """Return an error page without the way to join."""
    context = {"title": title, "text": text, "status": status}
    return render(request, "error.html", context, status=status)
