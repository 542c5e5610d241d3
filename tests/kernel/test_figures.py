"""Figures of people: means with their range, and ratings, each against a second, naive reckoning."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal, getcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel.figures.ratings import START, RatedMatch, ratings, underdog_chance
from games.kernel.figures.skill_rates import mean_of, student

POINTS = st.lists(st.integers(-200, 200), min_size=1, max_size=80)
MATCHES = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 25)).filter(lambda match: match[0] != match[1]),
    max_size=60,
)


def naive_tail(t: float, degrees: int, steps: int = 4000) -> float:
    """Return the chance that Student's variable lies between -t and t, by Simpson's rule over its density."""
    log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2

    def density(x: float) -> float:
        return math.exp(log_scale - (degrees + 1) / 2 * math.log1p(x * x / degrees))

    width = t / steps
    inner = sum((4 if index % 2 else 2) * density(index * width) for index in range(1, steps))
    return 2 * width / 3 * (density(0) + inner + density(t))


@pytest.mark.parametrize("degrees", [*range(1, 41), 60, 100, 1000, 10_000])
def test_the_range_holds_95_of_100(degrees: int) -> None:
    assert naive_tail(student(degrees), degrees) == pytest.approx(0.95, abs=2e-6)


@given(POINTS)
def test_a_mean_and_its_range_are_those_of_the_single_games(points: list[int]) -> None:
    found = mean_of(len(points), sum(points), sum(each * each for each in points))
    assert found.n == len(points) and float(found.mean) == pytest.approx(statistics.fmean(points))
    if len(points) == 1:
        assert found.low is found.high is None
        return
    half = student(len(points) - 1) * statistics.stdev(points) / math.sqrt(len(points))
    assert found.low == pytest.approx(statistics.fmean(points) - half, abs=1e-9)
    assert found.high == pytest.approx(statistics.fmean(points) + half, abs=1e-9)


def naive_ratings(matches: list[tuple[int, int, int]]) -> dict[int, tuple[Decimal, int]]:
    """Return (rating, experience) in decimals, from each winner's chance to win rather than the underdog's."""
    getcontext().prec = 40
    kept: dict[int, tuple[Decimal, int]] = {}
    for winner, loser, length in matches:
        root = Decimal(length).sqrt()
        before = {who: kept.get(who, (Decimal(1500), 0)) for who in (winner, loser)}
        behind = before[loser][0] - before[winner][0]
        expected = 1 / (Decimal(10) ** (behind * root / 2000) + 1)
        for who, sign in ((winner, 1), (loser, -1)):
            experience = before[who][1] + length
            factor = max(Decimal(1), 5 - Decimal(experience) / 100)
            kept[who] = before[who][0] + sign * 4 * factor * root * (1 - expected), experience
    return kept


@given(MATCHES)
def test_ratings_equal_a_second_reckoning(matches: list[tuple[int, int, int]]) -> None:
    found, naive = ratings(RatedMatch(*match) for match in matches), naive_ratings(matches)
    assert found.keys() == naive.keys()
    for who, rating in found.items():
        assert rating.value == pytest.approx(float(naive[who][0]), abs=1e-6)
        assert rating.experience == naive[who][1] == sum(n for won, lost, n in matches if who in (won, lost))
        assert rating.matches == sum(who in match[:2] for match in matches)


def test_a_first_match_moves_new_people_by_nearly_ten_points_a_root() -> None:
    found = ratings([RatedMatch("anna", "bert", 1)])
    assert found["anna"].value == pytest.approx(START + 4 * 4.99 / 2)
    assert found["bert"].value == pytest.approx(START - 4 * 4.99 / 2)


def test_of_a_long_match_the_better_one_wins_more_often() -> None:
    assert underdog_chance(200, 1) == pytest.approx(1 / (10**0.1 + 1))
    assert underdog_chance(200, 9) == pytest.approx(1 / (10**0.3 + 1))
    assert underdog_chance(0, 7) == 0.5


def test_who_has_much_experience_moves_by_the_least_factor() -> None:
    many = [RatedMatch("anna", "bert", 25), RatedMatch("bert", "anna", 25)] * 20
    before, after = ratings(many), ratings([*many, RatedMatch("anna", "new", 1)])
    moved = after["anna"].value - before["anna"].value
    lost = START - after["new"].value
    assert lost == pytest.approx(moved * 4.99)
