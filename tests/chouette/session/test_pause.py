"""Between two games: the pause, sitting out, leaving and closing after a game (docs/rules-chouette.md §§4.11, 7)."""

import pytest

from chouette.rules import rules
from chouette.rules.seating.rotation import FinishedGame, next_line
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def paused(line="ABCD", **changes):
    """A table whose Captain has just won; the next line is B, C, D, A."""
    table = Table(line, position=TEAM_WINS, **{"pause_between": 8, **changes})
    table.start()
    table.play(6, 5)
    return table


def test_the_result_stands_for_the_seconds_of_the_house_rule():
    table = paused()
    view = table.look()
    opened = len(table.log)
    assert view["phase"] == "pause"
    assert view["pause"] == {"opened": opened, "seconds": 8, "ready": [], "waiting": [1, 2]}
    assert [table.required(name) for name in "ABCD"] == [[], ["next"], ["next"], []]
    choice = table.choice("B", "next")
    assert (choice.seconds, choice.not_before, choice.opened_at) == (8, 8, opened), "bots wait too"


def test_the_next_box_and_captain_together_end_it_earlier():
    table = paused()
    assert types(table.do("B", "next")) == ["went_on"]
    assert table.choice("C", "next").not_before == 0, "a bot keeps nobody waiting who has gone on"
    assert types(table.do("C", "next")) == ["went_on", "pause_ended"]
    assert table.required("C") == ["start_study"]


def test_that_its_time_runs_out_is_nobodys_fault():
    table = paused()
    assert types(table.house("timeout", "B")) == ["pause_ended"]
    assert table.look()["phase"] == "between"


@pytest.mark.parametrize("preset", ["money", "match"])
def test_two_by_themselves_have_it_too(preset):
    table = Table("BA", preset, position=TEAM_WINS, pause_between=5)
    table.start()
    table.play(6, 5)
    assert table.look()["pause"]["seconds"] == 5
    assert "sit_out" not in table.commands("A")


def test_without_seconds_there_is_none():
    assert paused(pause_between=0).look()["phase"] == "between"


def test_in_it_leaving_coming_in_and_closing_cost_nothing():
    table = paused()
    totals = table.totals
    table.house("leave", "B")
    assert (table.line, table.look()["phase"], table.required("C")) == ("CDA", "pause", ["next"])
    table.house("join", "E")
    assert table.line == "CDAE" and table.look()["phase"] == "pause"
    assert {name: table.totals[name] for name in totals} == totals
    table.house("close")
    assert table.look()["ended"]["reason"] == "closed"


def test_the_last_who_would_have_to_go_on_leaves():
    table = paused()
    table.do("C", "next")
    table.do("D", "sit_out", on=True)
    events = table.house("leave", "B")
    assert "pause_ended" not in types(events), "A is Captain now, and has not gone on"
    assert table.required("A") == ["next"]
    table.do("A", "next")
    assert table.look()["phase"] == "between"


def test_who_sits_out_the_next_game_keeps_their_place_and_comes_back_after_it():
    table = paused()
    table.do("D", "sit_out", on=True)
    assert table.line == "BCA" and table.look()["seats"][3]["sits_out"]
    table.do("B", "next")
    table.do("C", "next")
    table.start()
    assert (table.game["box"], table.game["captain"], table.role("D")) == (1, 2, "none")
    assert table.commands("D") == []
    table.play(6, 5)
    assert table.line == "CDAB", "as if D had played on without being Captain"
    assert not table.look()["seats"][3]["sits_out"]


def test_a_captain_who_sits_out_is_first_behind_those_who_played_before_the_others():
    table = paused()
    table.do("C", "sit_out", on=True)
    assert table.line == "BDA"
    table.house("timeout", "B")
    table.start()
    table.play(6, 5)
    assert table.line == "DCAB"


def test_they_may_come_back_before_it_begins():
    table = paused()
    table.do("D", "sit_out", on=True)
    table.do("D", "sit_out", on=False)
    assert table.line == "BCDA"


def test_two_are_left_to_play():
    table = paused("ABC")
    table.do("A", "sit_out", on=True)
    assert "sit_out" not in table.commands("B")
    table.house("leave", "B")
    assert table.line == "CA", "who sat out is called back"


