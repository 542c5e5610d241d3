"""Match play: score and Crawford game (docs/rules-chouette.md §8), and the lead, which also decides a money session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from chouette.rules.state import Given, ScoreRow, State, rule_of
from games.kernel.contract import Seat
from games.kernel.tournaments.forecast import length_of_minutes

BEFORE, NOW, AFTER = "before", "now", "after"
"""Values of `State.crawford`."""


def is_match(state: State) -> bool:
    """Tell whether the table plays a match."""
    return bool(state.options["format"] == "match")


def is_session(state: State) -> bool:
    """Tell whether the table plays a money session: money games with a time limit, won by the side with more points."""
    return bool(state.options["format"] == "money" and rule_of(state, "match_minutes"))


def is_won_by_one(state: State) -> bool:
    """Tell whether the table plays for a winner: a match, or a money session."""
    return is_match(state) or is_session(state)


def length(state: State) -> int:
    """Return the length of a match; of a money session, that of a match of about the same duration."""
    is_timed = is_session(state)
    return length_of_minutes(rule_of(state, "match_minutes")) if is_timed else int(state.options["match_length"])


def is_to_one(state: State) -> bool:
    """Tell whether the table plays a match to 1: there is nothing to double for, and no Crawford game (§8)."""
    return is_match(state) and bool(state.options["match_length"] == 1)


def games_played(state: State) -> int:
    """Return the number of games that have ended at this table."""
    return sum(1 for row in state.sheet if row.number)


def score(rows: Iterable[ScoreRow], seat: Seat) -> int:
    """Return the points that a seat has won in a match: its losses count for the other seat."""
    counted = (row for row in rows if row.number and not row.is_struck)
    return sum(t.points for row in counted for t in row.transfers if t.payee == seat)


def given(points: Iterable[Given], seat: Seat, upto: int | None = None) -> int:
    """Return the points that a seat was given beside the games, with `upto` only in games up to that number."""
    return sum(one.points for one in points if one.seat == seat and (upto is None or one.game <= upto))


def points_of(state: State, seat: Seat) -> int:
    """Return a seat's score in the match; in money games what it has won, corrections of the sheet included."""
    if not is_match(state):
        return sum(t.points for row in state.sheet if not row.is_struck for t in row.transfers if t.payee == seat)
    return score(state.sheet, seat) + given(state.given, seat)


def scores(state: State, count: int | None = None) -> list[int] | None:
    """Return each seat's score, after `count` rows or now; None without a match."""
    if not is_match(state):
        return None
    rows = state.sheet[:count]
    upto = None if count is None else max((row.number for row in rows), default=0)
    return [score(rows, seat) + given(state.given, seat, upto) for seat in range(len(state.players))]


def winner(state: State) -> Seat | None:
    """Return the seat that has won the match, or None."""
    length = state.options["match_length"]
    return next((s for s in state.line if points_of(state, s) >= length), None)


def leader(state: State) -> Seat | None:
    """Return the seat that is ahead, None if the score is equal."""
    found = sorted(state.line, key=lambda seat: points_of(state, seat))
    is_ahead = len(found) > 1 and points_of(state, found[-1]) > points_of(state, found[-2])
    return found[-1] if is_ahead else None


def is_crawford_next(state: State) -> bool:
    """Tell whether the next game is the Crawford game: one side needs one point for the first time."""
    if not is_match(state) or state.crawford != BEFORE or is_to_one(state):
        return False
    needed = state.options["match_length"] - 1
    return any(points_of(state, seat) == needed for seat in state.line)


def recounted(rows: Iterable[ScoreRow], length: int, points: Iterable[Given] = ()) -> tuple[tuple[ScoreRow, ...], str]:
    """Return the rows of a match to `length` with its Crawford game, and struck after its end, and `State.crawford`.

    That is BEFORE or AFTER: whether the Crawford game is still to be played. `points` were given beside the games.
    """
    found: list[ScoreRow] = []
    scores: Counter[Seat] = Counter()
    crawford = BEFORE
    waiting = sorted(points, key=lambda one: one.game)
    for row in rows:
        while waiting and waiting[0].game < row.number:
            one = waiting.pop(0)
            scores[one.seat] += one.points
        is_struck = any(points >= length for points in scores.values())
        is_next = crawford == BEFORE and length > 1 and length - 1 in scores.values()
        is_crawford = is_next and not is_struck
        found.append(replace(row, is_crawford=is_crawford, is_struck=is_struck))
        if is_struck:
            continue
        crawford = AFTER if is_crawford else crawford
        scores.update({transfer.payee: transfer.points for transfer in row.transfers})
    return tuple(found), crawford
