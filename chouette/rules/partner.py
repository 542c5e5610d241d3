"""A partner in the Box (docs/rules-chouette.md §4.10)."""

from __future__ import annotations

from chouette.rules.state import BETWEEN, Draft, State, rule_of
from games.kernel.contract import JsonObject, Seat

NOBODY = -1


def is_large(state: State) -> bool:
    """Tell whether there are enough players for a partner."""
    return bool(len(state.line) >= state.options["partner_from"])


def is_asked(state: State) -> bool:
    """Tell whether the Box has to say now whether it takes a partner."""
    optional = rule_of(state, "partner") == "optional_from"
    return optional and state.phase == BETWEEN and is_large(state) and state.partner is None


def chosen(state: State) -> Seat | None:
    """Return the partner of the game about to begin: the last in line, or None."""
    if not is_large(state):
        return None
    if rule_of(state, "partner") == "compulsory_from":
        return state.line[-1]
    taken = state.partner not in (None, NOBODY)
    return state.line[-1] if rule_of(state, "partner") == "optional_from" and taken else None


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """The Box takes the last in line as its partner, or plays alone."""
    draft.add("partner_chosen", seat=seat, partner=draft.state.line[-1] if args["take"] else None)


def share(box_result: int) -> int:
    """Return the partner's half of what the Box has won or lost; the odd point is the Box's."""
    half = abs(box_result) // 2
    return half if box_result > 0 else -half
