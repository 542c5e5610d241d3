"""The presence of seats, for services: which seats have a device that can answer now.

The live line knows it and says so here (`ask_from`); services know nothing of the live line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from games.kernel.contract import Seat

Present: TypeAlias = Callable[[int], "Collection[Seat] | None"]


def _nobody_knows(table_id: int) -> Collection[Seat] | None:
    return None


_present: Present = _nobody_knows


def ask_from(present: Present) -> None:
    """Let `present` tell from now on which seats of a table are connected and shown, None where that is not known."""
    global _present  # noqa: PLW0603
    _present = present


def present(table_id: int) -> Collection[Seat] | None:
    """Return the seats of a table that are connected and shown; None where this process does not know."""
    return _present(table_id)
