"""The server's addresses: free ports, the addresses at which phones reach it, and their QR code."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence

import segno
from django.core.management.base import CommandError

from games.command_line import shell_command

EVERYWHERE = "0.0.0.0"  # noqa: S104 (phones must reach it: that is the purpose of the server)
# An address reserved for documentation: connecting a UDP socket to it sends nothing.
_FAR_AWAY = "192.0.2.1"
_BLACK_ON_WHITE, _RESET = "\033[30;107m", "\033[0m"
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def check_port(host: str, port: int) -> None:
    """Raise CommandError, with the remedy, if the server cannot listen there."""
    if not 0 < port < 65536:
        raise CommandError(f"{port} is no port: choose one from 1024 to 65535.")
    try:
        _try(host, port)
    except OSError as error:
        raise CommandError(_port_problem(host, port, error)) from None


def _try(host: str, port: int) -> None:
    """Listen for a moment; raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        # As the server does: a port whose last connections are still closing counts as free.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(1)


def _port_problem(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = _next_free(host, port)
        return f"Port {port} is taken by another program. Choose another: PORT={other} {shell_command('play')}"
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved. Choose one from 1024 on: PORT=8000 {shell_command('play')}"
    return f"This computer can't listen at {host}: {error}. Leave HOST away to listen everywhere."


def _next_free(host: str, port: int) -> int:
    """Return the next free port after `port`; 8000 if there is none."""
    for candidate in range(port + 1, 65536):
        try:
            _try(host, candidate)
        except OSError:
            continue
        return candidate
    return 8000


def lan_addresses() -> list[str]:
    """Return this computer's IPv4 addresses in its networks, the most probable first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((_FAR_AWAY, 9))
            found.append(sock.getsockname()[0])
        except OSError:
            pass  # no route out of this computer: an offline laptop
    try:
        names = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        names = []
    found.extend(str(info[4][0]) for info in names)
    return [a for a in dict.fromkeys(found) if not a.startswith(("127.", "0."))]


def addresses(host: str, port: int) -> list[str]:
    """Return the URLs of a server at `host`, URLs for other devices first."""
    hosts = [*lan_addresses(), "localhost"] if host in (EVERYWHERE, "::") else [host]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in hosts]


def qr_text(url: str) -> str:
    """Return a QR code for a terminal, two rows in a line, black on white on any background."""
    rows = [list(row) for row in segno.make(url, error="m", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs: Sequence[tuple[list[int], list[int]]] = list(zip(rows[::2], rows[1::2], strict=True))
    return "\n".join(_BLACK_ON_WHITE + "".join(map(_half_block, upper, lower)) + _RESET for upper, lower in pairs)


def _half_block(upper: int, lower: int) -> str:
    return _HALVES[int(bool(upper)), int(bool(lower))]
