"""docs/rules-chicago.md §6: the odds against the figures of the page, and how they behave."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chicago.odds.exact import (
    OddsRules,
    beat_chance,
    beat_table,
    best_move,
    chick_first,
    fish_one_throw,
    moves,
    odds_table,
    one_first,
    targets,
    three_ones,
)
from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.scoring import Score, Valuation, declarations
from chicago.rules.throwing.turn import Lay, Turn
from tests.chicago.reference.turn_oracle import Reading, best_chance

PRESETS = [preset.id for preset in OPTIONS.presets]
valuations = st.sampled_from(declarations())
houses = st.fixed_dictionaries(
    {
        "keep": st.sampled_from(["any", "ones_and_sixes"]),
        "free_return": st.sampled_from(["off", "third"]),
        "sixes_turn": st.sampled_from(["off", "first_throw", "same_throw"]),
        "three_sixes": st.sampled_from(["free", "forced"]),
        "chick": st.sampled_from(["any", "one_throw"]),
        "followers": st.sampled_from(["exactly", "at_most"]),
        "fish": st.sampled_from(["equal", "by_sum"]),
    }
).map(lambda changes: OPTIONS.values("classic", changes))
a_few = settings(max_examples=25, deadline=None)


def test_a_chick_in_the_first_throw_has_1_in_216():
    assert chick_first() == Fraction(1, 216)


def test_one_throw_is_a_fish_with_8_in_27_and_has_a_one_with_91_in_216():
    assert fish_one_throw() == Fraction(8, 27)
    assert one_first() == Fraction(91, 216)


@pytest.mark.parametrize(
    ("sixes_turn", "chance"),
    [
        ("off", Fraction(753571, 10077696)),
        ("same_throw", Fraction(54271, 629856)),
        ("first_throw", Fraction(52031, 629856)),
    ],
)
def test_three_ones_in_at_most_three_throws(sixes_turn, chance):
    changes = {"sixes_turn": sixes_turn, "three_sixes": "forced"}
    assert three_ones(OPTIONS.values("classic", changes), 3) == chance


def wins_above(above, valuation, by_sum):
    """Return the oracle's own idea of ending above a value, whatever the dice order."""
    face = {1: valuation.ones, 6: valuation.sixes}

    def wins(dice, chick):
        value = sum(face.get(d, d) for d in dice)
        fish = valuation == Valuation(100, 60, True) and not {1, 6} & set(dice)
        value = 0 if fish and not by_sum else value
        return chick or (value > above if valuation.high else value < above)

    return wins


@settings(max_examples=40, deadline=None)
@given(houses, valuations, st.integers(1, 3), st.data())
def test_the_odds_are_those_of_a_naive_count_over_dice_that_can_be_told_apart(options, valuation, throws, data):
    above = data.draw(st.sampled_from(targets(options, valuation)))
    reading = Reading(*(options[k] for k in Reading.__dataclass_fields__))
    if options["sixes_turn"] == "off":
        reading = replace(reading, three_sixes="free")
    wins = wins_above(above, valuation, options["fish"] == "by_sum")
    expected = best_chance(reading, throws, options["followers"] == "exactly", wins)
    assert beat_chance(options, throws, above, valuation) == expected


@a_few
@given(houses, valuations, st.integers(1, 3))
def test_a_better_result_is_never_easier_to_beat(options, valuation, throws):
    table = beat_table(OddsRules.of(options, valuation), throws)
    chances = list(table.values())
    assert list(table) == sorted(table, reverse=not valuation.high)
    assert all(a >= b for a, b in pairwise(chances))
    assert all(0 <= chance <= 1 for chance in chances)


@a_few
@given(houses, valuations)
def test_more_throws_never_hurt_where_followers_throw_at_most_as_often(options, valuation):
    house = OddsRules.of({**options, "followers": "at_most", "three_sixes": "free"}, valuation)
    one, two, three = (beat_table(house, k) for k in (1, 2, 3))
    assert all(one[v] <= two[v] <= three[v] for v in one)


def chances(options, valuation, **changes):
    house = OddsRules.of({**options, **changes}, valuation)
    return [c for k in (1, 2, 3) for c in beat_table(house, k).values()]


def never_worse(freer, stricter):
    return all(a >= b for a, b in zip(freer, stricter, strict=True))


