"""The cubes of one turn as the Box's obligations see them (docs/rules-chouette.md §4.5)."""

from __future__ import annotations

from chouette.rules.cubes import cube_of, live, turnable
from chouette.rules.responses import Batch, Doubled
from chouette.rules.state import AGAINST, BOX, CENTRE, Game, State


def offerable(state: State, game: Game) -> tuple[int, ...]:
    """Return the cubes that the Box may turn: its own and those in the centre."""
    return turnable(state, game, BOX)


def batch_of(game: Game, cubes: tuple[int, ...]) -> Batch:
    """Return cubes against the Box as the obligations of §4.5 see them."""
    own = cube_of(game, game.captain)
    plain = [i for i in cubes if not game.cubes[i].is_extra]
    doubled = tuple(Doubled(i, game.cubes[i].value, game.cubes[i].owner == CENTRE, i == own) for i in plain)
    kept = [i for i in live(game) if i not in plain and game.cubes[i].owner == AGAINST]
    is_all = set(plain) == set(live(game)) and all(cube.is_initial for cube in doubled)
    return Batch(doubled, any(i != own for i in kept), is_all)
