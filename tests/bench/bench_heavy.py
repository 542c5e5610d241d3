"""What heavy pages cost, and what they cost others: a night and players with ever more results.

`python -m tests.bench.bench_heavy [results …]` (usual: 5000 100000) prints for each page its
milliseconds and those of them that the processor worked for it, its queries, its bytes and the
memory that Python took for it; then how long moves take alone, and beside twelve browsers that
ask for such pages all the time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

READERS, MOVES, PAUSE = 12, 150, 0.02


def addresses(night: Any, player: Any) -> dict[str, str]:
    """Return the pages by what they are."""
    return {
        "a night": f"/night/{night.public_id}/",
        "its results": f"/night/{night.public_id}/results/",
        "its results as CSV": f"/night/{night.public_id}/files/results.csv",
        "its leaderboard (API)": f"/api/nights/{night.public_id}/leaderboard/",
        "a player": f"/player/{player.pk}/",
        "a player, filtered": f"/player/{player.pk}/?since=2020-01-01",
        "a player (API)": f"/api/players/{player.pk}/",
        "a player's results (API)": f"/api/players/{player.pk}/results/",
        "a player's rivals (API)": f"/api/players/{player.pk}/rivals/",
        "leaderboard": "/leaders/",
    }


def browser(player: Any) -> Any:
    """Return a browser of a player."""
    from django.test import Client

    client = Client()
    session = client.session
    session["player_id"] = player.pk
    session.save()
    return client


def told(answer: Any) -> int:
    """Return how many bytes an answer has, read as they come."""
    assert answer.status_code in (200, 429, 503), answer.status_code
    return sum(len(piece) for piece in answer)


def measured(client: Any, path: str) -> tuple[float, float, int, int, float]:
    """Return milliseconds, those of the processor, queries, bytes and MB at most of a page."""
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    cache.clear()
    told(client.get(path))
    start, worked = perf_counter(), process_time()
    size = told(client.get(path))
    spent, worked = 1000 * (perf_counter() - start), 1000 * (process_time() - worked)
    connection.ensure_connection()
    with CaptureQueriesContext(connection) as queries:
        told(client.get(path))
        count = len(queries)
    tracemalloc.start()
    told(client.get(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return spent, worked, count, size, peak / 1e6


def table_of_bots() -> tuple[Any, Any]:
    """Return a table in play, and a function that makes the next move at it."""
    from games import plugin
    from games.kernel import simulate
    from games.services import ledger, writer
    from games.services.play import Actor, Request, new_command_id
    from tests.bench.bench_house import new_table

    table = new_table("chouette", "german")
    actors = {seat.index: Actor(seat.player_id) for seat in table.seats.all()}
    rules = plugin.game("chouette").rules
    import random

    rng = random.Random(3)

    def move() -> float:
        table.refresh_from_db()
        command = simulate.pick(simulate.open_choices(rules, ledger.state_of(table), len(actors)), rng)
        request = Request(command.name, command.args, new_command_id(), command.basis)
        start = perf_counter()
        writer.submit(table.pk, actors[command.seat or 0], request)
        return 1000 * (perf_counter() - start)

    return table, move


@contextmanager
def readers(player: Any, paths: list[str]) -> Iterator[list[int]]:
    """Let twelve browsers ask for pages as fast as they come; yields how many they got."""
    from django.core.cache import cache
    from django.db import connections

    stop, got = threading.Event(), []

    def read(number: int) -> None:
        client = browser(player)
        while not stop.is_set():
            cache.clear()  # the limits, which would send these readers away, are not what is measured
            answer = client.get(paths[number % len(paths)])
            told(answer)
            got.append(answer.status_code)
            sleep(0.05 if answer.status_code != 200 else 0)
        connections.close_all()

    threads = [threading.Thread(target=read, args=(n,)) for n in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield got
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def moves_line(name: str, spent: list[float]) -> str:
    """Return the figures of some moves."""
    ordered = sorted(spent)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return f"{name:44} p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   longest {ordered[-1]:7.1f} ms"


def made_moves() -> list[float]:
    """Make moves at human pace at several tables; return how long each took."""
    _, move = table_of_bots()
    spent = []
    for _ in range(MOVES):
        spent.append(move())
        sleep(PAUSE)
    return spent


def main(sizes: list[int]) -> None:
    """Print the figures."""
    from django.core.management import call_command

    from games import turns
    from tests import years

    sys.setswitchinterval(turns.SWITCH_SECONDS)
    call_command("migrate", verbosity=0)
    worst: list[str] = []
    for size in sizes:
        people = years.players(4 + len(worst))[:4]
        night = years.long_night(size, people)
        client = browser(people[0])
        paths = addresses(night, people[1])
        title = f"a night and a player of {size} results"
        print(f"{title:44} {'ms':>9} {'cpu ms':>8} {'queries':>8} {'bytes':>10} {'MB':>7}")
        for name, path in paths.items():
            spent, worked, queries, length, memory = measured(client, path)
            print(f"{name:44} {spent:9.1f} {worked:8.1f} {queries:8} {length:10} {memory:7.1f}", flush=True)
        worst = [path for name, path in paths.items() if "API" not in name]
        print()
    print(moves_line("moves alone", made_moves()))
    with readers(people[0], worst) as got:
        sleep(1)
        spent_beside = made_moves()
    print(moves_line(f"moves beside {READERS} readers of such pages", spent_beside))
    print(f"  the readers got {len(got)} answers: {dict(Counter(got))}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(folder) / 'heavy.sqlite3'}")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        import django

        django.setup()
        main([int(size) for size in sys.argv[1:]] or [5_000, 100_000])
