"""Leaving in the middle of a game is never better than staying (docs/rules-chouette.md §7)."""

import pytest

from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types

TEAM_WINS_GAMMON = (0, 2, *[0] * 17, -15, *[0] * 5, 0)


def opened(line="ABCD", position=LONG_RACE, **changes):
    table = Table(line, position=position, **{"uniform_response": "none", **changes})
    table.start()
    return table


def status(table, name):
    return table.look()["seats"][table.seat(name)]["status"]


def holder(table, name):
    return table.names[table.game["cubes"][table.cube(name)]["holder"]]


# A member.


def test_a_members_cube_is_looked_after_by_the_captain_to_the_end_of_the_game_on_the_leavers_account():
    table = opened(position=(0, 15, *[0] * 22, -2, 0))
    table.double("C")
    table.box_takes("C")
    table.house("leave", "C")
    assert (status(table, "C"), holder(table, "C")) == ("left", "B")
    table.play(2, 1)
    table.play(2, 1)
    assert table.last_row == {"A": 4, "B": -1, "C": -2, "D": -1}, "C loses what C would have lost"
    assert table.line == "ADB"


def test_a_member_about_to_lose_a_gammon_loses_it_by_leaving_too():
    table = Table("ABC", position=(0, *[0] * 5, 15, *[0] * 17, -2, 0), uniform_response="none")
    table.start()
    table.double("C")
    table.box_takes("C")
    table.house("leave", "C")
    table.play(2, 1)
    table.play(2, 1)
    assert table.last_row["C"] == -4


def test_by_the_proxy_they_named_else_by_the_captain():
    for proxy in "DB":
        table = opened()
        if proxy == "D":
            table.do("C", "name_proxy", seat=table.seat("D"))
        event = of(table.house("leave", "C"), "seat_left")
        assert event["proxy"] == table.seat(proxy)
        assert holder(table, "C") == proxy


def test_by_the_next_in_line_for_a_captain_who_leaves():
    table = opened()
    table.house("leave", "B")
    assert (holder(table, "B"), table.captain) == ("C", "C")


def test_the_caretaker_answers_doubles_and_resigns_for_it():
    table = opened()
    table.house("leave", "D")
    assert {o["cube"] for o in table.options_of("B", "cube")} == {table.cube("B"), table.cube("D")}
    table.double()
    table.play(2, 1)
    table.offer("BCD")
    assert {o["cube"] for o in table.options_of("B", "answer")} == {table.cube("B"), table.cube("D")}
    table.do("C", "answer", cube=table.cube("C"), take=True)
    table.do("B", "answer", cube=table.cube("B"), take=True)
    table.do("B", "answer", cube=table.cube("D"), take=True)
    table.do("B", "resign", level=1)
    table.do("A", "answer_resignation", accept=True)
    assert [table.game["cubes"][table.cube(name)]["result"] for name in "BCD"] == [-2, None, -2]


def test_a_caretaker_who_goes_out_hands_the_cube_on_to_the_next():
    table = opened()
    table.house("leave", "D")
    table.do("B", "cube", cube=table.cube("B"), double=True)
    events = table.box_takes("")
    assert of(events, "cube_handed") == {"member": 3, "before": 1, "seat": 2}
    assert holder(table, "D") == "C"
    table.house("leave", "C")
    assert holder(table, "D") == holder(table, "C") == "B", "B is out but the only one at the table"
    assert table.captain == "B"


def test_a_caretaker_is_asked_what_the_leaver_was_asked():
    table = opened(beavers=True)
    table.double("CD")
    table.box_takes("CD", beavers="CD")
    table.house("leave", "C")
    assert table.required("B") == ["reply"]
    assert {o["cube"] for o in table.options_of("B", "reply")} == {table.cube("C")}
    table.house("leave", "B")
    assert {o["cube"] for o in table.options_of("D", "reply")} == {table.cube("C"), table.cube("D")}
    table.reply("D", "C", "accept")
    table.reply("D", "D", "drop")
    assert [table.game["cubes"][table.cube(n)]["result"] for n in "CD"] == [None, -2]


