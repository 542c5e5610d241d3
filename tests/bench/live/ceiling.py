"""The ceiling (b): a bare Channels consumer that writes to its process's own sockets.

No database, no layer, no rules: what the server and Channels leave to anybody.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.conf import settings
from django.urls import path

if not settings.configured:
    settings.configure(SECRET_KEY="only-for-the-bench", CHANNEL_LAYERS={})


class Room:
    """A table: its consumers and the number of the last entry."""

    def __init__(self) -> None:
        self.seq = 0
        self.sockets: list[Ceiling] = []


_rooms: defaultdict[str, Room] = defaultdict(Room)


class Ceiling(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket: what comes in goes out to the four of the table, numbered."""

    channel_layer_alias = ""

    async def connect(self) -> None:
        """Take a place in the room."""
        self.room = _rooms[self.scope["url_route"]["kwargs"]["table"]]
        self.room.sockets.append(self)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Number the move and send it to all."""
        self.room.seq += 1
        text = f'{{"type":"entry","seq":{self.room.seq},"move":{text_data}}}'
        for socket in self.room.sockets:
            await socket.send(text_data=text)

    async def disconnect(self, code: Any) -> None:
        """Leave the room."""
        self.room.sockets.remove(self)


application = URLRouter([path("ws/<slug:table>/", Ceiling.as_asgi())])
