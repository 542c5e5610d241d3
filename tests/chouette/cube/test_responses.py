"""What the Box may take and offer, as sets (docs/rules-chouette.md §4.5)."""

from dataclasses import replace
from itertools import combinations

import pytest

from chouette.rules.cube import obligations
from chouette.rules.cube.obligations import (
    CubeBatch,
    DoubledCube,
    must_beaver,
)
from chouette.rules.options.declaration import OPTIONS


def rules(**changes):
    free = {"uniform_response": "none", "beavers": True}
    return OPTIONS.values("german", {**free, **changes})


def batch(*cubes, captain=None, **context):
    """Cubes as (value, is initial); ids are 0, 1, 2 …"""
    found = tuple(DoubledCube(i, v, first, i == captain) for i, (v, first) in enumerate(cubes))
    return CubeBatch(found, **context)


def takes(options, doubled):
    return sorted(option["take"] for option in replace(obligations.answers(options, doubled), marks=None))


def offers(options, doubled):
    return sorted(option["cubes"] for option in obligations.offers(options, doubled))


def every(count):
    return sorted(list(c) for size in range(count + 1) for c in combinations(range(count), size))


INITIAL, REDOUBLE = (1, True), (2, False)


def test_none_takes_and_offers_each_cube_as_it_likes():
    mixed = batch(INITIAL, INITIAL, REDOUBLE)
    assert takes(rules(), mixed) == every(3)
    assert offers(rules(), mixed) == every(3)[1:]


def test_by_category_all_initial_doubles_alike_and_all_redoubles_alike():
    mixed = batch(INITIAL, INITIAL, REDOUBLE, (4, False))
    options = rules(uniform_response="by_category")
    assert takes(options, mixed) == [[], [0, 1], [0, 1, 2, 3], [2, 3]]
    assert offers(options, mixed) == [[0, 1], [0, 1, 2, 3], [2, 3]]


def test_category_is_decided_by_position_not_value():
    """An automatic makes a centred cube a 2; it still is an initial double."""
    options = rules(uniform_response="by_category")
    assert takes(options, batch((2, True), (2, False))) == every(2)
    assert takes(rules(uniform_response="by_value"), batch((2, True), (2, False))) == [[], [0, 1]]


def test_by_value_the_same_for_equal_cube_values():
    mixed = batch((2, False), (2, False), (4, False), (4, False))
    assert takes(rules(uniform_response="by_value"), mixed) == [[], [0, 1], [0, 1, 2, 3], [2, 3]]


def test_if_the_batch_has_the_captains_cube_and_the_box_takes_any_it_takes_that():
    options = rules(must_take_captain=True)
    three = batch(INITIAL, INITIAL, INITIAL, captain=0)
    assert takes(options, three) == [[], [0], [0, 1], [0, 1, 2], [0, 2]]
    assert takes(options, batch(INITIAL, INITIAL)) == every(2)


def test_not_when_it_holds_others_cubes_already_and_the_captain_doubles_later():
    later = batch(INITIAL, INITIAL, captain=0, holds_others=True)
    assert takes(rules(must_take_captain=True), later) == every(2)


