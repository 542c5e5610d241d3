"""The time of a house that a test moves: house and test map one small file into memory. Tests only.

The file has three doubles: the house's time in seconds since the epoch and the number of rounds that the test waits
for, which only the test moves, and how often the house has done what is due at tournaments, which only the house
counts. A house that nobody waits for does so every other second, and leaves the processor to the browsers.
"""

from __future__ import annotations

import mmap
import struct
import threading
import time
from datetime import datetime
from pathlib import Path

SETTINGS = "tests.browser.tournament_night.serving"
"""The settings of a server with a false clock."""
VARIABLE = "FALSE_CLOCK"
"""Environment variable of a server: the path of the file."""
_SIZE = 24
_DOUBLE = struct.Struct("d")
_SECONDS, _ROUNDS, _WANTED = 0, 8, 16
WAIT_SECONDS = 60.0
LOOKS_SECONDS = 0.01
ROUND_SECONDS = 2.0
"""Seconds between two rounds of a house with a false clock, when the test waits for none."""


class FalseClock:
    """A false clock in a file, which is made if it is missing."""

    def __init__(self, place: Path) -> None:
        self.place = place
        if not place.exists():
            place.write_bytes(_DOUBLE.pack(time.time()) + bytes(_SIZE - _DOUBLE.size))
        with place.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _SIZE)

    def seconds(self) -> float:
        """Return the house's time, in seconds since the epoch."""
        return self._read(_SECONDS)

    def now(self) -> datetime:
        """Return the house's time, in the zone of this computer."""
        return datetime.fromtimestamp(self.seconds()).astimezone()

    def advance(self, seconds: float) -> None:
        """Move the time on, and wait until the house has done what is due then."""
        self._write(_SECONDS, self.seconds() + seconds)
        self.wait()

    def wait(self) -> None:
        """Wait until the house has done what is due now: for two rounds, as one may have begun already."""
        rounds = self._read(_ROUNDS) + 2
        self._write(_WANTED, rounds)
        until = time.monotonic() + WAIT_SECONDS
        while self._read(_ROUNDS) < rounds:
            assert time.monotonic() < until, "the house does not do what is due"
            time.sleep(LOOKS_SECONDS)

    def is_waited_for(self) -> bool:
        """Tell whether the test waits for a round of the house."""
        return self._read(_ROUNDS) < self._read(_WANTED)

    def count_round(self) -> None:
        """Count a round of the house."""
        self._write(_ROUNDS, self._read(_ROUNDS) + 1)

    def _read(self, place: int) -> float:
        return float(_DOUBLE.unpack_from(self._shared, place)[0])

    def _write(self, place: int, seconds: float) -> None:
        _DOUBLE.pack_into(self._shared, place, seconds)


class _News(threading.Event):
    """News for the clock's thread: also that a test waits for its next round."""

    def __init__(self, clock: FalseClock) -> None:
        super().__init__()
        self._clock = clock

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for news, or until the test waits, or for so many seconds."""
        until = time.monotonic() + (timeout or 0.0)
        while not self.is_set() and not self._clock.is_waited_for() and time.monotonic() < until:
            super().wait(LOOKS_SECONDS)
        return self.is_set()


def install(place: Path) -> None:
    """Let this process, a house's, take its time from the file, and count there what it does."""
    from games.live import clock_thread
    from games.services import server_time
    from games.services.tournaments import automatic

    clock = FalseClock(place)
    run_due = automatic.run_due

    def run_and_count(now: datetime | None = None) -> int:
        found = run_due(now)
        clock.count_round()
        return found

    server_time._steady = clock.seconds
    server_time._offset = 0.0
    automatic.run_due = run_and_count
    clock_thread._news = _News(clock)
    clock_thread.ROUND_SECONDS = ROUND_SECONDS
    clock_thread.TOURNAMENTS_SECONDS = 0.0
