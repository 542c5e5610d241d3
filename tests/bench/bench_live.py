"""The live benchmark: the whole way of a move, from its frame to the last seat, as ratios.

`python -m tests.bench.bench_live [--quick] [--write] [--server uvicorn]`: in one run (a) the
usual recipe, (b) the ceiling and (c) the product, closed loop and at human pace, and the
memory of idle sockets. With --database and --redis: PostgreSQL, Redis, --workers processes.
Nothing of it is asserted. tests/bench/results/README.md says how to read it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.live import report as live_report
from tests.bench.live.report import NAMES, Figure, Report
from tests.bench.live.server import Crowd, Servers
from tests.server import ROOT

SEATS = 4
SIZES, IDLE = (1, 10, 100, 500), (100, 1000, 5000)
PACED_TABLES, PAUSE = (200, 3000), (2.0, 4.0)
APPS = {"recipe": "tests.bench.live.recipe", "ceiling": "tests.bench.live.ceiling"}
# The load comes from one address and plays faster than people do: no limits.
UNLIMITED = dict.fromkeys(
    (
        *("SOCKETS_PER_ADDRESS", "SOCKETS_PER_GUEST", "CONNECTIONS_PER_ADDRESS"),
        *("MESSAGES_PER_20S", "MESSAGES_PER_20S_PLAYING"),
    ),
    "0",
)
Tables = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run measures, and where."""

    data: Path
    server: str
    workers: int
    loads: int
    database: str
    redis: str
    sizes: Sequence[int]
    seconds: float
    only: Sequence[str]

    def environment(self, what: str) -> dict[str, str]:
        """Return the environment of the servers of (a), (b) or (c)."""
        found = {
            **UNLIMITED,
            "DJANGO_SETTINGS_MODULE": "games.settings",
            "STAMMTISCH_DATA": str(self.data),
            "SECRET_KEY": "only-for-the-bench",
            "LOG_LEVEL": "WARNING",
            "REDIS_URL": self.redis,
            "WORKERS": str(self.workers),
        }
        if what == "recipe" or self.database:
            found["DATABASE_URL"] = self.database or f"sqlite:///{self.data / 'recipe.sqlite3'}"
        return found

    def title(self) -> str:
        """Return what the figures are of."""
        base = "PostgreSQL and Redis" if self.database else "SQLite, synchronous=FULL"
        processes = "one process" if self.workers == 1 else f"{self.workers} processes"
        return f"{self.server}, {base}, {processes}"


@contextmanager
def house(plan: Plan, what: str) -> Iterator[tuple[Servers, Crowd]]:
    """Start the servers of (a), (b) or (c) and a crowd; end them."""
    app = f"{APPS.get(what, 'games.asgi')}:application"
    servers = Servers(app, plan.data, plan.server, plan.workers, plan.environment(what))
    crowd = Crowd(plan.loads)
    try:
        yield servers, crowd
    finally:
        crowd.stop()
        servers.stop()


def run(plan: Plan, module: str, *args: str) -> str:
    """Run a module of the benchmark that prepares the database; return what it printed."""
    environment = {**os.environ, **plan.environment("recipe" if module == "live.recipe" else "")}
    command = [sys.executable, "-m", f"tests.bench.{module}", *args]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


def bare_tables(count: int) -> Tables:
    """Return tables of the servers that know no people."""
    return [{"path": f"/ws/t{number}/", "cookies": [""] * SEATS} for number in range(count)]


def spread(tables: Tables, ports: Sequence[int], *, apart: bool = True) -> Tables:
    """Give each seat a server: with `apart` the seats of one table sit on different ones."""
    return [
        {
            **table,
            "ports": [ports[(number + seat * apart) % len(ports)] for seat in range(SEATS)],
        }
        for number, table in enumerate(tables)
    ]


def measured(plan: Plan, what: str, tables: int, at: tuple[Servers, Crowd], pause: Any = None) -> Figure:
    """Let `tables` tables play and return the figure."""
    servers, crowd = at
    wanted = plan.seconds * (2 if pause else 1)
    crowd.play(tables, warm=PAUSE[1] if pause else 1.0, seconds=wanted, pause=pause)
    crowd.reached()
    before = servers.cpu()
    crowd.reached()
    cpu = servers.cpu() - before
    found = crowd.results()
    waits = sorted(wait for each in found for wait in each["waits"])
    seconds = sum(each["seconds"] for each in found) / len(found)
    loads = [each["cpu"] for each in found]
    refused = sum(each["refused"] for each in found)
    cores = float(min(plan.workers, os.cpu_count() or 1))
    return Figure(NAMES[what], tables, seconds, waits, cpu, loads, cores, refused, is_paced=pause is not None)