@pytest.mark.parametrize(
    ("value", "fewest"),
    [
        ("none", [1, 1, 1, 1, 1, 1]),
        ("half", [1, 1, 2, 2, 3, 3]),
        ("break_even", [1, 1, 1, 2, 2, 2]),
        ("all_or_none", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_half_is_at_least_half_and_break_even_at_least_a_third(value, fewest):
    for count in range(1, 7):
        found = takes(rules(min_takes=value), batch(*[INITIAL] * count, is_all_centred=True))
        assert min(len(taken) for taken in found if taken) == fewest[count - 1]


def test_break_even_is_a_net_of_at_least_0_if_the_box_wins_a_single_game_with_what_it_takes():
    for count in range(1, 10):
        whole = batch(*[INITIAL] * count, is_all_centred=True)
        for taken in every(count):
            is_legal = not taken or 2 * len(taken) - (count - len(taken)) >= 0
            assert (taken in takes(rules(min_takes="break_even"), whole)) == is_legal


@pytest.mark.parametrize("count", range(2, 10))
def test_the_captains_cube_alone_beavered_is_enough_up_to_n_5(count):
    """A take with the beaver that `sole_captain_beaver` forces is worth 4v."""
    whole = batch(*[INITIAL] * count, captain=0, is_all_centred=True)
    club = OPTIONS.values("club", {})
    assert ([0] in takes(club, whole)) == (count <= 5)
    assert [1] not in takes(club, whole), "must_take_captain"
    alone = rules(min_takes="break_even", sole_captain_beaver=True)
    assert ([1] in takes(alone, whole)) == (count <= 3)


def test_one_of_two_cubes_may_be_taken():
    for asked in ("half", "break_even"):
        assert takes(rules(min_takes=asked), batch(INITIAL, INITIAL, is_all_centred=True)) == every(2)


def test_min_takes_only_when_all_cubes_in_the_game_are_turned_from_the_centre_at_once():
    options = rules(min_takes="half")
    four = [INITIAL] * 4
    assert takes(options, batch(*four, is_all_centred=False)) == every(4)
    assert takes(options, batch(*four, is_all_centred=True)) == [t for t in every(4) if len(t) in (0, 2, 3, 4)]


def test_the_captains_cube_alone_must_be_beavered():
    options = rules(sole_captain_beaver=True)
    three = batch(INITIAL, INITIAL, INITIAL, captain=1)
    assert must_beaver(options, three, frozenset({1}))
    assert not must_beaver(options, three, frozenset({1, 2}))
    assert not must_beaver(options, three, frozenset({0}))
    assert not must_beaver(options, batch(INITIAL, captain=0), frozenset({0})), "no other dropped"
    assert not must_beaver(rules(), three, frozenset({1}))


def test_the_box_beavers_what_it_takes_in_the_same_answer_and_the_captains_cube_alone_at_once():
    options = rules(sole_captain_beaver=True)
    found = obligations.answers(options, batch(INITIAL, INITIAL, captain=1))
    assert list(found) == [
        {"take": []}, {"take": [0]}, {"take": [0], "beaver": [0]}, {"take": [1], "beaver": [1]},
        *({"take": [0, 1], **({"beaver": some} if some else {})} for some in ([], [0], [1], [0, 1])),
    ]  # fmt: skip
    assert {"take": [1]} not in found and {"take": [0, 1], "beaver": [0, 1]} in found
    assert {"take": [0], "beaver": [1]} not in found and {"take": [0], "beaver": []} not in found
    assert obligations.answers(rules(beavers=False), batch(INITIAL)).marks is None
    highest = obligations.answers(options, batch((2**14, False)))
    assert list(highest) == [{"take": []}, {"take": [0]}], "no cube goes beyond its highest value"


def test_if_the_box_doubles_anyone_the_captain_is_among_them_at_the_same_level():
    options = rules(box_must_double_captain=True)
    three = batch(INITIAL, INITIAL, REDOUBLE, captain=0)
    assert offers(options, three) == [[0], [0, 1], [0, 1, 2], [0, 2], [2]]
    assert offers(options, batch(INITIAL, INITIAL)) == every(2)[1:], "the Captain has the cube"


def test_several_together_the_set_that_keeps_them_all():
    options = rules(must_take_captain=True, min_takes="half", uniform_response="by_value")
    whole = batch((1, True), (1, True), (2, True), (2, True), captain=2, is_all_centred=True)
    assert takes(options, whole) == [[], [0, 1, 2, 3], [2, 3]]


@pytest.mark.parametrize("uniform", ["none", "by_category", "by_value"])
@pytest.mark.parametrize("fewest", ["none", "half", "break_even", "all_or_none"])
@pytest.mark.parametrize("captain", [None, 0, 2])
def test_dropping_everything_is_always_legal(uniform, fewest, captain):
    options = rules(uniform_response=uniform, min_takes=fewest, must_take_captain=True)
    for cubes in ([INITIAL], [INITIAL] * 3, [INITIAL, REDOUBLE, (4, False), (1, True)]):
        doubled = batch(*cubes, captain=captain, is_all_centred=True)
        assert {"take": []} in obligations.answers(options, doubled)


def test_why_a_set_is_not_legal_names_the_house_rules():
    options = rules(must_take_captain=True, min_takes="half", uniform_response="by_category")
    three = batch(INITIAL, INITIAL, INITIAL, captain=0, is_all_centred=True)
    assert obligations.answers(options, three).why_not(frozenset({1})) == (
        "uniform_response",
        "must_take_captain",
        "min_takes",
    )
    assert obligations.answers(options, three).why_not(frozenset()) == ()
    both = rules(box_must_double_captain=True, uniform_response="by_category")
    assert obligations.offers(both, three).why_not(frozenset({1, 2})) == (
        "uniform_response",
        "box_must_double_captain",
    )


def test_example_3_uniform_response_with_five_players():
    """docs/rules-chouette.md §10.3 and the German sheet's examples 4 and 5."""
    by_category, by_value = (
        rules(uniform_response="by_category"),
        rules(uniform_response="by_value"),
    )
    untouched = batch(*[INITIAL] * 4)
    assert offers(by_category, untouched) == [[0, 1, 2, 3]]
    assert takes(by_category, untouched) == [[], [0, 1, 2, 3]]
    two_turned = batch(REDOUBLE, REDOUBLE, INITIAL, INITIAL)
    assert offers(by_category, two_turned) == [[0, 1], [0, 1, 2, 3], [2, 3]]
    redoubles = batch((2, False), (2, False), (4, False), (4, False))
    assert takes(by_category, redoubles) == [[], [0, 1, 2, 3]]
    assert takes(by_value, redoubles) == [[], [0, 1], [0, 1, 2, 3], [2, 3]]
