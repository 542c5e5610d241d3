"""Real servers to be attacked, and requests and frames written by hand."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

from tests.ops.test_serve_uvicorn import Uvicorn
from tests.server import Server

KINDS = {"daphne": Server, "uvicorn": Uvicorn}
TEXT, CLOSE, PING, PONG, MORE = 1, 8, 9, 10, 0
SECONDS = 20


def started(kind: str, folder: Path, **environment: str) -> Server:
    """Return a running server with an empty house."""
    server = KINDS[kind](folder, **{"CLOCK": "off", **environment})
    server.migrate()
    server.start()
    return server


def told(server: Server, code: str) -> dict:
    """Run code beside a server; return what it printed last, as JSON."""
    return json.loads(server.manage("shell", "-v", "0", "-c", code).splitlines()[-1])


@dataclass
class Answer:
    """An answer, split."""

    status: int
    head: str
    body: str

    @property
    def all(self) -> str:
        """Return head and body."""
        return f"{self.head}\n{self.body}"


def asked(server: Server, path: str, *lines: str, method: str = "GET", host: str = "", body: str = "") -> Answer:
    """Send one request with further header lines; return the answer."""
    host = host or f"127.0.0.1:{server.port}"
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", *lines]
    if body:
        head += [f"Content-Length: {len(body.encode())}", "Content-Type: application/x-www-form-urlencoded"]
    return sent(server, "\r\n".join([*head, "", body]).encode())


def sent(server: Server, data: bytes) -> Answer:
    """Send bytes on a connection of their own; return what comes back until it ends."""
    found = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as line:
        line.sendall(data)
        while chunk := line.recv(65536):
            found += chunk
    head, _, body = found.decode(errors="replace").partition("\r\n\r\n")
    return Answer(int(head.split()[1]) if head else 0, head, body)


def form(server: Server, path: str, fields: str, *lines: str) -> Answer:
    """Load a page and send its form back with further header lines."""
    page = asked(server, path)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.body)
    cookie = re.search(r"(?i)set-cookie: (csrftoken=\w+)", page.head)
    assert token is not None and cookie is not None, page.all
    origin = f"Origin: http://127.0.0.1:{server.port}"
    full = f"csrfmiddlewaretoken={token[1]}&{fields}"
    return asked(server, path, f"Cookie: {cookie[1]}", origin, *lines, method="POST", body=full)


def line(server: Server, path: str, cookie: str = "", *lines: str, host: str = "", room: int = 0) -> socket.socket:
    """Open a WebSocket; with `room` the system keeps only so many unread bytes of it."""
    found = socket.socket()
    if room:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    found.settimeout(SECONDS)
    found.connect(("127.0.0.1", server.port))
    host = host or f"127.0.0.1:{server.port}"
    head = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket"]
    key = base64.b64encode(os.urandom(16)).decode()
    head += ["Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *lines]
    head += [f"Cookie: {cookie}"] if cookie else []
    found.sendall("\r\n".join([*head, "", ""]).encode())
    return found


def opened(found: socket.socket) -> int:
    """Read the answer to a handshake; return its status."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = found.recv(1)
        if not byte:
            break
        head += byte
    return int(head.split()[1]) if head else 0


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """Return a client's frame, masked with zeros."""
    head = bytes([0x80 * is_last | opcode])
    size = len(payload)
    head += bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return head + bytes(4) + payload


def said(found: socket.socket, message: dict) -> None:
    """Send a text frame."""
    found.sendall(frame(TEXT, json.dumps(message).encode()))


def ended(found: socket.socket) -> int:
    """Read until the server ends the line; return its code, 1006 where it just cut the line.

    A close is answered as browsers do it: uvicorn waits 10 s for that.
    """
    data, code = b"", 1006
    try:
        while chunk := found.recv(65536):
            data += chunk
            if code == 1006 and (code := _close_code(data)) != 1006:
                found.sendall(frame(CLOSE, struct.pack("!H", code)))
    except TimeoutError as error:
        raise AssertionError("the line is still open") from error
    except ConnectionError:
        pass
    return code


def _close_code(data: bytes) -> int:
    """Return the code of the close among a server's frames, 1006 without one."""
    at = 0
    while at + 2 <= len(data):
        opcode, size = data[at] & 15, data[at + 1] & 127
        at += 2
        if size == 126:
            size, at = struct.unpack("!H", data[at : at + 2])[0], at + 2
        elif size == 127:
            size, at = struct.unpack("!Q", data[at : at + 8])[0], at + 8
        if opcode == CLOSE and size >= 2 and at + 2 <= len(data):
            return int(struct.unpack("!H", data[at : at + 2])[0])
        at += size
    return 1006


def memory(server: Server) -> float:
    """Return a server's resident memory in MB."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
