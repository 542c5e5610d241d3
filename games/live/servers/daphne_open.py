"""Open WebSockets of daphne without what is not used again: there are thousands, and a handshake leaves much.

Autobahn copies every setting of its factory into each connection, and notes there what may happen once in its life.
Twisted's objects of the request that became a WebSocket stay with the transport, and daphne's queue has four others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

_OF_HANDSHAKE = frozenset(
    (
        *("http_status_line", "http_headers", "http_request_data", "http_request_uri", "http_request_path"),
        *("http_request_params", "http_request_host", "http_response_data", "_wskey", "websocket_protocols"),
        *("websocket_origin", "websocket_extensions", "websocket_extensions_in_use", "_raw_query_string"),
        *("protocol_to_accept", "server_addr", "clean_headers", "application_deferred"),
        # Of autobahn's own interface: what daphne tells its applications does not go through it.
        *("is_open", "_transport_details", "_valid_events", "_results"),
    )
)
_OF_REQUEST = ("headers", "params", "protocols", "extensions", "origin", "host")
_MADE_AGAIN = frozenset(("send_queue", "utf8validator", "trafficStats"))
"""Attributes that the class of a connection makes, or has, when autobahn next asks (`daphne.CountedProtocol`)."""
_ABSENT = object()


def class_of_all(protocol: type[Any], factory: Any) -> type[Any]:
    """Return a class of connections that has the settings of their factory: autobahn copies those that it lacks."""
    settings = {name: getattr(factory, name) for name in protocol.CONFIG_ATTRS if not hasattr(protocol, name)}
    functions = {name: staticmethod(value) for name, value in settings.items() if callable(value)}
    return type(protocol.__name__, (protocol,), {**settings, **functions})


def forget_handshake(protocol: Any) -> None:
    """Leave an open connection of autobahn with what is its own; what is nothing is so for its whole class."""
    kind = type(protocol)
    own = {}
    for name, value in vars(protocol).items():
        if _is_nothing(value) and not hasattr(kind, name) and name not in kind.CONFIG_ATTRS:
            setattr(kind, name, value)
        is_made_again = name in _MADE_AGAIN and hasattr(kind, name) and not protocol.send_queue
        if name not in _OF_HANDSHAKE and not is_made_again and getattr(kind, name, _ABSENT) is not value:
            own[name] = value
    # A new one: a dictionary does not get smaller by what is taken from it.
    protocol.__dict__ = own
    for part in _OF_REQUEST:
        setattr(own["request"], part, None)


def _is_nothing(value: object) -> bool:
    """Tell whether an attribute is None, False, zero or empty, and can't change in itself."""
    return value is None or (isinstance(value, bool | int | str | bytes) and not value)


def forget_request(channel: Any) -> None:
    """Part Twisted's channel and request from each other and from the transport, if a WebSocket has it now."""
    if not any(getattr(request, "has_become_socket", False) for request in channel.requests):
        return
    channel.transport.unregisterProducer()
    for request in channel.requests:
        request.channel = None
    channel.requests.clear()


class Inbox:
    """Daphne's messages for an application that waits for one at a time: the lean form of a queue."""

    __slots__ = ("_messages", "_waiting")

    def __init__(self) -> None:
        self._messages: deque[dict[str, Any]] | None = None  # made for those that wait: hardly ever one does
        self._waiting: asyncio.Future[dict[str, Any]] | None = None

    def put_nowait(self, message: dict[str, Any]) -> None:
        """Complete the waiting `get` with a message; without one, keep the message for the next."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
        else:
            self._messages = self._messages or deque()
            self._messages.append(message)

    def get(self) -> asyncio.Future[dict[str, Any]]:
        """Return the next message, when there is one."""
        found: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        if self._messages:
            found.set_result(self._messages.popleft())
        else:
            self._waiting = found
        return found
