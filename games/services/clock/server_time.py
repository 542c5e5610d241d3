"""The time of the house: it goes on evenly, whatever is done to the computer's clock.

Deadlines are written and read by it. A process takes it from the computer's clock when it
starts, or goes on from where the house's last clock was (house_clock.join_time): set back or
forward meanwhile, the computer's clock neither silences bots nor ends anybody's turn. Time that
a laptop sleeps counts.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

JUMP_SECONDS = 5.0
"""From how far on the computer's clock is said to have jumped."""


def _steady() -> float:
    """Return seconds that only go on."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


_offset = time.time() - _steady()


def now_ms() -> int:
    """Return the house's time, in milliseconds since the epoch."""
    return int((_steady() + _offset) * 1000)


def now() -> datetime:
    """Return the house's time."""
    return datetime.fromtimestamp(_steady() + _offset, UTC)


def set_time(milliseconds: float) -> None:
    """Let the house's time go on from a moment, which is now."""
    global _offset  # noqa: PLW0603
    _offset = milliseconds / 1000 - _steady()


def jump() -> float:
    """Return how far the computer's clock has gone away from the house's time, in seconds."""
    return time.time() - (_steady() + _offset)
