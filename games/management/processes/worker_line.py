"""A worker's line to the process that keeps it: it beats, and hears whose connections it takes as well.

The beat comes from the event loop, so that a worker that hangs is silent. While another worker hangs or starts, the
connections that the kernel gives to that one's socket are taken by the others.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from games.management.processes import ends

BEAT_SECONDS = 1.0


class WorkerLine:
    """The worker's end of the line. `server` is daphne's, `sockets` are the descriptors of all workers' sockets."""

    def __init__(self, server: Any, own: int, sockets: Sequence[int], beats: int) -> None:
        self._server, self._own, self._sockets, self._beats = server, own, sockets, beats
        self._taken: dict[int, Any] = {}

    def open(self) -> None:
        """Beat from now on, listen to the parent, and end with it."""
        from twisted.internet import reactor, task

        loop: Any = reactor
        if sys.platform != "win32":  # where no workers are
            os.set_blocking(self._beats, False)
        beating: Any = task.LoopingCall(self._beat)
        loop.callWhenRunning(beating.start, BEAT_SECONDS)
        ends.end_with_parent(lambda line: loop.callFromThread(self.take, line))

    def _beat(self) -> None:
        with suppress(OSError):  # the parent reads later, or has gone
            os.write(self._beats, b".")

    def take(self, line: bytes) -> None:
        """Accept connections of these sockets besides the own one, and of no others: descriptors as "7,8"."""
        from twisted.internet import reactor

        wanted = {int(each) for each in line.split(b",") if each} & set(self._sockets) - {self._own}
        for fd in set(self._taken) - wanted:
            self._taken.pop(fd).stopListening()
        for fd in wanted - set(self._taken):
            loop: Any = reactor
            self._taken[fd] = loop.adoptStreamPort(fd, socket.AF_INET, self._server.http_factory)
