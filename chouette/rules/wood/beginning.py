"""The beginning of a game on a real board, and ties of its opening roll (docs/rules-chouette.md §4.13)."""

from __future__ import annotations

from chouette.rules.cube import automatics
from chouette.rules.events.game import OpeningTied
from chouette.rules.session import opening
from chouette.rules.state import (
    BETWEEN,
    CENTRE,
    HIGHEST_CUBE,
    OPENERS,
    WOOD,
    Draft,
    Game,
    State,
    lineup,
    playing,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat


def may_begin(state: State) -> tuple[Seat, ...]:
    """Return the seats that may begin the next game: its Box and its Captain."""
    return lineup(state)[:OPENERS] if state.phase == BETWEEN and not opening.question(state) else ()


def begin(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Begin the next game."""
    opening.start_game(draft)


def may_tie(state: State, game: Game) -> bool:
    """Tell whether a tie of the opening roll would have an effect: no cube has been turned yet."""
    if game.stage != WOOD or not all(_is_fresh_cube(cube.turned, cube.owner, cube.result) for cube in game.cubes):
        return False
    limit = state.options["automatics_limit"]
    found = automatics.effect(rule_of(state, "automatics"), game.ties + 1, limit)
    is_carried = found == automatics.CARRY and state.carry
    has_room = found == automatics.CARRY or game.cubes[0].value * 2 <= HIGHEST_CUBE
    return found != automatics.NOTHING and has_room and not is_carried


def _is_fresh_cube(turned: bool, owner: str, result: int | None) -> bool:
    return not turned and owner == CENTRE and result is None


def tie(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Note a tie of the opening roll, with its automatic double."""
    draft.add(OpeningTied(die=None, ties=playing(draft.state).ties + 1))
    automatics.after_tie(draft)
