"""One guest loads a page many times at once, on PostgreSQL: answers, and connections at the most.

`DATABASE_URL_TEST=… python -m tests.faults.connections.twentyfold 400 20` asks 400 times, 20 at once.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.faults.houses import databases
from tests.live.servers.test_socket_server import OPEN_A_TABLE
from tests.server import Server


def get(server: Server, path: str, cookie: str, language: str = "en") -> tuple[int, str]:
    """Ask for a page; return status and text."""
    headers = {"Cookie": cookie, "Accept-Language": language}
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, headers=headers), timeout=60) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def opened(server: Server) -> tuple[str, list[str]]:
    """Open a table; return its id and its players' cookies."""
    evening = json.loads(server.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])
    return evening["table"], evening["cookies"]


def load(server: Server, database: databases.Database, times: int, at_once: int) -> tuple[Counter[int], int]:
    """Load a table's page so many times; return the answers by status, and the most connections."""
    table, cookies = opened(server)
    most, is_over = [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.02):
            most[0] = max(most[0], database.connections())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with ThreadPoolExecutor(at_once) as guests:
            found = guests.map(lambda _: get(server, f"/table/{table}/", cookies[0])[0], range(times))
            return Counter(found), most[0]
    finally:
        is_over.set()
        watcher.join()


def main(times: int = 400, at_once: int = 20) -> None:
    """Print the figures of one server with its own settings."""
    with databases.made_at(os.environ["DATABASE_URL_TEST"]) as database, tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), DATABASE_URL=database.url)
        server.migrate()
        server.start()
        try:
            began = time.perf_counter()
            answers, most = load(server, database, times, at_once)
            seconds = time.perf_counter() - began
        finally:
            server.stop()
    print(f"{times} pages, {at_once} at once: {dict(answers)}; at most {most} connections; {seconds:.1f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
