"""The subscriptions of this process to the channel layer: the tables whose rooms are open here, and no others.

A message about a table goes to the table's own group, so a process does no work for tables without a room here. News of
a night or a player, and entries that change seats or status, are rare and go to all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextvars import Context
from typing import Any, Protocol

from channels.layers import get_channel_layer

from games.live.rooms import relay

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0


class OpenRoom(Protocol):
    """A table's room (table_room.Room)."""

    def touch(self) -> None:
        """Read seats, status, host and successor again, which may have changed."""


class OpenNight(Protocol):
    """A night's room (night_room.NightRoom)."""

    def changed(self) -> None:
        """Have the night's pages load again."""


class HubOfRooms(relay.Rooms, Protocol):
    """A hub, with its rooms by the ids of tables and of nights."""

    @property
    def tables(self) -> Mapping[int, OpenRoom]:
        """The open rooms of tables."""

    @property
    def nights(self) -> Mapping[int, OpenNight]:
        """The open rooms of nights."""


class Subscriptions:
    """The layer's groups that a hub belongs to: that of all processes, and one for each open room."""

    def __init__(self, hub: HubOfRooms) -> None:
        self._hub = hub
        self._joined: set[int] = set()
        self._changed = asyncio.Event()

    def rooms_changed(self) -> None:
        """Note that a table's room was opened or closed."""
        self._changed.set()

    async def listen(self) -> None:
        """Pass the messages of other processes to the rooms, for ever."""
        layer: Any = get_channel_layer()
        channel = None
        while True:
            following = None
            try:
                # Kept when the layer fails: an old channel would stay in its groups, unread.
                channel = channel or await layer.new_channel("stammtisch")
                await layer.group_add(relay.EVERYBODY, channel)
                # News of nights that was sent before this process listened, or while the layer was away, is lost.
                for night in self._hub.nights.values():
                    night.changed()
                work = self._follow(layer, channel)
                following = asyncio.create_task(work, context=Context())
                while True:
                    relay.receive(self._hub, await layer.receive(channel))
            except Exception as error:
                logger.warning("the channel layer went away: %r", error)
                await asyncio.sleep(AGAIN_SECONDS)
            finally:
                if following is not None:
                    following.cancel()

    async def _follow(self, layer: Any, channel: str) -> None:
        """Keep the channel in the groups of the open rooms."""
        self._joined.clear()
        while True:
            self._changed.clear()
            try:
                await self._regroup(layer, channel)
            except Exception as error:
                logger.warning("the channel layer does not let us listen: %r", error)
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                await self._changed.wait()

    async def _regroup(self, layer: Any, channel: str) -> None:
        for table_id in self._joined - self._hub.tables.keys():
            await layer.group_discard(relay.table_group(table_id), channel)
            self._joined.discard(table_id)
        for table_id in self._hub.tables.keys() - self._joined:
            await layer.group_add(relay.table_group(table_id), channel)
            self._joined.add(table_id)
            # The log has the entries that were sent before this process joined the group.
            if room := self._hub.tables.get(table_id):
                room.touch()
