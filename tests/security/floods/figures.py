"""What floods cost a house: `python -m tests.security.floods.figures [--server uvicorn] pings trickle openings`.

pings: four sockets that ping as fast as they can and read nothing. trickle: 1,050 connections that
send a byte every 12 s, each a different half of a request; meanwhile a guest asks for the front door. openings: 504
sockets of one address that open at once; meanwhile a page at the night asks for a sign of life.
"""

from __future__ import annotations

import argparse
import resource
import selectors
import socket
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tests.security.floods.servers import PING, Server, frame, line, memory, opened, said, started, told

NIGHT = """
import json
from games.ops.session_keys import SessionStore
from games.services.nights import membership
from games.services.people import players
hanna = players.new_guest("Hanna")
night = membership.host_night(hanna, "Thursday")
session = SessionStore(); session["player_id"] = hanna.pk; session.create()
print(json.dumps({"socket": f"/ws/night/{night.public_id}/", "cookie": f"sessionid={session.session_key}"}))
"""
PINGERS, TRICKLERS, PAUSE = 4, 1050, 12.0
OPENERS, ASKED, PONG_APART = 504, 30, 0.5
BEGINNINGS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: pub.local\r\nX-A: ",
    b"POST /join/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n",
    b"GET /ws/night/x/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-A: ",
)


def pingers(server: Server, seconds: float) -> dict[str, float]:
    """Let sockets ping and never read; return what that costs the server."""
    night = told(server, NIGHT)
    lines = [line(server, night["socket"], night["cookie"], room=4096) for _ in range(PINGERS)]
    for each in lines:
        assert opened(each) == 101
        each.setblocking(False)
    data, before = frame(PING, b"p" * 125) * 400, memory(server)
    most, until, sent = before, time.monotonic() + seconds, 0
    alive = dict.fromkeys(lines, b"")
    while time.monotonic() < until and alive:
        for each, rest in list(alive.items()):
            try:
                size = each.send(rest or data)
            except BlockingIOError:
                time.sleep(0.002)
            except OSError:
                del alive[each]
            else:
                alive[each], sent = (rest or data)[size:], sent + size
        most = max(most, memory(server))
    for each in lines:
        each.close()
    return {"MB before": before, "MB at most": most, "MB of pings sent": sent / 1e6, "lines left": len(alive)}


def trickle(server: Server, count: int, rounds: int, guest: Callable[[], float] | None = None) -> dict[str, float]:
    """Open connections that send a byte now and then; return how many are left, and what a guest waits."""
    guest = guest or (lambda: _front_door(server))
    lines: list[socket.socket] = []
    refused = 0
    for number in range(count):
        try:
            found = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            found.sendall(BEGINNINGS[number % len(BEGINNINGS)])
            lines.append(found)
        except OSError:
            refused += 1
    waits = [guest()]
    for _ in range(rounds):
        time.sleep(PAUSE)
        for each in lines:
            with suppress(OSError):
                each.send(b"x")
        waits.append(guest())
    left = len(still_open(lines))
    for each in lines:
        each.close()
    return {"opened": len(lines), "refused": refused, "left": left, "longest wait of a guest, s": max(waits)}


def openers(server: Server, count: int) -> dict[str, float]:
    """Open sockets all at once; return the longest wait of an open page for its pong, in s, before and meanwhile."""
    night = told(server, NIGHT)
    page = line(server, night["socket"], night["cookie"])
    assert opened(page) == 101
    before = max(_pong(page) for _ in range(ASKED))
    with ThreadPoolExecutor(count) as pool:
        made = [pool.submit(line, server, night["socket"]) for _ in range(count)]
        meanwhile = max(_pong(page) for _ in range(ASKED))
        lines = [each.result() for each in made]
    statuses = [opened(each) for each in lines]
    for each in (page, *lines):
        each.close()
    return {"longest before": before, "longest meanwhile": meanwhile, "opened": statuses.count(101)}


def _pong(page: socket.socket) -> float:
    """Ask for a sign of life and wait for it; return the seconds."""
    began = time.monotonic()
    said(page, {"type": "ping", "seq": None})
    while b'"pong"' not in page.recv(65536):
        pass
    time.sleep(PONG_APART)
    return time.monotonic() - began - PONG_APART


def still_open(lines: list[socket.socket]) -> list[socket.socket]:
    """Return those that the server has not ended."""
    selector = selectors.DefaultSelector()
    for each in lines:
        each.setblocking(False)
        selector.register(each, selectors.EVENT_READ)
    ended = set()
    for key, _ in selector.select(0):
        try:
            # What the server said last (408) comes before the end.
            while key.fileobj.recv(65536):  # type: ignore[union-attr]
                pass
            ended.add(key.fileobj)
        except BlockingIOError:
            continue
        except OSError:
            ended.add(key.fileobj)
    return [each for each in lines if each not in ended]


def _front_door(server: Server) -> float:
    began = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as found:
            found.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            if not found.recv(12).endswith(b"200"):
                return float("inf")
    except OSError:
        return float("inf")
    return time.monotonic() - began


def show(title: str, found: dict[str, float]) -> None:
    """Print figures."""
    print(title)
    for name, value in found.items():
        print(f"  {name}: {value:.3g}" if isinstance(value, float) and value < 10 else f"  {name}: {value:.0f}")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--seconds", type=float, default=20.0, help="of pinging")
    parser.add_argument("what", nargs="+", choices=("pings", "trickle", "openings"))
    args = parser.parse_args()
    # The house is given few descriptors, as shells give; the attack takes what it needs.
    had = resource.getrlimit(resource.RLIMIT_NOFILE)
    with tempfile.TemporaryDirectory(prefix="stammtisch-floods-") as folder:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, had[1]))
        server = started(args.server, Path(folder), METRICS_ALLOW="127.0.0.1")
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, had)
        try:
            if "pings" in args.what:
                show(f"{PINGERS} sockets that ping and never read", pingers(server, args.seconds))
            if "trickle" in args.what:
                show(f"{TRICKLERS} connections that trickle", trickle(server, TRICKLERS, 2))
            if "openings" in args.what:
                show(f"{OPENERS} sockets that open at once", openers(server, OPENERS))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
