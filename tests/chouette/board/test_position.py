"""Positions: what a win counts, and what is no position."""

import pytest

from chouette.board.position import START, BoardError, checked, off, pips, swap, winner_value
from tests.chouette.positions import placed


def test_the_start_has_167_pips_a_side_and_nobody_off():
    assert pips(START) == (167, 167)
    assert off(START) == (0, 0)
    assert swap(START) == START


@pytest.mark.parametrize(
    ("after", "value"),
    [
        (START, 0),
        (placed(p1=1, p24=-15), 0),
        (placed(p24=-14), 1),
        (placed(p0=-14), 1),
        (placed(p3=-14), 1),
        (placed(p24=-15), 2),
        (placed(p7=-15), 2),
        (placed(p7=-14, p6=-1), 3),
        (placed(p24=-14, p1=-1), 3),
        (placed(p24=-14, p0=-1), 3),
    ],
)
def test_win_1_gammon_2_backgammon_3(after, value):
    """A backgammon: the loser has none off and one on the bar or in the winner's home."""
    assert winner_value(after) == value


def test_a_checker_on_the_bar_counts_25_pips():
    assert pips(placed(p25=2, p0=-1, p1=1, p24=-1)) == (51, 26)


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ((), "bad_points"),
        (range(25), "bad_points"),
        ([0.0] * 26, "bad_points"),
        ([True] * 26, "bad_points"),
        (placed(p25=-1, p3=2), "bad_points"),
        (placed(p0=1, p3=-2), "bad_points"),
        (placed(p3=16), "too_many_checkers"),
        (placed(p3=-8, p4=-8), "too_many_checkers"),
        (placed(), "both_off"),
    ],
)
def test_what_is_no_position_is_refused(points, code):
    with pytest.raises(BoardError) as error:
        checked(points)
    assert error.value.code == code


def test_a_list_of_points_becomes_a_position():
    assert checked(list(START)) == START
