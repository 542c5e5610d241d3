"""docs/rules-chicago.md §2, sentence by sentence."""

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.turn import (
    Lay,
    Turn,
    TurnRules,
    after,
    dice_in_cup,
    has_chick,
    lays,
    may_stand,
    must_turn,
    throw,
)
from tests.chicago.reference.turn_oracle import Reading, may_stop, ways_on

ANY = TurnRules()
BAVARIAN = TurnRules("ones_and_sixes", "off", "same_throw", "forced", "one_throw", "exactly")

all_rules = st.builds(
    TurnRules,
    keep=st.sampled_from(["any", "ones_and_sixes"]),
    free_return=st.sampled_from(["off", "third"]),
    sixes_turn=st.sampled_from(["off", "first_throw", "same_throw"]),
    three_sixes=st.sampled_from(["free", "forced"]),
    chick=st.sampled_from(["any", "one_throw"]),
    turn_laid_six=st.booleans(),
)
a_die = st.sampled_from([1, 1, 2, 3, 4, 5, 6, 6])


def laid_by(turn, rules, allowed=3):
    return {way.lay for way in lays(turn, rules, allowed, False) if not way.turn}


def turns_of(turn, rules, allowed=3):
    return [way for way in lays(turn, rules, allowed, False) if way.turn]


@pytest.mark.parametrize("exactly", [True, False])
def test_a_turn_begins_with_all_three_dice_in_the_cup(exactly):
    assert lays(Turn(), ANY, 3, exactly) == (Lay(),)
    assert dice_in_cup(Turn(), Lay(), ANY) == 3
    assert not may_stand(Turn(), ANY, 3, exactly)


def test_any_number_of_the_dice_just_thrown_may_be_laid_out_and_the_rest_is_thrown_again():
    turn = Turn((), (2, 2, 5), 1)
    assert laid_by(turn, ANY) == {(), (2,), (5,), (2, 2), (2, 5)}
    assert throw(turn, Lay((2, 5)), (4,), ANY) == Turn((2, 5), (4,), 2)


def test_keep_ones_and_sixes_lets_nothing_else_stay():
    assert laid_by(Turn((), (1, 3, 6), 1), BAVARIAN) == {(), (1,), (6,), (1, 6)}
    assert laid_by(Turn((), (2, 3, 4), 1), BAVARIAN) == {()}


def test_laid_out_dice_do_not_go_back():
    turn = Turn((4,), (2, 3), 2)
    assert laid_by(turn, ANY) == {(), (2,), (3,)}
    assert throw(turn, Lay(), (5, 6), ANY) == Turn((4,), (5, 6), 3)


def test_free_return_lets_laid_out_dice_go_back_before_the_third_throw():
    rules = replace(ANY, free_return="third")
    turn = Turn((4,), (2, 3), 2)
    assert laid_by(turn, rules) == {(), (2,), (3,), (4,), (2, 3), (2, 4), (3, 4)}
    assert dice_in_cup(turn, Lay(), rules) == 3
    assert throw(turn, Lay((3,)), (1, 1), rules) == Turn((3,), (1, 1), 3)


def test_a_turn_ends_after_the_last_allowed_throw():
    assert lays(Turn((1,), (2, 3), 2), ANY, 2, False) == ()
    assert may_stand(Turn((1,), (2, 3), 2), ANY, 2, True)


def test_at_most_lets_the_player_stop_after_every_throw():
    assert may_stand(Turn((), (2, 3, 4), 1), ANY, 3, False)


def test_exactly_makes_the_player_throw_on():
    assert not may_stand(Turn((), (1, 1, 6), 1), ANY, 2, True)
    assert all(dice_in_cup(Turn((), (1, 1, 6), 1), w, ANY) for w in lays(Turn((), (1, 1, 6), 1), ANY, 2, True))


def test_exactly_only_a_chick_ends_earlier():
    chick = Turn((), (1, 1, 1), 1)
    assert may_stand(chick, BAVARIAN, 3, True)
    assert lays(chick, BAVARIAN, 3, True) == ()


def test_two_sixes_of_the_same_throw_may_be_turned_into_a_one_and_a_die_in_the_cup():
    turn = Turn((), (3, 6, 6), 1)
    rules = replace(ANY, sixes_turn="same_throw")
    assert turns_of(turn, rules) == [Lay((), True), Lay((3,), True)]
    assert after(turn, Lay((), True), rules) == (1,)
    assert dice_in_cup(turn, Lay((3,), True), rules) == 1
    assert throw(turn, Lay((3,), True), (5,), rules) == Turn((1, 3), (5,), 2)


def test_turning_is_off_unless_the_house_says_so():
    assert turns_of(Turn((), (3, 6, 6), 1), ANY) == []


def test_turning_needs_a_throw_left():
    assert turns_of(Turn((), (3, 6, 6), 2), replace(ANY, sixes_turn="same_throw"), allowed=2) == []


