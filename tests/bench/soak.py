"""A soak: does a server that is played on and looked at for long keep its memory and descriptors?

`python -m tests.bench.soak [--minutes 30] [--server uvicorn] [--pace 1]` starts one server on SQLite. Bots and
people on sockets play both games, others come, look on (so that the bots' tables do not rest) and go, and pages,
files, pings and the TV's page are asked for over and over. Each minute it prints memory, descriptors, threads,
connections to the database and sockets of the server; at the end what the last third has more than the first one
after the warm-up. Ends with 1 where memory has grown by more than 10 % or descriptors by more than 8. It takes some
fifth of a core, and can run beside other work.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import random
import secrets
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.bench.live.server import cpu_seconds
from tests.faults.connections.crowd import Crowd
from tests.faults.houses.clients import Player
from tests.security.floods.servers import KINDS, told
from tests.server import Server

SETTINGS = "tests.serving"
MOST_GROWTH = 0.10
MOST_MORE = 8
MOST_BYTES_AN_ENTRY = 4000
A_LINE = 12
WARM_UP, SHARE = 1 / 6, 1 / 3
SEATS, GUESTS, BOTS = 3, 24, 4
HOUSEKEEPING_SECONDS, OLD_ROWS = 300, 200
A_FEW_PAGES = 1_000_000
"""Bytes that old rows take once, and that are used again after each housekeeping."""
TABLES = {
    "chouette": ("german", {"turn_seconds": 0, "grace_seconds": 0}),
    "chicago": ("classic", {"rounds": 0, "turn_seconds": 0}),
}


def make() -> None:
    """Make a night with a table of people and one of bots for each game; print what clients need of it."""
    from django.urls import reverse

    from games import plugin
    from games.ops.session_keys import SessionStore
    from games.services.nights import membership
    from games.services.people import players
    from games.services.tables import setup

    def cookie(player: Any) -> str:
        store = SessionStore()
        store["player_id"] = player.pk
        store.create()
        return f"sessionid={store.session_key}"

    guests = [players.new_guest(f"Guest {number}") for number in range(GUESTS)]
    night = membership.host_night(guests[0], "A long night")
    membership.set_admission(night, guests[0], False, 500)
    for guest in guests:
        membership.join(night, guest)
    world, shown, seated = [], [], iter(guests)
    for game_id, (preset, changes) in TABLES.items():
        table = setup.open_table(night, guests[0], game_id, preset, changes)
        sitting = [next(seated) for _ in range(SEATS)]
        for guest in sitting:
            setup.sit(table, guest, accept=True, nonce="")
        setup.start(table, guests[0], "start")
        seats = [{"id": guest.pk, "cookies": [cookie(guest)]} for guest in sitting]
        world.append({"table": table.public_id, "game": game_id, "players": seats, "watchers": []})
        bots = setup.open_table(night, guests[0], game_id, preset, {})
        for number in range(BOTS):
            levels = list(plugin.game(game_id).offered_levels)
            setup.add_bot(bots, guests[0], levels[number % len(levels)])
        setup.start(bots, guests[0], "start")
        shown += [table.public_id, bots.public_id]
    pages = [
        *("/", "/me/", "/leaders/", "/players/", "/house-rules/", "/rules/chouette/", "/rules/chicago/"),
        *(reverse(name, args=[night.public_id]) for name in ("night", "night_live", "night_results")),
        *(f"/night/{night.public_id}/files/{name}" for name in ("results.csv", "night.zip")),
        *(reverse(name, args=[night.public_id, night.token("tv")]) for name in ("tv", "tv_live")),
        *(f"/player/{guest.pk}/" for guest in guests[: SEATS + 1]),
        f"/api/nights/{night.public_id}/leaderboard/",
        "/api/results/",
    ]
    for table in shown:
        pages += [f"/table/{table}/", f"/table/{table}/log.json", f"/table/{table}/replay/", f"/table/{table}/dice/"]
        pages += [f"/api/tables/{table}/state/"]
    watchers = [{"id": guest.pk, "cookies": [cookie(guest)]} for guest in seated]
    print(json.dumps({"world": world, "watchers": watchers, "tables": shown, "pages": pages}))


def pass_a_day() -> None:
    """Make rows long past their term and a night's housekeeping due; print what the day before has left.

    As JSON: `left` (rows past their term, by kind), `entries` of all logs, `bytes` of the database.
    """
    from django.contrib.sessions.models import Session
    from django.db import connection
    from django.utils import timezone

    from games.models import AuditEntry, BackgroundTask, LogEntry, Night, NightEvent
    from games.services.nights import membership
    from games.services.people import players

    long_ago = timezone.now() - timedelta(days=4000)
    found = {
        "sessions": Session.objects.filter(expire_date__lte=long_ago + timedelta(days=1)),
        "audit": AuditEntry.objects.filter(act="soak"),
        "news": NightEvent.objects.filter(type="soak"),
    }
    left = {name: rows.count() for name, rows in found.items()}
    night = Night.objects.filter(status=Night.Status.CLOSED).first()
    if night is None:
        night = membership.host_night(players.new_guest("Yesterday"), "A night of yesterday")
        Night.objects.filter(pk=night.pk).update(status=Night.Status.CLOSED)
    Session.objects.bulk_create(
        Session(session_key=secrets.token_hex(16), session_data="x" * 500, expire_date=long_ago)
        for _ in range(OLD_ROWS)
    )
    AuditEntry.objects.bulk_create(AuditEntry(act="soak", actor_name="Soak") for _ in range(OLD_ROWS))
    NightEvent.objects.bulk_create(NightEvent(night=night, type="soak") for _ in range(OLD_ROWS))
    found["audit"].update(at=long_ago)
    found["news"].update(created_at=long_ago)
    BackgroundTask.objects.update_or_create(pk="housekeeping", defaults={"due_at": long_ago})
    with connection.cursor() as cursor:
        size = cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()").fetchone()[
            0
        ]
    print(json.dumps({"left": left, "entries": LogEntry.objects.count(), "bytes": size}))


@dataclass(frozen=True, slots=True)
class Sample:
    """What a server process holds at a moment."""

    memory: float
    """Resident, in MB."""
    descriptors: float
    threads: float
    connections: float
    """Descriptors of the database's file."""
    sockets: float
    data: float
    """Files of the data folder, in MB."""