@a_few
@given(houses, valuations)
def test_freer_rules_never_hurt_the_follower(options, valuation):
    free = {**options, "three_sixes": "free"}
    for key, freer, stricter in [
        ("keep", "any", "ones_and_sixes"),
        ("free_return", "third", "off"),
        ("followers", "at_most", "exactly"),
        ("sixes_turn", "same_throw", "first_throw"),
        ("sixes_turn", "first_throw", "off"),
    ]:
        with_it = chances(free, valuation, **{key: freer})
        assert never_worse(with_it, chances(free, valuation, **{key: stricter}))


def test_targets_are_all_values_worst_first():
    bavarian = OPTIONS.values("bavarian")
    assert targets(bavarian)[:3] == (0, 64, 65)
    assert targets(bavarian)[-1] == 300
    assert len(targets(bavarian)) == 31
    low = targets(OPTIONS.values("classic"), Valuation(1, 6, False))
    assert low == tuple(range(18, 2, -1))


def test_a_value_that_dice_can_not_show_is_beaten_like_the_one_below_it():
    bavarian = OPTIONS.values("bavarian")
    assert beat_chance(bavarian, 2, 100) == beat_chance(bavarian, 2, 70)
    assert beat_chance(bavarian, 2, -1) == 1
    assert beat_chance(bavarian, 1, 999) == chick_first()
    low = Valuation(1, 6, False)
    classic = OPTIONS.values("classic")
    assert beat_chance(classic, 1, 99, low) == 1
    assert beat_chance(classic, 1, 2, low) == chick_first()


@pytest.mark.parametrize("throws", [0, 4])
def test_throws_are_one_to_three(throws):
    with pytest.raises(ValueError, match="1, 2 or 3"):
        beat_chance(OPTIONS.values("bavarian"), throws, 123)


def test_where_fewer_throws_win_a_follower_can_win_a_tie():
    house = OddsRules.of(OPTIONS.values("classic"))
    fewer = beat_table(replace(house, ties="fewer_throws"), 2)
    plain = beat_table(house, 2)
    assert fewer[204] > plain[204]
    assert beat_table(replace(house, ties="fewer_throws"), 1) == beat_table(house, 1)


def test_a_tie_that_is_rolled_off_counts_one_half():
    house = OddsRules.of(OPTIONS.values("classic", {"fish": "by_sum"}))
    table = beat_table(replace(house, ties="roll_off"), 1)
    plain = beat_table(house, 1)
    assert table[204] == plain[204] + Fraction(3, 216) / 2


def test_the_best_move_takes_what_wins_at_once():
    bavarian = OPTIONS.values("bavarian")
    best = best_move(bavarian, Turn((), (1, 1, 4), 1), 1, True, Score(123))
    assert (best.lay, best.chance) == (None, 1)


def test_the_best_move_keeps_two_ones_against_a_low_target():
    best = best_move(OPTIONS.values("bavarian"), Turn((), (1, 1, 4), 1), 2, True, Score(123))
    assert best.chance == 1
    assert best.lay == Lay((1, 1))


def test_the_best_move_turns_two_sixes_when_that_promises_more():
    best = best_move(OPTIONS.values("bavarian"), Turn((), (2, 6, 6), 1), 3, True, Score(220))
    assert best.lay == Lay((), True)


@a_few
@given(houses, valuations, st.integers(1, 3), st.data())
def test_the_moves_lead_to_the_chance_of_the_table(options, valuation, throws, data):
    above = data.draw(st.sampled_from(targets(options, valuation)))
    exactly = options["followers"] == "exactly"
    found = moves(options, Turn(), throws, exactly, Score(above), valuation=valuation)
    assert [move.lay for move in found] == [Lay()]
    assert found[0].chance == beat_chance(options, throws, above, valuation)


def test_a_turn_that_can_not_come_up_is_refused():
    with pytest.raises(KeyError):
        moves(OPTIONS.values("bavarian"), Turn((2,), (1, 1), 2), 3, True, Score(123))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_of_the_rules_page_has_a_row_for_each_target(preset):
    options = OPTIONS.values(preset)
    rows = odds_table(options)
    assert tuple(row.above for row in rows) == targets(options)
    assert [row.is_fish for row in rows] == [True] + [False] * (len(rows) - 1)
    for row in rows:
        for chance in row.chances:
            exact = beat_chance(options, chance.throws, row.above)
            assert (Fraction(chance.num, chance.den), chance.decimal) == (exact, float(exact))
