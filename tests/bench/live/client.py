"""Lean WebSocket lines for the live benchmark: raw sockets, one epoll, no parsing to spare.

A load process must cost far less than the server that it measures. So a frame is only looked
at as far as it takes to know which entry it is and whether it asks its seat for something.
"""

from __future__ import annotations

import base64
import os
import select
import socket
import struct
from collections.abc import Callable, Sequence
from typing import TypeAlias

Got: TypeAlias = Callable[["Line", bytes], None]

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_READ = 1 << 18
# Twisted listens with a backlog of 50.
AT_ONCE = 40
# What a phone's browser sends beside the handshake itself. A server that takes the extension up compresses each frame.
BROWSERS_LINES = (
    "Pragma: no-cache",
    "Cache-Control: no-cache",
    "User-Agent: Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
)


class Broken(Exception):
    """A line that the server closed, or did not open."""


def packed(payload: bytes, opcode: int = _TEXT) -> bytes:
    """Return a client's frame; the mask is zero, which spares this side the masking."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    else:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    return head + b"\0\0\0\0" + payload


class Line:
    """One connection of one seat of one table."""

    __slots__ = ("got", "rest", "seat", "sock", "table")

    def __init__(self, sock: socket.socket, table: int, seat: int, got: Got) -> None:
        self.sock, self.table, self.seat, self.got = sock, table, seat, got
        self.rest = b""

    def send(self, payload: bytes) -> None:
        """Send a text frame; such small ones always fit into the socket's buffer."""
        self.sock.send(packed(payload))

    def read(self) -> None:
        """Read what is there and hand over each whole text frame; raises Broken."""
        data = self.sock.recv(_READ)
        if not data:
            raise Broken(f"table {self.table}, seat {self.seat}: the line broke")
        self.take(self.rest + data if self.rest else data)

    def take(self, data: bytes) -> None:
        """Hand over each whole frame of `data` and keep the rest."""
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                start = at + 4
                size = int.from_bytes(data[at + 2 : start]) if end >= start else end
            elif size == 127:
                start = at + 10
                size = int.from_bytes(data[at + 2 : start]) if end >= start else end
            if start + size > end:
                break
            opcode, at = data[at] & 15, start + size
            if opcode == _TEXT:
                self.got(self, data[start:at])
            else:
                self._control(opcode, data[start:at])
        self.rest = data[at:]

    def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == _PING:
            self.sock.send(packed(payload, _PONG))
        elif opcode == _CLOSE:
            code = int.from_bytes(payload[:2])
            raise Broken(f"table {self.table}, seat {self.seat}: closed with {code}")


class Lines:
    """All lines of a load process, read as they become ready."""

    def __init__(self) -> None:
        self.all: list[Line] = []
        self._by_fd: dict[int, Line] = {}
        self._epoll = select.epoll()

    def open(self, wanted: Sequence[tuple[int, str, str, int, int]], got: Got) -> list[Line]:
        """Open lines given as (port, path, cookie, table, seat); raises Broken."""
        opened: list[Line] = []
        for start in range(0, len(wanted), AT_ONCE):
            batch = [(_asked(*each[:3]), each) for each in wanted[start : start + AT_ONCE]]
            opened += [Line(_accepted(sock), each[3], each[4], got) for sock, each in batch]
            self.poll(0.0)
        for line in opened:
            self._add(line)
        return opened

    def _add(self, line: Line) -> None:
        line.sock.setblocking(False)
        self.all.append(line)
        self._by_fd[line.sock.fileno()] = line
        self._epoll.register(line.sock.fileno(), select.EPOLLIN)

    def poll(self, timeout: float) -> None:
        """Wait until something comes, `timeout` seconds at most, and read it."""
        by_fd = self._by_fd
        for fd, _ in self._epoll.poll(timeout):
            by_fd[fd].read()

    def close(self) -> None:
        """Close every line."""
        for line in self.all:
            line.sock.close()
        self._epoll.close()


def _asked(port: int, path: str, cookie: str) -> socket.socket:
    """Return a socket over which a WebSocket has been asked for."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=60)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    host = f"127.0.0.1:{port}"
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: http://{host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *BROWSERS_LINES,
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    sock.sendall("\r\n".join([*lines, "", ""]).encode())
    return sock


def _accepted(sock: socket.socket) -> socket.socket:
    """Read the server's yes, and not a byte more: it speaks only when it was spoken to."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = sock.recv(4096)
        if not data:
            raise Broken("the server hung up at the handshake")
        head += data
    if not head.startswith(b"HTTP/1.1 101"):
        raise Broken(f"the server said {head.splitlines()[0].decode('latin1')}")
    return sock
