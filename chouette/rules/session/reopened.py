"""A second chance after a time-out, and what follows it (docs/rules-chouette.md §11)."""

from __future__ import annotations

from chouette.rules.cube import answers, beavers
from chouette.rules.cube.cubes import covered_cubes
from chouette.rules.state import MOVE, WOOD, Game, State
from chouette.rules.view_shape import SecondChance
from games.kernel.contract import Seat

DROP, LEAVE = "drop", "leave"


def second_chances(state: State, game: Game) -> list[SecondChance]:
    """Return the seats whose time has run out once in the open decision, with effect and cost of the next time."""
    return [_second(state, game, seat, opened) for seat, opened in game.reopened]


def _second(state: State, game: Game, seat: Seat, opened: int) -> SecondChance:
    is_play = game.stage in (MOVE, WOOD)
    return {
        "seat": seat,
        "opened": opened,
        "seconds": state.options["turn_seconds"],
        "then": LEAVE if is_play else DROP,
        # The cost of leaving is open: the game is played on, or paid by the level refused.
        "points": None if is_play else -_price(game, seat),
    }


def _price(game: Game, seat: Seat) -> int:
    """Return the points of the cubes that a seat drops by its next time-out."""
    about = [ask.cube for ask in beavers.waiting(game) if ask.seat == seat and ask.kind in beavers.BINDING]
    cubes = covered_cubes(game, about)
    doubled = sum(game.cubes[i].value for i in answers.to_answer(game, seat))
    return doubled + sum(game.cubes[i].value // 2 for i in cubes)
