"""Moves beside the analyser: `python -m tests.bench.bench_analyser [--games 50] [--seconds 30]`.

One server process and four tables of four people; the analyser has a queue of so many games that ended hours ago.
Printed is first how long after its end a game of a chouette of four has its first pass (bound: 60 s) and its deep pass
(600 s), nothing of it judged ahead, beside these tables at human pace: a move every 2 to 4 s. The seconds of processor
that the analyser and its engine took until then stand beside it: on a busy machine it runs last of all. Then, how
long a move takes from its frame to the entry at the last of the four seats, when the tables move some ten times as
quickly: alone, beside the analyser at work and alone again (bound: p99 beside it within 10 % of the one alone, before
and after taken together). The order is: alone, the game's passes, beside, alone again. A run takes 4 minutes on a quiet
machine of two cores, and ends after 15 on any.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.bench.bench_beside import SETTINGS, TABLES, measured
from tests.bench.bench_live import Plan, arguments, plan_of, run
from tests.bench.bench_onlookers import moves, p99_of
from tests.bench.live.load import Load
from tests.bench.live.server import Servers, cpu_seconds
from tests.server import ROOT

SEATS = 4
LIMIT = 600.0
"""The bound of a deep pass: nothing is waited for longer."""
HUMAN_PAUSE = (2.0, 4.0)
"""The seconds between two moves of a table while a game waits for its grades. Tables at ten times that pace would end
ten times as many games, each of which is graded too."""
EARLIER = timedelta(hours=3)
"""So long ago the games of the queue have ended."""
KINDS = 6
"""So many games in the queue are different ones, the newest: the engine remembers what it was asked about."""
WARM_SECONDS = 5.0


def make(games: int) -> None:
    """Play games of a chouette by bots, and put so many of them into the queue; print one that is not among them."""
    import django

    django.setup()
    from django.db import connection, transaction

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=OFF")  # of this process alone
    last, *played = [_played(number) for number in range(KINDS + 1)]
    with transaction.atomic():
        for number in range(games):
            _copy(played[number % KINDS], datetime.now(UTC) - EARLIER)
    print(json.dumps({"result": last.pk}))


def _played(number: int) -> Any:
    """Return the result of a game of a chouette that bots have played, another one for each number."""
    from games import plugin
    from games.models import Result
    from games.services.commands import Actor, Request, new_command_id
    from games.services.nights import membership
    from games.services.people import players
    from games.services.tables import log, queue
    from games.services.tables.commit import submit
    from tests.conftest import choices_at, opening, starting

    game = plugin.game("chouette")
    bots, level = game.bots, next(iter(game.bot_levels))
    assert bots is not None
    host = players.new_guest(f"Hanna {number}")
    table = starting(opening(membership.host_night(host, "Queue"), host), host)("chouette", seats=SEATS)
    turn = 1000 * number
    while not (found := Result.objects.filter(table=table).first()):
        seat = next(choice.seat for choice in choices_at(table) if choice.required)
        state = log.state_of(table)
        open_choices = [choice for choice in game.rules.choices(state, seat) if choice.required]
        name, args = bots.choose(game.rules.view(state, seat), open_choices, level, turn)
        basis = next(choice.opened_at for choice in open_choices if choice.name == name)
        by = Actor(table.seats.get(index=seat).player_id)
        submit(table.pk, by, Request(name, args, new_command_id(), basis))
        turn += 1
    queue.stop()
    return found


def _copy(result: Any, ended: datetime) -> int:
    """Put a copy of a finished game into the queue, as ended at a moment; return the id of its result."""
    from games.models import LogEntry, Result, ResultLine, Table
    from games.models.table import new_public_id

    table = Table.objects.get(pk=result.table_id)
    entries = list(LogEntry.objects.filter(table=table, seq__lte=result.seq))
    lines = list(ResultLine.objects.filter(result=result))
    last = Table.objects.filter(night=table.night_id).order_by("-number").first()
    assert last is not None
    table.pk, table.public_id, table.number = None, new_public_id(), last.number + 1
    table.status, table.seq = Table.Status.FINISHED, result.seq
    table.save(force_insert=True)
    for row in entries:
        row.pk, row.table = None, table
    LogEntry.objects.bulk_create(entries)
    found = Result.objects.get(pk=result.pk)
    found.pk, found.table, found.finished_at = None, table, ended
    found.save(force_insert=True)
    for line in lines:
        line.pk, line.result = None, found
    ResultLine.objects.bulk_create(lines)
    return int(found.pk)


def end_a_game(of: int) -> None:
    """Let a game end at the line that says so; print the seconds until it has its first pass, and its deep one.

    A pass that is not there within the limit is null. What has been played so far, quickly, becomes older before.
    """
    import django

    django.setup()
    from django.db import transaction

    from games.kernel.figures.skill import Depth
    from games.models import GameGrades, Result

    Result.objects.update(finished_at=datetime.now(UTC) - EARLIER)
    print(json.dumps("ready"), flush=True)
    sys.stdin.readline()
    with transaction.atomic():
        mine = _copy(Result.objects.get(pk=of), datetime.now(UTC))
    began, others = time.monotonic(), Result.objects.exclude(pk=mine)
    queued = others.exclude(grades__formula__gt=0).count()
    grades = GameGrades.objects.filter(result=mine, formula__gt=0)
    for depth in (Depth.FIRST, Depth.DEEP):
        print(json.dumps(_until(began, grades.filter(depth__gte=depth).exists)), flush=True)
    graded = GameGrades.objects.exclude(graded_at=None).order_by("graded_at")
    about = graded.values_list("engine", "level").last()
    newer = others.filter(finished_at__gt=datetime.now(UTC) - EARLIER / 2).count()
    print(json.dumps({"queued": queued, "newer": newer, "graded": graded.count(), "engine": about}))


def _until(began: float, is_there: Callable[[], bool]) -> float | None:
    """Wait until something is there; return the seconds since a moment, None where the limit is past."""
    while not (found := is_there()) and time.monotonic() - began < LIMIT:
        time.sleep(0.2)
    return time.monotonic() - began if found else None


def _cpu(pid: int) -> float:
    """Return the seconds of processor that a process and its children have taken."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(map(cpu_seconds, [pid, *map(int, children)]))


