"""What devices cost a throw: commands a second of a table, and the time from a tap to the dice.

`python -m tests.bench.bench_dice [seconds]`: one table of Chicago after the other, in one process, on an SQLite
file, with dice of a sealed seed, of the server's chain alone (level C), and of chains with both devices (level A).
The time to the dice adds the network's round trips to what the server took for its steps.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from tests.bench.live.report import aim_line

ROUND_TRIPS_MS = (20, 200)


def set_up(folder: str) -> None:
    """Make an empty database in a folder."""
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def tables() -> Callable[[], Any]:
    """Return what starts a new table of two at one night."""
    from games.services.nights import membership
    from games.services.people import players
    from tests.conftest import opening, starting

    host = players.new_guest("Host")
    night = membership.host_night(host, "Bench")
    start = starting(opening(night, host), host)
    return lambda: start("chicago", "classic", seats=2)


def run(start: Callable[[], Any], kind: str, seconds: float) -> tuple[float, list[float]]:
    """Return the entries of the game a second, and what the server took for each throw, in ms."""
    from games.kernel.dice import chains
    from games.models import Table
    from games.services.commands import Actor, Request
    from games.services.tables import throws
    from games.services.tables.commit import submit
    from tests.conftest import choices_at
    from tests.devices import Device, is_under_way, under_way

    done, spent, took = 0, 0.0, []
    while spent < seconds:
        table = start()
        players = dict(table.seats.values_list("index", "player_id"))
        devices = [Device(table, seat) for seat in range(2)] if kind == "A" else []
        while table.status == Table.Status.PLAYING and spent < seconds:
            if any(device.used == chains.SEAT_LENGTH for device in devices):
                # As phones do: without links the throws would be of level C, and cheaper.
                devices = [Device(table, seat, os.urandom(32)) for seat in range(2)]
            choice = next(c for c in choices_at(table) if c.required)
            request = Request(choice.name, choice.options[0], f"b{done}", choice.opened_at)
            began = time.perf_counter()
            receipt = submit(table.pk, Actor(players[choice.seat]), request)
            passed = time.perf_counter() - began
            while devices and is_under_way(table):
                # A device knows the throw from its question, and has its link at hand.
                asked = under_way(table)
                device = devices[asked.waiting[0]]
                device.used += 1
                link = device.link(device.used)
                began = time.perf_counter()
                receipt = device.send(throws.LINK, k=asked.k, link=link)
                passed += time.perf_counter() - began
            if choice.name == "throw":
                level = (receipt.entry.throw or {"level": "sealed"})["level"]
                if level != kind:
                    raise SystemExit(f"a throw of level {level} is none of {kind}")
                took.append(passed * 1000)
            done, spent = done + 1, spent + passed
            table.refresh_from_db()
    return done / spent, took


def main(seconds: float) -> None:
    """Print a line for each kind of dice."""
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        from games.services.tables import setup
        from tests import sealed_tables

        start, rates, begin = tables(), {}, setup._begin
        for kind in ("sealed", "C", "A"):
            setup._begin = sealed_tables.begun if kind == "sealed" else begin
            rates[kind], took = run(start, kind, seconds)
            trips = 3 if kind == "A" else 1
            cuts = statistics.quantiles(took, n=100)
            waits = ", ".join(
                f"{ms} ms away {trips * ms + cuts[49]:.0f}/{trips * ms + cuts[98]:.0f}" for ms in ROUND_TRIPS_MS
            )
            share = rates[kind] / rates["sealed"] * 100
            print(f"{kind:>6}: {rates[kind]:6.0f} commands/s ({share:.0f} %), tap to dice p50/p99 in ms: {waits}")
        of_c, longest = rates["A"] / rates["C"], trips * ROUND_TRIPS_MS[-1] + cuts[49]
        print("- " + aim_line("level A on disk, share of level C", "≥ 0.6", of_c, 0.6))
        print("- " + aim_line("tap to dice at 200 ms, p50 in ms", "≤ 625", -longest, -625))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
