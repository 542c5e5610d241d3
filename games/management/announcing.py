"""The announcement of the house's name in the LAN by mDNS (RFC 6762): stammtisch.local leads to it from every phone.

A second house of the same LAN becomes stammtisch-2.local, a third one stammtisch-3.local.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from games import interfaces

if TYPE_CHECKING:
    from zeroconf import Zeroconf

logger = logging.getLogger(__name__)
MOST_HOUSES = 50
PROBE_MS = 1000


class Network(Protocol):
    """A network in which names are announced."""

    def is_taken(self, name: str, addresses: Sequence[str]) -> bool:
        """Tell whether somebody else answers for a name; raises OSError."""

    def announce(self, name: str, addresses: Sequence[str], port: int) -> None:
        """Answer for a name from now on; raises OSError."""

    def withdraw(self) -> None:
        """Answer for it no longer, and say so."""


class Mdns:
    """The real network, by multicast on the interfaces of the given addresses."""

    def __init__(self) -> None:
        self._zeroconf: Zeroconf | None = None

    def _open(self, addresses: Sequence[str]) -> Zeroconf:
        # Loaded only where it is needed.
        from zeroconf import Zeroconf

        if self._zeroconf is None:
            self._zeroconf = Zeroconf(interfaces=list(addresses), use_asyncio=False)
        return self._zeroconf

    def is_taken(self, name: str, addresses: Sequence[str]) -> bool:
        """Ask for the name's address."""
        from zeroconf import AddressResolverIPv4, DNSQuestionType  # type: ignore[attr-defined]

        # An answer to all: of several programs on one computer an answer to one would reach any.
        kind, resolver = DNSQuestionType.QM, AddressResolverIPv4(f"{name}.")
        return bool(resolver.request(self._open(addresses), PROBE_MS, question_type=kind))

    def announce(self, name: str, addresses: Sequence[str], port: int) -> None:
        """Register a web server of this name."""
        from zeroconf import ServiceInfo

        kind, title = "_http._tcp.local.", name.removesuffix(".local")
        info = ServiceInfo(kind, f"{title}.{kind}", port=port, server=f"{name}.", parsed_addresses=list(addresses))
        self._open(addresses).register_service(info, allow_name_change=True)

    def withdraw(self) -> None:
        """Say goodbye for all that was registered, and leave."""
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None


class Announcer:
    """Announces one house at the addresses that it has at the moment."""

    def __init__(self, network: Network, title: str, port: int) -> None:
        self.network, self.title, self.port = network, title, port
        self._addresses: tuple[str, ...] = ()

    def renew(self, addresses: Sequence[str]) -> str:
        """Announce the house at these addresses if they are new; return the name of a new announcement, else ""."""
        if tuple(addresses) == self._addresses:
            return ""
        self.end()
        self._addresses = tuple(addresses)
        if not addresses:
            return ""
        try:
            name = self._free_name()
            self.network.announce(name, self._addresses, self.port)
        except Exception as error:
            # Nobody is kept from playing because a network carries no multicast.
            logger.warning("component=announcing event=failed: %s", error)
            with suppress(Exception):
                self.network.withdraw()
            return ""
        interfaces.keep_name(name, is_announced=True)
        return name

    def _free_name(self) -> str:
        """Return the name of the last time if it is free, else the first free one; raises OSError."""
        names = [f"{self.title}.local", *(f"{self.title}-{number}.local" for number in range(2, MOST_HOUSES))]
        kept = interfaces.kept_name()
        wanted = [kept, *names] if kept in names else names
        for name in wanted:
            if not self.network.is_taken(name, self._addresses):
                return name
        raise OSError(f"{MOST_HOUSES} houses have a name here")

    def end(self) -> None:
        """Withdraw the announcement; the name is kept for the next one."""
        if self._addresses:
            self._addresses = ()
            self.network.withdraw()
            if kept := interfaces.kept_name():
                interfaces.keep_name(kept, is_announced=False)
