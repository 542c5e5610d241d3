"""The server's addresses: free ports, the addresses at which phones reach it, and their QR code."""

from __future__ import annotations

import errno
import html
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.color import supports_color

from games import interfaces
from games.command_line import play_command
from games.management import announcing
from games.ops.files import write_whole
from games.ops.system import calls

END_SECONDS = 5
OPEN_SECONDS = 120
EVERYWHERE = ""
"""The host of a server at all interfaces: by IPv4, and by IPv6 where the system has it."""
_BACKLOG = 512
_QR_PAGE = "address.html"
"""The file in the data folder with the QR code of the house's address."""
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


def check_address(host: str, port: int, *, is_open: bool) -> None:
    """Raise CommandError as `check_port`, but not for a port that is taken while the house `is_open`."""
    try:
        check_port(host, port)
    except CommandError:
        if not (is_open and 0 < port < 65536 and _is_address_here(host)):
            raise


def _is_address_here(host: str) -> bool:
    """Tell whether a server can listen at an address, at some port."""
    try:
        _try(host, 0)
    except OSError:
        return False
    return True


def _try(host: str, port: int) -> None:
    """Listen for a moment; raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        calls.keep_port(sock)
        try:
            sock.bind((host, port))
        except UnicodeError as error:
            raise OSError(str(error)) from None
        sock.listen(1)
    if host == EVERYWHERE and (other := listen_by_ipv6(port)) is not None:
        other.close()


def listen_by_ipv6(port: int) -> socket.socket | None:
    """Return a socket that listens at all interfaces by IPv6 alone; None where the system has none.

    Raises OSError where another program has the port.
    """
    try:
        sock = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    except OSError:
        return None
    try:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        calls.keep_port(sock)
        sock.bind(("::", port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise
        return None
    sock.setblocking(False)
    return sock


def _port_problem(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = _next_free(host, port)
        return f"Port {port} is taken by another program. Choose another: {play_command(other)}"
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved. Choose one from 1024 on: {play_command(8000)}"
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


def addresses(host: str, port: int) -> list[str]:
    """Return the URLs of a server at `host`, URLs for other devices first."""
    found = [each.text for each in interfaces.addresses() if each.kind != interfaces.NetworkKind.SELF_MADE]
    hosts = [*found, "localhost"] if host in interfaces.EVERYWHERE else [host]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in hosts]


def best(port: int) -> str:
    """Return the URL of a server on all interfaces, for other devices; "" if this computer is in no network."""
    url = addresses(EVERYWHERE, port)[0]
    return "" if "//localhost:" in url else url


class Watch:
    """Looks at this computer's networks while the house is open, in a thread of its own.

    `tell` gets a sentence and a URL each time that phones have another way in; the house's name is announced anew.
    """

    def __init__(self, port: int, tell: Callable[[str, str], Any], announcer: announcing.Announcer | None) -> None:
        self.port, self.tell, self.announcer = port, tell, announcer
        self._before = best(port)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="addresses", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(END_SECONDS)
        if self.announcer is not None:
            self.announcer.end()

    def _run(self) -> None:
        self.look()
        while not self._end.wait(interfaces.SECONDS):
            self.look()

    def look(self) -> None:
        """Look once; tell what is new."""
        now = best(self.port)
        if now and now != self._before:
            self._before = now
            self.tell("Phones come in by now:", now)
        if self.announcer is not None:
            found = [each.text for each in interfaces.reachable() if each.kind <= interfaces.NetworkKind.CABLE]
            if name := self.announcer.renew(found):
                self.tell("In this network also:", f"http://{name}:{self.port}")


def shows_blocks(stream: Any) -> bool:
    """Tell whether a terminal shows the blocks and colours of `qr_text`."""
    try:
        "".join(_HALVES.values()).encode(getattr(stream, "encoding", "") or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return not calls.IS_WINDOWS or supports_color()


def write_qr_page(url: str) -> str:
    """Write the QR code of an address as a page into the data folder; return the page's address, "" without room."""
    code = segno.make(url, error="m", micro=False).svg_inline(scale=10, border=4, dark="#000", light="#fff")
    path = Path(settings.DATA_DIR) / _QR_PAGE
    text = f"<h1>{html.escape(url)}</h1>{code}"
    try:
        write_whole(path, f'<!doctype html><meta charset="utf-8"><title>Stammtisch</title>{text}\n')
    except OSError:
        return ""
    return path.as_uri()


def open_browser(url: str, host: str, port: int) -> threading.Thread:
    """Open a page in this computer's browser as soon as the house listens at a host; return the thread that waits."""

    def wait_and_open() -> None:
        until = time.monotonic() + OPEN_SECONDS
        while time.monotonic() < until:
            try:
                socket.create_connection((host, port), timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                webbrowser.open(url)
                return

    thread = threading.Thread(target=wait_and_open, name="browser", daemon=True)
    thread.start()
    return thread


def qr_text(url: str) -> str:
    """Return a QR code for a terminal, two rows in a line, black on white on any background."""
    rows = [list(row) for row in segno.make(url, error="m", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs: Sequence[tuple[list[int], list[int]]] = list(zip(rows[::2], rows[1::2], strict=True))
    return "\n".join(_BLACK_ON_WHITE + "".join(map(_half_block, upper, lower)) + _RESET for upper, lower in pairs)


def _half_block(upper: int, lower: int) -> str:
    return _HALVES[int(bool(upper)), int(bool(lower))]
