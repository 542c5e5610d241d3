"""Every way to play a roll step by step: what the board works out from the plays (board_steps.js).

The board lets a checker be moved only along these steps, undoes them, and at an end sends
the play that stands there (docs/rules-chouette.md §3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from chouette.board.notation import listed_plays
from chouette.board.position import Position
from chouette.board.steps import Move, orders, sources, step
from games.kernel.contract import JsonObject


@dataclass(slots=True, eq=False)
class _Node:
    """A position on the way, the dice not played yet, and the steps from there."""

    points: Position
    left: tuple[int, ...]
    steps: list[tuple[Move, int, _Node]] = field(default_factory=list)
    leads: bool = False
    """Whether a complete play goes on from here, or ends."""
    number: int = -1


@lru_cache(maxsize=256)
def step_graph(position: Position, dice: tuple[int, ...]) -> tuple[JsonObject, ...]:
    """Return the nodes of a roll; the first one is where nothing has been played yet.

    A node is `{"left": [die], "to": [[source, target, hit, die, node]], "play": text?}`:
    the dice not played yet, each step that leads to a complete play (25 = the bar, 0 = off,
    in the view of the side on roll) with the index of the node it leads to, and at an end
    the play in notation, else null. Shared: not to be changed.
    """
    listed = listed_plays(position, dice)
    plays = {play.result: text for text, play in listed.items()}
    first = _Node(position, orders(dice)[0])
    levels = [[first]]
    for _ in next(iter(listed.values())).moves:
        levels.append(_stepped_on(levels[-1]))
    for node in levels.pop():
        node.leads = node.points in plays
    for level in reversed(levels):
        for node in level:
            node.steps = [way for way in node.steps if way[2].leads]
            node.leads = bool(node.steps)
    return tuple(_shown(node, plays) for node in _numbered(first))


def _stepped_on(level: list[_Node]) -> list[_Node]:
    """Take every step from some nodes, and return the nodes where they lead."""
    found: dict[tuple[Position, tuple[int, ...]], _Node] = {}
    for node in level:
        for die in dict.fromkeys(node.left):
            at = node.left.index(die)
            left = node.left[:at] + node.left[at + 1 :]
            for source in sources(node.points, die):
                move, after = step(node.points, source, die)
                key = (tuple(after), left)
                following = found.get(key)
                if following is None:
                    following = found[key] = _Node(*key)
                node.steps.append((move, die, following))
    return list(found.values())


def _numbered(first: _Node) -> list[_Node]:
    """Return the nodes that can be reached, numbered in the order in which they are met."""
    first.number = 0
    order = [first]
    for node in order:
        for _, _, following in node.steps:
            if following.number < 0:
                following.number = len(order)
                order.append(following)
    return order


def _shown(node: _Node, plays: dict[Position, str]) -> JsonObject:
    return {
        "left": list(node.left),
        "to": [[*move, die, following.number] for move, die, following in node.steps],
        "play": None if node.steps else plays[node.points],
    }
