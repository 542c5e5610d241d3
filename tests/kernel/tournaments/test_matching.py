"""The pairs of a round: the cheapest of all, one answer alone, whatever the order; a Swiss has the least float."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from games.kernel.draws.lots import Lot
from games.kernel.tournaments.pairing import earlier_matching
from games.kernel.tournaments.pairing.matching import MOST, Cost, Costs, best_pairs, cheapest, ranked
from games.kernel.tournaments.phases.rounds import float_weights
from tests import seeds
from tests.kernel.tournaments.nights import Night
from tests.kernel.tournaments.test_rounds import Way, by_groups, float_of, ways

Pairs = list[tuple[int, int]]


def least(costs: Costs, left: frozenset[int]) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Return unpaired people, cost and pairs of the best pairs, by trying all; of equal ones the first."""
    if not left:
        return 0, 0, ()
    one = min(left)
    alone, cost, pairs = least(costs, left - {one})
    found = [(alone + 1, cost, pairs)]
    for other in left - {one}:
        if (price := costs[one][other]) is not None:
            alone, cost, pairs = least(costs, left - {one, other})
            found.append((alone, cost + price, ((one, other), *pairs)))
    return min(found)


def some_costs(chance: random.Random, count: int, most: int, share: float = 0.6) -> list[list[Cost]]:
    """Return costs of pairs below a bound; a share of the pairs may be."""
    costs: list[list[Cost]] = [[None] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        if chance.random() < share:
            costs[one][other] = costs[other][one] = chance.randrange(most)
    return costs


def by_score(chance: random.Random, count: int) -> list[list[Cost]]:
    """Return costs as those of a Swiss after some rounds."""
    scores = [sum(chance.random() < 0.5 for _ in range(5)) for _ in range(count)]
    costs = some_costs(chance, count, 1, 0.7)
    for one, row in enumerate(costs):
        for other, cost in enumerate(row):
            if cost is not None:
                difference = abs(scores[one] - scores[other])
                row[other] = (1000 + difference) * difference
    return costs


def total(costs: Costs, pairs: Pairs) -> int:
    """Return the sum of the costs of pairs."""
    return sum(costs[one][other] or 0 for one, other in pairs)


def test_pairs_are_as_many_as_there_can_be_and_the_cheapest() -> None:
    chance = random.Random(3)
    for seed in range(300):
        count = chance.randrange(2, 11)
        costs = some_costs(chance, count, 4)
        for pairs in (best_pairs(costs, Lot(0, seed)), earlier_matching.best_pairs(costs)):
            assert len({each for pair in pairs for each in pair}) == 2 * len(pairs)
            assert (count - 2 * len(pairs), total(costs, pairs)) == least(costs, frozenset(range(count)))[:2]


def test_of_equal_costs_the_least_sum_of_ranks_decides() -> None:
    chance = random.Random(4)
    for seed in range(40):
        count = chance.randrange(2, 9)
        costs = some_costs(chance, count, 2)
        with_ranks: list[list[Cost]] = [[None] * count for _ in range(count)]
        for one, other, cost in ranked(costs, Lot(0, seed)):
            with_ranks[one][other] = with_ranks[other][one] = cost
        pairs = best_pairs(costs, Lot(0, seed))
        assert tuple(pairs) == least(with_ranks, frozenset(range(count)))[2]


def test_the_earlier_search_takes_the_first_of_the_best_pairs_of_few() -> None:
    chance = random.Random(5)
    for _ in range(200):
        count = chance.randrange(2, 10)
        costs = [[None if cost is None else cost + 1 for cost in row] for row in some_costs(chance, count, 4)]
        assert tuple(earlier_matching.best_pairs(costs)) == least(costs, frozenset(range(count)))[2]


@pytest.mark.parametrize("count", [14, 24, 40, 60])
def test_pairs_are_never_dearer_than_those_of_the_earlier_search_and_at_times_cheaper(count: int) -> None:
    chance, saved = random.Random(count), 0
    for seed in range(16):
        costs = by_score(chance, count) if seed % 2 else some_costs(chance, count, 1000)
        pairs, earlier = best_pairs(costs, Lot(0, seed)), earlier_matching.best_pairs(costs)
        assert len(pairs) == len(earlier) and total(costs, pairs) <= total(costs, earlier)
        saved += total(costs, earlier) - total(costs, pairs)
    assert saved > 0


def orders(count: int, pairs: list[tuple[int, int, int]]) -> set[frozenset[frozenset[int]]]:
    """Return what is found for sixty orders of people and of pairs."""
    chance, found = random.Random(5), set()
    for _ in range(60):
        number = chance.sample(range(count), count)
        turned = [(number[one], number[other], cost) for one, other, cost in chance.sample(pairs, len(pairs))]
        back = {new: old for old, new in enumerate(number)}
        found.add(frozenset(frozenset((back[one], back[other])) for one, other in cheapest(count, turned)))
    return found


def test_the_same_pairs_come_out_in_any_order() -> None:
    count = 40
    costs = by_score(random.Random(6), count)
    assert len(orders(count, ranked(costs, Lot(0, 0)))) == 1
    pairs = [
        (one, other, cost or 0)
        for one, other in combinations(range(count), 2)
        if (cost := costs[one][other]) is not None
    ]
    assert len(orders(count, pairs)) > 5, "without ranks the order decides: nothing is proved"


def test_large_costs_give_the_same_pairs_and_larger_ones_are_refused() -> None:
    """Costs that do not fit would be added up wrongly, and nobody would see it."""
    for count in (2, 30, 120):
        costs = by_score(random.Random(count), count)
        largest = max(cost or 0 for row in costs for cost in row) or 1
        times = (MOST - 1) // largest
        dear = [[None if cost is None else cost * times for cost in row] for row in costs]
        assert best_pairs(dear, Lot(0, count)) == best_pairs(costs, Lot(0, count))
    for cost in (MOST, -1):
        with pytest.raises(ValueError, match=str(cost)):
            best_pairs([[None, cost], [cost, None]], Lot(0, 0))


@pytest.mark.parametrize(("people", "rounds"), [(12, 3), (200, 7), (200, 40), (1000, 999)])
def test_in_a_higher_group_a_float_weighs_more_than_all_below(people: int, rounds: int) -> None:
    chance = random.Random(people)
    scores = [sum(chance.random() < 0.5 for _ in range(rounds)) for _ in range(people)]
    whole, weights = float_weights(scores)
    lowest, spread = min(scores), max(scores) - min(scores)
    below = 0
    for score in sorted(weights):
        assert weights[score] > below
        below += weights[score] * scores.count(score) * (score - lowest)
    assert whole > below
    assert max(1_000_000, 1000 + spread) * spread * whole + below < MOST
    assert set(weights) == set(scores) or rounds > 7
    assert set(scores) - set(weights) <= {score for score in scores if score < min(weights)}


@pytest.mark.parametrize("people", [11, 12])
def test_a_swiss_of_more_has_the_least_float_and_of_equal_ones_that_of_the_top_group(people: int) -> None:
    """All pairings of each round are tried; so few rounds can always be gone on with."""
    night = Night({"kind": "swiss", "rounds": 4, "tie": "wins"}, people, seeds.first_seed())
    everybody = [f"p{at}" for at in range(people)] + [""] * (people % 2)
    met: Way = frozenset()
    for found in night.steps():
        entries = [entry for each in found["proposals"] for entry in each.get("entries", []) if "round" in entry]
        if entries:
            wins = {each["player"]: each["wins"] for each in found["state"]["players"]}
            way = frozenset(frozenset(entry.get("players", [entry.get("player"), ""])) for entry in entries)
            had_bye = {frozenset((each["player"], "")) for each in found["state"]["players"] if each["byes"]}
            fit = ways(everybody, met | had_bye)
            assert (float_of(way, wins), by_groups(way, wins)) == min(
                (float_of(w, wins), by_groups(w, wins)) for w in fit
            )
            met |= way


@pytest.mark.parametrize("kind", ["swiss", "neighbours"])
def test_the_order_of_entry_turns_no_draw_of_many(kind: str) -> None:
    chance, found = random.Random(1), set()
    people = [f"p{at}" for at in range(23)]
    for _ in range(5):
        night = Night({"kind": kind, "rounds": 3} | ({"order": people} if kind == "neighbours" else {}), 0, 7)
        for one in chance.sample(people, len(people)):
            night.add("enter", player=one)
        night.add("start")
        proposed = [entry for each in night.ask()["proposals"] for entry in each["entries"]]
        found.add(frozenset(frozenset(each.get("players", [each.get("player")])) for each in proposed))
    assert len(found) == 1
