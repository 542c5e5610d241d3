"""An evening on a bad Wi-Fi: `python -m tests.bench.bench_wifi [--tables 10] [--seconds 180] [--pace 5]`.

Forty phones at ten tables of both games play over a proxy (tests/bench/live/bad_network.py) that delays each way by 20
to 350 ms, holds a tenth of the frames back for a second and cuts each phone's line once in ninety seconds. They are
players by the protocol, who come back and send again as the page does. Printed is how long an acknowledged move takes
from the house's storing it to each phone of the table, those apart whose line was away meanwhile; how long from the tap
to the last phone; and kilobytes and new connections a phone and minute. In the end every acknowledged move is looked
for in the house's logs; ends with 1 where one is lost or doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.bench.live.bad_network import BadNetwork, Weather  # noqa: E402
from tests.bench.live.phones import Phones, within  # noqa: E402
from tests.bench.live.report import aim_line  # noqa: E402
from tests.faults.houses.checks import Logs, prove  # noqa: E402
from tests.faults.houses.houses import House  # noqa: E402

SEATS, PATIENCE = 4, 120.0
GAMES: tuple[dict[str, Any], ...] = (
    {"game": "chouette", "preset": "german", "changes": {"turn_seconds": 0, "grace_seconds": 0}},
    {"game": "chicago", "preset": "classic", "changes": {"rounds": 0, "turn_seconds": 0}},
)
MOST_SECONDS, MOST_SECONDS_CUT, PART = 2.0, 4.0, 0.95


async def play(house: House, network: BadNetwork, tables: int, seconds: float, pace: float) -> tuple[Phones, float]:
    """Let the tables play over the network for so long; return the phones, who have heard all, and the minutes."""
    world = house.world("make", [{**GAMES[number % len(GAMES)], "seats": SEATS} for number in range(tables)])
    began = time.monotonic()
    async with network, Phones([network.url], world, 1, pace=pace, has_pad=True) as phones:
        await phones.all_current(PATIENCE)
        await asyncio.sleep(seconds)
        await phones.hush()
        return phones, (time.monotonic() - began) / 60


def tell(network: BadNetwork, phones: Phones, logs: Logs, minutes: float) -> None:
    """Print the figures of an evening of so many minutes."""
    count, moves = len(phones.players), phones.moves(logs)
    for is_throw, name in ((False, "moves"), (True, "throws")):
        waits = [move.seconds for move in moves if move.is_throw == is_throw]
        print(f"  {len(waits)} {name}, from the tap to the last phone: {told(waits)}")
    sights = [sight for move in moves for sight in move.sights]
    for is_cut, name, most in (
        (False, "moves at phones with a line", MOST_SECONDS),
        (True, "moves at phones whose line was cut", MOST_SECONDS_CUT),
    ):
        waits = [sight.seconds for sight in sights if sight.is_cut == is_cut]
        print(f"  {len(waits)} acknowledged {name}: {told(waits)}")
        late = within(waits, PART)
        print("- " + aim_line(f"bad Wi-Fi, s to 95 of 100 acknowledged {name}", f"≤ {most:g}", -late, -most))
    kilobytes = network.bytes.total() / 1000 / count / minutes
    new = (network.connections.total() - count) / count / minutes
    frames = network.frames.total() / count / minutes
    print(f"  {kilobytes:.1f} kB, {frames:.0f} frames and {new:.2f} new connections a phone and minute")
    closes = Counter(code for phone in phones.players for code in phone.journal.closes)
    print(f"  {network.cuts.total()} cuts; lines ended with {dict(closes)}; {phones.busy} answers said busy")


def told(waits: Sequence[float]) -> str:
    """Return how long something took, in words."""
    half, most, all_of_it = (within(waits, part) for part in (0.5, PART, 1.0))
    return f"median {half:.2f} s, 95 of 100 within {most:.2f} s, longest {all_of_it:.2f} s"


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print, and tell by the exit code whether a move was lost or doubled."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_wifi", description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--pace", type=float, default=5.0, help="mean seconds that a phone thinks")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="stammtisch-wifi-") as folder:
        house = House(Path(folder))
        house.open()
        try:
            network = BadNetwork(house.servers[0].port, Weather())
            phones, minutes = asyncio.run(play(house, network, asked.tables, asked.seconds, asked.pace))
            loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
            print(f"{len(phones.players)} phones at {asked.tables} tables, {minutes:.1f} minutes; load {loads}")
            tell(network, phones, prove(house, phones.players), minutes)
        except AssertionError as wrong:
            print(f"- bad Wi-Fi: {wrong}")
            return 1
        finally:
            house.close()
    print("- bad Wi-Fi: no acknowledged move is lost or doubled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
