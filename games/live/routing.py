"""WebSocket routes: the check of the origin, then the consumer of the path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.urls.resolvers import RoutePattern

from games import addresses
from games.live.connection import LiveConsumer
from games.live.consumers import NightConsumer, TableConsumer
from games.live.rooms import hub, relay
from games.live.rooms.handshake import visit_of
from games.live.servers import daphne
from games.refusals import close_of

Scope: TypeAlias = dict[str, Any]
App: TypeAlias = Callable[[Scope, Any, Any], Awaitable[None]]
LiveApp: TypeAlias = Callable[[Scope, Any, Any, str], Awaitable[None]]
Origin: TypeAlias = tuple[str, str, int]
"""Scheme, host and port."""

_PORTS = {"http": 80, "https": 443}


def parse_origin(text: str) -> Origin | None:
    """Return the parts of an origin ("https://pub.example:8443"); None if the text is not an origin."""
    try:
        parts = urlsplit(text.strip().lower())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in {"", "/"}:
        return None
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]


def _header(scope: Scope, name: bytes) -> str | None:
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin1") if len(values) == 1 else None


def _own_origin(scope: Scope) -> Origin | None:
    """Return the origin that the request was sent to; None if it is not known or not of this house."""
    is_secure = scope.get("scheme") == "wss"
    if proxy := settings.SECURE_PROXY_SSL_HEADER:
        name, value = proxy
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        is_secure = is_secure or _header(scope, header) == value
    host = _header(scope, b"host") or ""
    own = parse_origin(f"{'https' if is_secure else 'http'}://{host}")
    if own is None:
        return None
    server = scope.get("server")
    return own if addresses.is_ours(host, str(server[0]) if server else "") else None


def is_allowed(scope: Scope) -> bool:
    """Tell whether a connection comes from a page of this house: scheme, host and port all match.

    Allowed are the request's Host, PUBLIC_URL and CSRF_TRUSTED_ORIGINS. A connection without an origin comes from no
    browser; settings.ALLOW_NO_ORIGIN lets it in.
    """
    text = _header(scope, b"origin")
    if text is None:
        is_missing = all(key != b"origin" for key, _ in scope["headers"])
        return is_missing and bool(getattr(settings, "ALLOW_NO_ORIGIN", False))
    origin = parse_origin(text)
    if origin is None:
        return False
    trusted = [settings.PUBLIC_URL, *settings.CSRF_TRUSTED_ORIGINS]
    return origin == _own_origin(scope) or any(_fits(origin, each) for each in trusted)


def _fits(origin: Origin, pattern: str) -> bool:
    """Tell whether an origin matches a trusted one; "https://*.example.com" works as in Django."""
    allowed = parse_origin(pattern.replace("://*.", "://", 1))
    if allowed is None:
        return False
    if "://*." not in pattern:
        return origin == allowed
    is_below = origin[1].endswith("." + allowed[1])
    return is_below and (origin[0], origin[2]) == (allowed[0], allowed[2])


def check_origin(inner: App) -> App:
    """Wrap an application: connections from other origins are refused with a 403 before they are accepted."""

    @markcoroutinefunction
    def app(scope: Scope, receive: Any, send: Any) -> Awaitable[None]:
        if is_allowed(scope):
            return inner(scope, receive, send)
        refusal: Awaitable[None] = send({"type": "websocket.close", "code": 4403})
        return refusal

    return app


def live_application(consumer: type[LiveConsumer]) -> LiveApp:
    """Return an application that accepts connections to a public id and serves each with a consumer.

    One that is too many for its address is refused before it is accepted, and comes back. All other refusals come after
    the accept: a browser can read a reason only from an accepted connection.
    """

    async def app(scope: Scope, receive: Any, send: Any, public_id: str) -> None:
        visit = visit_of(scope, public_id)
        del scope  # the handshake would be kept as long as the connection
        await receive()
        if not await hub.current().openings.admit(visit):
            await send({"type": "websocket.close", "code": close_of("too_many")})
            return
        await send({"type": "websocket.accept"})
        connection = consumer(visit, send)
        receive = daphne.listen(send, receive, connection.take)
        try:
            await connection.serve(receive)
        finally:
            daphne.stop_listening(send)

    return app


def _route(kind: str) -> RoutePattern:
    return RoutePattern(f"{settings.BASE_PATH[1:]}ws/{kind}/<slug:public_id>/", is_endpoint=True)


_ROUTES: tuple[tuple[RoutePattern, LiveApp], ...] = (
    (_route("table"), live_application(TableConsumer)),
    (_route("night"), live_application(NightConsumer)),
)


def routed(scope: Scope, receive: Any, send: Any) -> Awaitable[None]:
    """Serve a connection by its path; one to no route is refused.

    Channels' router, like each coroutine on the way, would keep a copy of the scope as long as the connection.
    """
    for pattern, app in _ROUTES:
        if (found := pattern.match(scope["path"].lstrip("/"))) is not None:
            return app(scope, receive, send, str(found[2]["public_id"]))
    refusal: Awaitable[None] = send({"type": "websocket.close", "code": 4404})
    return refusal


websockets = check_origin(routed)
relay.start()
daphne.bound_messages()
