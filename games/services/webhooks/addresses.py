"""Addresses of webhooks: which ones the house connects to.

A name is resolved, every address that it has is checked, and one of *these* is connected to: what the name leads to a
moment later changes nothing. Redirects are not followed. Always refused are numbers in the place of a name, in whatever
form, the house's own names and addresses, loopback, link-local, multicast and reserved addresses, and those of IPv6
that wrap one of IPv4. Private networks are refused unless the admin's setting WEBHOOKS_PRIVATE is on.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import ifaddr
from django.conf import settings

from games import interfaces
from games.kernel.contract import Illegal

LONGEST = 500
USUAL_PORTS = {"http": 80, "https": 443}
LOWEST_OTHER_PORT = 1024
Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver: TypeAlias = Callable[[str, int], Sequence[str]]
"""Host and port → numeric addresses; raises OSError."""
Connector: TypeAlias = Callable[[str, int, float], socket.socket]
"""A numeric address, a port and seconds → a connected socket; raises OSError."""

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)")
_PRINTABLE = re.compile(r"[\x21-\x7e]+")
_PRIVATE = tuple(
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)
# Of special purpose by IANA's registries: Python's own list grows from one version to the next.
_SPECIAL_4 = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
# All of IPv6 that is given out lies in 2000::/3; what wraps an address of IPv4 lies outside of it, or in one of these.
_UNICAST_6 = ipaddress.ip_network("2000::/3")
_SPECIAL_6 = tuple(ipaddress.ip_network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))


@dataclass(frozen=True, slots=True)
class Target:
    """A webhook's address in its parts; `path` has the query, too."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        return self.host if self.port == USUAL_PORTS[self.scheme] else f"{self.host}:{self.port}"


def parse(address: str) -> Target:
    """Return the parts of an address; raises Illegal `webhook_address`, and `webhook_refused` for a number as host."""
    try:
        parts = urlsplit(address)
        port, host = parts.port, (parts.hostname or "").removesuffix(".")
    except ValueError:
        raise Illegal("webhook_address") from None
    if len(address) > LONGEST or not _PRINTABLE.fullmatch(address) or parts.scheme not in USUAL_PORTS:
        raise Illegal("webhook_address")
    if "@" in parts.netloc or "\\" in address or parts.fragment:
        raise Illegal("webhook_address")
    port = USUAL_PORTS[parts.scheme] if port is None else port
    if ":" in host or "%" in host or _NUMBER.fullmatch(host.rsplit(".", 1)[-1]):
        raise Illegal("webhook_refused")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise Illegal("webhook_address")
    if port not in USUAL_PORTS.values() and port < LOWEST_OTHER_PORT:
        raise Illegal("webhook_address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path)


def checked(target: Target, resolve: Resolver, own: Iterable[str] | None = None) -> list[str]:
    """Return the addresses to connect to, all of them checked. `own` are the house's own, by default this computer's.

    Raises Illegal `webhook_unreachable` for a name that has none, `webhook_refused`, `webhook_private`.
    """
    if target.host in own_names() or target.host.endswith(".localhost"):
        raise Illegal("webhook_refused")
    try:
        found = list(resolve(target.host, target.port))
    except (OSError, UnicodeError):
        raise Illegal("webhook_unreachable") from None
    if not found:
        raise Illegal("webhook_unreachable")
    mine = set(own_addresses() if own is None else own)
    for text in found:
        check_ip(text, mine)
    return found


def check_ip(text: str, own: Iterable[str]) -> None:
    """Check one numeric address; raises Illegal `webhook_refused`, `webhook_private`."""
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        raise Illegal("webhook_refused") from None
    if str(ip) in own:
        raise Illegal("webhook_refused")
    if any(ip in network for network in _PRIVATE):
        if not settings.WEBHOOKS_PRIVATE:
            raise Illegal("webhook_private")
    elif _is_special(ip) or not ip.is_global:
        raise Illegal("webhook_refused")


def _is_special(ip: Ip) -> bool:
    """Tell whether an address that is in no private network is not one of the internet."""
    if isinstance(ip, ipaddress.IPv6Address):
        return ip.scope_id is not None or ip not in _UNICAST_6 or any(ip in network for network in _SPECIAL_6)
    return any(ip in network for network in _SPECIAL_4)


def own_names() -> set[str]:
    """Return the names by which this house is reached."""
    names = {urlsplit(settings.PUBLIC_URL).hostname or "", interfaces.announced_name(), socket.gethostname()}
    names |= {name.removeprefix(".") for name in settings.ALLOWED_HOSTS if name != "*"}
    return {"localhost", *(name.lower() for name in names if name)}


def own_addresses() -> set[str]:
    """Return all addresses of this computer."""
    found = (ip.ip if isinstance(ip.ip, str) else ip.ip[0] for each in ifaddr.get_adapters() for ip in each.ips)
    return {str(ipaddress.ip_address(text.split("%", 1)[0])) for text in found}


def system_resolver(host: str, port: int, *, look_up: Callable[..., Any] | None = None) -> list[str]:
    """Return the addresses of a name, as the system knows them; `look_up` is `socket.getaddrinfo` by default."""
    rows = (look_up or socket.getaddrinfo)(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def system_connector(ip: str, port: int, seconds: float) -> socket.socket:
    """Connect to a numeric address."""
    return socket.create_connection((ip, port), timeout=seconds)
