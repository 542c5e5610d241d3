"""A visit: what is kept of a browser's handshake. The rest of it is dropped to save memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

from games.addresses import client_address
from games.services import screens


@dataclass(frozen=True, slots=True)
class Visit:
    """Who connects, and to what: the public id of a table or a night.

    `session_key` is None without a session's cookie, `address` empty where it is not known; `tv` is
    a screen's cookie.
    """

    public_id: str
    session_key: str | None
    language: str
    address: str
    tv: str = ""


def visit_of(scope: Any, public_id: str) -> Visit:
    """Return the visit of a WebSocket's scope."""
    cookies = parse_cookie(_header(scope, b"cookie"))
    key = cookies.get(settings.SESSION_COOKIE_NAME) or None
    language = language_of({**scope, "cookies": cookies})
    return Visit(public_id, key, language, client_address(scope), cookies.get(screens.COOKIE, ""))


def language_of(scope: Any) -> str:
    """Return the language of a connection, as a page of the same browser would have it."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = _header(scope, b"accept-language")
    return get_language_from_request(request)


def _header(scope: Any, name: bytes) -> str:
    """Return a header's value, its lines joined; empty without it."""
    return "; ".join(v.decode("latin1") for key, v in scope["headers"] if key == name)
