"""Play beside onlookers: `python -m tests.bench.bench_onlookers [--onlookers 2000] [--seconds 20]`.

Four players of one table move at human pace, quickly; everybody else only looks on, at the same
table or at others where nothing happens, and pings every 10 s. Told is how long a move takes from its
frame to the entry at the last of the four seats, without and with the onlookers.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.bench_live import arguments, plan_of, run
from tests.bench.live.client import Line, Lines
from tests.bench.live.load import CATCH_UP_POLLS, PING_SECONDS, Load, Play
from tests.bench.live.server import Servers
from tests.server import ROOT

AT_ONCE = 100
PAUSE = (0.1, 0.3)


def look_on() -> None:
    """Look on, in a process of its own: a line of JSON says where, as whom and how many."""
    order = json.loads(sys.stdin.readline())
    lines, left = Lines(), order["count"]
    wanted = [(order["port"], order["paths"][n % len(order["paths"])], order["cookie"], 0, n) for n in range(left)]

    def got(line: Line, payload: bytes) -> None:
        """Nothing is done with what is seen."""

    for start in range(0, len(wanted), AT_ONCE):
        for line in lines.open(wanted[start : start + AT_ONCE], got):
            line.send(b'{"type":"hello","protocol":1,"seq":null,"tv":true}')
        lines.poll(0.2)
    print("there", flush=True)
    pinged, began = 0, time.monotonic()
    while True:
        lines.poll(0.01)
        while pinged < (time.monotonic() - began) * left / PING_SECONDS:
            lines.all[pinged % left].send(b'{"type":"ping","seq":null}')
            pinged += 1


def moves(load: Load, seconds: float, pause: tuple[float, float] = PAUSE) -> list[float]:
    """Let the table play for a while; return how long each move took, in ms.

    Between two moves passes at least the one number of seconds of `pause`, and at most the other.
    """
    # A clock may have acted since the last play: nobody answers what is no longer asked.
    for _ in range(CATCH_UP_POLLS):
        load.lines.poll(0.01)
    load._until(lambda: all(table.asked and table.missing <= 0 for table in load.tables))
    play = Play(pause)
    play.counts_from = time.perf_counter()
    play.counts_to = play.counts_from + seconds
    for table in load.tables:
        table.play, table.is_playing = play, True
        table.act(time.perf_counter())
    load._run(play, play.counts_to)
    play.is_on = False
    load._run(play, time.perf_counter() + 1.0)
    return sorted(1000 * wait for wait in play.waits)


def p99_of(waits: list[float]) -> float:
    """Return the wait that one move of a hundred exceeds."""
    return sorted(waits)[len(waits) * 99 // 100]


def told(title: str, waits: list[float], servers: Servers) -> None:
    """Print one line of figures."""
    p50, p99 = statistics.median(waits), p99_of(waits)
    print(f"{title}: {len(waits)} moves, p50 {p50:.1f} ms, p99 {p99:.1f} ms, {servers.rss() / 1000:.0f} MB", flush=True)


def beside(servers: Servers, load: Load, seconds: float, title: str, order: dict[str, Any]) -> None:
    """Measure beside onlookers."""
    command = [sys.executable, "-m", "tests.bench.bench_onlookers", "--look-on"]
    crowd = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        crowd.stdin.write(json.dumps(order) + "\n")
        crowd.stdin.flush()
        assert crowd.stdout.readline() == "there\n"
        load._run(Play(PAUSE), time.perf_counter() + 3.0)
        told(title, moves(load, seconds), servers)
    finally:
        crowd.kill()
        crowd.wait()
        load._run(Play(PAUSE), time.perf_counter() + 3.0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--onlookers", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--game", choices=("chicago", "chouette"), default="chicago")
    parser.add_argument("--look-on", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    random.seed(1)
    if args.look_on:
        look_on()
    with tempfile.TemporaryDirectory(prefix="stammtisch-bench-") as folder:
        plan = plan_of(arguments([]), Path(folder))
        tables = json.loads(run(plan, "live.product", f"{args.game}=20"))[args.game]
        servers = Servers("games.asgi:application", plan.data, args.server, 1, plan.environment("chicago"))
        port = servers.ports[0]
        try:
            load = Load()
            load.seat([{**tables[0], "ports": [port] * 4}], speaks=True)
            moves(load, 2.0)
            told("alone", moves(load, args.seconds), servers)
            order = {"port": port, "cookie": tables[0]["cookies"][0], "count": args.onlookers}
            for title, shown in (("at the same table", tables[:1]), ("at other tables", tables[1:])):
                paths = [table["path"] for table in shown]
                beside(servers, load, args.seconds, f"{args.onlookers} {title}", {**order, "paths": paths})
            told("alone again", moves(load, args.seconds), servers)
        finally:
            servers.stop()


if __name__ == "__main__":
    main()
