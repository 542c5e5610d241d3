"""The network connections of this process: bounds on their time to send a request, their number and their frames.

A connection waits while it has not sent a whole request: no head yet, half a body, or nothing since its last answer.
Waiting connections have a deadline and are cut first if there are too many; a request that comes at once is answered at
once. A server reports its connections by `connected`, `begins`, `works`, `opens`, `rests` and `gone`, each with the
transport.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from django.conf import settings

from games.addresses import is_proxy, network_of, plain
from games.ops.system import calls

# A head comes in one piece or a few; a body has 64 KiB at most. Enough for a bad line, too.
HEAD_SECONDS, BODY_SECONDS = 15.0, 30.0
IDLE_SECONDS = 60.0
# The limit for an answer to be read: the longest answers are exports.
ANSWER_SECONDS = 600.0
SWEEP_SECONDS = 1.0
FLOOD_SECONDS = 20.0
# Waiting connections of one address: a pub full of phones with a few idle connections each.
WAITING_PER_ADDRESS = 200
# Descriptors that are kept for the database, files and threads.
KEPT_DESCRIPTORS = 256
MOST_DESCRIPTORS = 16_384


def raise_limit() -> None:
    """Raise the limit of file descriptors as far as the system allows."""
    calls.raise_descriptors(MOST_DESCRIPTORS)


def most() -> int:
    """Return how many connections this process takes: CONNECTIONS, within the limit of file descriptors."""
    room = calls.descriptors(MOST_DESCRIPTORS)
    room = min(max(room - KEPT_DESCRIPTORS, room // 2), calls.MOST_SOCKETS)
    return min(settings.CONNECTIONS, room) if settings.CONNECTIONS else room


@dataclass(slots=True, eq=False)
class Connection:
    """One connection. `network` groups it for counting, empty for a proxy's; `cut` ends it."""

    cut: Callable[[], None]
    network: str
    deadline: float
    is_waiting: bool = True
    is_idle: bool = False


