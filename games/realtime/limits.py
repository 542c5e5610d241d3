"""Limits for strangers: frames of one connection, connections of one address and one player.

They count in this process. docs/protocol.md §7 tells them; settings.py has the numbers, of
which 0 is no limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from django.conf import settings

from games.realtime.sockets import CLOSE_FORBIDDEN, Socket

FLOOD_SECONDS = 20.0


class Flood:
    """Counts the frames of one connection in the last 20 s."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: list[float] = []

    def is_over(self, now: float, allowed: int) -> bool:
        """Count a frame that came at `now` (seconds); tell whether it was too many."""
        times = self._times
        times.append(now)
        if times[0] <= now - FLOOD_SECONDS:
            times[:] = [at for at in times if at > now - FLOOD_SECONDS]
        if not allowed:
            times.clear()
        return bool(allowed) and len(times) > allowed


class Doors:
    """Who is connected: how often an address, and by which sockets a player, oldest first."""

    def __init__(self) -> None:
        self._addresses: Counter[str] = Counter()
        self._players: dict[int, list[Socket]] = {}

    def knock(self, address: str) -> bool:
        """Count a connection of an address; tell whether there is room for it.

        Where the address is not known (a socket of the file system) there always is.
        """
        self._addresses[address] += 1
        most = settings.SOCKETS_PER_ADDRESS
        return not address or not most or self._addresses[address] <= most

    def gone(self, address: str) -> None:
        """Discount a connection of an address."""
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    def enter(self, socket: Socket) -> None:
        """Note whose a connection is. One too many shuts another one of the player.

        Who opens a page wants to see it, so the newest stays: shut is the oldest of those
        that nobody looks at, else the oldest. A phone that has lost its line comes back in
        this way, too, while the server still believes in the old line.
        """
        if socket.player_id is None:
            return
        mine = self._players.setdefault(socket.player_id, [])
        mine.append(socket)
        others = [each for each in mine[:-1] if not each.outbox.is_closing]
        if 0 < settings.SOCKETS_PER_GUEST <= len(others):
            unseen = next((each for each in others if each.is_hidden), others[0])
            unseen.dismiss("too_many_pages", CLOSE_FORBIDDEN)

    def leave(self, socket: Socket) -> None:
        """Forget a connection."""
        mine = self._players.get(socket.player_id or 0, [])
        if socket in mine:
            mine.remove(socket)
            if not mine:
                del self._players[socket.player_id or 0]

    def each(self, player_id: int, act: Callable[[Socket], None]) -> None:
        """Do something to every connection of a player."""
        mine: Iterable[Socket] = self._players.get(player_id, ())
        for socket in list(mine):
            act(socket)
