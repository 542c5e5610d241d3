"""Passing the Box on between two games (`may_decline_box`, docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.events.session import BoxPassed, LineSet
from chouette.rules.seating import ordering
from chouette.rules.session import pause
from chouette.rules.state import NO_GAME, Draft, State, lineup, rule_of
from games.kernel.contract import JsonObject, Seat

PASSED_ON = "passed_on"


def may_pass(state: State, seat: Seat) -> bool:
    """Tell whether a seat may pass the Box on: it is to be the next Box, and has not passed before this game."""
    if state.phase not in NO_GAME or ordering.to_throw(state) or not rule_of(state, "may_decline_box"):
        return False
    return lineup(state)[:1] == (seat,) and seat not in state.passed


def pass_on(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Let the next in line that has not passed be Box; the seats that have passed stand behind it.

    The seat that passes is Captain. When all have passed, the first of them has to take the Box.
    """
    line, passed = lineup(draft.state), (*draft.state.passed, seat)
    draft.add(BoxPassed(seat=seat, to=_taker(line, passed)))
    settle(draft)
    pause.go_on(draft)


def settle(draft: Draft) -> None:
    """Set the line so that a seat that has passed the Box on is Box only if all have.

    Also after the seat to which it was passed has left or sits out.
    """
    state = draft.state
    line = lineup(state)
    if line[0] not in state.passed:
        return
    taker = _taker(line, state.passed)
    if taker != line[0]:
        rest = [seat for seat in state.line if seat != taker]
        at = rest.index(line[0])
        draft.add(LineSet(line=[*rest[:at], taker, *rest[at:]], why=PASSED_ON))


def _taker(line: tuple[Seat, ...], passed: tuple[Seat, ...]) -> Seat:
    """Return the first of a line that has not passed the Box on; if all have, the one that passed first."""
    fresh = [seat for seat in line if seat not in passed]
    return fresh[0] if fresh else next(seat for seat in passed if seat in line)