class Connections:
    """All connections of an event loop by their transports, oldest first."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._all: dict[Any, Connection] = {}
        self._waiting: dict[Connection, None] = {}
        self._of: Counter[str] = Counter()
        self._waiting_of: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return the number of connections."""
        return len(self._all)

    def connected(self, transport: Any, address: str, cut: Callable[[], None]) -> None:
        """Note a new connection; if there are too many, cut another one, or this one."""
        direct = plain(address)
        network = "" if not direct or is_proxy(direct) else network_of(direct)
        found = Connection(cut, network, self._now() + HEAD_SECONDS)
        self._all[transport] = found
        self._of[network] += 1
        self._wait(found, HEAD_SECONDS)
        if network and settings.CONNECTIONS_PER_ADDRESS:
            self._bound(network)
        if len(self._all) > most():
            self._cut_one(None)

    def begins(self, transport: Any, seconds: float) -> None:
        """Note that a request, or its body, has begun to come, and must be complete within so many seconds."""
        if (found := self._all.get(transport)) is not None:
            self._wait(found, seconds)

    def begins_if_idle(self, transport: Any) -> None:
        """Note the first bytes after an answer."""
        found = self._all.get(transport)
        if found is not None and found.is_idle:
            self._wait(found, HEAD_SECONDS)

    def works(self, transport: Any) -> None:
        """Note that a whole request has come and is being answered."""
        found = self._all.get(transport)
        if found is not None and found.is_waiting:
            self._work(transport, self._now() + ANSWER_SECONDS)

    def opens(self, transport: Any) -> None:
        """Note that a connection has become a WebSocket, which has limits of its own (socket_limits.py)."""
        self._work(transport, inf)

    def rests(self, transport: Any) -> None:
        """Note that a request has been answered; the next one may come."""
        if (found := self._all.get(transport)) is not None:
            self._wait(found, IDLE_SECONDS)
            found.is_idle = True

    def gone(self, transport: Any) -> None:
        """Forget a connection."""
        if (found := self._all.pop(transport, None)) is not None:
            self._wait_no_more(found)
            self._discount(self._of, found.network)

    def sweep(self) -> None:
        """Cut the connections whose deadline has passed."""
        now = self._now()
        for found in [each for each in self._all.values() if each.deadline <= now]:
            found.deadline = inf
            found.cut()

    def _work(self, transport: Any, deadline: float) -> None:
        if (found := self._all.get(transport)) is not None:
            self._wait_no_more(found)
            found.deadline, found.is_idle = deadline, False

    def _wait(self, found: Connection, seconds: float) -> None:
        """Put a connection at the end of the waiting ones."""
        self._wait_no_more(found)
        self._waiting[found] = None
        self._waiting_of[found.network] += 1
        found.is_waiting, found.is_idle, found.deadline = True, False, self._now() + seconds

    def _wait_no_more(self, found: Connection) -> None:
        if self._waiting.pop(found, self) is not self:
            self._discount(self._waiting_of, found.network)
            found.is_waiting = False

    def _discount(self, counts: Counter[str], network: str) -> None:
        counts[network] -= 1
        if counts[network] <= 0:
            del counts[network]

    def _bound(self, network: str) -> None:
        """Cut one connection of an address that has too many, or too many waiting ones."""
        has_many = self._of[network] > settings.CONNECTIONS_PER_ADDRESS
        if has_many or self._waiting_of[network] > WAITING_PER_ADDRESS:
            self._cut_one(network)

    def _cut_one(self, network: str | None) -> None:
        """Cut a waiting connection of a network, or of all: an idle one, else the one that has waited longest.

        The newest connection waits, too; it is the one that is cut if all others are at work.
        """
        waiting = [each for each in self._waiting if network is None or each.network == network]
        found = next((each for each in waiting if each.is_idle), waiting[0])
        self._wait_no_more(found)
        found.deadline = inf
        found.cut()


_of_loop: dict[asyncio.AbstractEventLoop, Connections] = {}


def current() -> Connections:
    """Return the connections of the running event loop; sweeps them every second from the first call on."""
    loop = asyncio.get_running_loop()
    if loop not in _of_loop:
        _of_loop.clear()
        _of_loop[loop] = Connections(loop.time)
        loop.call_later(SWEEP_SECONDS, _sweep_for_ever, loop)
    return _of_loop[loop]


def _sweep_for_ever(loop: asyncio.AbstractEventLoop) -> None:
    _of_loop[loop].sweep()
    loop.call_later(SWEEP_SECONDS, _sweep_for_ever, loop)


# Incoming frames of one connection (docs/protocol.md §7)


class Flood:
    """Counts the frames of one connection in the last 20 s."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: list[float] = []

    def is_over(self, now: float, allowed: int) -> bool:
        """Count a frame that came at `now` (seconds); tell whether it was one too many."""
        times = self._times
        times.append(now)
        if times[0] <= now - FLOOD_SECONDS:
            times[:] = [at for at in times if at > now - FLOOD_SECONDS]
        if not allowed:
            times.clear()
        return bool(allowed) and len(times) > allowed


class Frames:
    """Counts all frames of a connection, including pings and parts of messages.

    Twice as many may come as messages: a browser answers the server's own pings.
    """

    __slots__ = ("_flood", "_is_over")

    def __init__(self) -> None:
        self._flood: Flood | None = None
        self._is_over = False

    def are_too_many(self, now: float, count: int = 1) -> bool:
        """Count frames that came at `now` (seconds); return True once when they become too many."""
        allowed = 2 * int(settings.MESSAGES_PER_20S_PLAYING)
        if self._is_over or not allowed:
            return False
        if self._flood is None:
            self._flood = Flood()
        self._is_over = any(self._flood.is_over(now, allowed) for _ in range(min(count, allowed + 1)))
        return self._is_over
