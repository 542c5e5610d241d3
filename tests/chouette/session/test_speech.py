"""Where talk is not allowed the server refuses it in the table's chat too (§4.9)."""

import pytest

from chouette.rules import may_speak
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table


def speakers(table):
    return "".join(name for name in table.names if may_speak(table.state, table.seat(name)))


def test_between_two_games_everybody_speaks():
    table = Table("ABCD", position=TEAM_WINS)
    assert speakers(table) == "ABCD" and may_speak(table.state, None)
    table.start()
    assert not may_speak(table.state, None)
    table.double()
    table.play(2, 1)
    assert speakers(table) == "ABCD" and may_speak(table.state, None)


def test_a_member_who_is_out_and_a_spectator_are_not_heard_while_the_game_runs():
    table = Table("ABCD", position=LONG_RACE, uniform_response="none")
    table.start()
    assert speakers(table) == "ABCD"
    table.double("BC")
    table.box_takes("B")
    assert speakers(table) == "ABD"
    assert not may_speak(table.state, None) and not may_speak(table.state, 9)


def test_own_cube_turned_binds_the_members_whose_cube_has_not_been_taken():
    table = Table("ABCD", position=LONG_RACE, consultation="own_cube_turned", uniform_response="none")
    table.start()
    assert speakers(table) == "AB", "the Box, and the Captain who decides"
    table.double("C")
    table.box_takes("C")
    assert speakers(table) == "ABC"


def test_without_consultation_the_box_alone_speaks():
    table = Table("ABCD", position=LONG_RACE, consultation="none")
    table.start()
    assert speakers(table) == "A"


@pytest.mark.parametrize("consultation", ["free", "none", "own_cube_turned"])
def test_two_against_each_other_talk_as_they_like_but_nobody_else_does(consultation):
    table = Table("AB", position=LONG_RACE, consultation=consultation)
    table.start()
    assert speakers(table) == "AB"
    assert not may_speak(table.state, None)
