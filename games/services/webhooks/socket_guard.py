"""Guard of all connections of a process: the checks of webhooks' addresses, for a library that connects by itself.

A name is resolved once, each address that it has is checked, and what is connected to is checked again: what the name
leads to a moment later changes nothing. It belongs into a process of its own, whose other connections it would refuse.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from games.kernel.contract import Illegal
from games.services.webhooks import addresses
from games.services.webhooks.addresses import Resolver, Target

SECONDS = 10.0
"""The time in which an address has to connect, and then to answer each time."""
PLAIN_CONNECT, PLAIN_LOOKUP = socket.socket.connect, socket.getaddrinfo
Connect = Callable[[socket.socket, Any], None]
"""Connects a socket to a numeric address and port; raises OSError."""


def plain_resolver(host: str, port: int) -> list[str]:
    """Return the addresses of a name, as the system knows them, under a guard too."""
    return addresses.system_resolver(host, port, look_up=PLAIN_LOOKUP)


@dataclass(slots=True)
class Guard:
    """A guard with the codes of its `refusals`. `own` are the house's own addresses, by default this computer's."""

    resolve: Resolver = plain_resolver
    connect: Connect = PLAIN_CONNECT
    own: frozenset[str] = field(default_factory=lambda: frozenset(addresses.own_addresses()))
    refusals: list[str] = field(default_factory=list)

    def found(self, host: Any, port: Any, family: int, kind: int, proto: int) -> list[Any]:
        """Do as `socket.getaddrinfo` does, for names that lead to checked addresses alone; raises OSError."""
        name = host.decode() if isinstance(host, bytes) else str(host or "")
        try:
            target = addresses.parse(f"http://{name}/")
            ips = addresses.checked(target_at(target, port), self.resolve, self.own)
        except Illegal as refusal:
            self._refuse(refusal)
        rows = [(_family(ip), kind or socket.SOCK_STREAM, proto, "", (ip, int(port or 0))) for ip in ips]
        return [row for row in rows if family in (0, row[0])]

    def connected(self, line: socket.socket, address: Any) -> None:
        """Connect a socket to an address that is a checked number; raises OSError."""
        try:
            if line.family not in (socket.AF_INET, socket.AF_INET6):
                raise Illegal("webhook_refused")
            addresses.check_ip(str(address[0]), self.own)
        except Illegal as refusal:
            self._refuse(refusal)
        if line.gettimeout() is None:
            line.settimeout(SECONDS)
        self.connect(line, address)

    def no_datagram(self, *_args: Any) -> NoReturn:
        """Refuse what is sent without a connection; raises OSError."""
        self._refuse(Illegal("webhook_refused"))

    def _refuse(self, refusal: Illegal) -> NoReturn:
        self.refusals.append(refusal.code)
        raise OSError(refusal.code)


def target_at(target: Target, port: Any) -> Target:
    """Return a target at another port."""
    return Target(target.scheme, target.host, int(port or 0), target.path)


def _family(ip: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in ip else socket.AF_INET


@contextmanager
def guarded(guard: Guard) -> Iterator[Guard]:
    """Let all connections of this process pass a guard, those of TLS included: they are made by the same methods."""

    def connect(line: socket.socket, address: Any) -> None:
        guard.connected(line, address)

    def connect_ex(line: socket.socket, address: Any) -> int:
        guard.connected(line, address)
        return 0

    def resolve(  # noqa: PLR0917 (as its original)
        host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        return guard.found(host, port, family, type, proto)

    methods: dict[str, Any] = {"connect": connect, "connect_ex": connect_ex}
    methods |= dict.fromkeys(("sendto", "sendmsg"), guard.no_datagram)
    for name, method in methods.items():
        setattr(socket.socket, name, method)
    socket.getaddrinfo = resolve
    try:
        yield guard
    finally:
        socket.getaddrinfo = PLAIN_LOOKUP
        for name in methods:
            delattr(socket.socket, name)
