"""Automatic doubles: the effect of a tied opening roll (docs/rules-chouette.md §4.2)."""

from __future__ import annotations

from chouette.rules.events.game import AutomaticAnswered, AutomaticAsked, CubesDoubled, DoubleCarried
from chouette.rules.state import HIGHEST_CUBE, Draft, playing, rule_of
from games.kernel.contract import JsonObject, Seat

DOUBLE, ASK, CARRY, NOTHING = "double", "ask", "carry", "nothing"


def effect(automatics: str, ties: int, limit: int) -> str:
    """Return the effect of tie number `ties` (from 1) of a game: double, ask, carry or nothing."""
    if automatics == "box_decides":
        return ASK
    if automatics == "first_then_box":
        return DOUBLE if ties == 1 else ASK
    if automatics == "carry_over":
        return {1: DOUBLE, 2: CARRY}.get(ties, NOTHING)
    return DOUBLE if automatics == "limit" and ties <= limit else NOTHING


def after_tie(draft: Draft) -> None:
    """Apply the house rule to the tie just rolled; then the opening is rolled again."""
    state, game = draft.state, playing(draft.state)
    limit = state.options["automatics_limit"]
    outcome = effect(rule_of(state, "automatics"), game.ties, limit)
    if outcome == CARRY:
        draft.add(DoubleCarried())
    elif game.cubes[0].value * 2 > HIGHEST_CUBE or outcome == NOTHING:
        return
    elif outcome == ASK:
        draft.add(AutomaticAsked(seat=game.box, value=game.cubes[0].value * 2))
    else:
        draft.add(CubesDoubled(value=game.cubes[0].value * 2))


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Accept or refuse a further automatic double for the Box."""
    draft.add(AutomaticAnswered(seat=seat, agree=args["agree"]))
    if args["agree"]:
        draft.add(CubesDoubled(value=playing(draft.state).cubes[0].value * 2))