def sample(pid: int, data: Path) -> Sample:
    """Read what a process (Linux) and its data folder hold."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    targets = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            targets.append(str(descriptor.readlink()))
    return Sample(
        int(status["VmRSS"].split()[0]) / 1000,
        len(targets),
        int(status["Threads"]),
        sum(target.endswith(".sqlite3") for target in targets),
        sum(target.startswith("socket:") for target in targets),
        size_of(data) / 1e6,
    )


def size_of(folder: Path) -> int:
    """Return the bytes of the files below a folder; one that goes meanwhile does not count."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def medians(samples: Sequence[Sample]) -> Sample:
    """Return the median of each figure."""
    return Sample(*(statistics.median(column) for column in zip(*map(astuple, samples), strict=True)))


def thirds(samples: Sequence[Sample]) -> tuple[Sample, Sample]:
    """Return the medians of the first and of the last third of what comes after the warm-up."""
    warm = samples[int(len(samples) * WARM_UP) :]
    size = max(1, int(len(warm) * SHARE))
    return medians(warm[:size]), medians(warm[-size:])


def faults(samples: Sequence[Sample]) -> list[str]:
    """Return what has grown beyond its bound, in words."""
    first, last = thirds(samples)
    found = []
    if last.memory > first.memory * (1 + MOST_GROWTH):
        found.append(f"memory grew from {first.memory:.0f} to {last.memory:.0f} MB")
    for name in ("descriptors", "threads", "connections"):
        before, after = getattr(first, name), getattr(last, name)
        if after > before + MOST_MORE:
            found.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return found


def faults_of_days(days: Sequence[dict[str, Any]]) -> list[str]:
    """Return what housekeeping has left, and whether the database has grown by more than the logs, in words."""
    found = [f"housekeeping left {day['left']}" for day in days if any(day["left"].values())]
    first, last = days[0], days[-1]
    entries, grown = last["entries"] - first["entries"], last["bytes"] - first["bytes"]
    if grown > MOST_BYTES_AN_ENTRY * entries + A_FEW_PAGES:
        found.append(f"the database grew by {grown} bytes in {entries} entries")
    return found


