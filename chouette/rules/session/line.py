"""The line between two games: newcomers and leavers (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.session.rotation import Next
from chouette.rules.state import COMING, LEFT, Draft, State, rule_of
from games.kernel.contract import Seat


def set_after(draft: Draft, following: Next) -> None:
    """Set the line of the next game: without those who left, with those who have come."""
    state = draft.state
    stayed = [seat for seat in following.line if state.players[seat].status != LEFT]
    waiting = [seat for seat, p in enumerate(state.players) if p.status == COMING]
    loser = following.loser
    draft.add("line_set", line=_joined(state, stayed, waiting, loser), why=following.why)


def join_now(draft: Draft, seat: Seat) -> None:
    """Between two games a newcomer stands in the line at once."""
    state = draft.state
    draft.add("line_set", line=_joined(state, list(state.line), [seat], state.loser), why="joined")


def leave_now(draft: Draft, seat: Seat) -> None:
    """Between two games whoever leaves is out of the line; the next ones move up."""
    draft.add("line_set", line=[s for s in draft.state.line if s != seat], why="left")
    if len(draft.state.line) < 2:
        end_for_want_of_players(draft)


def end_for_want_of_players(draft: Draft) -> None:
    """One alone cannot play; a match is theirs."""
    state = draft.state
    winner = state.line[0] if state.line and state.options["format"] == "match" else None
    draft.add("session_ended", reason="too_few", winner=winner)


def _joined(state: State, seats: list[Seat], newcomers: list[Seat], loser: Seat | None) -> list[Seat]:
    """Return the line with newcomers behind the loser, or ahead of them (`join_position`)."""
    is_ahead = rule_of(state, "join_position") == "ahead_of_loser"
    if is_ahead and loser in seats:
        at = seats.index(loser)
        return [*seats[:at], *newcomers, *seats[at:]]
    return [*seats, *newcomers]
