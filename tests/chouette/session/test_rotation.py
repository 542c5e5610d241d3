"""Who is Box next: every row of the table of docs/rules-chouette.md §5, by each rotation."""

import pytest

from chouette.rules.seating.rotation import FinishedGame, next_line

WON, LOST = 1, -1
# What happened → captains in order, results of K, L, M, whether the Box wins, and the lines by
# captain_result, last_man_standing, game_result.
ROWS = {
    "X beats everyone": ("K", (-1, -1, -1), True, ("XLMK", "XLMK", "XLMK")),
    "everyone drops": ("K", (-1, -1, -1), True, ("XLMK", "XLMK", "XLMK")),
    "X drops all": ("K", (1, 1, 1), False, ("KLMX", "KLMX", "KLMX")),
    "X drops K's double; the rest play on and beat X": (
        "KL", (1, 2, 2), False, ("KLMX", "LMKX", "KLMX"),
    ),
    "X drops K's double; the rest play on and X wins": (
        "KL", (1, -1, -1), True, ("KLMX", "XMKL", "XLMK"),
    ),
    "X doubles, K drops, L and M take, X loses": (
        "KL", (-1, 2, 2), False, ("XLMK", "LMKX", "LMKX"),
    ),
    "X doubles, K drops, L and M take, X wins": (
        "KL", (-1, -2, -2), True, ("XLMK", "XMKL", "XMKL"),
    ),
    "M alone cashes, later K beats X": ("K", (1, 1, 1), False, ("KLMX", "KLMX", "KLMX")),
}  # fmt: skip
ROTATIONS = ("captain_result", "last_man_standing", "game_result")


def record(captains, results, box_wins, line="XKLM", **changes):
    by_member = dict(zip(line[1:], results, strict=True))
    net = -sum(results)
    return FinishedGame(tuple(line), tuple(captains), by_member, box_wins, net, **changes)


@pytest.mark.parametrize("happened", ROWS)
@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("must_break_even", [True, False])
def test_every_row_of_the_table(happened, rotation, must_break_even):
    captains, results, box_wins, lines = ROWS[happened]
    found = next_line(rotation, record(captains, results, box_wins, must_break_even=must_break_even))
    assert "".join(found.line) == lines[ROTATIONS.index(rotation)]


def test_captain_result_the_stand_in_is_captain_next_whatever_happens():
    """L has gone out before, so M stands in for K and is Captain of the next game."""
    found = next_line("captain_result", record("KM", (1, -1, -2), True))
    assert "".join(found.line) == "KMLX"


def test_captain_result_a_member_who_went_out_keeps_their_place():
    """K dropped, and L had gone out before: M played, but L is next in line."""
    assert "".join(next_line("captain_result", record("KM", (-1, 1, 2), False)).line) == "XLMK"


def test_last_man_standing_every_captain_who_goes_out_moves_to_the_end_winner_or_not():
    found = next_line("last_man_standing", record("KLM", (1, -1, 2), False))
    assert "".join(found.line) == "MKLX"


def test_game_result_the_box_stays_only_if_its_net_is_at_least_0():
    below = record("KL", (4, -1, -1), True, must_break_even=True)
    assert "".join(next_line("game_result", below).line) == "LMKX", "K, then X, go to the end"
    assert next_line("game_result", below).why == "box_below_even"
    even = record("KL", (2, -1, -1), True, must_break_even=True)
    assert "".join(next_line("game_result", even).line) == "XLMK"


def test_game_result_without_must_break_even_winning_is_enough():
    assert "".join(next_line("game_result", record("KL", (4, -1, -1), True)).line) == "XLMK"


def test_a_box_that_loses_the_game_with_net_0_has_lost_it():
    """The winner is never inferred from the net score."""
    lost = record("KL", (-2, 1, 1), False, must_break_even=True)
    assert "".join(next_line("game_result", lost).line) == "LMKX"


def test_game_result_several_at_the_bottom_stand_in_the_order_in_which_they_went_out():
    found = next_line("game_result", record("KLM", (-1, -1, -2, -2), True, line="XKLMN"))
    assert "".join(found.line) == "XNKLM"


@pytest.mark.parametrize(
    ("box_wins", "results", "line"),
    [(False, (1, -1, 2), "KMLX"), (True, (1, -1, -1), "XMKL"), (True, (4, -1, -1), "MKLX")],
)
def test_game_result_a_stand_in_who_drops_is_a_captain_who_dropped_and_goes_to_the_end(box_wins, results, line):
    """X drops K's double, L stands in and drops X's double, M plays on; K went out before L."""
    found = next_line("game_result", record("KLM", results, box_wins, must_break_even=True))
    assert "".join(found.line) == line


def test_last_man_standing_a_stand_in_who_drops_stands_behind_the_first_captain():
    assert "".join(next_line("last_man_standing", record("KLM", (1, -1, -1), True)).line) == "XKLM"


def test_game_result_the_claim_of_a_new_captain_whose_double_is_dropped():
    """K drops and loses the claim; L cashes and keeps it while M stands in; M beats the Box."""
    found = next_line("game_result", record("KLM", (-1, 2, 2), False))
    assert "".join(found.line) == "LMKX"


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_0_in_a_settlement_with_the_captain_keeps_the_box(rotation):
    found = next_line(rotation, record("K", (0, 0, 0), True))
    assert "".join(found.line) == "XLMK"


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_the_line_keeps_everybody(rotation):
    for captains in ("K", "KL", "KM", "KLM"):
        for box_wins in (True, False):
            found = next_line(rotation, record(captains, (1, -1, 2), box_wins))
            assert sorted(found.line) == sorted("XKLM")
