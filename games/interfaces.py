"""The computer's addresses in its networks: the kind of each, and the one by which phones reach the house.

Private networks by Wi-Fi or cable come first, VPNs and the bridges of containers last, whatever the default route is.
The system is asked again every few seconds: a Wi-Fi may come up or change while the house is open.

The house's name in the LAN, such as stammtisch.local: kept in the data folder, for all its processes.

The name outlives a restart, so that a printed card leads to the same house (games/management/announcing.py).
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum

import ifaddr
from django.conf import settings

SECONDS = 3.0
# An address reserved for documentation: connecting a UDP socket to it sends nothing.
_FAR_AWAY = "192.0.2.1"
_WIFI = re.compile(r"^(wl|wifi|ath|ap\d)|wi-?fi|wireless")
_VPN = re.compile(
    r"^(tun|tap|wg|utun|ppp|tailscale|zt|ipsec|nordlynx|proton|mullvad|gpd|vpn|wwan|rmnet)|wireguard|tap-windows|vpn"
)
_BRIDGE = re.compile(
    r"^(docker|br-|veth|virbr|podman|cni|lxc|lxd|vmnet|vboxnet|vnet|flannel|cali)|vethernet|hyper-v|virtual"
)
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Addresses that providers and VPNs share out; no phone in a Wi-Fi has one."""


class NetworkKind(IntEnum):
    """The kind of network that an address is in; phones get to the first ones rather than to the last ones."""

    WIFI = 0
    CABLE = 1
    PUBLIC = 2
    VPN = 3
    BRIDGE = 4
    SELF_MADE = 5
    """An address that the computer gave itself where nobody gave it one (169.254.…)."""


@dataclass(frozen=True, slots=True)
class Address:
    """An IPv4 address of this computer, and the interface that has it."""

    text: str
    interface: str
    kind: NetworkKind

    @property
    def is_for_phones(self) -> bool:
        """Tell whether phones in the pub's network can be expected to get there."""
        return self.kind <= NetworkKind.PUBLIC


def kind_of(interface: str, address: str) -> NetworkKind:
    """Return the kind of an address by its interface's name and its network."""
    name, found = interface.lower(), ipaddress.IPv4Address(address)
    if found.is_link_local:
        return NetworkKind.SELF_MADE
    if _BRIDGE.search(name):
        return NetworkKind.BRIDGE
    if _VPN.search(name) or found in _SHARED:
        return NetworkKind.VPN
    if _WIFI.search(name):
        return NetworkKind.WIFI
    return NetworkKind.CABLE if found.is_private else NetworkKind.PUBLIC


def ranked(found: Iterable[tuple[str, str]], default: str) -> list[Address]:
    """Return the addresses of (interface, address), those for phones first.

    Of one kind the one of the default route comes first. Addresses that only this computer has are left out.
    """
    known = {address: Address(address, name, kind_of(name, address)) for name, address in found if _leads_out(address)}
    return sorted(known.values(), key=lambda each: (each.kind, each.text != default))


def _leads_out(address: str) -> bool:
    found = ipaddress.IPv4Address(address)
    return not (found.is_loopback or found.is_unspecified)


def read() -> tuple[list[tuple[str, str]], str]:
    """Return (interface, address) of all IPv4 addresses, and the address of the default route ("" without one)."""
    default = _default()
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # a sandbox that does not tell
        return ([("", default)] if default else []), default
    return [(str(each.nice_name), str(ip.ip)) for each in adapters for ip in each.ips if ip.is_IPv4], default


def _default() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((_FAR_AWAY, 9))
            return str(sock.getsockname()[0])
        except OSError:
            return ""  # no route out of this computer: an offline laptop


_last: tuple[float, Sequence[Address]] = (-SECONDS, ())
_listening: str | None = None


def listen_at(host: str) -> None:
    """Note where `serve` listens in this process; under another server nobody knows."""
    global _listening  # noqa: PLW0603
    _listening = host


def addresses() -> list[Address]:
    """Return this computer's addresses, those for phones first."""
    global _last  # noqa: PLW0603
    at, found = _last
    if time.monotonic() >= at + SECONDS:
        found = ranked(*read())
        _last = time.monotonic(), found
    return list(found)


def forget() -> None:
    """Ask the system again at the next question."""
    global _last  # noqa: PLW0603
    _last = (-SECONDS, ())


def reachable() -> list[Address]:
    """Return the addresses at which `serve` is reached, those for phones first; empty under another server."""
    if _listening is None:
        return []
    return [each for each in addresses() if _listening in EVERYWHERE or each.text == _listening]


def for_phones(arrived: Sequence[str], chosen: str = "") -> str:
    """Return the address by which links lead phones here; "" where nothing is known.

    That is the chosen one (or the house's name in the LAN) while it is there; else the first of the addresses at which
    connections have arrived, the host's before others', that phones can use; else the best of this computer's.
    """
    known = {each.text: each for each in reachable()}
    if chosen in known or (chosen and chosen == announced_name()):
        return chosen
    is_any_for_phones = any(each.is_for_phones for each in known.values())
    for each in arrived:
        if each in known and (known[each].is_for_phones or not is_any_for_phones):
            return each
    return next(iter(known), "")


NAME_FILE = "lan_name.json"
_last_name: tuple[float, str] = (-SECONDS, "")


def kept_name() -> str:
    """Return the name that the house had last; "" if it never had one."""
    return _read_name()[0]


def announced_name() -> str:
    """Return the name that is announced now; "" for none. Asked at every request, read every few seconds."""
    global _last_name  # noqa: PLW0603
    at, name = _last_name
    if time.monotonic() >= at + SECONDS:
        found, is_announced = _read_name()
        name = found if is_announced else ""
        _last_name = time.monotonic(), name
    return name


def keep_name(name: str, *, is_announced: bool) -> None:
    """Keep the name, and whether it is announced."""
    global _last_name  # noqa: PLW0603
    (settings.DATA_DIR / NAME_FILE).write_text(json.dumps({"name": name, "is_announced": is_announced}))
    _last_name = (-SECONDS, "")


def _read_name() -> tuple[str, bool]:
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((settings.DATA_DIR / NAME_FILE).read_text())
        return str(found["name"]), bool(found["is_announced"])
    return "", False


EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 (values of HOST)
