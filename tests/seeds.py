"""Seeds of random sessions: new ones each day, so that a run is repeated by its day.

`SEED_DAY=2026-01-31 python -m pytest …` plays what was played on that day. What costs most takes turns by the day;
with `ALL_DAYS=1`, as `make test-long` sets it, nothing is left to another day.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TypeVar

import pytest

Item = TypeVar("Item")


@cache
def day() -> str:
    """Return the day whose sessions are played: SEED_DAY, else today (UTC)."""
    found = os.environ.get("SEED_DAY") or datetime.now(UTC).date().isoformat()
    # Also of the processes that this one starts, and over midnight.
    os.environ["SEED_DAY"] = found
    return found


def first_seed(most: int = 10**9) -> int:
    """Return the number of the day's first session: those of the next day follow far behind."""
    return datetime.fromisoformat(day()).toordinal() * 10_000 % most


def share_of_day(items: Sequence[Item], parts: int, turn: int = 0, *, every: int = 1) -> list[Item]:
    """Return the day's one of so many equal shares of items; all of them have come after `parts` days.

    `turn` gives another share of the same day: what one test leaves out, another looks at. A test that is itself run
    every so many days alone (`day(parts)`) says so with `every`: else it may meet the same share each time.
    """
    if os.environ.get("ALL_DAYS") == "1":
        return list(items)
    return list(items[(datetime.fromisoformat(day()).toordinal() // every + turn) % parts :: parts])


def fix(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Let the dice of tables, and the seeds of their bots, be those of `seed` in this test."""
    from games.kernel import dice
    from games.kernel.dice import chains
    from games.services.clock import bots

    def of_place(place: tuple[object, ...]) -> int:
        """Stand in for the hash of a table's public id, the entry and the seat."""
        return zlib.crc32(repr((seed, place[1:])).encode())

    monkeypatch.setattr(dice, "new_seed", lambda: hashlib.sha256(seed.encode()).hexdigest())
    message = chains.message
    monkeypatch.setattr(chains, "message", lambda _, k, n, ctx, links: message("", k, n, b"", links))
    monkeypatch.setattr(bots, "hash", of_place, raising=False)
