"""The cubes: holders, deciders, values (docs/rules-chouette.md §4)."""

from __future__ import annotations

from chouette.rules.session import match
from chouette.rules.state import (
    AGAINST,
    BOX,
    CENTRE,
    HIGHEST_CUBE,
    MEMBER,
    TEAM,
    Cube,
    Game,
    State,
    is_present,
    rule_of,
)
from games.kernel.contract import Seat


def live(game: Game) -> tuple[int, ...]:
    """Return the cubes between members and the Box that are in the game."""
    cubes = enumerate(game.cubes)
    return tuple([i for i, cube in cubes if cube.result is None and not cube.is_extra])


def live_extras(game: Game) -> tuple[int, ...]:
    """Return the extras that are in the game (§4.8)."""
    return tuple(i for i, cube in enumerate(game.cubes) if cube.result is None and cube.is_extra)


def extras_of(game: Game, index: int) -> tuple[int, ...]:
    """Return the extras in the game that go with a member's own cube, in the order of the line."""
    cube = game.cubes[index]
    if cube.is_extra:
        return ()
    return tuple(i for i in live_extras(game) if game.cubes[i].member == cube.member)


def with_extras(game: Game, index: int) -> list[list[int]]:
    """Return the extras that go with a cube when it is turned, with their new values."""
    return [[i, game.cubes[i].value * 2] for i in extras_of(game, index)]


def cube_of(game: Game, seat: Seat) -> int | None:
    """Return a member's own cube against the Box, None for the Box, its partner and others."""
    for index, cube in enumerate(game.cubes):
        if cube.member == seat and not cube.is_extra:
            return index
    return None


def decision_cubes(game: Game, cubes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cubes that need a decision each: of a single cube's stakes only the Captain's (§4.12)."""
    if not game.is_single or not cubes:
        return cubes
    return (held_by(game, cubes, TEAM, game.captain) or cubes)[:1]


def covered_cubes(game: Game, cubes: list[int]) -> list[int]:
    """Return the cubes that a decision covers: of a single cube all its stakes."""
    return list(live(game)) if game.is_single and cubes else cubes


def is_in(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a member is in the game: at the table, with a cube that is in it (§1)."""
    own = cube_of(game, seat)
    return own is not None and game.cubes[own].result is None and is_present(state, seat)


def members_in(state: State, game: Game) -> tuple[Seat, ...]:
    """Return the members in the game, in the order of the line."""
    own = {cube.member for cube in game.cubes if cube.result is None and not cube.is_extra}
    return tuple(seat for seat in game.line[1:] if seat in own and is_present(state, seat))


def holder(game: Game, cube: Cube, side: str) -> Seat:
    """Return the seat that decides about a cube for a side; for a leaver it is the proxy (§7)."""
    if side == BOX:
        return cube.against
    if not game.proxies:
        return cube.member
    return dict(game.proxies).get(cube.member, cube.member)


def holders(game: Game, indexes: tuple[int, ...]) -> dict[int, Seat]:
    """Return by cube the seats that decide about cubes for the Team."""
    proxies = dict(game.proxies)
    return {i: proxies.get(game.cubes[i].member, game.cubes[i].member) for i in indexes}


def other(side: str) -> str:
    """Return the other side."""
    return BOX if side == TEAM else TEAM


def owner_word(side: str) -> str:
    """Return the word for a side in `Cube.owner`."""
    return MEMBER if side == TEAM else AGAINST


def may_turn(state: State, game: Game, index: int, side: str) -> bool:
    """Tell whether a side may double with a cube: it is in the game, and centred or theirs.

    Nobody doubles in the Crawford game or in a match to 1 (§8). An extra is turned with its taker's own cube (§4.8).
    """
    cube = game.cubes[index]
    return (
        cube.result is None
        and not cube.is_extra
        and not game.is_crawford
        and not match.is_to_one(state)
        and cube.owner in (CENTRE, owner_word(side))
        and cube.value * 2 <= HIGHEST_CUBE
    )


def turnable(state: State, game: Game, side: str) -> tuple[int, ...]:
    """Return the cubes with which a side may double."""
    return tuple(i for i in range(len(game.cubes)) if may_turn(state, game, i, side))


def held_by(game: Game, indexes: tuple[int, ...], side: str, seat: Seat) -> tuple[int, ...]:
    """Return the cubes about which a seat decides for a side."""
    if side == BOX:
        return tuple([i for i in indexes if game.cubes[i].against == seat])
    return tuple([i for i, by in holders(game, indexes).items() if by == seat])


def decided_by(game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes that a seat may resign or settle: the Box all, a member their own."""
    return live(game) if seat == game.box else held_by(game, live(game), TEAM, seat)


def settled_by(state: State, game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes that a seat may settle: the cubes it may resign, and its extras (§4.8)."""
    extras = [i for i in live_extras(game) if seat in parties(game, game.cubes[i])]
    both = tuple(i for i in extras if all(is_present(state, s) for s in parties(game, game.cubes[i])))
    return (*decided_by(game, seat), *both)


def parties(game: Game, cube: Cube) -> tuple[Seat, Seat]:
    """Return the seats of a cube's two sides: the one that decides for the member, and the other side's."""
    return holder(game, cube, TEAM), holder(game, cube, BOX)


def cube_points(loser: str, points: int) -> int:
    """Return the points of a cube for its member when a side loses `points` on it."""
    return points if loser == BOX else -points


def worth(state: State, cube: Cube, multiple: int) -> int:
    """Return the points of a win of 1, 2 or 3 times on a cube; Jacoby counts per cube (§4.6)."""
    if not cube.turned and rule_of(state, "jacoby"):
        return cube.value
    return cube.value * multiple


def roller(game: Game, of_side: str = "") -> Seat:
    """Return the seat that rolls and moves for a side (§4.3), else the one on turn: Box, Captain, or a deputy (§7)."""
    side = of_side or game.turn
    if game.deputies and (found := deputy_of(game, side)) is not None:
        return found
    return game.line[0] if side == BOX else game.captain


def deputy_of(game: Game, side: str) -> Seat | None:
    """Return the seat of a side's deputy, None where its Box or Captain rolls and moves."""
    return dict(game.deputies).get(side)
