"""Joining and leaving (docs/rules-chouette.md §7), and the clock."""

import pytest

from chouette.rules import rules
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def opened(line="ABCD", position=LONG_RACE, **changes):
    table = Table(line, position=position, **{"uniform_response": "none", **changes})
    table.start()
    return table


def won(table):
    """The Captain wins the game at once, against everybody."""
    table.double()
    table.play(2, 1)
    return table


def test_newcomers_join_from_the_next_game_at_the_end_of_the_line_behind_the_loser():
    table = opened(position=TEAM_WINS)
    table.house("join", "E")
    assert table.look()["seats"][4]["status"] == "coming"
    assert table.commands("E") == []
    won(table)
    assert table.line == "BCDAE"
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1, "E": 0}


def test_between_two_games_they_join_at_once():
    table = won(opened(position=TEAM_WINS))
    table.house("join", "E")
    assert table.line == "BCDAE"
    table.start()
    assert table.role("E") == "member"


def test_join_position_ahead_of_the_loser():
    table = opened(position=TEAM_WINS, join_position="ahead_of_loser")
    table.house("join", "E")
    won(table)
    assert table.line == "BCDEA"
    table.house("join", "F")
    assert table.line == "BCDEFA"


def test_there_is_room_for_so_many():
    table = won(opened(position=TEAM_WINS, max_players=5))
    table.house("join", "E")
    assert table.choice(None, "join") is None


def test_there_is_room_however_many_have_come_and_gone():
    """Only who is there counts: after many different seats somebody new still may join."""
    table = won(opened("AB", position=TEAM_WINS))
    for seat in range(2, 30):
        name = f"N{seat:02}"
        table.house("join", name)
        assert table.look()["seats"][seat]["status"] == "in"
        table.house("leave", name)
    assert table.look()["seats"][29]["status"] == "left"
    table.house("join", "Z")
    assert table.names[-1] in table.line


def test_a_member_who_leaves_between_games_keeps_their_row_on_the_sheet():
    table = won(opened(position=TEAM_WINS))
    table.house("leave", "C")
    assert table.line == "BDA"
    assert table.totals == {"A": -3, "B": 1, "C": 1, "D": 1}
    table.house("join", "C")
    assert table.line == "BDAC"


def test_a_box_that_leaves_unbeaten_is_followed_by_the_next_in_line_for_captain():
    table = won(opened(position=TEAM_WINS))
    assert table.line == "BCDA"
    table.house("leave", "B")
    assert table.line == "CDA"


def test_a_member_who_leaves_in_mid_game_leaves_their_cube_in_the_game():
    table = opened()
    table.double("C")
    table.box_takes("C")
    table.house("leave", "C")
    assert table.game["cubes"][table.cube("C")]["result"] is None
    assert table.look()["seats"][2]["status"] == "left"


def test_a_members_cube_goes_to_a_proxy_they_named():
    table = opened()
    table.do("C", "name_proxy", seat=table.seat("D"))
    table.house("leave", "C")
    cube = table.game["cubes"][table.cube("C")]
    assert (cube["result"], cube["holder"]) == (None, table.seat("D"))
    cubes = {option["cube"] for option in table.options_of("D", "cube")}
    assert cubes == {table.cube("C"), table.cube("D")}
    table.do("D", "cube", cube=table.cube("C"), double=True)
    table.do("B", "roll")
    table.box_takes("C")
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    table.do("D", "answer_resignation", accept=True)
    assert table.last_row == {"A": -4, "B": 1, "C": 2, "D": 1}
    assert table.line == "BDA"


def test_a_proxy_who_is_out_takes_over_nothing():
    table = opened()
    table.do("C", "name_proxy", seat=table.seat("D"))
    table.double("D")
    table.box_takes("")
    table.house("leave", "C")
    assert table.game["cubes"][table.cube("C")]["holder"] == table.seat("B")


def test_a_captains_place_goes_to_the_next_member_in_the_game():
    table = opened()
    events = table.house("leave", "B")
    assert of(events, "captain_changed")["seat"] == table.seat("C")
    assert table.required("C") == ["cube", "roll"]


def test_a_captain_who_leaves_in_the_opening_roll_leaves_the_teams_die():
    table = Table("ABC")
    table.do("B", "opening_roll", [3])
    table.house("leave", "B")
    events = table.do("A", "opening_roll", [1])
    assert of(events, "turn_began")["seat"] == table.seat("C")


def test_a_box_that_leaves_in_mid_game_where_no_bot_plays_on_loses_1_times_each_live_cube_and_the_game():
    table = opened(bot_plays_on=False)
    table.double("CD")
    table.box_takes("C")
    table.house("leave", "A")
    assert table.last_row == {"A": -4, "B": 1, "C": 2, "D": 1}
    assert table.line == "BCD"
    assert table.look()["last_game"]["winner"] == "team"


def test_a_chouette_that_falls_to_2_players_goes_on_as_a_money_game():
    table = won(opened("ABC", position=TEAM_WINS))
    table.house("leave", "C")
    table.start()
    assert (table.box, table.captain) == ("B", "A")
    won(table)
    table.house("join", "C")
    assert len(table.line) == 3


