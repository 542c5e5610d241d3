"""The presence of seats, for services: the seats whose devices can answer now.

`games.live` knows it and registers a function here (`set_source`), so that services do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from games.kernel.contract import Seat

Present: TypeAlias = Callable[[int], "Collection[Seat] | None"]


def _nobody_knows(table_id: int) -> Collection[Seat] | None:
    return None


_present: Present = _nobody_knows


def set_source(present: Present) -> None:
    """Register the function that returns the connected and shown seats of a table, None if that is not known."""
    global _present  # noqa: PLW0603
    _present = present


def present(table_id: int) -> Collection[Seat] | None:
    """Return the seats of a table that are connected and shown; None if this process does not know."""
    return _present(table_id)
