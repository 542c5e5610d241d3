"""The analysis of another program in a Smart Game Format file: the properties that GNU Backgammon writes.

`A` are the plays that it looked at, with the number of the one made; `DA` is the cube's analysis, `LU` the roll's luck.
A node of a play may have all three: the cube's is then of not doubling.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.position import BAR, OFF, Position
from chouette.export.record import PLAY, RecordedAct
from games.kernel.contract import JsonObject

MOST_PLAYS = 5
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_EVALUATED = re.compile(rf"([a-z]*)\s+E ver \d+ (?:{_NUMBER} ){{5}}({_NUMBER}) (\d)C?\b")
_ROLLED_OUT = re.compile(rf"([a-z]*)\s+X ver \d+ Score ({_NUMBER}) ")
_CUBE = re.compile(rf"E ver \d+ (\d)C? \d+ {_NUMBER} \d+((?: {_NUMBER}){{14}})\s*")
_NO_DOUBLE, _TAKE = 6, 13
"""The cubeful figures among the seven of each of both courses; in a match these are chances to win it."""


def of_node(node: Mapping[str, Sequence[str]], act: RecordedAct, player: str) -> JsonObject:
    """Return what a node says of its act, {} for nothing.

    `{"plays": [[play, equity, level]], "cube": {"no_double", "take", "level"}, "luck": equity}`, each where there is
    one.
    """
    found: JsonObject = {}
    if act.kind == PLAY and (plays := _plays(node.get("A", ())[1:], act, player)):
        found["plays"] = plays
    if match := _CUBE.fullmatch("".join(node.get("DA", ()))):
        values = [float(each) for each in match[2].split()]
        if all(map(math.isfinite, values)):
            found["cube"] = {"no_double": values[_NO_DOUBLE], "take": values[_TAKE], "level": f"{match[1]}-ply"}
    luck = "".join(node.get("LU", ()))
    if re.fullmatch(_NUMBER, luck) and math.isfinite(float(luck)):
        found["luck"] = float(luck)
    return found


def _plays(values: Sequence[str], act: RecordedAct, player: str) -> list[list[object]]:
    """Return the first plays of an analysis in our notation, with equity and level; what is no play is left out."""
    names = {play.result: format_play(play) for play in legal_plays(act.before, act.dice)}
    found: list[list[object]] = []
    for value in values[:MOST_PLAYS]:
        match = _EVALUATED.match(value) or _ROLLED_OUT.match(value)
        if match is None or not math.isfinite(float(match[2])):
            continue
        name = names.get(_result(act.before, match[1], player))
        level = f"{match[3]}-ply" if match.re is _EVALUATED else "rollout"
        if name is not None:
            found.append([name, float(match[2]), level])
    return found


def _result(before: Position, letters: str, player: str) -> Position:
    """Return the position after single steps in letters, in the mover's view."""
    points = list(before)
    for source, target in zip(letters[::2], letters[1::2], strict=False):
        start, end = point_of(source, player, BAR), point_of(target, player, BAR)
        points[start] -= 1
        if end != OFF:
            if points[end] == -1:
                points[end] = 0
                points[OFF] -= 1
            points[end] += 1
    return tuple(points)


def point_of(letter: str, player: str, bar: int) -> int:
    """Return the point that a letter names, as a player counts it."""
    if letter == "z":
        return OFF
    if letter == "y":
        return bar
    point = ord(letter) - ord("a") + 1
    return point if player == "W" else BAR - point
