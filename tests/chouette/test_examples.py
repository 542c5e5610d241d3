"""The worked examples of docs/rules-chouette.md §10 and of the club sheets, by name."""

import pytest

from chouette.rules.options.declaration import OPTIONS
from tests.chouette.table import FOUR_EACH, LONG_RACE, Table, of

BOX_GAMMONS = (0, *[0] * 5, 15, *[0] * 17, -2, 0)


def first_game(table):
    """The Box C wins a gammon against A, D, E; B passed the initial double."""
    table.next_turn()
    table.offer("ABDE")
    table.answers(A=True, B=False, D=True, E=True)


def second_game(table):
    """B alone doubles, C drops; later C doubles, A drops; D redoubles to 4."""
    table.double("B")
    table.box_takes("")


def test_example_1_a_gammon_against_three_cubes_at_2_and_a_pass():
    table = Table("CABDE", position=BOX_GAMMONS)
    table.start()
    first_game(table)
    table.play(2, 1)
    assert table.last_row == {"A": -4, "B": -1, "C": 13, "D": -4, "E": -4}
    assert table.line == "CBDEA"


@pytest.mark.parametrize(("rotation", "line"), [("captain_result", "BDEAC"), ("last_man_standing", "DEABC")])
def test_example_2_a_stand_in_a_drop_and_a_redouble(rotation, line):
    table = Table("CBDEA", position=FOUR_EACH, rotation=rotation)
    table.start()
    second_game(table)
    assert (table.role("B"), table.role("D")) == ("out", "stand_in")
    table.play(2, 1)
    table.offer("ADE")
    table.answers(A=False, D=True, E=True)
    table.play(2, 1)
    table.double("D")
    table.box_takes("D")
    assert (table.value("D"), table.value("E")) == (4, 2)
    table.play(2, 1)
    assert table.last_row == {"A": -1, "B": 1, "C": -6, "D": 4, "E": 2}
    assert table.line == line


def steered(table, dice, until):
    """Play on without doubles, each side with its own dice, until something has happened."""
    for _ in range(200):
        if table.state.phase != "playing" or until(table.game):
            return
        if table.stage == "move":
            table.move()
        else:
            table.next_turn(*dice[table.game["turn"]])
    raise AssertionError("the game went another way")


@pytest.mark.parametrize(("rotation", "line"), [("captain_result", "BDEAC"), ("last_man_standing", "DEABC")])
def test_examples_1_and_2_in_a_row_with_running_totals(rotation, line):
    """Both games from the first roll to the last on one sheet: -5, 0, +7, 0, -2."""
    table = Table("CABDE", rotation=rotation)
    table.start(1, 2)
    steered(table, {"team": (2, 1), "box": (6, 5)}, lambda game: game["stage"] == "offer")
    table.offer("ABDE")
    table.answers(A=True, B=False, D=True, E=True)
    steered(table, {"team": (2, 1), "box": (6, 5)}, lambda game: False)
    assert table.last_row == {"A": -4, "B": -1, "C": 13, "D": -4, "E": -4}
    assert table.line == "CBDEA"

    table.start(1, 2)
    steered(table, {}, lambda game: game["stage"] == "offer")
    table.play(6, 5)
    table.double("B")
    table.box_takes("")
    steered(table, {"team": (6, 5), "box": (5, 4)}, lambda game: game["off"][0] > 0)
    steered(table, {"team": (6, 6), "box": (2, 1)}, lambda game: game["stage"] == "offer")
    table.offer("ADE")
    table.answers(A=False, D=True, E=True)
    table.play(2, 1)
    table.double("D")
    table.box_takes("D")
    table.play(6, 6)
    steered(table, {"team": (6, 6), "box": (2, 1)}, lambda game: False)
    assert table.last_row == {"A": -1, "B": 1, "C": -6, "D": 4, "E": 2}
    assert table.totals == {"A": -5, "B": 0, "C": 7, "D": 0, "E": -2}
    assert table.line == line


def test_example_3_uniform_response_at_the_table():
    """Five players: the Box doubles all four or none; two turned and two centred; redoubles."""
    for by, legal in (("by_category", {0, 4}), ("by_value", {0, 2, 4})):
        table = Table("ABCDE", position=LONG_RACE, uniform_response=by)
        table.start()
        table.double("BC")
        table.box_takes("BC")
        table.play(2, 1)
        two, rest = [table.cube("B"), table.cube("C")], [table.cube("D"), table.cube("E")]
        offers = [option["cubes"] for option in table.options_of("A", "offer")]
        assert sorted(offers) == sorted([two, rest, two + rest])
        table.offer("BCDE")
        table.answers(B=True, C=True, D=True, E=True)
        assert [table.value(name) for name in "BCDE"] == [4, 4, 2, 2]
        table.play(2, 1)
        table.double("BCDE")
        takes = table.options_of("A", "answer_batch")
        assert {len(option["take"]) for option in takes} == legal
    first = Table("ABCDE", position=LONG_RACE)
    first.start()
    first.next_turn()
    assert [len(option["cubes"]) for option in first.options_of("A", "offer")] == [4]