def test_a_caretaker_who_becomes_box_is_shown_and_valid_no_more():
    """Point 10: a named proxy who becomes Box."""
    table = opened(position=TEAM_WINS)
    table.do("C", "name_proxy", seat=table.seat("B"))
    assert table.look()["seats"][2]["proxy"] == table.seat("B")
    table.double()
    table.play(2, 1)
    assert table.line == "BCDA"
    assert table.look()["seats"][2]["proxy"] is None
    table.start()
    assert table.look()["seats"][2]["proxy"] is None
    assert {"seat": None} not in table.options_of("C", "name_proxy")
    table.double()
    assert of(table.house("leave", "C"), "seat_left")["proxy"] == table.seat("D"), "handed on: the next in line"


def test_timing_out_for_good_is_leaving():
    table = opened()
    table.double("B")
    table.box_takes("B")
    table.do("B", "roll", [2, 1])
    table.house("timeout", "B")
    table.house("timeout", "B")
    assert (status(table, "B"), holder(table, "B"), table.captain) == ("left", "C", "C")
    assert table.game["cubes"][table.cube("B")]["result"] is None


def test_the_last_of_a_team_leaves_a_bot_plays_the_game_out_on_their_account():
    table = opened("AB", format="money", position=LONG_RACE)
    events = table.house("leave", "B")
    assert of(events, "seat_left")["played_on"]
    assert status(table, "B") == "played_on"
    assert table.required("B") == ["cube", "roll"]
    table.double()
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    assert table.last_row == {"A": -1, "B": 1}
    assert table.state.phase == "over" and status(table, "B") == "left"


# The Box.


def refused(table, level, *names):
    table.do("A", "resign", level=level)
    for name in "BCD":
        if table.required(name) == ["answer_resignation"]:
            table.do(name, "answer_resignation", accept=name not in names)


def test_a_box_that_leaves_a_bot_plays_the_game_out_on_its_account():
    table = opened(position=TEAM_WINS_GAMMON, jacoby=False)
    events = table.house("leave", "A")
    assert types(events) == ["seat_left"] and status(table, "A") == "played_on"
    table.double()
    table.play(2, 1)
    assert table.last_row == {"A": -6, "B": 2, "C": 2, "D": 2}
    assert table.line == "BCD" and status(table, "A") == "left"


def test_else_each_live_cube_is_paid_at_the_highest_level_that_its_member_refused_plus_one_at_least_1():
    table = opened(bot_plays_on=False, jacoby=False)
    refused(table, 1, "B", "C", "D")
    refused(table, 2, "C", "D")
    assert table.game["cubes"][table.cube("B")]["result"] == 2
    table.double()
    table.play(2, 1)
    refused(table, 1, "D")
    assert table.game["cubes"][table.cube("C")]["result"] == 1
    table.house("leave", "A")
    assert table.last_row == {"A": -6, "B": 2, "C": 1, "D": 3}
    plain = opened(bot_plays_on=False, jacoby=False)
    plain.house("leave", "A")
    assert plain.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}
    assert plain.look()["last_game"]["winner"] == "team"


def test_a_box_that_resigned_3_times_to_two_pays_no_less_by_leaving():
    table = opened(bot_plays_on=False, jacoby=False)
    table.do("A", "resign", level=3)
    table.house("leave", "A")
    assert table.last_row == {"A": -9, "B": 3, "C": 3, "D": 3}


def test_what_somebody_has_accepted_stands_a_resignation_accepted_in_part_is_not_undone_by_leaving():
    table = opened(bot_plays_on=False, jacoby=False)
    table.do("A", "resign", level=2)
    table.do("B", "answer_resignation", accept=True)
    table.do("C", "answer_resignation", accept=False)
    table.house("leave", "A")
    assert table.last_row == {"A": -7, "B": 2, "C": 3, "D": 2}
    bots = opened(jacoby=False)
    bots.do("A", "resign", level=2)
    bots.do("B", "answer_resignation", accept=True)
    bots.house("leave", "A")
    bots.do("C", "answer_resignation", accept=True)
    bots.do("D", "answer_resignation", accept=True)
    assert bots.last_row == {"A": -6, "B": 2, "C": 2, "D": 2}


