"""Every reference case of legal plays: results, dice used and first steps, exactly."""

import pytest

from chouette.board import plays
from chouette.board.position import off
from tests.chouette.vectors import MOVES, load_moves


@pytest.mark.parametrize("name", MOVES)
def test_the_results_are_exactly_those_of_the_reference(name):
    for position, dice, case in load_moves(name):
        expected = [tuple(points) for points in case["results"]]
        found = plays.results(position, dice)
        assert sorted(found) == expected, case["id"]
        assert sorted(play.result for play in plays.legal_plays(position, dice)) == expected
        assert plays.is_forced(position, dice) == (len(expected) == 1)


@pytest.mark.parametrize("name", MOVES)
def test_the_dice_used_and_the_first_steps_are_those_of_the_reference(name):
    for position, dice, case in load_moves(name):
        assert plays.dice_used(position, dice) == case["n"], case["id"]
        steps = [list(step) for step in plays.first_steps(position, dice)]
        assert steps == case["first"], case["id"]
        lengths = {len(play.moves) for play in plays.legal_plays(position, dice)}
        assert lengths == {case["n"]}, case["id"]


def test_there_are_2426_cases():
    assert sum(len(load_moves(name)) for name in MOVES) == 2426


@pytest.mark.parametrize("name", MOVES)
def test_the_checkers_borne_off_follow_from_the_points(name):
    assert all(list(off(position)) == case["off"] for position, _, case in load_moves(name))
