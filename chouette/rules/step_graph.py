"""Every way to play a roll step by step, for a board that knows no rules.

A browser lets a checker be moved only along these steps, undoes them, and at an end sends
the play that stands there (docs/rules-chouette.md §3).
"""

from __future__ import annotations

from functools import lru_cache

from chouette.rules.notation import listed_plays
from chouette.rules.position import Position
from chouette.rules.steps import orders, sources, step
from games.kernel.contract import JsonObject

_Left = tuple[int, ...]
_Node = tuple[Position, _Left]


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
    depth = len(next(iter(listed.values())).moves)
    start: _Left = tuple(orders(dice)[0])
    leads: dict[_Node, bool] = {}
    edges: dict[_Node, list[tuple[int, int, bool, int, _Node]]] = {}

    def complete(node: _Node, used: int) -> bool:
        if node not in leads:
            edges[node] = [] if used == depth else list(_steps(node))
            edges[node] = [edge for edge in edges[node] if complete(edge[4], used + 1)]
            leads[node] = bool(edges[node]) or (used == depth and node[0] in plays)
        return leads[node]

    complete((position, start), 0)
    return _numbered((position, start), edges, plays)


def _steps(node: _Node) -> list[tuple[int, int, bool, int, _Node]]:
    """Return each step from a node, whether or not a complete play goes on from there."""
    points, left = node
    found = []
    for die in dict.fromkeys(left):
        rest = list(left)
        rest.remove(die)
        for source in sources(points, die):
            move, after = step(points, source, die)
            found.append((*move, die, (tuple(after), tuple(rest))))
    return found


def _numbered(
    first: _Node,
    edges: dict[_Node, list[tuple[int, int, bool, int, _Node]]],
    plays: dict[Position, str],
) -> tuple[JsonObject, ...]:
    """Return the nodes that can be reached, numbered in the order in which they are met."""
    numbers = {first: 0}
    order = [first]
    for node in order:
        for *_, following in edges[node]:
            if following not in numbers:
                numbers[following] = len(order)
                order.append(following)
    return tuple(
        {
            "left": list(node[1]),
            "to": [[s, t, hit, die, numbers[after]] for s, t, hit, die, after in edges[node]],
            "play": None if edges[node] else plays[node[0]],
        }
        for node in order
    )