class Soak:
    """One run: what is done to a server, and what has been seen of it."""

    def __init__(self, server: Server, house: dict[str, Any], pace: float) -> None:
        self.server, self.house, self.pace = server, house, pace
        self.samples: list[Sample] = []
        self.days: list[dict[str, Any]] = []
        self.answers: Counter[int] = Counter()
        self.visits = 0
        self.rng = random.Random(1)

    @property
    def pid(self) -> int:
        """Return the server's process."""
        assert self.server.process is not None
        return self.server.process.pid

    async def run(self, seconds: float, every: float, a_line: int, least_pages: int = 0) -> None:
        """Keep the server busy for so long; note what it holds `every` so many seconds, print each so-many-th.

        With `least_pages` it goes on until so many have been read, for ten times as long at most.
        """
        async with Crowd([self.server.url], self.house["world"], 1, pace=2 / self.pace) as crowd:
            works = (self._read, self._visit, self._visit, self._pass_days)
            tasks = [asyncio.create_task(work()) for work in works]
            try:
                await self._watch(crowd, seconds, every, a_line, least_pages)
                for task in tasks:
                    assert not task.done(), task
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            self.days.append(await asyncio.to_thread(pass_a_day_of, self.server))

    async def _watch(self, crowd: Crowd, seconds: float, every: float, a_line: int, least_pages: int) -> None:
        began, cpu, moves = time.monotonic(), cpu_seconds(self.pid), 0
        until, at_last = began + seconds, began + 10 * seconds
        _print("minute", *(field.name for field in fields(Sample)), "cpu %", "moves", "pages", "visits")
        while (now := time.monotonic()) < until or (self.answers.total() < least_pages and now < at_last):
            await asyncio.sleep(every)
            crowd.check()
            self.samples.append(sample(self.pid, self.server.data))
            if len(self.samples) % a_line:
                continue
            spent, made = cpu_seconds(self.pid), crowd.acknowledged
            share = 100 * (spent - cpu) / (every * a_line)
            minute = (time.monotonic() - began) / 60
            figures = [f"{each:.0f}" for each in astuple(medians(self.samples[-a_line:]))]
            counts = [share, made - moves, self.answers.total(), self.visits]
            _print(f"{minute:.1f}", *figures, *(f"{each:.0f}" for each in counts))
            cpu, moves = spent, made

    async def _pass_days(self) -> None:
        """Let a day pass for housekeeping every few minutes."""
        while True:
            self.days.append(await asyncio.to_thread(pass_a_day_of, self.server))
            await asyncio.sleep(HOUSEKEEPING_SECONDS)

    async def _read(self) -> None:
        """Ask for pages, one after the other, as different people."""
        cookies = [who["cookies"][0] for who in self.house["watchers"]]
        cookies += [who["cookies"][0] for table in self.house["world"] for who in table["players"]]
        while True:
            path, cookie = self.rng.choice(self.house["pages"]), self.rng.choice([*cookies, ""])
            status = await asyncio.to_thread(self._status, path, cookie)
            self.answers[status] += 1
            await asyncio.sleep(self.rng.uniform(0.4, 1.6) / self.pace)

    def _status(self, path: str, cookie: str) -> int:
        """Ask for one page on a connection of its own; sometimes hang up before it has come."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            line.request("GET", path, headers={"Cookie": cookie} if cookie else {})
            if self.rng.random() < 0.05:
                return 0
            answer = line.getresponse()
            answer.read()
            return answer.status
        finally:
            line.close()

    async def _visit(self) -> None:
        """Come to a table, look on for a while, and go: sometimes with a word, sometimes without."""
        while True:
            who, rng = self.rng.choice(self.house["watchers"]), random.Random(self.rng.random())
            table = self.rng.choice(self.house["tables"])
            guest = Player([self.server.url], table, who["cookies"][0], who=who["id"], rng=rng)
            task = asyncio.create_task(guest.live())
            await asyncio.sleep(self.rng.uniform(1, 8) / self.pace)
            if self.rng.random() < 0.5:
                guest.drop()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            self.visits += 1


def pass_a_day_of(server: Server) -> dict[str, Any]:
    """Let a day pass on a server's database (`pass_a_day`); return what that printed."""
    return told(server, "from tests.bench import soak; soak.pass_a_day()")


def _print(*cells: str) -> None:
    print("".join(f"{cell:>13}" for cell in cells), flush=True)


def soaked(
    kind: str, seconds: float, every: float, pace: float, settings: str = SETTINGS, least_pages: int = 0
) -> tuple[Soak, list[str]]:
    """Run a server for so long and print; return what was seen, and what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="stammtisch-soak-") as folder:
        server = KINDS[kind](Path(folder), DJANGO_SETTINGS_MODULE=settings, BOT_DELAY=str(1.5 / pace))
        server.migrate()
        house = told(server, "from tests.bench import soak; soak.make()")
        server.start()
        try:
            run = Soak(server, house, pace)
            asyncio.run(run.run(seconds, every, A_LINE, least_pages))
        finally:
            # The house's own end, which waits for sockets and pages, is not what is measured.
            server.stop(signal.SIGKILL)
    wrong = faults(run.samples) + faults_of_days(run.days)
    failed = {status: n for status, n in run.answers.items() if status >= 500}
    if failed:
        wrong.append(f"answers {failed}")
    return run, wrong


def main(argv: Sequence[str] | None = None) -> int:
    """Run, print, and tell by the exit code whether anything has grown."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--server", choices=tuple(KINDS), default="daphne")
    parser.add_argument("--pace", type=float, default=1.0, help="2: twice as quick, for twice the processor time")
    args = parser.parse_args(argv)
    run, wrong = soaked(args.server, 60 * args.minutes, 60 / A_LINE, args.pace)
    first, last = thirds(run.samples)
    for field in fields(Sample):
        before, after = getattr(first, field.name), getattr(last, field.name)
        print(f"{field.name:12} first third {before:6.0f}   last third {after:6.0f}   {after - before:+.0f}")
    entries = run.days[-1]["entries"] - run.days[0]["entries"]
    size = run.days[0]["bytes"] / 1e6, run.days[-1]["bytes"] / 1e6
    print(f"database {size[0]:.1f} to {size[1]:.1f} MB for {entries} entries; housekeeping {len(run.days) - 1} times")
    print(f"answers: {dict(sorted(run.answers.items()))} (0: hung up before)")
    print("\n".join(wrong) or "nothing has grown beyond its bound")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
