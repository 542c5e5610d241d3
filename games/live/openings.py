"""The opening of sockets: a rate for each address, and a queue in which each address has its turn.

Many sockets that open at once (a flood, or a pub whose phones come back after a restart) are accepted one at a time.
Between two of them the event loop does whatever else there is: a move is carried out meanwhile, and does not stand in
the queue. An address may open so many in a minute; beyond that a socket opens only for a session with a player, who has
a number of their own. So a flood keeps nobody of its address out. Openings of addresses are counted in this process
(docs/protocol.md §7).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context

from django.conf import settings

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.live.batching import Together
from games.live.rooms.handshake import Visit
from games.ops import move_priority
from games.services import rate_limit
from games.services.nights import attendance
from games.services.people import players

APART = 0.004
"""Seconds between two turns: about half of a core is left to whatever else there is while sockets open."""
MOST_ADDRESSES = 4096
"""Addresses whose openings are remembered; beyond that, those that opened nothing for a minute are forgotten."""


class Openings:
    """The openings of one event loop: what each address has left, and whose turn it is."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}
        """Address → the openings that it has left, and since when."""
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Address → those that wait for their turn; the next turn is the first address's."""
        self._turns: asyncio.Task[None] | None = None
        self._known = Together(_are_known)

    async def admit(self, visit: Visit) -> bool:
        """Wait for the turn of a connection that wants to open; return False for one too many."""
        network = network_of(visit.address) if visit.address else ""
        if not self.take(network) and not await self._known.ask(visit):
            return False
        await self._turn(network)
        return True

    def take(self, network: str) -> bool:
        """Take one of the openings that an address has left; False without one.

        Nothing is counted for an unknown address, and where sockets of an address have no limit.
        """
        if not network or not settings.SOCKETS_PER_ADDRESS:
            return True
        most, now = rate_limit.per_minute("socket"), self._now()
        left, since = self._left.get(network, (most, now))
        left = min(most, left + (now - since) * most / rate_limit.WINDOW_SECONDS)
        self._left[network] = (max(0.0, left - 1), now)
        if len(self._left) > MOST_ADDRESSES:
            self._forget(now)
        return left >= 1

    def _forget(self, now: float) -> None:
        """Forget the addresses that have opened nothing for a minute."""
        until = now - rate_limit.WINDOW_SECONDS
        self._left = {network: each for network, each in self._left.items() if each[1] > until}

    async def _turn(self, network: str) -> None:
        """Wait until it is the turn of a connection from an address."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(network, deque()).append(waiting)
        if self._turns is None:
            self._turns = loop.create_task(self._give_turns(), context=Context())
        await waiting

    async def _give_turns(self) -> None:
        """Give turns, one at a time, the addresses one after the other; all other work has its turn between two."""
        with move_priority.short_turns():
            while self._waiting:
                network = next(iter(self._waiting))
                queue = self._waiting.pop(network)
                waiting = queue.popleft()
                if queue:
                    self._waiting[network] = queue
                if not waiting.done():  # the connection has not gone
                    waiting.set_result(None)
                    await asyncio.sleep(APART)
        self._turns = None


def _are_known(visits: Sequence[Visit]) -> list[bool]:
    """Tell of each connection whether its session has a player who has not opened too many in this minute."""
    sessions = attendance.sessions({visit.session_key for visit in visits})
    found = players.session_players([sessions[visit.session_key] for visit in visits])
    return [player is not None and _has_left(player.pk) for player in found]


def _has_left(player_id: int) -> bool:
    """Count an opening of a player; tell whether it is none too many."""
    try:
        rate_limit.spend("opening", f"player-{player_id}")
    except Illegal:
        return False
    return True
