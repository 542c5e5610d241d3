"""Client addresses and host names: the address of a request's client, and the Hosts that are the house's.

Headers of a client are not trusted. Behind proxies named in PROXIES, the address is the one that the last of them saw.

Addresses that take more than usual: a part of each is signed for an hour, for an account and one purpose.

The servers know such an address by its signature before any of a body is kept; its view asks for the account and its
rights all the same.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from games import interfaces

_FORWARDED_FOR = b"x-forwarded-for"


def client_address(source: HttpRequest | dict[str, Any]) -> str:
    """Return the client's address of a request or an ASGI scope; empty if it is unknown.

    `X-Forwarded-For` is read from its end, as far as proxies of PROXIES wrote it: a client can write anything in front.
    """
    direct, lines = _from_request(source) if isinstance(source, HttpRequest) else _from_scope(source)
    if not is_proxy(direct):
        return direct
    named = [name.strip() for name in ",".join(lines).split(",") if name.strip()]
    for name in reversed(named):
        if not is_proxy(name):
            return name
    return named[0] if named else direct


def _from_request(request: HttpRequest) -> tuple[str, list[str]]:
    meta = request.META
    return plain(str(meta.get("REMOTE_ADDR") or "")), [str(meta.get("HTTP_X_FORWARDED_FOR", ""))]


def _from_scope(scope: dict[str, Any]) -> tuple[str, list[str]]:
    client = scope.get("client")
    lines = [value.decode("latin1") for name, value in scope["headers"] if name == _FORWARDED_FOR]
    return plain(str(client[0]) if client else ""), lines


def plain(address: str) -> str:
    """Return an address in its usual form: IPv4 inside IPv6 as IPv4; any other text unchanged."""
    try:
        found = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return address
    mapped = getattr(found, "ipv4_mapped", None)
    return str(mapped or found)


def is_web(url: str) -> bool:
    """Tell whether a text is the address of a place on the web: scheme, host and port, a path, and nothing else."""
    try:
        parts = urlsplit(url)
        is_place = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return is_place and re.fullmatch(r"[^\s@?#\\]+", url) is not None


def is_proxy(address: str) -> bool:
    """Tell whether an address is one of PROXIES; "" (a Unix socket) is, if there are any."""
    if not settings.PROXIES:
        return False
    return not address or is_of(address, settings.PROXIES)


def is_of(address: str, networks: Iterable[str]) -> bool:
    """Tell whether an address belongs to one of several networks."""
    try:
        found = ipaddress.ip_address(plain(address))
    except ValueError:
        return False
    return any(found in network for network in _networks(tuple(networks)))


@lru_cache(maxsize=8)
def _networks(texts: Sequence[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(text) for text in texts]


def network_of(address: str) -> str:
    """Return the network by which an address is counted: itself for IPv4, its /64 for IPv6."""
    try:
        found = ipaddress.ip_address(plain(address))
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False))


def is_ours(host: str, arrived_at: str) -> bool:
    """Tell whether a Host ("pub.local:8000") is the house's; its port does not matter.

    The house's hosts are the address at which the connection arrived, this computer's names, the name that is announced
    in the LAN, the host of PUBLIC_URL, and ALLOWED_HOSTS.
    """
    name, _ = split_domain_port(host.lower())
    if not name:
        return False
    own = plain(name) in {plain(arrived_at), "127.0.0.1", "::1"} or name in _own_names(settings.PUBLIC_URL)
    own = own or name == interfaces.announced_name()
    return own or validate_host(name, settings.ALLOWED_HOSTS)


@lru_cache(maxsize=4)
def _own_names(public_url: str) -> frozenset[str]:
    hostname = socket.gethostname().lower()
    public = urlsplit(public_url).hostname or "localhost"
    public = f"[{public}]" if ":" in public else public
    return frozenset({"localhost", public, hostname, f"{hostname.partition('.')[0]}.local"} - {""})


_SECONDS = 3600


def signed_token(purpose: str, user_id: int, about: str = "") -> str:
    """Return the part of an address that is signed for an account; `about` is the row's public id, "" for none."""
    return _signer(purpose).sign(f"{user_id}.{about}")


def account_of_token(purpose: str, signed: str, about: str = "") -> int | None:
    """Return the account for which a part was signed within the hour; None for another purpose or another row."""
    try:
        account, _dot, of = _signer(purpose).unsign(signed, max_age=_SECONDS).partition(".")
        return int(account) if of == about else None
    except (signing.BadSignature, ValueError):
        return None


def _signer(purpose: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(salt=f"games.{purpose}")
