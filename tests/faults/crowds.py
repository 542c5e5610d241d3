"""Many sockets at once: `python -m tests.faults.crowds 1000`.

All of them die and come back; some never read what they are sent.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import select
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults.connections.crowd import Crowd, until
from tests.faults.houses import checks
from tests.faults.houses.houses import House
from tests.faults.kills import show

AT_A_TABLE = 50
MEGABYTE = 1_000_000
# Entries that a greedy reader asks for again and again: less than what comes as one `state`.
TAIL = 150


def tables(sockets: int) -> list[dict[str, Any]]:
    """Return tables of three seats with so many watchers that there are `sockets` people."""
    table = {"game": "dummygame", "preset": "endless", "seats": 3, "watchers": AT_A_TABLE - 3}
    return [table] * (sockets // AT_A_TABLE)


async def all_die(house: House, sockets: int) -> dict[str, float]:
    """Let all lines of an open house break at once under load; all come back, nothing lost."""
    async with Crowd(house.urls, house.world("make", tables(sockets)), seed=9, pace=0.5) as crowd:
        await crowd.all_current()
        await crowd.goes_on(10)
        lines = {player: player.connections for player in crowd.players}
        died, work, own = time.monotonic(), house.work(), time.process_time()
        for player in crowd.players:
            player.drop()
        await until(
            lambda: all(player.connections > lines[player] and player.is_current.is_set() for player in crowd.players),
            "all are back and current",
        )
        work, own = house.work() - work, time.process_time() - own
        seconds = sorted(player.current_at - died for player in crowd.players)
        await crowd.goes_on(10)
        await crowd.hush()
        await asyncio.to_thread(checks.prove, house, crowd.players)
        return {
            "sockets": len(crowd.players),
            "median s until current": seconds[len(seconds) // 2],
            "p99 s until current": seconds[len(seconds) * 99 // 100],
            "longest s until current": seconds[-1],
            "processor ms a socket: server": 1000 * work / sockets,
            "processor ms a socket: clients": 1000 * own / sockets,
        }


class Deaf:
    """A connection that asks and never reads: bare TCP, with next to no room of its own."""

    def __init__(self, url: str, table: str, cookie: str, source: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.line = socket.socket()
        self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.line.settimeout(20)
        self.line.bind((source, 0))
        self.line.connect((host, int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        headers = {
            "Host": f"{host}:{port}",
            "Origin": url,
            "Cookie": cookie,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        }
        lines = [f"GET /ws/table/{table}/ HTTP/1.1", *[f"{k}: {v}" for k, v in headers.items()]]
        self.line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        assert b" 101 " in self.line.recv(64)
        self.line.setblocking(False)
        self.ask({"type": "hello", "protocol": 1, "seq": None})

    def ask(self, frame: dict[str, Any]) -> None:
        """Send a frame, if the line still takes it."""
        data = json.dumps(frame).encode()
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        try:
            self.line.send(bytes([0x81, 0x80 | len(data)]) + mask + masked)
        except OSError:
            return

    def is_closed(self) -> bool:
        """Tell whether the server has ended the line, unread bytes or not."""
        poll = select.poll()
        poll.register(self.line, select.POLLRDHUP)
        return bool(poll.poll(0))


async def deaf_readers(house: House, readers: int, *, silent: bool) -> dict[str, float]:
    """Let readers who never read ask for more and more, or just sit there, beside players."""
    specs = [{"game": "dummygame", "preset": "endless", "seats": 3, "watchers": readers}]
    world = house.world("make", specs)
    deaf_people, world[0]["watchers"] = world[0]["watchers"], []
    async with Crowd(house.urls, world, seed=10) as crowd:
        await crowd.all_current()
        await crowd.goes_on(TAIL)
        before = house.memory()
        deaf = [
            Deaf(house.urls[0], world[0]["table"], person["cookies"][0], f"127.0.9.{1 + number % 5}")
            for number, person in enumerate(deaf_people)
        ]
        most, most_unsent, start = before, 0, time.monotonic()
        while not all(reader.is_closed() for reader in deaf):
            assert time.monotonic() < start + 120, "readers who never read are closed"
            if not silent:
                for reader in deaf:
                    reader.ask({"type": "ping", "seq": crowd.players[0].seq - TAIL})
            await asyncio.sleep(0.25)
            most = max(most, house.memory())
            most_unsent = max(most_unsent, house.unsent())
        seconds = time.monotonic() - start
        for reader in deaf:
            reader.line.close()
        await crowd.goes_on(10)
        await crowd.hush()
        await asyncio.to_thread(checks.prove, house, crowd.players)
        return {
            "readers": readers,
            "growth MB": (most - before) / MEGABYTE,
            "most unsent in the system's buffers MB": most_unsent / MEGABYTE,
            "s until all are closed": seconds,
        }


def main() -> None:
    """Let as many sockets as the command line says die and come back; then the deaf ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sockets", type=int)
    sockets = parser.parse_args().sockets
    with tempfile.TemporaryDirectory(prefix="stammtisch-crowds-") as folder:
        house = House(Path(folder))
        house.open()
        try:
            show(asyncio.run(all_die(house, sockets)))
            show(asyncio.run(deaf_readers(house, 50, silent=False)))
            show(asyncio.run(deaf_readers(house, 50, silent=True)))
        finally:
            house.close()


if __name__ == "__main__":
    main()
