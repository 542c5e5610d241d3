"""docs/rules-chicago.md §3, sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.scoring import Score, Valuation, compare, declarations, score

HIGH = Valuation()
valuations = st.sampled_from(declarations())
scores = st.builds(Score, st.integers(0, 300), st.booleans(), st.just(False), st.integers(1, 3))
tie_rules = st.sampled_from(["later_loses", "fewer_throws", "roll_off"])


def of(dice, valuation=HIGH, *, chick=False, throws=1, fish="equal"):
    return score(dice, valuation, chick=chick, throws=throws, fish=fish)


@pytest.mark.parametrize(
    ("dice", "valuation", "value"),
    [
        ((6, 6, 3), Valuation(100, 60), 123),
        ((1, 1, 4), Valuation(100, 60), 204),
        ((1, 4, 6), Valuation(100, 6), 110),
        ((1, 4, 6), Valuation(1, 60), 65),
        ((1, 4, 6), Valuation(1, 6, False), 11),
        ((1, 1, 1), Valuation(100, 60), 300),
        ((6, 6, 6), Valuation(100, 60), 180),
    ],
)
def test_a_result_is_the_sum_with_ones_100_or_1_and_sixes_60_or_6(dice, valuation, value):
    assert of(dice, valuation).value == value


def test_ones_sixes_and_direction_are_declared_independently():
    assert len(set(declarations())) == 8
    assert declarations()[0] == HIGH


def test_a_fixed_valuation_is_read_from_the_house_rules():
    assert Valuation.of(OPTIONS.values("bavarian")) == HIGH
    changes = {"ones": "1", "sixes": "6", "direction": "low"}
    assert Valuation.of(OPTIONS.values("bavarian", changes)) == Valuation(1, 6, False)


def test_fish_is_a_result_without_one_and_six_under_100_60_high():
    assert of((2, 3, 5)).is_fish
    assert not of((2, 3, 6)).is_fish
    for other in declarations()[1:]:
        assert not of((2, 3, 5), other).is_fish


def test_all_fish_are_equal_and_lowest():
    worst, best = of((2, 2, 2)), of((5, 5, 5))
    assert compare(worst, best, HIGH, "later_loses") == 0
    assert compare(best, of((6, 2, 2)), HIGH, "later_loses") < 0


def test_fish_by_sum_compares_them_and_keeps_them_lowest():
    worst, best = of((2, 2, 2), fish="by_sum"), of((5, 5, 5), fish="by_sum")
    assert compare(worst, best, HIGH, "later_loses") < 0
    assert compare(best, of((6, 2, 2), fish="by_sum"), HIGH, "later_loses") < 0


@given(valuations, st.lists(st.integers(1, 6), min_size=3, max_size=3), tie_rules)
def test_a_chick_is_best_in_either_direction(valuation, dice, ties):
    chick = of((1, 1, 1), valuation, chick=True, throws=3)
    assert compare(chick, of(dice, valuation), valuation, ties) > 0
    assert compare(of(dice, valuation), chick, valuation, ties) < 0


def test_three_ones_over_several_throws_are_300_beaten_only_by_a_chick():
    three = of((1, 1, 1), throws=3)
    assert three.value == 300
    assert compare(three, of((1, 1, 6)), HIGH, "later_loses") > 0
    assert compare(three, of((1, 1, 1), chick=True), HIGH, "later_loses") < 0


def test_low_makes_the_lower_sum_better():
    low = Valuation(1, 6, False)
    assert compare(of((1, 1, 2), low), of((1, 1, 3), low), low, "later_loses") > 0


def test_fewer_throws_is_better_among_equals_only():
    one, two = of((1, 2, 2), throws=1), of((1, 2, 2), throws=2)
    assert compare(one, two, HIGH, "fewer_throws") > 0
    assert compare(one, two, HIGH, "later_loses") == compare(one, two, HIGH, "roll_off") == 0
    assert compare(of((1, 3, 2), throws=3), one, HIGH, "fewer_throws") > 0


@given(scores, scores, scores, valuations, tie_rules)
def test_comparing_is_an_order(a, b, c, valuation, ties):
    def better(x, y):
        return compare(x, y, valuation, ties)

    assert better(a, b) == -better(b, a)
    assert better(a, a) == 0
    if better(a, b) >= 0 and better(b, c) >= 0:
        assert better(a, c) >= 0
