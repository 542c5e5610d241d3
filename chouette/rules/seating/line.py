"""The line between two games: newcomers and leavers (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.events.session import LineSet, SessionEnded
from chouette.rules.seating import ordering, passing_on, sitting_out
from chouette.rules.seating.rotation import BY_HAND, Next
from chouette.rules.session import match, pause
from chouette.rules.state import BETWEEN, COMING, LEFT, Draft, State, is_two, is_wood, lineup, rule_of
from games.kernel.contract import JsonObject, Seat


def set_after(draft: Draft, following: Next) -> None:
    """Set the line of the next game, without leavers and with newcomers."""
    state = draft.state
    stayed = [seat for seat in following.line if state.players[seat].status != LEFT]
    waiting = [seat for seat, p in enumerate(state.players) if p.status == COMING]
    loser = following.loser
    draft.add(LineSet(line=_joined(state, stayed, waiting, loser), why=following.why))


def join_now(draft: Draft, seat: Seat) -> None:
    """Put a newcomer into the line at once, between two games."""
    state = draft.state
    draft.add(LineSet(line=_joined(state, list(state.line), [seat], state.loser), why="joined"))


def join_waiting(draft: Draft) -> None:
    """Put the newcomers of a game into the line, after its beginning was taken back."""
    state = draft.state
    waiting = [seat for seat, player in enumerate(state.players) if player.status == COMING]
    if waiting:
        draft.add(LineSet(line=_joined(state, list(state.line), waiting, state.loser), why="joined"))


def leave_now(draft: Draft, seat: Seat) -> None:
    """Take a leaver out of the line between two games; the next ones move up."""
    was_box = lineup(draft.state)[:1] == (seat,)
    draft.add(LineSet(line=[s for s in draft.state.line if s != seat], why="left"))
    if len(draft.state.line) < 2:
        end_for_want_of_players(draft)
    else:
        sitting_out.call_back(draft)
        if was_box:
            passing_on.settle(draft)
        pause.go_on(draft)
        ordering.settle(draft)


def places(state: State) -> tuple[JsonObject, ...]:
    """Return the moves by which the host may change a line set by hand, until the first opening roll (§4.12).

    At a real board before any game: real dice may have been thrown for it, or a result told wrongly (§4.13).
    """
    is_by_hand = rule_of(state, "line_order") == BY_HAND and not state.sheet
    if state.phase != BETWEEN or is_two(state) or not (is_by_hand or is_wood(state)):
        return ()
    line = state.line
    return tuple({"seat": s, "to": n} for s in sorted(line) for n in range(len(line)) if line[n] != s)


def place(draft: Draft, house: None, args: JsonObject) -> None:
    """Move a seat to another place of the first line."""
    rest = [seat for seat in draft.state.line if seat != args["seat"]]
    line = [*rest[: args["to"]], args["seat"], *rest[args["to"] :]]
    draft.add(LineSet(line=line, why=BY_HAND))


def end_for_want_of_players(draft: Draft) -> None:
    """End the session for lack of players; the last player wins a match or a money session."""
    state = draft.state
    winner = state.line[0] if state.line and match.is_won_by_one(state) else None
    draft.add(SessionEnded(reason="too_few", winner=winner))


def _joined(state: State, seats: list[Seat], newcomers: list[Seat], loser: Seat | None) -> list[Seat]:
    """Return the line with newcomers behind the loser, or ahead of them (`join_position`)."""
    is_ahead = rule_of(state, "join_position") == "ahead_of_loser"
    if is_ahead and loser in seats:
        at = seats.index(loser)
        return [*seats[:at], *newcomers, *seats[at:]]
    return [*seats, *newcomers]
