"""Match play: the score and the Crawford game (docs/rules-chouette.md §8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from chouette.rules.state import Row, State
from games.kernel.contract import Seat

BEFORE, NOW, AFTER = "before", "now", "after"
"""Values of `State.crawford`."""


def is_match(state: State) -> bool:
    """Tell whether the table plays a match."""
    return bool(state.options["format"] == "match")


def is_to_one(state: State) -> bool:
    """Tell whether the table plays a match to 1: there is nothing to double for, and no Crawford game (§8)."""
    return is_match(state) and bool(state.options["match_length"] == 1)


def games_played(state: State) -> int:
    """Return the number of games that have ended at this table."""
    return sum(1 for row in state.sheet if row.number)


def score(rows: Iterable[Row], seat: Seat) -> int:
    """Return the points that a seat has won in a match: its losses count for the other seat."""
    counted = (row for row in rows if row.number and not row.is_struck)
    return sum(t.points for row in counted for t in row.transfers if t.payee == seat)


def scores(state: State, count: int | None = None) -> list[int] | None:
    """Return each seat's score, after `count` rows or now; None without a match."""
    if not is_match(state):
        return None
    return [score(state.sheet[:count], seat) for seat in range(len(state.players))]


def winner(state: State) -> Seat | None:
    """Return the seat that has won the match, or None."""
    length = state.options["match_length"]
    return next((s for s in state.line if score(state.sheet, s) >= length), None)


def is_crawford_next(state: State) -> bool:
    """Tell whether the next game is the Crawford game: one side needs one point for the first time."""
    if not is_match(state) or state.crawford != BEFORE or is_to_one(state):
        return False
    needed = state.options["match_length"] - 1
    return any(score(state.sheet, seat) == needed for seat in state.line)


def recounted(rows: Iterable[Row], length: int) -> tuple[tuple[Row, ...], str]:
    """Return the rows of a match to `length` with its Crawford game, and struck after its end, and `State.crawford`.

    That is BEFORE or AFTER: whether the Crawford game is still to be played.
    """
    found: list[Row] = []
    scores: Counter[Seat] = Counter()
    crawford = BEFORE
    for row in rows:
        is_struck = any(points >= length for points in scores.values())
        is_next = crawford == BEFORE and length > 1 and length - 1 in scores.values()
        is_crawford = is_next and not is_struck
        found.append(replace(row, is_crawford=is_crawford, is_struck=is_struck))
        if is_struck:
            continue
        crawford = AFTER if is_crawford else crawford
        scores.update({transfer.payee: transfer.points for transfer in row.transfers})
    return tuple(found), crawford