def test_a_member_who_offered_a_resignation_and_leaves_has_offered_it():
    table = opened(jacoby=False)
    table.do("C", "resign", level=2)
    table.house("leave", "C")
    assert table.required("A") == ["answer_resignation"]
    table.do("A", "answer_resignation", accept=True)
    assert table.game["cubes"][table.cube("C")]["result"] == -2


def test_a_take_and_a_drop_that_are_sealed_stand_when_the_box_leaves():
    table = opened(bot_plays_on=False)
    table.next_turn()
    table.offer("BCD")
    table.answers(B=True, C=False)
    table.house("leave", "A")
    assert table.last_row == {"A": -2 + 1 - 1, "B": 2, "C": -1, "D": 1}


# §4.4: before an unanswered beaver or raccoon.


@pytest.mark.parametrize("how", ["drop", "leave", "timeout"])
def test_whoever_goes_out_before_they_have_answered_a_beaver_pays_the_cube_before_it(how):
    table = opened("AB", format="money", beavers=True, bot_plays_on=False)
    table.double("B")
    table.box_takes("B", beavers="B")
    if how == "drop":
        table.reply("B", "B", "drop")
    elif how == "leave":
        table.house("leave", "B")
    else:
        table.house("timeout", "B")
        table.house("timeout", "B")
    assert table.last_row == {"A": 2, "B": -2}


def test_so_does_a_box_that_leaves_before_a_beaver_or_a_raccoon():
    table = opened("ABC", beavers=True, bot_plays_on=False)
    table.next_turn()
    table.offer("BC")
    table.answers(B="beaver", C=True)
    table.house("leave", "A")
    assert table.last_row == {"A": -4, "B": 2, "C": 2}
    table = opened("AB", format="money", beavers=True, raccoons=True, bot_plays_on=False)
    table.double("B")
    table.box_takes("B", beavers="B")
    table.reply("B", "B", "raccoon")
    table.house("leave", "A")
    assert table.last_row == {"A": -4, "B": 4}


# The partner (§4.10).


def with_partner(position=LONG_RACE, **changes):
    return opened("ABCDE", position, partner="compulsory_from", partner_from=5, **changes)


def test_if_the_box_leaves_in_mid_game_the_partner_plays_on_as_box_with_the_whole_result():
    table = with_partner(position=TEAM_WINS)
    table.double("CD")
    table.box_takes("C")
    events = table.house("leave", "A")
    assert of(events, "box_changed") == {"seat": 4, "before": 0}
    assert (table.box, table.role("E"), status(table, "A")) == ("E", "box", "left")
    assert table.game["partner"] is None
    table.play(2, 1)
    assert table.last_row == {"A": 0, "B": 1, "C": 2, "D": 1, "E": -4}
    assert table.line == "BCDE"


def test_what_the_box_offered_and_was_asked_is_the_partners_now():
    table = with_partner(jacoby=False)
    table.double("BC")
    table.house("leave", "A")
    assert table.required("E") == ["answer_batch"]
    table.box_takes("BC")
    table.do("E", "resign", level=2)
    for name in "BCD":
        table.do(name, "answer_resignation", accept=True)
    assert table.last_row == {"A": 0, "B": 4, "C": 4, "D": 2, "E": -10}


def test_without_a_partner_at_the_table_it_is_as_with_any_box():
    table = with_partner(bot_plays_on=False)
    table.house("leave", "E")
    table.house("leave", "A")
    assert table.last_row == {"A": -2, "B": 1, "C": 1, "D": 1, "E": -1}


# A match.


def test_who_leaves_a_match_has_lost_it():
    table = opened("AB", format="match")
    table.house("leave", "B")
    assert table.look()["outcome"] == {"reason": "too_few", "winner": table.seat("A")}
