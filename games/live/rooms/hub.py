"""The hub: all rooms of this process's event loop, and the work that they need every second."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeAlias

from django.db import Error as DatabaseError

from games.kernel.contract import JsonObject
from games.live.batching import Together
from games.live.openings import Openings
from games.live.rooms import handshake, relay
from games.live.rooms.night_room import NightRoom
from games.live.rooms.presence import HERE, HostWatch, local
from games.live.rooms.sockets import CLOSE_COME_BACK, Socket, in_database
from games.live.rooms.subscriptions import Subscriptions
from games.live.rooms.table_room import Room
from games.live.socket_limits import SocketLimits
from games.services import publication, server_time
from games.services.clock import clock
from games.services.logs import log_views
from games.services.nights import attendance
from games.services.seats import bot_tables
from games.services.tables import access, sql, throws
from games.services.tables.relay import TableNews

logger = logging.getLogger(__name__)

TICK_SECONDS = 1.0
HOSTS_EVERY = 10.0
REPEAT_EVERY = 15.0
# Pings come from every page all the time: in a full house they wait a moment for each other and share a visit of the
# database; their answers are a number each. In a small house the last visit is long past, and hardly any waits.
PULSES_AT_ONCE, PULSES_APART = 128, 0.02

Handler: TypeAlias = "Callable[[Hub, Any], None]"

_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def current() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for old in [other for other in _hubs if other.is_closed()]:
            del _hubs[old]
        _hubs[loop] = Hub(loop)
    return _hubs[loop]


def running() -> list[Hub]:
    """Return the hubs whose event loops still run."""
    return [hub for loop, hub in list(_hubs.items()) if not loop.is_closed()]


class Hub:
    """The rooms of one event loop. Everything but `hand_over` runs on that loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.tables: dict[int, Room] = {}
        self.nights: dict[int, NightRoom] = {}
        self.openings, self.limits, self.subscriptions = Openings(loop.time), SocketLimits(), Subscriptions(self)
        self.hellos = Together(handshake.answer_hellos)
        self.snapshots = Together(handshake.take_snapshots)
        self.pulses = Together(access.pulses, most=PULSES_AT_ONCE, apart=PULSES_APART)
        self._pages = Together(log_views.pages)
        self.hosts = HostWatch()
        self._hosts_at = 0.0
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._inbox: deque[tuple[Handler, Any]] = deque()
        self._is_scheduled = False
        self._has_few_pages = False

    # Rooms

    def table(self, table_id: int, night_id: int) -> Room:
        """Return the room of a table; it is made for the first connection."""
        self._start()
        if table_id not in self.tables:
            self.tables[table_id] = Room(table_id, night_id, self._pages.ask)
            self.subscriptions.rooms_changed()
        return self.tables[table_id]

    def night(self, night_id: int) -> NightRoom:
        """Return the room of a night's pages; it is made for the first connection."""
        self._start()
        if night_id not in self.nights:
            self.nights[night_id] = NightRoom(night_id)
        return self.nights[night_id]

    def connected(self, night_id: int, socket: Socket) -> None:
        """Note the player of a connection to a night: the host may be back."""
        socket.night_id = night_id
        self.limits.identified(socket)
        self.hosts.connected(night_id, socket.player_id, self.loop.time())
        self._hosts_at = 0.0

    def left_table(self, room: Room, socket: Socket) -> None:
        """Note that a connection to a table has gone; the last one closes the room."""
        room.leave(socket)
        if not room.sockets and self.tables.get(room.table_id) is room:
            del self.tables[room.table_id]
            self.subscriptions.rooms_changed()
        self._left(room.night_id, socket)

    def left_night(self, room: NightRoom, socket: Socket) -> None:
        """Note that a connection to a night has gone."""
        room.sockets.discard(socket)
        if not room.sockets:
            self.nights.pop(room.night_id, None)
        self._left(room.night_id, socket)

    def _left(self, night_id: int, socket: Socket) -> None:
        self.limits.left(socket)
        self.hosts.left(night_id, socket.player_id, self.loop.time())

    # News, from this process and from others

    def hand_over(self, handler: Handler, news: Any) -> None:
        """Have `handler(hub, news)` called on the loop, in order; callable from any thread.

        The loop is woken once for all news that come before it runs. The call has an empty context: the caller's holds
        its thread and its language.
        """
        self._inbox.append((handler, news))
        if not self._is_scheduled:
            self._is_scheduled = True
            self.loop.call_soon_threadsafe(self._take_in, context=Context())

    def _take_in(self) -> None:
        # First: any news from now on wakes the loop again, whether the code below still handles it or not.
        self._is_scheduled = False
        while self._inbox:
            handler, news = self._inbox.popleft()
            _safely(handler, self, news)

    async def answered(self, later: Callable[..., None], *args: Any) -> Any:
        """Call `later(*args, done)`; return the answer that `done` is given in any thread, or raise it.

        `done` goes the same way as news: earlier news has reached its rooms by then.
        """
        waiting: asyncio.Future[Any] = self.loop.create_future()

        def done(answer: Any) -> None:
            self.hand_over(_answer, (waiting, answer))

        later(*args, done)
        return await waiting

    def on_news(self, news: publication.News) -> None:
        """Pass news of this process to the rooms that it concerns."""
        match news:
            case TableNews():
                if room := self.tables.get(news.snapshot.table_id):
                    room.on_news(news)
                if news.entry.is_meta:
                    self.table_meta(news.snapshot.table_id)
            case publication.ChatSaid():
                self.chat_said(news.table_id, news.message)
            case publication.TableTouched():
                self.table_touched(news.table_id)
            case publication.NightTouched():
                self.night_touched(news.night_id)
            case publication.PlayerRemoved():
                self.player_removed(news.night_id, news.player_id)
            case publication.PlayerChanged():
                self.player_changed(news.player_id)
            case publication.PlayerAsked():
                self.player_asked(news.player_id)
            case publication.CodeChanged():
                self.code_changed(news.night_id)
            case publication.ScreensChanged():
                self.screens_changed(news.night_id)

    def table_touched(self, table_id: int) -> None:
        """Let a table's room read seats, status, host and successor again."""
        if room := self.tables.get(table_id):
            room.touch()

    def night_touched(self, night_id: int) -> None:
        """Tell the pages of the night, and have its tables look again: the host may have changed."""
        if night_room := self.nights.get(night_id):
            night_room.changed()
        for room in self.tables.values():
            if room.night_id == night_id:
                room.touch()

    def player_removed(self, night_id: int, player_id: int) -> None:
        """Close the connections of a player removed from a night."""

        def show_out(socket: Socket) -> None:
            if socket.night_id == night_id:
                socket.dismiss("removed")

        self.limits.each(player_id, show_out)

    def player_changed(self, player_id: int) -> None:
        """Close a player's connections so that they connect again: their sessions may belong to another player now."""
        self.limits.each(player_id, lambda socket: socket.outbox.close(CLOSE_COME_BACK))

    def player_asked(self, player_id: int) -> None:
        """Tell a guest's pages that another device asks to go on as that guest."""
        self.limits.each(player_id, lambda s: s.put({"type": "changed" if s.access is None else "asked"}))

    def code_changed(self, night_id: int) -> None:
        """Close a night's TV screens: the link that opened them is no longer valid."""
        for socket in self._screens_of(night_id):
            socket.dismiss("wrong_link")

    def screens_changed(self, night_id: int) -> None:
        """Let a night's TV screens connect again: those of the house may have lost their right."""
        for socket in self._screens_of(night_id):
            socket.outbox.close(CLOSE_COME_BACK)

    def _screens_of(self, night_id: int) -> list[Socket]:
        """Return the connections of a night's TV screens."""
        rooms: list[Room | NightRoom] = [r for r in self.tables.values() if r.night_id == night_id]
        if night_room := self.nights.get(night_id):
            rooms.append(night_room)
        return [s for room in rooms for s in room.sockets if s.player_id is None]

    def entry_committed(self, table_id: int, seq: int, is_meta: bool) -> None:
        """Let a table's room read an entry that another process has written."""
        if room := self.tables.get(table_id):
            room.expect(seq)
        if is_meta:
            self.table_meta(table_id)

    def chat_said(self, table_id: int, message: JsonObject) -> None:
        """Show a chat message in a table's room."""
        if room := self.tables.get(table_id):
            room.chat(message)

    def table_meta(self, table_id: int) -> None:
        """Tell a night's pages that the seats or the status of a table changed."""
        if self.nights:
            self._spawn(f"night of table {table_id}", self._night_changed(table_id))

    async def _night_changed(self, table_id: int) -> None:
        night_id = await in_database(attendance.night_of, table_id)
        if night_room := self.nights.get(night_id):
            night_room.changed()

    # Every second

    def _start(self) -> None:
        self._spawn("tick", self._tick_for_ever())
        if relay.is_shared():
            self._spawn("layer", self.subscriptions.listen())

    def _spawn(self, name: str, work: Any) -> None:
        """Run a coroutine as a task in an empty context, unless one of that name still runs."""
        if name in self._tasks and not self._tasks[name].done():
            work.close()
            return
        self._tasks[name] = self.loop.create_task(work, name=name, context=Context())

    async def close(self, seconds: float) -> None:
        """Cancel the hub's own tasks and wait at most so many seconds for them: the server closes."""
        for task in (tasks := [task for task in self._tasks.values() if not task.done()]):
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self._keep_few_pages()
                await self._tick(self.loop.time())
            except DatabaseError:
                logger.warning("cannot look after the hosts", exc_info=True)
            except Exception:
                logger.exception("the hub stumbled")

    async def _keep_few_pages(self) -> None:
        if not self._has_few_pages:
            await in_database(sql.keep_few_pages)
            self._has_few_pages = True

    async def _tick(self, now: float) -> None:
        for room in list(self.tables.values()):
            if room.look_at <= now:
                self._look(room, now)
        await self._note_watched(now)
        if now >= self._hosts_at + HOSTS_EVERY:
            self._hosts_at = now
            await self._check_hosts(now)
        for night_id in self.hosts.next_may(server_time.now()):
            if night_room := self.nights.get(night_id):
                night_room.changed()
        self._tasks = {name: task for name, task in self._tasks.items() if not task.done()}

    def _look(self, room: Room, now: float) -> None:
        """Look at a room whose presence may have changed; tell other processes at a change and every 15 s."""
        has_changed = room.look_round(now)
        if not relay.is_shared():
            return
        if has_changed or now >= room.reported_at + REPEAT_EVERY:
            room.reported_at = now
            relay.publish_presence(room.table_id, local(room.sockets, now), self.loop)
        room.look_at = min(room.look_at, room.reported_at + REPEAT_EVERY)

    def presence_changed(self, origin: str, table_id: int, players: dict[str, str]) -> None:
        """Note the players that another process has connected at a table."""
        if room := self.tables.get(table_id):
            dots = {int(player_id): dot for player_id, dot in players.items()}
            room.presence.report(origin, dots, self.loop.time())
            room.look_at = 0.0

    async def _note_watched(self, now: float) -> None:
        """Note the tables of bots alone at which pages look: they play on, and those that rest go on at once."""
        rooms = [room for room in self.tables.values() if room.is_to_note(now)]
        if rooms:
            await in_database(bot_tables.note_watched, [room.table_id for room in rooms])
        for room in rooms:
            room.noted(now)

    async def _check_hosts(self, now: float) -> None:
        """Correct the stored presence of returned and departed hosts."""
        nights = self.hosts.nights()
        if not nights:
            return
        notes = await in_database(attendance.hosts, nights)
        for note in self.hosts.returned(notes):
            await in_database(clock.set_host_presence, note.night_id, note.host_id, True)
        for note, ago in self.hosts.gone(notes, now):
            await in_database(clock.set_host_presence, note.night_id, note.host_id, False, ago)
        if unseen := self.hosts.unseen(notes):
            await in_database(attendance.seen, unseen)
        self.hosts.keep_away(notes)
        self.hosts.tidy(now)


def _answer(hub: Hub, pair: tuple[asyncio.Future[Any], Any]) -> None:
    """Give an answer to the coroutine that waits for it, unless its connection has gone."""
    waiting, answer = pair
    if waiting.done():
        return
    if isinstance(answer, Exception):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)


def _safely(handler: Handler, hub: Hub, news: Any) -> None:
    """Run a handler; a failure in one room must not reach the loop."""
    try:
        handler(hub, news)
    except Exception:
        logger.exception("news was lost on the way to its room")


def present(table_id: int) -> set[int] | None:
    """Return the seats of a table that are connected and shown; None if no room of this process knows."""
    rooms = [room for hub in running() if (room := hub.tables.get(table_id)) and room.dots]
    if not rooms:
        return None
    return {int(seat) for room in rooms for seat, dot in room.dots.items() if dot == HERE}


relay.deliver_to(running)
throws.set_source(present)
