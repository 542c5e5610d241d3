"""Limits of open sockets, by address and by player, in this process (docs/protocol.md §7).

The settings have the numbers, of which 0 is no limit. A pub is one address: so everybody who is in
at a night has one page whatever else is open there, and sockets that have not said who they are take
nobody's place. Limits of frames are in games/live/servers/connection_limits.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.conf import settings

from games.live.rooms.sockets import Socket
from games.live.servers import connection_limits

# Of all connections, how many may be sockets that have not said who they are: one in so many.
UNKNOWN_SHARE = 4


class SocketLimits:
    """The open sockets: unknown ones, each person's, and screens that are nobody's.

    For each address there may be SOCKETS_PER_ADDRESS of the first, of the last, and of pages
    beyond everybody's first one.
    """

    def __init__(self) -> None:
        self._unknown: dict[Socket, None] = {}
        self._people: dict[int, list[Socket]] = {}
        self._screens: set[Socket] = set()
        self._further: Counter[str] = Counter()

    def opened(self, socket: Socket) -> None:
        """Note a connection that has not said who it is; where there are too many the oldest goes."""
        self._unknown[socket] = None
        of_address = [each for each in self._unknown if each.network == socket.network]
        if _is_over(socket.network, len(of_address)):
            self._turn_away(of_address[0])
        elif len(self._unknown) > max(1, connection_limits.most() // UNKNOWN_SHARE):
            self._turn_away(next(iter(self._unknown)))

    def closed(self, socket: Socket) -> None:
        """Forget a connection that had not said who it is."""
        self._unknown.pop(socket, None)

    def identified(self, socket: Socket) -> None:
        """Note whose a connection is; where it is one too many, it or another one of theirs goes."""
        self._unknown.pop(socket, None)
        if socket.person_id is not None:
            self._identified_as(socket, socket.person_id)
            return
        self._screens.add(socket)
        if _is_over(socket.network, sum(each.network == socket.network for each in self._screens)):
            self._turn_away(socket)

    def _identified_as(self, socket: Socket, person_id: int) -> None:
        """Note a page of a person. One too many shuts another one of the same person.

        Who opens a page wants to see it, so the newest stays: shut is the oldest of those
        that nobody looks at, else the oldest. A phone that has lost its line comes back in
        this way, too, while the server still believes in the old line.
        """
        mine = self._people.setdefault(person_id, [])
        self._count_further(mine, -1)
        mine.append(socket)
        self._count_further(mine, 1)
        others = [each for each in mine[:-1] if not each.outbox.is_closing]
        is_one_too_many = 0 < settings.SOCKETS_PER_GUEST <= len(others)
        if others and (is_one_too_many or _is_over(socket.network, self._further[socket.network])):
            unseen = next((each for each in others if each.is_hidden), others[0])
            unseen.dismiss("too_many_pages")

    def left(self, socket: Socket) -> None:
        """Forget a connection that has said who it is."""
        self._screens.discard(socket)
        mine = self._people.get(socket.person_id or 0, [])
        if socket in mine:
            self._count_further(mine, -1)
            mine.remove(socket)
            self._count_further(mine, 1)
            if not mine:
                del self._people[socket.person_id or 0]

    def each(self, person_id: int, act: Callable[[Socket], None]) -> None:
        """Do something to every connection of a person, whatever it watches."""
        for socket in list(self._people.get(person_id, ())):
            act(socket)

    def _count_further(self, mine: list[Socket], step: int) -> None:
        """Count the pages of a person beyond the first, for their addresses."""
        for socket in mine[1:]:
            self._further[socket.network] += step
            if not self._further[socket.network]:
                del self._further[socket.network]

    def _turn_away(self, socket: Socket) -> None:
        self._unknown.pop(socket, None)
        self._screens.discard(socket)
        socket.dismiss("too_many_sockets")


def _is_over(network: str, count: int) -> bool:
    """Tell whether an address has too many; where it is not known (a socket of the file system) never."""
    return bool(network) and 0 < settings.SOCKETS_PER_ADDRESS < count
