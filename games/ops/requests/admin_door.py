"""Security headers on every answer, and the networks and hosts (ADMIN_NETWORKS, ADMIN_HOSTS) of the admin."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse

from games.addresses import client_address, is_of

Answer: TypeAlias = Callable[[HttpRequest], HttpResponse]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

_BARE_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of answers that are no pages: monitors', refusals before Django, files, texts."""
# Also on answers of outer middleware, such as a refused Host header.
HEADERS = {
    "Content-Security-Policy": _BARE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_OF_DOCUMENTS = ("Cross-Origin-Opener-Policy", "X-Frame-Options", "Permissions-Policy")
"""Headers that a browser reads of what it shows or frames, and of nothing that a page loads beside itself."""
_BESIDE_PAGES = ("text/javascript", "text/css", "font/")
"""Content types of a script, a style sheet and a typeface."""
_VALIDATORS = ("ETag", "Last-Modified")


def bare_policy(send: Send) -> Send:
    """Return a `send` of an ASGI server that gives every answer a policy which has none yet."""

    async def sent(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ())]
            if not any(bytes(name).lower() == b"content-security-policy" for name, _value in headers):
                message = {**message, "headers": [*headers, (b"content-security-policy", _BARE_POLICY.encode())]}
        await send(message)

    return sent


def headers(get_response: Answer) -> Answer:
    """Outermost middleware: adds the headers that an answer does not have yet."""

    def completed(request: HttpRequest) -> HttpResponse:
        return _complete(request, get_response(request))

    return completed


def _complete(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    is_beside_pages = response.headers.get("Content-Type", "").startswith(_BESIDE_PAGES)
    for name, value in HEADERS.items():
        if not (is_beside_pages and name in _OF_DOCUMENTS):
            response.headers.setdefault(name, value)
    if "immutable" in response.headers.get("Cache-Control", ""):
        # Nobody asks again for what never changes. A table loads fifteen such files, and each byte takes a phone time.
        for name in _VALIDATORS:
            response.headers.pop(name, None)
        # It is the same for everybody: a device keeps it whatever becomes of its cookies.
        response.headers["Vary"] = "Accept-Encoding"
    if _is_private(request):
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _is_private(request: HttpRequest) -> bool:
    """Tell whether an answer is private to a browser: the request has a session or a token, or got a session."""
    session = getattr(request, "session", None)
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES or (session is not None and session.modified)
    return has_session or "HTTP_AUTHORIZATION" in request.META


class AdminDoor:
    """Answers 404 below ADMIN_PATH to requests from other networks or for other hosts.

    It comes before the middleware that completes paths: a redirect from "/admin" to "/admin/" would reveal the admin.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view; raises Http404 if the request may not see the admin."""
        if is_admins(request.path_info) and not may_see_admin(request):
            raise Http404
        return self.get_response(request)


def is_admins(path: str) -> bool:
    """Tell whether a path is the admin's, with or without its last slash."""
    return f"{path}/".startswith(settings.ADMIN_PATH)


def may_see_admin(request: HttpRequest) -> bool:
    """Tell whether a request comes from an allowed network and names an allowed host."""
    return _is_from(client_address(request)) and _has_allowed_host(request)


def _is_from(address: str) -> bool:
    """Tell whether an address is in ADMIN_NETWORKS (none: all are)."""
    if not settings.ADMIN_NETWORKS:
        return True
    return is_of(address, settings.ADMIN_NETWORKS)


def _has_allowed_host(request: HttpRequest) -> bool:
    """Tell whether the request's Host is one of ADMIN_HOSTS (none: any)."""
    if not settings.ADMIN_HOSTS:
        return True
    try:
        return request.get_host().lower() in settings.ADMIN_HOSTS
    except DisallowedHost:
        return False