def test_who_announces_it_leaves_at_the_end_of_the_game():
    table = Table("ABCD", position=TEAM_WINS, pause_between=8)
    table.start()
    table.do("C", "leave_after", on=True)
    assert table.look()["seats"][2]["leaves"]
    table.do("A", "leave_after", on=True)
    table.do("A", "leave_after", on=False)
    events = table.play(6, 5)
    assert [event.data["seat"] for event in events if event.type == "seat_left"] == [2]
    assert table.line == "BDA" and rules.gone(table.state) == (2,)
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}, "the game counts for them"


def test_a_match_is_not_left_after_a_game():
    table = Table("BA", "match", position=LONG_RACE)
    table.start()
    assert "leave_after" not in table.commands("A")
    assert table.choice(None, "close_after") is None


def test_the_host_closes_the_table_after_the_game_or_takes_that_back():
    table = Table("ABC", position=TEAM_WINS, pause_between=8)
    table.start()
    assert table.options_of(None, "close_after") == [{"on": True}]
    table.do(None, "close_after", on=True)
    assert table.look()["closes"] and table.options_of(None, "close_after") == [{"on": False}]
    assert of(table.play(6, 5), "session_ended")["reason"] == "closed"


def test_the_view_says_who_is_box_and_captain_and_why():
    table = Table("ABCD", position=TEAM_WINS, pause_between=8)
    assert table.look()["roles"] == {"box": 0, "captain": 1, "box_why": "rolled", "captain_why": "rolled"}
    table.start()
    table.play(6, 5)
    assert table.look()["roles"] == {
        "box": 1, "captain": 2, "box_why": "captain_wins", "captain_why": "next_in_line",
    }  # fmt: skip
    table.house("leave", "B")
    assert table.look()["roles"]["box_why"] == "moved_up"
    two = Table("AB", "money")
    assert two.look()["roles"] is None, "two by themselves are no Box and Captain"


def test_who_has_left_or_leaves_at_its_end_is_not_named_as_the_heir_of_the_box():
    """B beats the Box and has said that they leave: C is Box for moving up, and has not beaten anybody."""
    table = Table("ABCD", position=TEAM_WINS, pause_between=8)
    table.start()
    table.do("B", "leave_after", on=True)
    table.play(6, 5)
    assert table.look()["last_game"]["line_after"] == [1, 2, 3, 0], "by the result of the game"
    assert table.look()["roles"] == {"box": 2, "captain": 3, "box_why": "moved_up", "captain_why": "next_in_line"}


def test_the_stand_in_is_captain_for_having_stood_in():
    table = Table("ABCD", position=LONG_RACE, uniform_response="none", pause_between=8)
    table.start()
    table.double("B")
    table.box_takes("")
    table.do("C", "resign", level=1)
    table.do("A", "answer_resignation", accept=True)
    table.do("D", "resign", level=1)
    table.do("A", "answer_resignation", accept=True)
    assert table.look()["roles"] == {"box": 1, "captain": 2, "box_why": "captain_wins", "captain_why": "stood_in"}


def test_a_second_chance_says_what_follows():
    table = Table("ABCD", position=LONG_RACE, turn_seconds=12)
    table.start()
    table.next_turn()
    table.offer("BCD")
    table.house("timeout", "C")
    seen = {"seat": 2, "opened": len(table.log), "seconds": 12, "then": "drop", "points": -1}
    assert table.game["reopened"] == [seen]
    table.answers(B=False, C=False, D=True)
    table.do("A", "roll", [2, 1])
    table.house("timeout", "A")
    assert table.game["reopened"] == [
        {"seat": 0, "opened": len(table.log), "seconds": 12, "then": "leave", "points": None},
    ]


def test_the_rotation_counts_who_sat_out_among_the_others():
    record = FinishedGame(("X", "K", "L", "M"), ("K",), {"K": 1, "M": 1}, box_wins=False, box_net=-2)
    assert next_line("captain_result", record).line == ("K", "L", "M", "X")


def test_a_box_that_sits_out_is_followed_as_one_that_leaves():
    sits, left = paused(), paused()
    sits.do("B", "sit_out", on=True)
    left.house("leave", "B")
    assert sits.line == left.line == "CDA"
    assert sits.look()["roles"]["box"] == sits.seat("C")
    for name in "CD":
        sits.do(name, "next")
    sits.start()
    assert (sits.box, sits.captain, sits.role("B")) == ("C", "D", "none")