def closed_loop(plan: Plan, what: str, tables: Tables) -> Iterator[Figure]:
    """Yield the figures of a server at every size; sockets of the sizes before stay open."""
    with house(plan, what) as at:
        servers, crowd = at
        # The ceiling knows no other process: its tables have all their seats in one.
        spreaded, seated = spread(tables, servers.ports, apart=what != "ceiling"), 0
        for size in plan.sizes:
            crowd.seat(spreaded[seated:size], speaks=what not in APPS)
            seated = size
            yield measured(plan, what, size, at)


def human_pace(plan: Plan, tables: Tables) -> Iterator[Figure]:
    """Yield the figures of tables whose people think for 2 to 4 s; sockets of the number before stay open."""
    with house(plan, "chicago") as at:
        spreaded, seated = spread(tables, at[0].ports), 0
        for count in PACED_TABLES:
            at[1].seat(spreaded[seated:count], speaks=True)
            seated = count
            yield measured(plan, "chicago", count, at, PAUSE)


def idle_memory(plan: Plan, tables: Tables) -> dict[int, float]:
    """Return sockets → kB of memory each, beyond what the server had with its first four."""
    found = {}
    with house(plan, "chicago") as (servers, crowd):
        tables = spread(tables, servers.ports)
        crowd.seat(tables[:1], speaks=True)
        at_first, seated = servers.rss(), 1
        for sockets in IDLE:
            crowd.seat(tables[seated : sockets // SEATS + 1], speaks=True)
            seated = sockets // SEATS + 1
            found[sockets] = (servers.rss() - at_first) / sockets
    return found


def product_tables(plan: Plan, *, idle: bool) -> dict[str, Tables]:
    """Make the product's tables in the database."""
    most = max(plan.sizes)
    games = {game: most for game in ("chicago", "chouette") if game in plan.only}
    if "pace" in plan.only:
        games["chicago"] = max(games.get("chicago", 0), *PACED_TABLES)
    if idle:
        games["chicago"] = max(games.get("chicago", 0), max(IDLE) // SEATS + 1)
    found: dict[str, Tables] = json.loads(
        run(plan, "live.product", *(f"{game}={count}" for game, count in games.items()))
    )
    return found


def figures(plan: Plan, report: Report) -> Iterator[str]:
    """Measure everything of the plan; yield a line when something is known."""
    if "recipe" in plan.only:
        run(plan, "live.recipe")
    is_idle = "idle" in plan.only
    tables = product_tables(plan, idle=is_idle)
    for what in ("recipe", "ceiling", "chicago", "chouette"):
        if what in plan.only:
            for figure in closed_loop(plan, what, tables.get(what) or bare_tables(max(plan.sizes))):
                report.figures.append(figure)
                yield " ".join([*list(report.rows())[-1]])
    if "pace" in plan.only:
        for figure in human_pace(plan, tables["chicago"]):
            report.figures.append(figure)
            yield " ".join([*list(report.rows())[-1]])
    if is_idle:
        report.idle.update(idle_memory(plan, tables["chicago"]))


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what the command line asks for."""
    everything = ["recipe", "ceiling", "chicago", "chouette", "pace", "idle"]
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_live", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 tables, closed loop only")
    parser.add_argument("--write", action="store_true", help="write the day's file of tests/bench/results")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--workers", type=int, default=1, help="server processes")
    parser.add_argument("--loads", type=int, default=1, help="load processes")
    parser.add_argument("--database", default=os.environ.get("DATABASE_URL", ""))
    parser.add_argument("--redis", default=os.environ.get("REDIS_URL", ""))
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of tables")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--only", nargs="+", choices=everything)
    return parser.parse_args(argv)


def plan_of(args: argparse.Namespace, data: Path) -> Plan:
    """Return the plan that the command line describes."""
    sizes = args.sizes or ([100] if args.quick else SIZES)
    closed = ["recipe", "ceiling", "chicago", "chouette"]
    only = args.only or (closed if args.quick else [*closed, "pace", "idle"])
    return Plan(
        data, args.server, args.workers, args.loads, args.database, args.redis,
        sorted(sizes), args.seconds, only,
    )  # fmt: skip


def main(argv: Sequence[str] | None = None) -> Report:
    """Measure, print, and write what was asked for."""
    args = arguments(argv)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="stammtisch-bench-") as folder:
        plan = plan_of(args, Path(folder))
        report = Report(plan.title(), live_report.machine(plan.data))
        for line in figures(plan, report):
            sys.stderr.write(line + "\n")
    sys.stdout.write(report.text())
    if args.write:
        for line in live_report.write(report.text()):
            sys.stdout.write(line + "\n")
    return report


if __name__ == "__main__":
    main()
