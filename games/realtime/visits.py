"""A visit: what is kept of a browser's handshake. The rest of it is dropped to save memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

from games.services import tries


@dataclass(frozen=True, slots=True)
class Visit:
    """Who connects, and to what: the public id of a table or a night.

    `session_key` is None without a session's cookie, `address` empty where it is not known.
    """

    public_id: str
    session_key: str | None
    language: str
    address: str


def visit_of(scope: Any, public_id: str) -> Visit:
    """Return the visit of a WebSocket's scope."""
    cookies = parse_cookie(_header(scope, b"cookie"))
    key = cookies.get(settings.SESSION_COOKIE_NAME) or None
    language = language_of({**scope, "cookies": cookies})
    return Visit(public_id, key, language, tries.source(address_of(scope)))


def language_of(scope: Any) -> str:
    """Return the language of a connection, as a page of the same browser would have it."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = _header(scope, b"accept-language")
    return get_language_from_request(request)


def address_of(scope: Any) -> str:
    """Return the address that connects, behind our own proxies the one that they name.

    As the API's throttles have it: an `X-Forwarded-For` counts for as many proxies as
    there are (NUM_PROXIES), for anybody can write more in front.
    """
    client = scope.get("client")
    direct = str(client[0]) if client else ""
    proxies = cast(int, settings.REST_FRAMEWORK["NUM_PROXIES"])
    named = [name.strip() for name in _header(scope, b"x-forwarded-for", ",").split(",")]
    if not proxies or not any(named):
        return direct
    return named[-min(proxies, len(named))]


def _header(scope: Any, name: bytes, between: str = "; ") -> str:
    """Return a header's value, its lines joined; empty without it."""
    return between.join(v.decode("latin1") for key, v in scope["headers"] if key == name)
