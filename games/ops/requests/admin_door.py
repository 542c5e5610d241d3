"""Security headers on every answer, and the networks and hosts (ADMIN_NETWORKS, ADMIN_HOSTS) of the admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from games.addresses import client_address, is_of

Answer: TypeAlias = Callable[[HttpRequest], HttpResponse]

# Also on answers that the middleware below never sees, such as a refused Host header.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@sync_and_async_middleware
def headers(get_response: Any) -> Callable[[HttpRequest], Any]:
    """Outermost middleware: adds the headers that an answer does not have yet.

    Asynchronous where the rest is: a thread around asynchronous middleware would be cut off with it.
    """

    def completed(request: HttpRequest) -> HttpResponse:
        return _complete(request, get_response(request))

    async def completed_later(request: HttpRequest) -> HttpResponse:
        return _complete(request, await get_response(request))

    return completed_later if iscoroutinefunction(get_response) else completed


def _complete(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if _is_private(request):
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _is_private(request: HttpRequest) -> bool:
    """Tell whether an answer is one browser's own: the request has a session or a token, or got a session."""
    session = getattr(request, "session", None)
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES or (session is not None and session.modified)
    return has_session or "HTTP_AUTHORIZATION" in request.META


class AdminDoor:
    """Answers 404 below ADMIN_PATH to requests from other networks or for other hosts.

    It stands before the middleware that completes paths, which would tell that the admin is there
    by sending "/admin" to "/admin/".
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on, or raise Http404 where the admin is not for this request."""
        if is_admins(request.path_info) and not may_see_admin(request):
            raise Http404
        return self.get_response(request)


def is_admins(path: str) -> bool:
    """Tell whether a path is the admin's, with its last slash or without."""
    return f"{path}/".startswith(settings.ADMIN_PATH)


def may_see_admin(request: HttpRequest) -> bool:
    """Tell whether a request comes from a network, and asks for a host, that the admin has."""
    return _is_from(client_address(request)) and _is_asked_at(request)


def _is_from(address: str) -> bool:
    """Tell whether an address is of ADMIN_NETWORKS (none: everybody's)."""
    if not settings.ADMIN_NETWORKS:
        return True
    return is_of(address, settings.ADMIN_NETWORKS)


def _is_asked_at(request: HttpRequest) -> bool:
    """Tell whether the Host asked for is one of ADMIN_HOSTS (none: any)."""
    if not settings.ADMIN_HOSTS:
        return True
    try:
        return request.get_host().lower() in settings.ADMIN_HOSTS
    except DisallowedHost:
        return False
