"""The house's choices, which every game lists for the clock and the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.kernel.contract import CLOSE, Choice, Seat


def house_choices(opened_at: int, seats: Mapping[str, Iterable[Seat]], *, can_close: bool) -> tuple[Choice, ...]:
    """Return a choice for each house command (TIMEOUT, LEAVE, JOIN, …) that is open for at least one seat.

    `can_close`: the host may end the table now.
    """
    found = [
        Choice(name, None, opened_at, options, required=False)
        for name, named in seats.items()
        if (options := tuple({"seat": seat} for seat in named))
    ]
    if can_close:
        found.append(Choice(CLOSE, None, opened_at, required=False))
    return tuple(found)
