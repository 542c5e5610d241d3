"""What heavy pages cost, and what they cost others: a night and players with ever more results.

`python -m tests.bench.bench_heavy [results …]` (usual: 5000 100000) prints for each page its
milliseconds and those of them that the processor worked for it, its queries, its bytes and the
memory that Python took for it. What they cost the moves is measured by tests/bench/bench_beside.py.
"""

from __future__ import annotations

import os
import sys
import tempfile
import tracemalloc
from pathlib import Path
from time import perf_counter, process_time
from typing import Any


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


def main(sizes: list[int]) -> None:
    """Print the figures."""
    from django.core.management import call_command

    from tests import years

    call_command("migrate", verbosity=0)
    for number, size in enumerate(sizes):
        people = years.players(4 + number)[:4]
        night = years.long_night(size, people)
        client = browser(people[0])
        paths = addresses(night, people[1])
        title = f"a night and a player of {size} results"
        print(f"{title:44} {'ms':>9} {'cpu ms':>8} {'queries':>8} {'bytes':>10} {'MB':>7}")
        for name, path in paths.items():
            spent, worked, queries, length, memory = measured(client, path)
            print(f"{name:44} {spent:9.1f} {worked:8.1f} {queries:8} {length:10} {memory:7.1f}", flush=True)
        print()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(folder) / 'heavy.sqlite3'}")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        import django

        django.setup()
        main([int(size) for size in sys.argv[1:]] or [5_000, 100_000])
