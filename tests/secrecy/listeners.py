"""Everybody who gets something of a table, and all that they are sent: by socket and by HTTP."""

import json
import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Table
from tests.live.wire import Wire, connect, in_thread
from tests.web.pages import browser_of

Frame = dict[str, Any]


@dataclass
class Listener:
    """One listener: a player with or without a seat, or (player None) a screen."""

    name: str
    night: Night
    player: Player | None
    wire: Wire
    seq: int = -1
    last: Frame = field(default_factory=dict)
    new: list[str] = field(default_factory=list)

    async def until(self, seq: int) -> Frame:
        """Take frames until entry `seq` is known; return the frame that told it."""
        while self.seq < seq:
            text = await self.wire.line.receive_from(timeout=60)
            self.new.append(text)
            frame: Frame = json.loads(text)
            if frame["type"] in ("entry", "state"):
                self.seq, self.last = max(self.seq, frame["seq"]), frame
        return self.last

    def received(self) -> list[str]:
        """Return what came since the last time, and forget it."""
        found, self.new = self.new, []
        return found

    async def leave(self) -> None:
        """Hang up."""
        await self.wire.leave()


async def listen(name: str, table: Table, night: Night, player: Player | None) -> Listener:
    """Connect somebody to a table and take the first state."""
    tv = () if player is not None else (night,)
    listener = Listener(name, night, player, await connect(table, player, tv=tv))
    await listener.wire.send({"type": "hello", "protocol": 1, "seq": None})
    await listener.until(0)
    return listener


def browser(night: Night, player: Player | None) -> Client:
    """Return a browser of a player, or a screen of the night."""
    found = browser_of(player)
    if player is None:
        found.get(reverse("tv", args=[night.public_id, night.token("tv")]))
    return found


def while_playing(client: Client, table: Table, night: Night, after: int) -> list[str]:
    """Return what a browser is told of a running table over HTTP."""
    cache.clear()
    return [
        body(client, f"/api/tables/{table.public_id}/"),
        body(client, f"/api/tables/{table.public_id}/events/?after={after}"),
        body(client, f"/api/tables/{table.public_id}/replay/"),
        body(client, reverse("table", args=[table.public_id])),
        body(client, reverse("tv", args=[night.public_id, night.token("tv")])),
        body(client, reverse("table_log", args=[table.public_id])),
    ]


def afterwards(client: Client, table: Table, night: Night) -> list[str]:
    """Return all that is to be had of a table that is over: pages, replay, files."""
    cache.clear()
    place = f"/api/tables/{table.public_id}"
    found = while_playing(client, table, night, 0)
    listed = client.get(f"{place}/files/")
    found += [body(client, file["url"]) for file in _files(listed)]
    found += [body(client, f"{place}/replay/?first={first}") for first in range(1, table.seq + 1, 60)]
    found += [
        body(client, reverse("replay", args=[table.public_id])),
        body(client, reverse("night_results", args=[night.public_id])),
        body(client, reverse("dice_check", args=[table.public_id])),
        body(client, f"/api/nights/{night.public_id}/"),
    ]
    return found


def own_data(client: Client) -> str:
    """Return what somebody gets who asks for their own data: their own words are in it."""
    return posted(client, reverse("my_data_file"))


def _files(answer: Any) -> list[Frame]:
    return answer.json()["files"] if answer.status_code == 200 else []


def body(client: Client, path: str) -> str:
    """Return what comes from an address, a zip's files as text one after another."""
    return text_of(client.get(path))


def posted(client: Client, path: str) -> str:
    """Return what comes of a form that is sent empty."""
    return text_of(client.post(path))


def text_of(answer: Any) -> str:
    """Return the headers and the body of an answer."""
    data = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if data[:2] == b"PK":
        with zipfile.ZipFile(BytesIO(data)) as archive:
            data = b"\n".join(archive.read(name) for name in archive.namelist())
    head = "\n".join(f"{key}: {value}" for key, value in answer.headers.items())
    return f"{answer.status_code}\n{head}\n{data.decode('utf-8', 'replace')}"


__all__ = ["Listener", "afterwards", "browser", "in_thread", "listen", "own_data", "while_playing"]
