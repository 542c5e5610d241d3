"""What a choice costs and when it counts, held to a second, naive implementation of the page's sentences."""

import random

import pytest

from chouette.analysis import counting
from chouette.analysis.engine import Candidate, CubeEquities
from chouette.board.position import START


def naive_double(nd, dt, dp, doubled):
    """Double or not: the sentence of the formula, word by word."""
    error = nd - min(dt, dp) if doubled else min(dt, dp) - nd
    error = error if error > 0 else 0.0
    left_out = abs(nd - min(dt, dp)) < 0.001
    left_out = left_out or nd - dt > 0.200 or nd - dp > 0.200
    left_out = left_out or (nd < -0.900 and dt < -0.900)
    return error, doubled or error >= 0.001 or not left_out


def naive_play(candidates, played):
    deep = max(c.level for c in candidates)
    equities = sorted(c.equity for c in candidates if c.level == deep)
    return max(candidates[0].equity - played.equity, 0.0), len(candidates) >= 2 and equities[-1] - equities[0] >= 0.0001


def test_doubles_count_as_the_formula_says():
    rng = random.Random(5)
    counted = 0
    for _ in range(20_000):
        nd = rng.choice([rng.uniform(-1.1, 1.4), 0.8, 0.9995, -0.95])
        dt = rng.choice([nd + rng.uniform(-0.3, 0.3), rng.uniform(-1.5, 2.0), nd])
        doubled = rng.random() < 0.3
        found = counting.of_double(CubeEquities(nd, dt), doubled)
        assert (found.error, found.counts) == naive_double(nd, dt, 1.0, doubled)
        counted += found.counts
    assert 2_000 < counted < 18_000


def test_plays_count_where_the_deepest_candidates_differ():
    rng = random.Random(6)
    for _ in range(5_000):
        count = rng.randint(1, 8)
        found = [
            Candidate((*START[:25], i), rng.choice([0.1, 0.10005, 0.2, -0.3]), rng.choice([2, 2, 0]))
            for i in range(count)
        ]
        found.sort(key=lambda each: (each.level, each.equity), reverse=True)
        played = rng.choice(found)
        cost = counting.of_play(found, played)
        assert (cost.error, cost.counts) == naive_play(found, played)


@pytest.mark.parametrize(
    ("take", "kind", "error", "counts", "best"),
    [
        (0.6, "take", 0.0, True, "take"),
        (0.6, "drop", 0.4, True, "take"),
        (1.3, "take", 0.3, True, "drop"),
        (1.3, "drop", 0.0, True, "drop"),
        (1.0004, "take", 0.0004, False, "drop"),
    ],
)
def test_answers_cost_what_the_other_answer_would_have_saved(take, kind, error, counts, best):
    found = counting.of_answer(CubeEquities(0.5, take), kind)
    assert found.error == pytest.approx(error)
    assert (found.counts, found.best) == (counts, best)


def test_a_beaver_is_held_to_its_own_equity():
    right = counting.of_answer(CubeEquities(-0.2, -0.1), "beaver", -0.2)
    wrong = counting.of_answer(CubeEquities(0.4, 0.3), "beaver", 0.6)
    assert (right.error, right.best) == (0.0, "beaver")
    assert (wrong.error, wrong.best) == (pytest.approx(0.3), "take")


def test_a_pr_is_five_hundred_times_the_mean_error():
    assert counting.pr(0.443, 62) == pytest.approx(3.5726, abs=1e-4)
    assert counting.pr(0.0, 0) is None
