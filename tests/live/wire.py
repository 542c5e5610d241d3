"""Sockets under test: a browser's side of a connection, without a browser or a network."""

import asyncio
import json
from typing import Any

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from games.models import Night, Player, Table
from games.ops.session_keys import SessionStore
from tests.frames import listed

# Generous: nothing is timed here, and a test machine may be busy.
PATIENCE = 30


async def in_thread(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Run database code from an async test, where the sockets' own runs."""
    return await database_sync_to_async(function)(*args, **kwargs)


def session_cookie(player: Player | None, tv: tuple[Night, ...] = ()) -> str:
    """Return the cookie of a browser that has joined, or that shows a night."""
    session = SessionStore()
    if player is not None:
        session["player_id"] = player.pk
    session.create()
    cookie = f"sessionid={session.session_key}"
    return f"{cookie}; tv={tv_cookie(*tv)}" if tv else cookie


def tv_cookie(*nights: Night) -> str:
    """Return what the cookie of a screen holds."""
    return "|".join(f"{night.public_id}.{night.token('tv')}" for night in nights)


class Wire:
    """One connection; `next` waits for a frame of a kind and keeps what came before it."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        from games.live.routing import websockets

        self.line = WebsocketCommunicator(websockets, path, headers)
        self.passed: list[dict[str, Any]] = []

    async def open(self) -> bool:
        accepted, _ = await self.line.connect(timeout=PATIENCE)
        return accepted

    async def send(self, frame: Any) -> None:
        await self.line.send_to(frame if isinstance(frame, str) else json.dumps(frame))

    async def send_binary(self, data: bytes) -> None:
        await self.line.send_to(bytes_data=data)

    async def raw(self) -> dict[str, Any]:
        return json.loads(await self.line.receive_from(timeout=PATIENCE))

    async def any(self) -> dict[str, Any]:
        """Return the next frame that is not about dots: those come when they like."""
        while (frame := await self.raw())["type"] == "presence":
            pass
        return frame

    async def next(self, kind: str) -> dict[str, Any]:
        read = self.raw if kind == "presence" else self.any
        while (frame := await read())["type"] != kind:
            self.passed.append(frame)
        return frame

    async def ask(self, frame: Any, kind: str) -> dict[str, Any]:
        await self.send(frame)
        return await self.next(kind)

    async def hello(self, seq: int | None = None, **more: Any) -> dict[str, Any]:
        return await self.ask({"type": "hello", "protocol": 1, "seq": seq, **more}, "welcome")

    async def join(self, **more: Any) -> dict[str, Any]:
        """Say hello as a newcomer and return the state."""
        self.welcome = await self.hello(None, **more)
        return await self.next("state")

    async def rest(self) -> list[dict[str, Any]]:
        """Return what comes before the answer to a ping."""
        self.passed.clear()
        await self.ask({"type": "ping", "seq": None}, "pong")
        return list(self.passed)

    async def closed(self) -> int:
        """Return the code that the server closes with; frames before it are in `passed`."""
        while True:
            message = await self.line.receive_output(timeout=PATIENCE)
            if message["type"] == "websocket.close":
                return int(message["code"])
            frame = json.loads(message["text"])
            if frame["type"] != "presence":
                self.passed.append(frame)

    async def leave(self) -> None:
        await self.line.disconnect(timeout=PATIENCE)


async def connect(
    place: Table | Night, player: Player | None = None, *, tv: tuple[Night, ...] = (), **more: str
) -> Wire:
    """Connect a browser to a table or a night; `more` are further headers."""
    cookie = await in_thread(session_cookie, player, tv)
    kind = "table" if isinstance(place, Table) else "night"
    values = {"host": "pub.local", "origin": "http://pub.local", "cookie": cookie, **more}
    headers = [(k.replace("_", "-").encode(), v.encode()) for k, v in values.items() if v]
    wire = Wire(f"/ws/{kind}/{place.public_id}/", headers)
    assert await wire.open()
    return wire


async def follow(night: Night, player: Player | None = None, *, tv: tuple[Night, ...] = ()) -> Wire:
    """Connect a page to its night, and wait until it hears of all changes."""
    wire = await connect(night, player, tv=tv)
    await wire.next("changed")
    return wire


async def command(
    wire: Wire, name: str, args: dict[str, Any], basis: int | None = None, command_id: str = "c-1"
) -> None:
    """Send a command."""
    frame = {"type": "command", "id": command_id, "name": name, "args": args, "basis": basis}
    await wire.send(frame)


def take(state: dict[str, Any], name: str, option: int = 0) -> dict[str, Any]:
    """Return the command frame that takes an open choice of a state or an entry."""
    choice = next(c for c in state["choices"] if c["name"] == name)
    args = listed(choice)[option]
    return {"type": "command", "id": f"take-{choice['basis']}", "name": name, "args": args} | {"basis": choice["basis"]}


async def settled() -> None:
    """Let callbacks that are due run."""
    for _ in range(5):
        await asyncio.sleep(0)
