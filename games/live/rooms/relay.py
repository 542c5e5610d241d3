"""The way from a commit to the rooms: of this process at once, of other processes through the channel layer.

Inside the process, news goes from the committing thread to the event loop. Each other process with an open room of the
table (subscriptions.py) gets one message through the channel layer: a plain entry itself, of all other news
where to look. A failure of the layer loses no entry: the next ping finds it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.kernel.contract import JsonObject
from games.services import publication
from games.services.tables import relay, snapshot
from games.services.tables.relay import TableNews

logger = logging.getLogger(__name__)

PROCESS = uuid.uuid4().hex
EVERYBODY = "stammtisch"
# News of one table alone; only processes with its room open need it.
_OF_A_TABLE = {"entry", "chat", "touched", "presence"}
SEND_SECONDS = 5.0


class Rooms(Protocol):
    """The rooms of one event loop, as the receiver of news (hub.Hub)."""

    loop: asyncio.AbstractEventLoop

    def hand_over(self, handler: Callable[[Any, Any], None], news: Any) -> None:
        """Have `handler(rooms, news)` called on the loop, in order; callable from any thread."""

    def on_news(self, news: publication.News) -> None:
        """Pass news to the rooms that it concerns."""

    def presence_changed(self, origin: str, table_id: int, players: dict[str, str]) -> None:
        """Note the players that another process has connected at a table."""

    def entry_committed(self, table_id: int, seq: int, is_meta: bool) -> None:
        """Let a table's room read an entry that another process has written."""

    def chat_said(self, table_id: int, message: JsonObject) -> None:
        """Show a chat message in a table's room."""

    def table_touched(self, table_id: int) -> None:
        """Let a table's room read seats, status, host and successor again."""

    def night_touched(self, night_id: int) -> None:
        """Tell the pages of a night."""

    def player_removed(self, night_id: int, player_id: int) -> None:
        """Close the connections of a player removed from a night."""

    def player_changed(self, player_id: int) -> None:
        """Close a player's connections so that they connect again."""

    def player_asked(self, player_id: int) -> None:
        """Tell a guest's pages that another device asks to go on as that guest."""

    def code_changed(self, night_id: int) -> None:
        """Close a night's TV screens."""

    def screens_changed(self, night_id: int) -> None:
        """Close the connections of a night's TV screens so that they connect again."""


_running: Callable[[], Sequence[Rooms]] = list


def deliver_to(running: Callable[[], Sequence[Rooms]]) -> None:
    """Set the function that returns the rooms that get news from now on."""
    global _running  # noqa: PLW0603
    _running = running


def start() -> None:
    """Subscribe to the services' news; further calls change nothing."""
    publication.subscribe(on_news)


def is_shared() -> bool:
    """Tell whether the channel layer reaches other processes."""
    layer = get_channel_layer()
    return layer is not None and type(layer) is not InMemoryChannelLayer


def on_news(news: publication.News) -> None:
    """Pass news to the rooms of this process and to the other processes; callable from any thread."""
    hubs = _running()
    for each in hubs:
        try:
            each.hand_over(_pass_on, news)
        except RuntimeError:
            logger.debug("an event loop has just closed")
    if is_shared():
        send(_message(news), hubs[0].loop if hubs else _sender_loop())


def _pass_on(rooms: Rooms, news: publication.News) -> None:
    rooms.on_news(news)


