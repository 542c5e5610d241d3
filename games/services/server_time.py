"""The time of the house: it advances evenly, even if the computer's clock is changed.

Deadlines are written and read by it. At its start a process takes it from the computer's clock, or
continues from the house's last clock (processes.join_time). So a change of the computer's clock neither stops
bots nor ends a turn. Time during which a laptop sleeps counts.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

JUMP_SECONDS = 5.0
"""The difference from which on the computer's clock counts as having jumped."""


def _steady() -> float:
    """Return seconds of a clock that is never set."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


_offset = time.time() - _steady()


def now_ms() -> int:
    """Return the house's time, in milliseconds since the epoch."""
    return int((_steady() + _offset) * 1000)


def now() -> datetime:
    """Return the house's time."""
    return datetime.fromtimestamp(_steady() + _offset, UTC)


def set_time(milliseconds: float) -> None:
    """Set the house's time of this moment."""
    global _offset  # noqa: PLW0603
    _offset = milliseconds / 1000 - _steady()


def jump() -> float:
    """Return the difference of the computer's clock from the house's time, in seconds."""
    return time.time() - (_steady() + _offset)
