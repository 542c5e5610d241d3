"""Moves beside heavy pages: `python -m tests.bench.bench_beside [--results 5000] [--readers 12] [--seconds 20]`.

One server process, whose limits of pages a minute are off. Four tables of four people move at human
pace, quickly; then so many browsers ask for pages and files over many results all the time beside them.
Printed is how long a move takes from its frame to the entry at the last of the four seats (bound: p99
of 50 ms), what the browsers got, and how long a light page took beside them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.bench.bench_live import arguments, plan_of, run
from tests.bench.bench_onlookers import moves, p99_of
from tests.bench.live.load import Load
from tests.bench.live.report import aim_line
from tests.bench.live.server import Servers
from tests.server import ROOT

SETTINGS = "tests.serving"
TABLES = 4


def make(size: int) -> None:
    """Make a night of so many results; print its pages and the cookies of those who were there."""
    import django

    django.setup()
    from django.db import connection, transaction

    from games.ops.session_keys import SessionStore
    from games.services.people import players
    from tests import years
    from tests.bench.bench_heavy import addresses

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=OFF")  # of this process alone
    with transaction.atomic():
        people = years.players(4)
        night = years.long_night(size, people)
        cookies = []
        for person in people:
            store = SessionStore()
            store[players.SESSION_KEY] = person.pk
            store.create()
            cookies.append(f"sessionid={store.session_key}")
    print(json.dumps({"pages": addresses(night, people[1]), "cookies": cookies}))


def read() -> None:
    """Read pages, in a process of its own, until killed: a line of JSON says which, and each answer is told."""
    order = json.loads(sys.stdin.readline())
    pages = list(order["pages"].items())

    def browse(number: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", order["port"], timeout=60)
        cookie = order["cookies"][number % len(order["cookies"])]
        for turn in range(number, 1 << 30):
            name, path = pages[turn % len(pages)]
            began = time.perf_counter()
            try:
                line.request("GET", path, headers={"Cookie": cookie})
                answer = line.getresponse()
                length = len(answer.read())
            except OSError as error:
                print(json.dumps([name, 0, 0, str(error)]), flush=True)
                line.close()
                continue
            print(json.dumps([name, answer.status, time.perf_counter() - began, length]), flush=True)
            if answer.status != 200:
                time.sleep(0.5)

    for number in range(order["readers"]):
        threading.Thread(target=browse, args=(number,), daemon=True).start()
    sys.stdin.readline()
    os._exit(0)


def told(title: str, waits: list[float], servers: Servers, cpu: float) -> None:
    """Print one line of figures."""
    p50, p99 = statistics.median(waits), p99_of(waits)
    print(
        f"{title:34} {len(waits):5} moves   p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   longest {waits[-1]:6.1f} ms"
        f"   {servers.rss() / 1000:4.0f} MB   {100 * cpu:3.0f} % of a core",
        flush=True,
    )


def measured(title: str, load: Load, servers: Servers, seconds: float) -> list[float]:
    """Let the tables play, and print; return how long each move took, in ms, in order."""
    before = servers.cpu()
    waits = moves(load, seconds)
    told(title, waits, servers, (servers.cpu() - before) / (seconds + 1))
    return waits


def beside(servers: Servers, load: Load, seconds: float, order: dict[str, Any]) -> None:
    """Measure beside browsers that read; print what they got."""
    command = [sys.executable, "-m", "tests.bench.bench_beside", "--read"]
    with tempfile.TemporaryFile("w+") as answers:
        browsers = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=answers, text=True)
        try:
            assert browsers.stdin is not None
            browsers.stdin.write(json.dumps(order) + "\n")
            browsers.stdin.flush()
            time.sleep(2)
            p99 = p99_of(measured(f"beside {order['readers']} browsers", load, servers, seconds))
            print("- " + aim_line("a move beside heavy pages, p99 in ms", "≤ 50", -p99, -50))
        finally:
            browsers.kill()
            browsers.wait()
        answers.seek(0)
        lines = [json.loads(line) for line in answers if line.endswith("]\n")]
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for name, status, spent, _ in lines:
        found[name].append((status, spent))
    for name, got in found.items():
        statuses = [status for status, _ in got]
        spent = [1000 * each for status, each in got if status == 200] or [0.0]
        counts = {status: statuses.count(status) for status in sorted(set(statuses))}
        if 200 not in counts:
            print(f"  {name:30} never read: {counts}")
            continue
        print(f"  {name:30} p50 {statistics.median(spent):8.1f} ms   longest {max(spent):8.1f} ms   {counts}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=5000)
    parser.add_argument("--readers", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--game", choices=("chicago", "chouette"), default="chouette")
    parser.add_argument("--only", nargs="+", help="names of pages: the others are not read")
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--read", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    random.seed(1)
    if args.read:
        return read()
    if args.make:
        return make(args.results)
    with tempfile.TemporaryDirectory(prefix="stammtisch-bench-") as folder:
        plan = replace(plan_of(arguments([]), Path(folder)), server=args.server)
        tables = json.loads(run(plan, "live.product", f"{args.game}={TABLES}"))[args.game]
        order = json.loads(run(plan, "bench_beside", "--make", "--results", str(args.results)))
        if args.only:
            order["pages"] = {name: order["pages"][name] for name in args.only}
        environment = {**plan.environment(args.game), "DJANGO_SETTINGS_MODULE": SETTINGS}
        servers = Servers("games.asgi:application", plan.data, args.server, 1, environment)
        try:
            load = Load()
            load.seat([{**table, "ports": [servers.ports[0]] * 4} for table in tables], speaks=True)
            moves(load, 2.0)
            measured("alone", load, servers, args.seconds)
            beside(servers, load, args.seconds, {**order, "port": servers.ports[0], "readers": args.readers})
            measured("alone again", load, servers, args.seconds)
        finally:
            servers.stop()


if __name__ == "__main__":
    main()
