"""The cubes of one turn under the Box's obligations (docs/rules-chouette.md §4.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from chouette.rules.cube.cubes import cube_of, live, turnable
from chouette.rules.options.declaration import rule
from chouette.rules.state import AGAINST, BOX, CENTRE, HIGHEST_CUBE, Game, State
from games.kernel.options import Values
from games.kernel.sets import Alike, Law, Marks, Requires, Sets, least


def offerable(state: State, game: Game) -> tuple[int, ...]:
    """Return the cubes that the Box may turn: its own and the centred ones."""
    return turnable(state, game, BOX)


def batch_of(game: Game, cubes: tuple[int, ...]) -> CubeBatch:
    """Return cubes against the Box as a batch for the obligations of §4.5."""
    own = cube_of(game, game.captain)
    plain = [i for i in cubes if not game.cubes[i].is_extra]
    doubled = tuple(DoubledCube(i, game.cubes[i].value, game.cubes[i].owner == CENTRE, i == own) for i in plain)
    kept = [i for i in live(game) if i not in plain and game.cubes[i].owner == AGAINST]
    is_all = set(plain) == set(live(game)) and all(cube.is_initial for cube in doubled)
    return CubeBatch(doubled, any(i != own for i in kept), is_all)


Takes: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class DoubledCube:
    """A cube in a batch: its value before the double, its category, whether it is the Captain's."""

    id: int
    value: int
    is_initial: bool
    is_captains: bool = False


@dataclass(frozen=True, slots=True)
class CubeBatch:
    """Cubes of one turn.

    `holds_others`: the Box holds cubes of other members than the Captain from earlier turns.
    `is_all_centred`: the batch is every cube in the game, all turned from the centre.
    """

    cubes: tuple[DoubledCube, ...]
    holds_others: bool = False
    is_all_centred: bool = False

    @property
    def captains(self) -> DoubledCube | None:
        """The Captain's cube, if it is in the batch."""
        return next((cube for cube in self.cubes if cube.is_captains), None)


def answers(options: Values, batch: CubeBatch) -> Sets:
    """Return the sets of cubes that the Box may take, marked with the cubes that it may or must beaver.

    The empty set is always among them.
    """
    laws = (_uniform(options, batch), _captain_too(options, batch), _enough(options, batch))
    return replace(_sets("take", batch, laws, may_be_empty=True), marks=_beavers(options, batch))


def may_beaver(options: Values, value: int) -> bool:
    """Tell whether a cube that stood at a value before the double may be beavered (§4.4)."""
    return bool(rule(options, "beavers")) and value * 4 <= HIGHEST_CUBE


def _beavers(options: Values, batch: CubeBatch) -> Marks | None:
    """Return the cubes that the Box may beaver if it takes them, and the Captain's if it must; None without any."""
    allowed = tuple(sorted(cube.id for cube in batch.cubes if may_beaver(options, cube.value)))
    forced = tuple((i,) for i in allowed if must_beaver(options, batch, frozenset((i,))))
    return Marks("beaver", allowed, forced, "sole_captain_beaver") if allowed else None


def offers(options: Values, batch: CubeBatch) -> Sets:
    """Return the sets of cubes that the Box may offer; the empty set is not among them."""
    return _sets("cubes", batch, (_uniform(options, batch), _captain_level(options, batch)))


def _sets(key: str, batch: CubeBatch, laws: tuple[Law | None, ...], *, may_be_empty: bool = False) -> Sets:
    ids = tuple(sorted(cube.id for cube in batch.cubes))
    return Sets(key, ids, tuple(law for law in laws if law is not None), may_be_empty)


def must_beaver(options: Values, batch: CubeBatch, takes: Takes) -> bool:
    """Tell whether the Box takes the Captain's cube alone and so must beaver it."""
    captains = batch.captains
    return (
        rule(options, "sole_captain_beaver")
        and captains is not None
        and takes == {captains.id}
        and len(batch.cubes) > 1
    )


def net_if_won(options: Values, batch: CubeBatch, takes: Takes) -> int:
    """Return the Box's net points on a batch if it takes these cubes and wins a single game.

    A drop costs v, a take is worth 2v, a take that it must beaver 4v.
    """
    times = 4 if must_beaver(options, batch, takes) else 2
    return sum(times * cube.value if cube.id in takes else -cube.value for cube in batch.cubes)


def _uniform(options: Values, batch: CubeBatch) -> Law | None:
    """Return the law that cubes of one category, or of one value, are treated alike."""
    how = rule(options, "uniform_response")
    if how == "none":
        return None
    groups: dict[int, list[int]] = {}
    for cube in batch.cubes:
        groups.setdefault(cube.value if how == "by_value" else int(cube.is_initial), []).append(cube.id)
    split = tuple(tuple(group) for group in groups.values() if len(group) > 1)
    return Alike("uniform_response", split) if split else None


def _captain_too(options: Values, batch: CubeBatch) -> Law | None:
    """Return the law that the Captain's cube is taken if any is."""
    captains = batch.captains
    if not rule(options, "must_take_captain") or captains is None or batch.holds_others:
        return None
    others = tuple(cube.id for cube in batch.cubes if cube is not captains)
    return Requires("must_take_captain", others, captains.id) if others else None


def _enough(options: Values, batch: CubeBatch) -> Law | None:
    """Return the law of the least number of cubes to take."""
    ids = [cube.id for cube in batch.cubes]
    return least("min_takes", ids, partial(_is_too_few, options, batch))


def _is_too_few(options: Values, batch: CubeBatch, takes: Takes) -> bool:
    least_takes, count = rule(options, "min_takes"), len(batch.cubes)
    if least_takes == "none" or not batch.is_all_centred:
        return False
    if least_takes == "break_even":
        return net_if_won(options, batch, takes) < 0
    return len(takes) * 2 < count if least_takes == "half" else len(takes) < count


def _captain_level(options: Values, batch: CubeBatch) -> Law | None:
    """Return the law that a double to any member also doubles the Captain's cube of the same level."""
    captains = batch.captains
    if not rule(options, "box_must_double_captain") or captains is None:
        return None
    level = tuple(cube.id for cube in batch.cubes if cube.value == captains.value and cube is not captains)
    return Requires("box_must_double_captain", level, captains.id) if level else None