def _message(news: publication.News) -> JsonObject:
    """Return the message for other processes: a plain entry as a whole, else where to look."""
    match news:
        case TableNews():
            about = {"table": news.snapshot.table_id, "seq": news.entry.seq, "meta": news.entry.is_meta}
            entry = relay.relayed_entry(news)
            return {"kind": "entry", **about, **({} if entry is None else {"entry": entry})}
        case publication.ChatSaid():
            return {"kind": "chat", "table": news.table_id, "message": news.message}
        case publication.LogRewritten():
            return {"kind": "touched", "table": news.table_id, "meta": True}
        case publication.TableTouched():
            return {"kind": "touched", "table": news.table_id}
        case publication.NightTouched():
            return {"kind": "night", "night": news.night_id}
        case publication.PlayerRemoved():
            return {"kind": "removed", "night": news.night_id, "player": news.player_id}
        case publication.PlayerChanged():
            return {"kind": "changed", "player": news.player_id}
        case publication.PlayerAsked():
            return {"kind": "asked", "player": news.player_id}
        case publication.CodeChanged():
            return {"kind": "code", "night": news.night_id}
        case publication.ScreensChanged():
            return {"kind": "screens", "night": news.night_id}
        case _:
            raise TypeError(f"other processes have no word for {news!r}")


def table_group(table_id: int) -> str:
    """Return the layer's group of the processes with a room of the table."""
    return f"stammtisch.table.{table_id}"


def group_of(message: JsonObject) -> str:
    """Return the layer's group for a message: the table's, or all processes if it concerns more than the table."""
    if message["kind"] not in _OF_A_TABLE or message.get("meta"):
        return EVERYBODY
    return table_group(message["table"])


def send(message: JsonObject, loop: asyncio.AbstractEventLoop) -> None:
    """Send a message to the other processes, from `loop`; callable from any thread."""
    full = {"type": "stammtisch.news", "origin": PROCESS, **message}
    work = _send(full)
    try:
        asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:
        work.close()


def publish_presence(table_id: int, dots: Mapping[int, str], loop: asyncio.AbstractEventLoop) -> None:
    """Report this process's players at a table to the other processes: player → dot."""
    players = {str(player_id): dot for player_id, dot in dots.items()}
    send({"kind": "presence", "table": table_id, "players": players}, loop)


async def _send(message: JsonObject) -> None:
    layer: Any = get_channel_layer()
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await layer.group_send(group_of(message), message)
    except Exception as error:
        logger.warning("the channel layer did not take %s: %r", message["kind"], error)


_sender: asyncio.AbstractEventLoop | None = None
_sender_lock = threading.Lock()


def _sender_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop in a thread of its own, for processes that serve no sockets."""
    global _sender  # noqa: PLW0603
    with _sender_lock:
        if _sender is None:
            _sender = asyncio.new_event_loop()
            threading.Thread(target=_sender.run_forever, name="news", daemon=True).start()
        return _sender


def receive(hub: Rooms, message: JsonObject) -> None:
    """Handle one message of another process; this process's own messages come back and are dropped."""
    if message.get("origin") == PROCESS:
        return
    try:
        _take(hub, message)
    except Exception:
        logger.exception("a message of another process was not understood")


def _take(hub: Rooms, message: JsonObject) -> None:
    match message["kind"]:
        case "entry":
            if (news := _followed(message)) is not None:
                hub.on_news(news)
            else:
                hub.entry_committed(message["table"], message["seq"], message["meta"])
        case "chat":
            hub.chat_said(message["table"], message["message"])
        case "touched":
            if message.get("meta"):
                snapshot.forget(message["table"])
            hub.table_touched(message["table"])
        case "night":
            hub.night_touched(message["night"])
        case "removed":
            hub.player_removed(message["night"], message["player"])
        case "changed":
            hub.player_changed(message["player"])
        case "asked":
            hub.player_asked(message["player"])
        case "code" | "screens" as kind:
            (hub.code_changed if kind == "code" else hub.screens_changed)(message["night"])
        case "presence":
            hub.presence_changed(message["origin"], message["table"], message["players"])


def _followed(message: JsonObject) -> TableNews | None:
    """Return the news of an entry that came as a whole; None if it must be read from the log."""
    if (entry := message.get("entry")) is None:
        return None
    try:
        return relay.news_of(message["table"], message["seq"], entry)
    except Exception:
        logger.exception("an entry of another process was not understood")
        return None