class Ending:
    """A process that lets a game end when it is told, and says how long that waited for its passes.

    It is ready before the analyser starts: what its own start takes of the processor is no part of what is measured.
    """

    def __init__(self, result: int, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.bench.bench_analyser", "--end", str(result)]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)
        self._analyser: int | None = None
        self._said: list[tuple[Any, float]] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        """Note each line with the analyser's seconds of processor."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.append((json.loads(line), 0.0 if self._analyser is None else _cpu(self._analyser)))

    def ready(self, go_on: Callable[[], object]) -> None:
        """Wait until it is ready, and do something meanwhile."""
        while not self._said and self._process.poll() is None:
            go_on()

    def end(self, analyser: int, go_on: Callable[[], object]) -> None:
        """Let the game end, and do something meanwhile; print what it waited."""
        self._analyser, before = analyser, _cpu(analyser)
        assert self._process.stdin is not None
        self._process.stdin.write("now\n")
        self._process.stdin.flush()
        while self._process.poll() is None:
            go_on()
        self._listener.join()
        _, (first, first_cpu), (deep, deep_cpu), (found, _) = self._said
        print(f"a chouette of {SEATS}, {found['queued']} games in the queue before it:")
        for name, seconds, cpu in (("first", first, first_cpu), ("deep", deep, deep_cpu)):
            after = f"{seconds:.1f} s after its end" if seconds is not None else f"not within {LIMIT:.0f} s"
            print(f"  {name} pass {after}, {cpu - before:.1f} s of processor of the analyser")
        about = " ".join(found["engine"] or ["by no engine"])
        print(f"  {found['newer']} other games ended meanwhile; {found['graded']} graded in all, {about}", flush=True)

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def beside(plan: Plan, servers: Servers, load: Load, seconds: float, result: int) -> list[float]:
    """Print how long a game that ends waits for its grades, then measure beside the analyser.

    Return how long each move took that was measured beside it, in ms.
    """
    environment = {**plan.environment("chouette"), "DJANGO_SETTINGS_MODULE": SETTINGS, "ANALYSER": "on"}

    def go_on() -> None:
        # A line that nobody reads would be closed.
        moves(load, WARM_SECONDS, HUMAN_PAUSE)

    ending = Ending(result, environment)
    try:
        ending.ready(go_on)
        analyser = subprocess.Popen([sys.executable, "-m", "django", "analyser"], cwd=ROOT, env=environment)
        try:
            go_on()
            ending.end(analyser.pid, go_on)
            return measured("beside the analyser", load, servers, 2 * seconds)
        finally:
            # The analyser runs where nothing else does: on a busy machine it would hear of its end for minutes.
            analyser.kill()
            analyser.wait()
    finally:
        ending.kill()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--end", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    random.seed(1)
    if args.make:
        return make(args.games)
    if args.end is not None:
        return end_a_game(args.end)
    with tempfile.TemporaryDirectory(prefix="stammtisch-bench-") as folder:
        plan = replace(plan_of(arguments([]), Path(folder)), server="daphne")
        tables = json.loads(run(plan, "live.product", f"chouette={TABLES}"))["chouette"]
        made = json.loads(run(plan, "bench_analyser", "--make", "--games", str(args.games)))
        environment = {**plan.environment("chouette"), "DJANGO_SETTINGS_MODULE": SETTINGS}
        servers = Servers("games.asgi:application", plan.data, "daphne", 1, environment)
        try:
            load = Load()
            load.seat([{**table, "ports": [servers.ports[0]] * 4} for table in tables], speaks=True)
            moves(load, WARM_SECONDS)
            alone = measured("alone", load, servers, args.seconds)
            besides = beside(plan, servers, load, args.seconds, made["result"])
            alone += measured("alone again", load, servers, args.seconds)
            print(f"p99 {p99_of(alone):.1f} ms alone, {p99_of(besides):.1f} ms beside the analyser: ", end="")
            print(f"{p99_of(besides) / p99_of(alone) - 1:+.0%}")
        finally:
            servers.stop()


if __name__ == "__main__":
    main()
