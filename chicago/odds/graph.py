"""All courses of one turn, as a graph, and the best way through it.

Built with the very functions of `chicago.rules.throwing.turn`, so the odds can't drift from the
rules. Chances are whole numbers over 216 to the number of throws left: exact, and faster
than fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from chicago.rules.throwing.turn import DICE, Dice, Lay, Turn, TurnRules, after, lays, may_stand

SIDES = 6
ONE_THROW: int = SIDES**DICE
"""The number of ways three dice can fall: the scale of one throw."""

Column = list[int]
"""One whole number for each question that is solved at the same time."""


@dataclass(frozen=True, slots=True)
class Node:
    """A turn after a throw: whether standing is allowed, and the ways to throw again.

    `cups` are indices into the next throw's cups, one for each of `ways`.
    """

    turn: Turn
    stands: bool
    ways: tuple[Lay, ...]
    cups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cup:
    """The dice in the cup before a throw: the dice laid out, and the nodes that it can lead to.

    `weights` add up to 216; `nodes` are indices into the nodes after the throw.
    """

    laid: Dice
    nodes: tuple[int, ...]
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ThrowLayer:
    """The n-th throw: the cups before it and the nodes after it."""

    cups: tuple[Cup, ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A whole turn; `throws[0]` is the first throw. `nodes` finds the node of a turn."""

    throws: tuple[ThrowLayer, ...]
    nodes: Mapping[Turn, Node]


Worth = Callable[[Node], Column | None]
"""The worth of ending with a node, for each question; None: the turn can't end there."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best chances in a graph: `cups[t][i]` before throw t (from 0), cup i.

    A column of `cups[t]` is over `ONE_THROW ** (throws - t)`; `worth` is the function solved for.
    """

    graph: Graph
    worth: Worth
    cups: tuple[tuple[Column, ...], ...]


@lru_cache(maxsize=256)
def falls(dice: int) -> tuple[tuple[Dice, int], ...]:
    """Return the ways `dice` dice fall, sorted, with their weights out of 216."""
    scale = SIDES ** (DICE - dice)
    counted = Counter(tuple(sorted(f)) for f in product(range(1, SIDES + 1), repeat=dice))
    return tuple((fall, count * scale) for fall, count in sorted(counted.items()))


@lru_cache(maxsize=256)
def graph(rules: TurnRules, throws_allowed: int, exactly: bool) -> Graph:
    """Return the graph of a turn of at most, or exactly, `throws_allowed` throws."""
    throws: list[ThrowLayer] = []
    laid: tuple[Dice, ...] = ((),)
    for number in range(1, throws_allowed + 1):
        cups, turns = _fall(laid, number)
        ways = [lays(turn, rules, throws_allowed, exactly) for turn in turns]
        outs = [[after(t, w, rules) for w in ws] for t, ws in zip(turns, ways, strict=True)]
        laid = tuple(sorted({out for group in outs for out in group}))
        index = {out: i for i, out in enumerate(laid)}
        nodes = [
            Node(t, may_stand(t, rules, throws_allowed, exactly), w, tuple(index[out] for out in o))
            for t, w, o in zip(turns, ways, outs, strict=True)
        ]
        throws.append(ThrowLayer(cups, tuple(nodes)))
    return Graph(tuple(throws), {node.turn: node for t in throws for node in t.nodes})


def _fall(laid: Iterable[Dice], number: int) -> tuple[tuple[Cup, ...], list[Turn]]:
    """Return the cups of throw `number` and the turns that it leads to."""
    cups: list[Cup] = []
    turns: list[Turn] = []
    for out in laid:
        outcomes = falls(DICE - len(out))
        nodes = tuple(range(len(turns), len(turns) + len(outcomes)))
        cups.append(Cup(out, nodes, tuple(weight for _, weight in outcomes)))
        turns += [Turn(out, fall, number) for fall, _ in outcomes]
    return tuple(cups), turns


def solve(whole: Graph, worth: Worth) -> Solution:
    """Return the best chances for all questions of `worth`, working backwards."""
    cups: list[tuple[Column, ...]] = []
    scale = 1
    for throw in reversed(whole.throws):
        later = cups[-1] if cups else ()
        nodes = [_best(node, worth(node), scale, later) for node in throw.nodes]
        cups.append(tuple(_expected(cup, nodes) for cup in throw.cups))
        scale *= ONE_THROW
    return Solution(whole, worth, tuple(reversed(cups)))


def _best(node: Node, worth: Column | None, scale: int, later: Sequence[Column]) -> Column:
    """Return the best of standing and of every way to throw again, question by question."""
    columns = [later[cup] for cup in node.cups]
    if worth is not None:
        columns.append([w * scale for w in worth])
    return columns[0] if len(columns) == 1 else list(map(max, *columns))


def _expected(cup: Cup, nodes: Sequence[Column]) -> Column:
    """Return the weighted sum over the ways the dice can fall."""
    rows = zip(*(nodes[i] for i in cup.nodes), strict=True)
    return [sum(map(int.__mul__, cup.weights, row)) for row in rows]
