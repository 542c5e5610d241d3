"""ASGI scopes without the claims of clients, the same under every server.

No header changes root path, script name, host, scheme or address, except `X-Forwarded-For` and `X-Forwarded-Proto` of a
proxy that PROXIES names.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

from games import addresses

logger = logging.getLogger(__name__)

Scope: TypeAlias = dict[str, Any]
App: TypeAlias = Callable[[Scope, Any, Any], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

# Set in a scope if the request has a proxy's header, true or forged.
FORWARDED = "games.forwarded"
# Set if an untrusted header says that the request came by HTTPS: for explanations only, never for decisions.
CLAIMED_HTTPS = "games.claimed_https"
_OF_PROXIES = {b"x-forwarded-for", b"x-forwarded-proto"}
CLAIMS = _OF_PROXIES | {
    *(b"forwarded", b"via", b"x-real-ip", b"x-client-ip", b"true-client-ip", b"cf-connecting-ip"),
    *(b"x-forwarded-host", b"x-forwarded-port", b"x-forwarded-prefix", b"x-forwarded-server", b"x-forwarded-scheme"),
    *(b"x-forwarded-ssl", b"x-forwarded-protocol", b"x-url-scheme", b"front-end-https", b"x-host"),
    *(b"daphne-root-path", b"script-name", b"x-script-name", b"x-original-host"),
    *(b"x-original-url", b"x-rewrite-url", b"x-http-method-override", b"x-method-override"),
}
_logged: set[str] = set()


class NoHostPath(Exception):
    """An invalid request: its target is not a path of a host."""


def clean(inner: App) -> App:
    """Return an application that gets cleaned scopes; a request without a path is answered with 400."""

    @markcoroutinefunction
    def app(scope: Scope, receive: Any, send: Any) -> Awaitable[None]:
        try:
            scope = cleaned(scope)
        except NoHostPath:
            return _refuse(scope, send)
        return inner(scope, receive, send)

    return app


def cleaned(scope: Scope) -> Scope:
    """Return a scope without claims; raises NoHostPath for a target that is not a path."""
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    claims = {name for name, _ in headers} & CLAIMS
    client = scope.get("client")
    is_vouched = addresses.is_proxy(addresses.plain(str(client[0])) if client else "")
    if settings.BEHIND_TLS and not is_vouched and b"x-forwarded-proto" in claims:
        log_once("BEHIND_TLS is set, and requests come from a proxy that PROXIES does not name")
    dropped = CLAIMS - _OF_PROXIES if is_vouched else CLAIMS
    kept = [(name, value) for name, value in headers if name not in dropped]
    found = {**scope, "root_path": "", "headers": kept, FORWARDED: bool(claims)}
    found[CLAIMED_HTTPS] = not is_vouched and (b"x-forwarded-proto", b"https") in headers
    return found if found["path"].startswith("/") else _absolute(found)


def is_passed_on(scope: Scope) -> bool:
    """Tell whether a request has a header of a proxy, true or forged."""
    return bool(scope.get(FORWARDED)) or any(name in CLAIMS for name, _ in scope["headers"])


def is_hidden_https(request: HttpRequest) -> bool:
    """Tell whether a browser seems to come by HTTPS through a proxy that the house is not configured for.

    Page and house differ only in HTTPS, or an untrusted X-Forwarded-Proto says so.
    """
    if request.is_secure():
        return False
    origin, host = urlsplit(request.headers.get("Origin", "")), request.headers.get("Host", "")
    is_claimed = bool(getattr(request, "scope", {}).get(CLAIMED_HTTPS))
    return is_claimed or (origin.scheme == "https" and origin.netloc.lower() == host.lower())


def _absolute(scope: Scope) -> Scope:
    """Return a scope for a target that is a whole address: the address's host becomes the Host; raises NoHostPath."""
    target = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
    scheme, separator, rest = target.partition(b"://")
    host, slash, path = rest.partition(b"/")
    if scheme.lower() not in {b"http", b"https"} or not separator or not host or b"@" in host:
        raise NoHostPath
    path = b"/" + path if slash else b"/"
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    decoded = unquote(path.decode("latin1"))
    return {**scope, "path": decoded, "raw_path": path, "headers": [*headers, (b"host", host)]}


async def _refuse(scope: Scope, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4404})
        return
    headers = [(b"content-length", b"0"), (b"connection", b"close"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def log_once(text: str) -> None:
    """Log a fault of the configuration once in a process: strangers can cause it again and again."""
    if text not in _logged:
        _logged.add(text)
        logger.warning("%s (docs/operations.md)", text)


def ignore_uvicorns_proxies() -> None:
    """Disable uvicorn's own handling of proxies: it trusts every connection from this computer."""
    module: Any = sys.modules.get("uvicorn.middleware.proxy_headers")
    if module is None:
        return

    async def pass_on(self: Any, scope: Scope, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)

    module.ProxyHeadersMiddleware.__call__ = pass_on


class HouseRequest(ASGIRequest):
    """A request with a Host of the house; full addresses in answers are the house's own."""

    def get_host(self) -> str:
        """Return the Host; raises DisallowedHost unless it is the house's."""
        host: str = self._get_raw_host()  # type: ignore[attr-defined]
        if addresses.is_ours(host, str(self.META.get("SERVER_NAME", ""))):
            return host
        log_once("the house is asked for under a name that is not its own: set PUBLIC_URL or ALLOWED_HOSTS")
        raise DisallowedHost("not a host name of this house")

    @property
    def _current_scheme_host(self) -> str:
        """Return the beginning of full addresses (build_absolute_uri), never taken from the client's headers."""
        from games.web import links

        return links.base_url(self)