# The German federation's page.


def test_german_page_example_1_the_captain_alone_doubles_and_the_bank_passes():
    """The Captain has won the bank; the game is not over; the stand-in is Captain next."""
    for dice in ((2, 1), (2, 2)):
        table = Table("XKLMN", position=FOUR_EACH)
        table.start()
        table.double("K")
        table.box_takes("")
        assert table.state.phase == "playing"
        assert table.refuses("K", "say", text="Run!") == "may_not_talk"
        table.play(2, 1)
        table.play(*dice)
        if table.state.phase == "playing":
            table.next_turn()
        assert table.line == "KLMNX"


def test_german_page_example_2_a_member_alone_cashes():
    """They win the undoubled stake, stay in the Team and move up one place."""
    table = Table("XKLMN", position=FOUR_EACH)
    table.start()
    table.double("M")
    table.box_takes("")
    table.play(2, 1)
    table.play(2, 2)
    assert table.last_row == {"K": -1, "L": -1, "M": 1, "N": -1, "X": 2}
    assert table.line == "XLMNK"


def test_german_page_example_3_last_man_standing():
    for dice, box in (((2, 1), "L"), ((2, 2), "X")):
        table = Table("XKLM", position=FOUR_EACH, rotation="last_man_standing")
        table.start()
        table.double("K")
        table.box_takes("")
        table.play(2, 1)
        table.play(*dice)
        if table.state.phase == "playing":
            table.next_turn()
        assert table.line[0] == box


def test_german_page_a_latecomers_initial_double_is_answered_by_itself():
    table = Table("XKLM", position=LONG_RACE)
    table.start()
    table.double("KL")
    table.box_takes("KL")
    table.play(2, 1)
    table.play(2, 1)
    table.double("M")
    table.box_takes("")
    assert table.role("M") == "out"


# The club sheets.


def club(line="XKLM", **changes):
    table = Table(line, "club", position=LONG_RACE, **changes)
    table.start()
    return table


def test_club_sheet_the_captains_cube_is_taken_if_possible_and_beavered_if_it_is_the_only_one():
    table = club()
    table.double("KL")
    events = table.box_takes("K", beavers="K")
    assert of(events, "beavered")["value"] == 4


def test_club_sheet_the_box_takes_enough_to_break_even_when_all_double_at_once():
    table = club("XKLMN")
    table.double("KLMN")
    found = [o["take"] for o in table.options_of("X", "answer_batch")]
    assert {len(take) for take in found} == {0, 1, 2, 3, 4}
    assert {tuple(take) for take in found if len(take) == 1} == {(table.cube("K"),)}, (
        "beavered, it pays for three drops"
    )


def test_club_sheet_advice_comes_from_those_whose_cube_was_turned_or_whom_the_captain_asks():
    table = club()
    assert table.refuses("L", "say", text="Hm") == "may_not_talk"
    table.do("K", "ask_advice", seat=table.seat("L"))
    table.do("L", "say", text="Run!")


def test_club_sheet_a_captain_who_drops_goes_to_the_bottom_and_the_next_is_captain():
    table = Table("XKLM", "club", position=FOUR_EACH)
    table.start()
    table.next_turn()
    table.offer("KLM")
    table.answers(K=False, L=True, M=True)
    assert table.role("L") == "captain"
    table.play(2, 2)
    assert table.line == "XMKL"


def test_presets_are_those_of_the_page():
    """docs/rules-chouette.md §9."""
    page = {
        "rotation": ("captain_result", "game_result", "last_man_standing"),
        "consultation": ("free", "own_cube_turned", "free"),
        "uniform_response": ("by_category", "none", "by_category"),
        "must_take_captain": (False, True, False),
        "sole_captain_beaver": (False, True, False),
        "min_takes": ("none", "break_even", "none"),
        "sole_taker": ("free", "must_beaver_or_drop", "free"),
        "jacoby": (True, True, True),
        "automatics": ("off", "first_then_box", "off"),
        "beavers": (False, True, True),
        "raccoons": (False, True, False),
    }
    for number, preset in enumerate(("german", "club", "last_man_standing")):
        values = OPTIONS.values(preset)
        assert {key: values[key] for key in page} == {k: v[number] for k, v in page.items()}
    club_values = OPTIONS.values("club")
    assert (club_values["must_break_even"], club_values["captain_may_ask"]) == (True, True)