def test_one_alone_ends_the_session():
    table = opened("AB", bot_plays_on=False)
    table.house("leave", "B")
    assert table.look()["outcome"] == {"reason": "too_few", "winner": None}
    assert table.last_row == {"A": 1, "B": -1}


def test_those_who_are_waited_for_may_leave():
    """In a batch, in beavers, in a resignation: somebody answers for them."""
    table = opened(beavers=True)
    table.next_turn()
    table.offer("BCD")
    table.answers(B="beaver")
    table.house("leave", "D")
    table.do("B", "answer", cube=table.cube("D"), take=False)
    table.house("leave", "C")
    table.do("B", "answer", cube=table.cube("C"), take=True)
    assert table.required("A") == ["reply"]
    table.reply("A", "B", "accept")
    table.do("A", "resign", level=1)
    table.house("leave", "B")
    table.do("B", "answer_resignation", accept=True)
    assert table.state.phase == "over"
    assert table.last_row == {"A": -5, "B": 4, "C": 2, "D": -1}


def test_the_host_closes_the_table_between_two_games():
    table = opened(position=TEAM_WINS)
    assert table.refuses(None, "close") == "not_between_games"
    won(table)
    table.house("close")
    assert table.look()["ended"]["reason"] == "closed"
    assert [table.commands(name) for name in "ABCD"] == [[]] * 4


# The clock: as neutral as can be.


def test_time_out_rolls_and_does_not_double():
    table = opened("AB", turn_seconds=20)
    assert table.choice("B", "roll").seconds == 20
    table.house("timeout", "B", [2, 1])
    table.move()
    table.house("timeout", "A", [2, 1])
    assert table.stage == "move"


def test_time_out_plays_a_forced_play():
    table = opened("AB", position=TEAM_WINS)
    table.double()
    table.do("B", "roll", [2, 1])
    table.house("timeout", "B")
    assert table.last_row == {"A": -1, "B": 1}


def test_time_out_never_chooses_a_play_the_second_one_is_leaving_for_good():
    table = opened()
    table.double()
    table.do("B", "roll", [2, 1])
    events = table.house("timeout", "B")
    assert of(events, "timed_out") == {"seat": 1, "again": True}
    assert table.required("B") == ["move"]
    table.house("timeout", "B")
    assert table.look()["seats"][1]["status"] == "left"
    assert (table.captain, table.required("C")) == ("C", ["move"])


def test_a_play_in_time_forgets_the_warning():
    table = opened("AB")
    table.double()
    table.do("B", "roll", [2, 1])
    table.house("timeout", "B")
    table.move()
    table.play(2, 1)
    table.double()
    table.do("B", "roll", [2, 1])
    assert of(table.house("timeout", "B"), "timed_out")["again"]


def test_time_out_never_takes_the_second_one_drops():
    table = opened()
    table.next_turn()
    table.offer("BCD")
    for again in (True, False):
        assert of(table.house("timeout", "C"), "timed_out")["again"] is again
    assert table.look("C")["me"]["given"] == [{"for": table.cube("C"), "takes": False, "beavers": False}]
    box = opened()
    box.double("BC")
    box.house("timeout", "A")
    events = box.house("timeout", "A")
    assert of(events, "answers_opened")["drops"] == [box.cube("B"), box.cube("C")]


def test_time_out_after_the_takes():
    table = opened("AB", beavers=True)
    table.double("B")
    table.box_takes("B", beavers="B")
    table.house("timeout", "B")
    assert table.required("B") == ["reply"]
    table.house("timeout", "B")
    assert table.last_row == {"A": 2, "B": -2}


def test_time_out_of_the_questions_and_the_opening():
    table = Table("ABC", automatics="box_decides", turn_seconds=30)
    assert table.choice("A", "opening_roll").seconds == 30
    table.house("timeout", "A", [4])
    table.house("timeout", "B", [4])
    table.house("timeout", "A")
    assert {cube["value"] for cube in table.game["cubes"]} == {1}
    assert table.required("A") == ["opening_roll"]


def test_time_out_refuses_a_resignation():
    table = opened()
    table.do("A", "resign", level=1)
    for name in "BCD":
        table.house("timeout", name)
    assert table.stage == "window"
    assert "answer_resignation" not in table.commands("B")


@pytest.mark.parametrize("name", ["leave", "timeout", "join", "close"])
def test_a_seat_gives_no_house_commands(name):
    table = opened()
    assert table.refuses("B", name, seat=1) == "not_open"


def test_no_event_is_without_meaning():
    assert types(opened().house("timeout", "B", [2, 1])) != []


def test_the_house_lets_a_seat_leave_with_the_running_game_at_no_cost():
    table = opened(position=TEAM_WINS)
    offered = table.choice(None, "leave_after")
    assert [each["seat"] for each in offered.options] == [0, 1, 2, 3]
    table.house("leave_after", "D")
    assert [each["seat"] for each in table.choice(None, "leave_after").options] == [0, 1, 2]
    won(table)
    assert table.line == "BCA"
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}
    assert table.choice(None, "leave_after") is None


def test_the_order_of_play_is_the_line_and_who_has_come_since():
    table = opened(position=TEAM_WINS)
    table.house("join", "E")
    assert rules.order(table.state) == (0, 1, 2, 3, 4)
    won(table)
    assert rules.order(table.state) == table.state.line
