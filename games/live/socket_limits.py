"""Limits of open sockets, by address and by player, in this process (docs/protocol.md §7).

The settings have the numbers; 0 is no limit. A whole pub may share one address: therefore every member of a night can
have one page whatever else is open there, and sockets without a known player take no member's place. When a pub's
phones come back at once, many have said who they are and wait for the house: none is closed for that. Limits of frames
are in games/live/servers/connection_limits.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.conf import settings

from games.live.rooms.sockets import Socket
from games.live.servers import connection_limits

# At most one in so many of all connections may be a socket whose player is not known yet.
UNKNOWN_SHARE = 4


class SocketLimits:
    """The open sockets: unknown ones, each person's, and TV screens without a player.

    Each address may have SOCKETS_PER_ADDRESS sockets that have not said who they are, as many TV screens, and as many
    pages beyond each person's first.
    """

    def __init__(self) -> None:
        self._unknown: dict[Socket, None] = {}
        self._silent: dict[Socket, None] = {}
        """Of the unknown ones, those that have not said who they are."""
        self._people: dict[int, list[Socket]] = {}
        self._screens: set[Socket] = set()
        self._further: Counter[str] = Counter()

    def opened(self, socket: Socket) -> None:
        """Note a connection whose player is not known yet; if there are too many, the oldest is closed."""
        self._unknown[socket] = self._silent[socket] = None
        of_address = [each for each in self._silent if each.network == socket.network]
        if _is_over(socket.network, len(of_address)):
            self._turn_away(of_address[0])
        elif len(self._unknown) > max(1, connection_limits.most() // UNKNOWN_SHARE):
            self._turn_away(next(iter(self._unknown)))

    def said(self, socket: Socket) -> None:
        """Note that a connection has said who it is; its player is known once the house has looked."""
        self._silent.pop(socket, None)

    def closed(self, socket: Socket) -> None:
        """Forget a connection whose player never became known."""
        self._unknown.pop(socket, None)
        self._silent.pop(socket, None)

    def identified(self, socket: Socket) -> None:
        """Note the person of a connection; if it is one too many, it or another one of theirs is closed."""
        self.closed(socket)
        if socket.person_id is not None:
            self._identified_as(socket, socket.person_id)
            return
        self._screens.add(socket)
        if _is_over(socket.network, sum(each.network == socket.network for each in self._screens)):
            self._turn_away(socket)

    def _identified_as(self, socket: Socket, person_id: int) -> None:
        """Note a page of a person; if it is one too many, close another page of the same person.

        Connections to tables and to nights are counted each for themselves: a host's page of a table has one of both.
        The newest page stays, because it was opened to be seen: closed is the oldest hidden one, else the oldest. A
        phone that has lost its connection also comes back this way, while the server still believes the old one to be
        open.
        """
        sockets = self._people.setdefault(person_id, [])
        self._count_further(sockets, -1)
        sockets.append(socket)
        self._count_further(sockets, 1)
        others = [each for each in sockets[:-1] if not each.outbox.is_closing]
        alike = [each for each in others if _is_at_table(each) == _is_at_table(socket)]
        is_one_too_many = 0 < settings.SOCKETS_PER_GUEST <= len(alike)
        if others and (is_one_too_many or _is_over(socket.network, self._further[socket.network])):
            closable = alike if is_one_too_many else others
            unseen = next((each for each in closable if each.is_hidden), closable[0])
            unseen.dismiss("too_many_pages")

    def left(self, socket: Socket) -> None:
        """Forget a connection whose person is known."""
        self._screens.discard(socket)
        sockets = self._people.get(socket.person_id or 0, [])
        if socket in sockets:
            self._count_further(sockets, -1)
            sockets.remove(socket)
            self._count_further(sockets, 1)
            if not sockets:
                del self._people[socket.person_id or 0]

    def each(self, person_id: int, act: Callable[[Socket], None]) -> None:
        """Call `act` for every connection of a person, whatever it shows."""
        for socket in list(self._people.get(person_id, ())):
            act(socket)

    def _count_further(self, sockets: list[Socket], step: int) -> None:
        """Add `step` to the counts of a person's pages beyond the first, by their addresses."""
        for socket in sockets[1:]:
            self._further[socket.network] += step
            if not self._further[socket.network]:
                del self._further[socket.network]

    def _turn_away(self, socket: Socket) -> None:
        self.closed(socket)
        self._screens.discard(socket)
        socket.dismiss("too_many_sockets")


def _is_at_table(socket: Socket) -> bool:
    return socket.access is not None


def _is_over(network: str, count: int) -> bool:
    """Tell whether an address has too many; False if it is unknown (a Unix socket)."""
    return bool(network) and 0 < settings.SOCKETS_PER_ADDRESS < count
