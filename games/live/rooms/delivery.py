"""Delivery to a room: to the seats at once and in order, to spectators a few at a time.

A frame costs some microseconds of the event loop. With two thousand spectators, one pass over all of them would delay
the next move at every table; so the loop does other work between slices of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import Context
from typing import TypeAlias

from games.live.rooms.sockets import Socket

logger = logging.getLogger(__name__)

Delivery: TypeAlias = Callable[[Socket], None]

SLICE = 50


class Broadcast:
    """The numbered deliveries of a room, kept until every socket there has had them."""

    def __init__(self, sockets: Iterable[Socket]) -> None:
        self._sockets = sockets
        self._kept: deque[Delivery] = deque()
        self.last = 0
        """The number of the newest delivery; `_kept` ends with it."""
        self._walk: Iterator[Socket] | None = None
        self._walk_began = 0

    def send(self, delivery: Delivery) -> None:
        """Deliver to the seats now and to the other sockets soon; in a small room to all now."""
        self._kept.append(delivery)
        self.last += 1
        everybody = list(self._sockets)
        if len(everybody) <= SLICE:
            self.catch_up_all()
            return
        for socket in everybody:
            if socket.seat is not None:
                self.catch_up(socket)
        if self._walk is None:
            self._begin()

    def catch_up(self, socket: Socket) -> None:
        """Deliver everything that a socket has not had yet, or keep it while a snapshot is being read for the socket.

        A failed delivery is logged and stops no other one.
        """
        missing = self.last - socket.delivered
        socket.delivered = self.last
        if missing > 0:
            kept = self._kept
            for delivery in (kept[-1],) if missing == 1 else list(kept)[-missing:]:
                try:
                    socket.deliver(delivery)
                except Exception:
                    logger.exception("a delivery failed")

    def catch_up_all(self) -> None:
        """Deliver everything to every socket now."""
        for socket in list(self._sockets):
            self.catch_up(socket)
        self._kept.clear()

    def _begin(self) -> None:
        self._walk, self._walk_began = iter(list(self._sockets)), self.last
        # An empty context: that of the caller holds its thread and its language.
        asyncio.get_running_loop().call_soon(self._go_on, context=Context())

    def _go_on(self) -> None:
        """Deliver to the next slice; sockets that came after the walk began have been shown everything until then."""
        walk = self._walk or iter(())
        for _ in range(SLICE):
            if (socket := next(walk, None)) is None:
                self._end()
                return
            self.catch_up(socket)
        asyncio.get_running_loop().call_soon(self._go_on, context=Context())

    def _end(self) -> None:
        """Forget the deliveries that all sockets have had; start again if there are newer ones."""
        while len(self._kept) > self.last - self._walk_began:
            self._kept.popleft()
        self._walk = None
        if self._kept:
            self._begin()
