"""The director's page with 64 players in a house on one core, while phones follow and results come: ms and memory.

`python -m tests.bench.bench_tournament_house` starts a house of its own by `taskset -c 0`. The
aims are 500 ms for 95 of 100 requests, and 512 MB of memory at the most.
"""

from __future__ import annotations

import http.client
import json
import os
import tempfile
import threading
import time
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.server import Server, collected_static  # noqa: E402

PHONES, TIMES, RESULTS = 12, 80, 12
BETWEEN_LOOKS, BETWEEN_RESULTS = 1.0, 2.0
"""Seconds between two looks of a phone at the tournament, and between two results."""
MOST_MS, MOST_MB = 500, 512
TOKEN = "t" * 32
MAKING = """
import json
from importlib import import_module
from django.conf import settings
from games.services.tournaments import log
from tests.bench.bench_tournament_page import begun
host, cup = begun()
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["player_id"] = host.pk
session.save()
running = [[each["id"], each["players"][0]] for each in log.read(cup).state["matches"] if each["status"] == "running"]
print(json.dumps([cup.public_id, f"{settings.SESSION_COOKIE_NAME}={session.session_key}", running]))
"""


class OneCore(Server):
    """A house whose process has the first core alone."""

    def command(self) -> list[str]:
        """Return the command that serves."""
        return ["taskset", "-c", "0", *super().command()]


def main() -> None:
    """Print the milliseconds of the director's page, and the highest memory."""
    with tempfile.TemporaryDirectory() as folder:
        server = OneCore(Path(folder), COLLECTED_STATIC=str(collected_static()), ANALYSER="off")
        server.migrate()
        cup, cookie, running = json.loads(server.manage("shell", "-v", "0", "-c", MAKING).splitlines()[-1])
        server.start()
        try:
            report(server, spent(server, f"/tournament/{cup}/", cup, cookie, running[:RESULTS]))
        finally:
            server.stop()


def spent(server: Server, page: str, cup: str, cookie: str, running: list[list[str]]) -> list[float]:
    """Return the milliseconds of each request of the page, while phones look and results are entered."""
    over = threading.Event()
    others = [threading.Thread(target=look, args=(server, page, cookie, over)) for _ in range(PHONES)]
    others.append(threading.Thread(target=enter, args=(server, cup, cookie, running, over)))
    for each in others:
        each.start()
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        ask(server, page, cookie)
        found.append(1000 * (time.perf_counter() - began))
        time.sleep(BETWEEN_LOOKS / 4)
    over.set()
    for each in others:
        each.join()
    return found


def ask(server: Server, address: str, cookie: str, body: dict[str, object] | None = None) -> None:
    """Ask for an address, with a body as a change."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    headers = {"Cookie": f"{cookie}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN, "Content-Type": "application/json"}
    line.request("GET" if body is None else "POST", address, None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    answer.read()
    assert answer.status < 400, f"{address}: {answer.status}"
    line.close()


def look(server: Server, page: str, cookie: str, over: threading.Event) -> None:
    """Look at the parts of the page again and again, as a phone does after news."""
    while not over.wait(BETWEEN_LOOKS):
        ask(server, f"{page}live/", cookie)


def enter(server: Server, cup: str, cookie: str, running: list[list[str]], over: threading.Event) -> None:
    """Enter a result now and then."""
    for match, winner in running:
        if over.wait(BETWEEN_RESULTS):
            return
        args = {"match": match, "winner": winner}
        ask(server, f"/api/v1/tournaments/{cup}/acts/", cookie, {"act": "result", "args": args})


def report(server: Server, found: list[float]) -> None:
    """Print the figures."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    highest = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
    marks = quantiles(found, n=20)
    print(f"{'director, 64 players, one core: ms':44} {'p50':>7} {'p95':>7} {'aim':>5}")
    print(f"{f'beside {PHONES} phones and results':44} {marks[9]:7.0f} {marks[18]:7.0f} {MOST_MS:5}")
    print(f"{'highest memory, MB':44} {highest:15.0f} {MOST_MB:5}")


if __name__ == "__main__":
    main()
