"""Passing the Box on between two games (`may_decline_box`, docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.seating import ordering
from chouette.rules.state import NO_GAME, Draft, State, lineup, rule_of
from games.kernel.contract import JsonObject, Seat

PASSED_ON = "passed_on"


def may_pass(state: State, seat: Seat) -> bool:
    """Tell whether a seat may pass the Box on.

    It is the next Box, has not passed before this game, and has not agreed to a game that starts doubled.
    """
    if state.phase not in NO_GAME or ordering.to_throw(state) or not rule_of(state, "may_decline_box"):
        return False
    return lineup(state)[:1] == (seat,) and seat not in state.passed and state.value == 1


def pass_on(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Let the next in line be Box; the seat that passes stands behind it, as Captain."""
    following = lineup(draft.state)[1]
    swapped = {seat: following, following: seat}
    draft.add("box_passed", seat=seat, to=following)
    draft.add("line_set", line=[swapped.get(s, s) for s in draft.state.line], why=PASSED_ON)