def test_first_throw_turns_sixes_of_the_first_throw_only():
    rules = replace(ANY, sixes_turn="first_throw")
    assert turns_of(Turn((), (3, 6, 6), 1), rules)
    assert not turns_of(Turn((3,), (6, 6), 2), rules)
    assert turns_of(Turn((3,), (6, 6), 2), replace(ANY, sixes_turn="same_throw"))


def test_a_pair_laid_out_as_120_can_not_be_turned():
    assert not turns_of(Turn((6, 6), (3,), 2), BAVARIAN)


def test_a_laid_out_six_with_a_new_six_can_not_be_turned():
    assert not turns_of(Turn((6,), (3, 6), 2), BAVARIAN)
    assert not turns_of(Turn((6, 6), (6,), 2), replace(BAVARIAN, free_return="third"))


def test_three_sixes_free_turns_a_pair_and_leaves_a_six():
    rules = replace(ANY, sixes_turn="same_throw")
    turn = Turn((), (6, 6, 6), 1)
    assert may_stand(turn, rules, 3, False)
    assert turns_of(turn, rules) == [Lay((), True), Lay((6,), True)]
    assert after(turn, Lay((6,), True), rules) == (1, 6)


@pytest.mark.parametrize("throws", [1, 2])
def test_three_sixes_forced_become_two_ones_and_one_die_back_in_the_cup(throws):
    turn = Turn((), (6, 6, 6), throws)
    assert must_turn(turn, BAVARIAN, 3)
    assert lays(turn, BAVARIAN, 3, False) == (Lay((), True),)
    assert throw(turn, Lay((), True), (4,), BAVARIAN) == Turn((1, 1), (4,), throws + 1)
    assert not may_stand(turn, BAVARIAN, 3, False)


def test_three_sixes_on_the_last_throw_count_180():
    turn = Turn((), (6, 6, 6), 2)
    assert lays(turn, BAVARIAN, 2, False) == ()
    assert may_stand(turn, BAVARIAN, 2, True)


def test_three_sixes_forced_are_those_of_one_throw():
    assert not must_turn(Turn((6,), (6, 6), 2), BAVARIAN, 3)


def test_three_sixes_are_forced_only_where_this_throw_could_be_turned():
    rules = replace(BAVARIAN, sixes_turn="first_throw")
    assert must_turn(Turn((), (6, 6, 6), 1), rules, 3)
    assert not must_turn(Turn((), (6, 6, 6), 2), rules, 3)


def test_without_turning_three_sixes_has_no_meaning():
    options = OPTIONS.values("bavarian", {"sixes_turn": "off", "three_sixes": "forced"})
    assert TurnRules.of(options).three_sixes == "free"


def test_the_rules_of_a_turn_are_read_from_the_house_rules():
    assert TurnRules.of(OPTIONS.values("bavarian")) == BAVARIAN


def test_chick_in_one_throw_counts_in_any_throw_of_the_turn():
    assert has_chick(Turn((), (1, 1, 1), 2), BAVARIAN)
    assert not has_chick(Turn((1,), (1, 1), 2), BAVARIAN)


def test_chick_any_counts_three_ones_over_several_throws():
    assert has_chick(Turn((1,), (1, 1), 2), ANY)
    assert not has_chick(Turn((1,), (1, 2), 2), ANY)


def walk(data, rules, allowed, exactly):
    """Play one turn with falls and choices drawn by Hypothesis; yield each turn reached."""
    turn = Turn()
    while ways := lays(turn, rules, allowed, exactly):
        way = data.draw(st.sampled_from(ways))
        count = dice_in_cup(turn, way, rules)
        values = data.draw(st.lists(a_die, min_size=count, max_size=count))
        turn = throw(turn, way, values, rules)
        yield turn


@given(st.data(), all_rules, st.integers(1, 3), st.booleans())
def test_every_turn_has_three_dice_and_a_way_on_until_it_may_stand(data, rules, allowed, exactly):
    for turn in walk(data, rules, allowed, exactly):
        ways = lays(turn, rules, allowed, exactly)
        assert len(turn.dice) == 3
        assert 1 <= turn.throws <= allowed
        assert ways or may_stand(turn, rules, allowed, exactly)
        assert len(set(ways)) == len(ways)
        assert all(1 <= dice_in_cup(turn, way, rules) <= 3 for way in ways)


@given(st.data(), all_rules, st.integers(1, 3), st.booleans())
def test_the_ways_on_are_those_of_three_dice_that_can_be_told_apart(data, rules, allowed, exactly):
    fields = asdict(rules)
    del fields["followers"]
    reading = Reading(**fields)
    for turn in walk(data, rules, allowed, exactly):
        dice = turn.laid + turn.rolled
        new = frozenset(range(len(turn.laid), 3))
        ways = lays(turn, rules, allowed, exactly)
        expected = {tuple(sorted(d for d in way if d)) for way in ways_on(dice, new, turn.throws, allowed, reading)}
        assert {after(turn, way, rules) for way in ways} == expected
        stops = may_stop(dice, new, turn.throws, allowed, exactly, reading)
        assert may_stand(turn, rules, allowed, exactly) == stops
