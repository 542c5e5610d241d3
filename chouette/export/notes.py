"""Notes of a file: one sentence for each event that its format has no sign for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from chouette.board.gnubg_id import position_id
from chouette.board.position import START, swap
from chouette.rules.events.time import FlagFell, PointsGiven, TimeLimitReached
from chouette.rules.state import BOX, CENTRE, MEMBER, Game
from games.kernel.contract import Event, JsonObject, Seat

Name: TypeAlias = Callable[[Seat], str]
Texts: TypeAlias = list[str]

_HOW = {"beaver_dropped": "beaver dropped", "left": "left the table", "time": "on time"}


def notes(event: Event, game: Game, name: Name, cube: int) -> Texts:
    """Return the sentences about an event; `game` is the game before it.

    `cube` is the index of the cube that the file follows: its doubles need no notes.
    """
    write = _WRITERS.get(event.type)
    return write(event.data, game, name, cube) if write else []


def beginning(game: Game, name: Name) -> Texts:
    """Return the pairing: names of the Box and of its opponents."""
    found = []
    if len(game.line) > 2:
        team = ", ".join(name(cube.member) for cube in game.cubes)
        found.append(f"{name(game.box)} is the Box against {team}; the first is Captain.")
    if game.partner is not None:
        found.append(f"{name(game.partner)} is partner in the Box.")
    if game.cubes[0].value > 1:
        found.append(f"The cubes start at {game.cubes[0].value}.")
    if game.cubes[0].owner != CENTRE:
        found.append(f"They are with {'the Team' if game.cubes[0].owner == MEMBER else 'the Box'}.")
    if game.position != START:
        position = position_id(swap(game.position))
        found.append(f"It starts from the position {position} with the Captain on roll.")
    return found


def correction(data: JsonObject, name: Name) -> str:
    """Return a correction of the score sheet."""
    paid = ", ".join(f"{name(a)} pays {name(b)} {points}" for a, b, points, _ in data["transfers"])
    by = "the host" if data["seat"] is None else name(data["seat"])
    return f"Correction by {by}: {paid} ({data['why']})."


LEAST_ERROR = 0.02
"""The least error of a choice that is a note."""


def of_grade(row: JsonObject) -> str:
    """Return a grade of the house's engine, "" for what was no mistake."""
    if row["error"] is None or row["error"] < LEAST_ERROR:
        return ""
    return f"{row['played']} costs {row['error']:.3f}; better: {row['best']}."


def of_time(event: Event, name: Name) -> str | None:
    """Return what an event of a game clock, a time limit or a match's first score says; None for other events."""
    data = event.data
    if event.type == PointsGiven.name:
        if data["game"]:
            return f"Game {data['game']}: {name(data['seat'])} gets {data['points']} for time."
        return f"The match is opened at a score: {name(data['seat'])} starts with {data['points']}."
    if event.type == FlagFell.name:
        return f"{name(data['seat'])}'s time is up ({data['effect']})."
    return "The time limit of the match is reached." if event.type == TimeLimitReached.name else None


def _cube_name(game: Game, index: int, name: Name) -> str:
    """Return a cube's name with that of its member; an extra is between two others."""
    cube = game.cubes[index]
    kind = f"extra against {name(cube.against)}" if cube.is_extra else "cube"
    return f"{name(cube.member)}'s {kind}"


def _each(cubes: Iterable[int], cube: int, say: Callable[[int], str]) -> Texts:
    return [say(index) for index in cubes if index != cube]


def _doubled(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    side = "The Box" if data["side"] == BOX else "The Team"
    return _each(
        data["cubes"],
        cube,
        lambda i: f"{side} doubles {_cube_name(game, i, name)} to {2 * game.cubes[i].value}.",
    )


def _answered(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    takes = _each(data["takes"], cube, lambda i: f"{_cube_name(game, i, name)} is taken.")
    return takes + _each(data["drops"], cube, lambda i: f"{_cube_name(game, i, name)} is dropped.")


def _raised(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    to = data["value"]
    return _each([data["cube"]], cube, lambda i: f"{_cube_name(game, i, name)} is raised to {to}.")


def _settled(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    how = _HOW.get(data["how"], data["how"])
    text = f"{data['points']:+d} ({how})"
    return _each([data["cube"]], cube, lambda i: f"{_cube_name(game, i, name)}: {text}.")


def _extra(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    giver, taker = name(data["seat"]), name(data["member"])
    return [f"{giver} pays {taker} {data['paid']} and gives an extra at {data['value']}."]


def _captain(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [f"{name(data['seat'])} plays for the Team."]


def _left(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    proxy = data["proxy"]
    then = "" if proxy is None else f"; {name(proxy)} looks after the cube"
    if data.get("played_on"):
        then = "; a bot plays on"
    return [f"{name(data['seat'])} leaves the table{then}."]


def _handed(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [f"{name(data['seat'])} looks after {name(data['member'])}'s cube."]


def _new_box(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [f"{name(data['seat'])} plays on as the Box."]


def _taken_back(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    last = game.last
    return [f"Taken back: {''.join(map(str, last.dice))}: {last.play}."] if last else []


def _resigning(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [f"{name(data['seat'])} offers to resign {data['level']} times the cube."]


def _resigned(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [] if data["accepted"] else ["The resignation is refused."]


def _automatic(data: JsonObject, game: Game, name: Name, cube: int) -> Texts:
    return [f"Automatic double: the cubes are at {data['value']}."]


_WRITERS: dict[str, Callable[[JsonObject, Game, Name, int], Texts]] = {
    "cubes_doubled": _automatic,
    "doubled": _doubled,
    "answers_opened": _answered,
    "beavered": _raised,
    "raccooned": _raised,
    "extra_given": _extra,
    "cube_settled": _settled,
    "captain_changed": _captain,
    "seat_left": _left,
    "cube_handed": _handed,
    "box_changed": _new_box,
    "play_taken_back": _taken_back,
    "resignation_offered": _resigning,
    "resignation_closed": _resigned,
}
