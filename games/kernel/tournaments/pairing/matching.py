"""Pairs of many at once: as many as there can be, of these the cheapest, and of equally cheap ones those of the lot."""

from __future__ import annotations

from collections.abc import Sequence

from games.kernel.draws.lots import WORD, Lot

Cost = int | None
"""The cost of a pair; None for one that may not be."""
Costs = Sequence[Sequence[Cost]]
MOST = 1 << 72
"""Costs are below this: with ranks, and with what is added up for up to a thousand people, they fit into 128 bits."""


def best_pairs(costs: Costs, lot: Lot) -> list[tuple[int, int]]:
    """Return pairs of numbers: as many as there can be, of the least sum of costs, then of ranks by lot."""
    return cheapest(len(costs), ranked(costs, lot))


def ranked(costs: Costs, lot: Lot) -> list[tuple[int, int, int]]:
    """Return each pair that may be with its cost and, below it, a rank of 32 bits by lot: so one answer is the best.

    Ranks are drawn for all pairs, in the order (0, 1), (0, 2) … (1, 2) …; raises ValueError for a cost out of bounds.
    """
    # More than the sum of all ranks.
    scale = WORD * (len(costs) // 2 + 1)
    found = []
    for one, row in enumerate(costs):
        for other in range(one + 1, len(row)):
            rank, cost = lot.below(WORD), row[other]
            if cost is not None:
                if not 0 <= cost < MOST:
                    raise ValueError(cost)
                found.append((one, other, cost * scale + rank))
    return found


def cheapest(count: int, pairs: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return the most and cheapest pairs of so many numbers, out of (one, other, cost)."""
    # Loaded for the first draw: few processes make any.
    import rustworkx

    top = max((cost for _, _, cost in pairs), default=0)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(one, other, top - cost) for one, other, cost in pairs])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)
