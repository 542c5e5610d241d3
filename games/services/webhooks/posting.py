"""One POST to a webhook: over a connection of its own, to an address that was checked, without redirects."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from games.kernel.contract import Illegal
from games.services.webhooks import addresses
from games.services.webhooks.addresses import Connector, Resolver, Target
from games.version import version

SECONDS = 5.0
"""The time in which an address has to connect, and then the time in which it has to answer."""
MOST_READ = 4096


@dataclass(frozen=True, slots=True)
class WaysOut:
    """The ways out: how a name is resolved, and how an address is connected to."""

    resolve: Resolver = addresses.system_resolver
    connect: Connector = addresses.system_connector


SYSTEM = WaysOut()


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of timestamp, a point and body, in hexadecimal digits."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def post(
    address: str, body: bytes, secret: str, timestamp: int, network: WaysOut = SYSTEM, *, message_id: str = ""
) -> None:
    """Send a body to an address; `message_id` is the same however often a message is sent, "" for none.

    Raises Illegal as `addresses.parse` and `addresses.checked`, `webhook_unreachable` where nobody answers, and
    `webhook_status` for another answer than 2xx, a redirect included.
    """
    target = addresses.parse(address)
    signed = signature(secret, str(timestamp), body)
    head = {
        "Host": target.authority,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "User-Agent": f"Stammtisch/{version()}",
        "Connection": "close",
        **({"Stammtisch-Id": message_id} if message_id else {}),
        "Stammtisch-Timestamp": str(timestamp),
        "Stammtisch-Signature": f"v1={signed}",
    }
    found = addresses.checked(target, network.resolve)
    try:
        with _connected(target, found, network.connect) as line:
            line.sendall(_request(target, head) + body)
            status = _status(line)
    except (OSError, ValueError):
        raise Illegal("webhook_unreachable") from None
    if not 200 <= status < 300:
        raise Illegal("webhook_status", status=status)


def _connected(target: Target, found: list[str], connect: Connector) -> socket.socket:
    """Return a line to the first of these addresses that answers; raises OSError."""
    fault: OSError | None = None
    for ip in found[:3]:
        try:
            line = connect(ip, target.port, SECONDS)
        except OSError as error:
            fault = error
            continue
        line.settimeout(SECONDS)
        if target.scheme == "http":
            return line
        return ssl.create_default_context().wrap_socket(line, server_hostname=target.host)
    raise fault or OSError("no address")


def _request(target: Target, head: Mapping[str, str]) -> bytes:
    lines = [f"POST {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")


def _status(line: socket.socket) -> int:
    """Return the status of an answer, of which nothing else is read; raises OSError, ValueError."""
    end, got = time.monotonic() + SECONDS, b""
    while b"\n" not in got:
        left = end - time.monotonic()
        if left <= 0 or len(got) > MOST_READ:
            raise TimeoutError
        line.settimeout(left)
        part = line.recv(1024)
        if not part:
            raise ConnectionError
        got += part
    protocol, status = got.split(None, 2)[:2]
    if not protocol.startswith(b"HTTP/1."):
        raise ValueError
    return int(status)


def shown(address: str) -> str:
    """Return an address without what may be a secret: its path, and of another scheme all but the scheme."""
    parts = urlsplit(address)
    return parts.netloc if parts.scheme in addresses.USUAL_PORTS else f"{address.partition('://')[0]}://…"
