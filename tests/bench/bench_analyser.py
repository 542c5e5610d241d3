"""Moves beside the analyser: `python -m tests.bench.bench_analyser [--games 50] [--seconds 30]`.

One server process and four tables of four people, who move at human pace, quickly; then the analyser works on a queue
of so many finished games beside them. Printed is how long a move takes from its frame to the entry at the last of the
four seats, alone, beside the analyser and alone again (bound: p99 beside it within 10 % of the one alone, before and
after taken together), and how long after its end a game of a chouette of four has its first pass (bound: 60 s) and its
deep pass (600 s), older games being in the queue and nothing of it judged ahead. A run takes 5 minutes on a quiet
machine of two cores, and never more than 13.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
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
from tests.bench.live.server import Servers
from tests.server import ROOT

SEATS = 4
LIMIT = 600.0
"""The bound of a deep pass: nothing is waited for longer."""
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
    table.pk, table.public_id, table.number = (
        None,
        new_public_id(),
        last.number + 1,
    )
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
    """Let a game end at the line that says so; print the seconds until it has its first pass, and its deep one."""
    import django

    django.setup()
    from django.db import transaction

    from games.kernel.figures.skill import Depth
    from games.models import GameGrades, Result

    sys.stdin.readline()
    with transaction.atomic():
        mine = _copy(Result.objects.get(pk=of), datetime.now(UTC))
    began = time.monotonic()
    grades = GameGrades.objects.filter(result=mine, formula__gt=0)
    seconds = [_until(began, grades.filter(depth__gte=depth).exists) for depth in (Depth.FIRST, Depth.DEEP)]
    graded = GameGrades.objects.exclude(graded_at=None).order_by("graded_at")
    about = graded.values_list("engine", "level").last()
    print(json.dumps({"seconds": seconds, "graded": graded.count(), "engine": about}))


def _until(began: float, is_there: Callable[[], bool]) -> float:
    """Wait until something is there, or the limit; return the seconds since a moment."""
    while not is_there() and time.monotonic() - began < LIMIT:
        time.sleep(0.2)
    return time.monotonic() - began


def beside(plan: Plan, servers: Servers, load: Load, seconds: float, result: int) -> list[float]:
    """Measure beside the analyser; print how long a game that ends meanwhile waits for its grades.

    Return how long each move took that was measured beside it, in ms.
    """
    environment = {**plan.environment("chouette"), "DJANGO_SETTINGS_MODULE": SETTINGS, "ANALYSER": "on"}
    command = [sys.executable, "-m", "django", "analyser"]
    ended = [sys.executable, "-m", "tests.bench.bench_analyser", "--end", str(result)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    analyser = subprocess.Popen(command, cwd=ROOT, env=environment)
    # It starts now and waits: what its start takes of the processor is no part of what is measured.
    ending = subprocess.Popen(ended, cwd=ROOT, env=environment, **pipes)
    try:
        moves(load, WARM_SECONDS)
        waits = measured("beside the analyser", load, servers, seconds)
        assert ending.stdin is not None
        ending.stdin.write("now\n")
        ending.stdin.flush()
        waits += measured("while a game waits for its grades", load, servers, seconds)
        while ending.poll() is None:
            # The tables go on: a line that nobody reads would be closed.
            moves(load, WARM_SECONDS)
        found = json.loads(ending.communicate()[0])
    finally:
        for process in (ending, analyser):
            # The analyser runs where nothing else does: on a busy machine it would hear of its end for minutes.
            process.kill()
            process.wait()
    first, deep = found["seconds"]
    print(
        f"a chouette of {SEATS}: first pass {first:.1f} s after its end, deep pass {deep:.1f} s, "
        f"{' '.join(found['engine'] or ['no engine'])}, {found['graded']} games graded in all",
        flush=True,
    )
    return waits


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
