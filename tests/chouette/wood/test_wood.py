"""Backgammon on a real board: acts, results, taking back, refusals (docs/rules-chouette.md §4.13)."""

import pytest

from chouette.bot import bots
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from tests.chouette.table import Table, of, types


def wood(line="ABCD", begun=True, **changes):
    """A table whose board is a real one, with its first game begun."""
    table = Table(line, preset="wood", **changes)
    if begun:
        table.do(table.box, "begin_game")
    return table


def ends(table, winner, level=1, teller=None):
    """Let one side tell the result, and the other agree."""
    teller = teller or table.captain
    other = table.captain if teller == table.box else table.box
    table.do(teller, "result", winner=winner, level=level)
    return table.do(other, "answer_result", accept=True)


# The course of a game.


def test_box_and_captain_may_each_say_that_the_game_begins_and_nobody_throws():
    table = wood(begun=False)
    assert [name for name in "ABCD" if "begin_game" in table.required(name)] == ["A", "B"]
    events = table.do("B", "begin_game")
    assert of(events, "game_started")["line"] == [0, 1, 2, 3]
    assert (table.stage, table.game["dice"], table.game["on_roll"]) == ("wood", [], None)


def test_a_game_with_a_double_to_all_one_drop_and_a_plain_win_is_on_the_sheet():
    table = wood()
    table.offer("BCD")
    table.answers(B=True, C=False, D=True)
    ends(table, "team")
    assert table.last_row == {"A": -2 + 1 - 2, "B": 2, "C": -1, "D": 2}
    assert table.line == "BDCA" or table.line == "BCDA"
    assert table.look()["phase"] == "between"


def test_a_member_doubles_whenever_the_cube_is_centred_or_theirs():
    table = wood()
    table.do("C", "double", cube=table.cube("C"))
    table.do("A", "answer_batch", take=[table.cube("C")])
    assert (table.value("C"), table.owner("C")) == (2, "against")
    assert not table.options_of("C", "double"), "the cube is the Box's now"
    table.offer("C")
    table.answers(C=True)
    assert (table.value("C"), table.owner("C")) == (4, "member")
    assert table.options_of("C", "double") == [{"cube": table.cube("C")}]


def test_members_may_join_a_double_until_the_box_has_answered_all_together():
    table = wood()
    table.do("B", "double", cube=table.cube("B"))
    first = table.choice("A", "answer_batch").opened_at
    table.do("D", "double", cube=table.cube("D"))
    assert table.choice("A", "answer_batch").opened_at > first, "what the Box was about to answer is stale"
    ways = [sorted(option["take"]) for option in table.options_of("A", "answer_batch")]
    both = sorted([table.cube("B"), table.cube("D")])
    assert sorted(ways) == [[], both], "initial doubles of one turn are treated alike"
    table.do("A", "answer_batch", take=both)
    assert (table.value("B"), table.value("C"), table.value("D")) == (2, 1, 2)


def test_two_who_double_in_the_same_moment_both_do():
    table = wood()
    seen = table.choice("D", "double").opened_at
    table.do("B", "double", cube=table.cube("B"))
    assert table.choice("D", "double").opened_at == seen, "what D has tapped meanwhile is not stale"
    table.do("D", "double", cube=table.cube("D"))
    table.do("A", "answer_batch", take=sorted([table.cube("B"), table.cube("D")]))
    assert (table.value("B"), table.value("C"), table.value("D")) == (2, 1, 2)


def test_a_double_of_a_turn_that_is_answered_is_stale_in_the_next():
    table = wood()
    seen = table.choice("C", "double").opened_at
    table.do("B", "double", cube=table.cube("B"))
    table.do("A", "answer_batch", take=[table.cube("B")])
    assert table.choice("C", "double").opened_at > seen


def test_while_the_box_offers_no_member_doubles():
    table = wood()
    table.offer("BCD")
    assert not any(table.options_of(name, "double") for name in "BCD")


def test_a_double_that_nobody_has_answered_may_be_withdrawn_by_who_offered_it():
    table = wood()
    table.do("B", "double", cube=table.cube("B"))
    table.do("C", "double", cube=table.cube("C"))
    assert [name for name in "ABCD" if table.choice(name, "withdraw_double")] == ["B", "C"]
    table.do("B", "withdraw_double")
    assert (table.stage, table.game["batch"]) == ("answers", [table.cube("C")])
    table.do("C", "withdraw_double")
    assert (table.stage, table.game["batch"]) == ("wood", [])
    table.offer("BCD")
    table.do("A", "withdraw_double")
    table.offer("BCD")
    table.answers(D=True)
    assert table.refuses("A", "withdraw_double") == "not_open"


@pytest.mark.parametrize(("teller", "other"), [("A", "B"), ("B", "A")])
def test_a_result_told_by_one_side_counts_when_the_other_agrees(teller, other):
    table = wood()
    table.do(teller, "result", winner="box", level=2)
    assert table.game["told"] == {"seat": table.seat(teller), "winner": "box", "level": 2}
    assert [name for name in "ABCD" if table.choice(name, "answer_result")] == [other]
    table.do(other, "answer_result", accept=True)
    assert table.last_row == {"A": 3, "B": -1, "C": -1, "D": -1}, "Jacoby: no cube had been turned"


def test_a_result_that_the_other_side_does_not_agree_to_leaves_the_game_as_it_was():
    table = wood()
    before = table.state.game.cubes
    table.do("A", "result", winner="box", level=3)
    table.do("B", "answer_result", accept=False)
    assert (table.stage, table.state.game.cubes, table.game["told"]) == ("wood", before, None)


def test_the_host_states_a_result_alone_whether_or_not_one_was_told():
    for told in (False, True):
        table = wood()
        if told:
            table.do("A", "result", winner="box", level=1)
        events = table.do(None, "state_result", winner="team", level=1)
        assert of(events, "result_agreed")["seat"] is None
        assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_turned_cube_counts_the_level_and_jacoby_goes_by_the_cube(level):
    table = wood()
    table.do("C", "double", cube=table.cube("C"))
    table.do("A", "answer_batch", take=[table.cube("C")])
    ends(table, "box", level)
    assert table.last_row == {"A": 2 * level + 2, "B": -1, "C": -2 * level, "D": -1}


@pytest.mark.parametrize(
    ("automatics", "values"), [("off", [1]), ("limit", [2]), ("first_then_box", [2]), ("carry_over", [2, 2])]
)
def test_ties_of_the_opening_roll_double_as_the_house_rule_says(automatics, values):
    table = wood(automatics=automatics)
    for value in values if automatics != "off" else []:
        table.do("B", "tie")
        assert table.value("B") == value
    if automatics == "first_then_box":
        table.do("A", "tie")
        table.do("A", "automatic", agree=True)
        assert (table.stage, table.value("B")) == ("wood", 4)
        return
    assert not table.options_of("A", "tie")
    assert table.refuses("A", "tie") == "not_open"


def test_once_a_cube_was_turned_no_tie_is_told():
    table = wood(automatics="limit", automatics_limit=4)
    table.do("B", "double", cube=table.cube("B"))
    assert table.refuses("A", "tie") == "answers_first"
    table.do("A", "answer_batch", take=[table.cube("B")])
    assert table.refuses("A", "tie") == "not_open"


def test_beavers_and_raccoons_are_as_on_the_screen():
    table = wood(beavers=True, raccoons=True)
    table.do("B", "double", cube=table.cube("B"))
    table.do("A", "answer_batch", take=[table.cube("B")], beaver=[table.cube("B")])
    table.reply("B", "B", "raccoon")
    table.reply("A", "B", "accept")
    assert (table.value("B"), table.owner("B"), table.stage) == (8, "against", "wood")


def test_the_single_cube_is_doubled_by_the_captain_alone_and_counts_for_all():
    table = wood(cubes="single")
    assert [name for name in "BCD" if table.options_of(name, "double")] == ["B"]
    table.do("B", "double", cube=table.cube("B"))
    table.do("A", "answer_batch", take=[table.cube("B")])
    ends(table, "team", 2)
    assert table.last_row == {"A": -12, "B": 4, "C": 4, "D": 4}


def test_a_stand_in_tells_the_result_for_a_captain_who_has_cashed():
    table = wood()
    table.do("B", "double", cube=table.cube("B"))
    table.do("A", "answer_batch", take=[])
    assert (table.role("B"), table.role("C")) == ("out", "stand_in")
    assert [name for name in "ABCD" if "result" in table.required(name)] == ["A", "C"]
    ends(table, "team")
    assert table.line[:2] == "BC", "the Captain had won, and the stand-in is Captain next"


def test_two_play_for_money_and_a_match_to_its_end():
    money = wood("AB", format="money", beavers=False)
    ends(money, "team")
    assert money.last_row == {"A": -1, "B": 1}
    match = wood("AB", format="match", match_length=3)
    match.do("B", "double", cube=0)
    match.do("A", "answer_batch", take=[0])
    ends(match, "team")
    assert match.look()["score"] == [0, 2]
    match.do("A", "begin_game")
    assert match.look()["crawford"] and not match.options_of("A", "offer")
    ends(match, "team", 3)
    assert match.look()["outcome"] == {"reason": "match_won", "winner": 1}


# What is refused.


@pytest.mark.parametrize("who", ["A", "B", None])
def test_no_result_while_a_double_is_unanswered(who):
    table = wood()
    table.offer("BCD")
    name = "result" if who else "state_result"
    assert table.refuses(who, name, winner="box", level=1) == "answers_first"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"winner": "box", "level": 4}, "bad_args"),
        ({"winner": "nobody", "level": 1}, "bad_args"),
        ({"winner": "box", "level": "1"}, "bad_args"),
        ({}, "bad_args"),
    ],
)
def test_a_result_that_there_is_not_is_refused(args, code):
    table = wood()
    assert table.refuses("A", "result", **args) == code
    assert table.refuses(None, "state_result", **args) == code


def test_a_plain_member_tells_no_result_and_nobody_throws_or_plays():
    table = wood()
    assert table.refuses("C", "result", winner="box", level=1) == "not_open"
    for name in ("roll", "move", "opening_roll", "start_study"):
        assert table.refuses("B", name) == "not_open"


def test_no_wood_act_is_open_on_the_screen():
    table = Table("ABC")
    table.start(3, 1)
    for name in ("begin_game", "tie", "double", "withdraw_double", "result"):
        assert table.refuses("A", name) == "not_open"
    assert table.refuses(None, "state_result", winner="box", level=1) == "not_open"


def test_nothing_is_timed_but_what_the_house_rules_time():
    table = wood(turn_seconds=30)
    assert all(c.seconds is None for c in (table.choice("A", "result"), table.choice("B", "result")))
    table.offer("BCD")
    assert table.choice("B", "answer").seconds == 30


def test_what_needs_a_board_that_the_house_sees_means_nothing():
    values = OPTIONS.values("wood", {"hints": True})
    idle = {o.id for o in OPTIONS.options if not OPTIONS.is_active(o, values)}
    assert {"hints", "bot_advice", "bot_plays_on", "grace_seconds", "pause_between", "pip_count"} <= idle
    assert "automatics" not in idle
    with pytest.raises(OptionErrors):
        OPTIONS.values("wood", {"board": "glass"})


def test_nobody_is_given_a_hint_on_a_board_that_no_bot_sees():
    table = wood(hints=True)
    table.offer("BCD")
    with pytest.raises(Illegal, match="hints_off"):
        bots.hint(table.look("B"), list(rules.choices(table.state, table.seat("B"))))


# Taking back.


def test_the_last_act_is_taken_back_by_who_did_it_until_somebody_acts_after_it():
    table = wood()
    table.do("B", "double", cube=table.cube("B"))
    assert [name for name in "ABCD" if table.choice(name, "take_back")] == ["B"]
    table.do("A", "answer_batch", take=[])
    assert table.role("B") == "out"
    assert table.refuses("B", "take_back") == "not_open"
    events = table.do("A", "take_back")
    assert of(events, "act_taken_back") == {"seat": 0, "act": "answer_batch", "by_host": False}
    assert (table.stage, table.role("B"), table.game["batch"]) == ("answers", "captain", [table.cube("B")])
    table.do("B", "take_back")
    assert (table.stage, table.game["batch"]) == ("wood", [])


def test_afterwards_the_host_takes_acts_back_one_after_the_other_and_the_log_says_so():
    table = wood()
    table.offer("BCD")
    table.answers(B=False, C=True, D=True)
    assert table.look()["last_act"] == {"seat": 1, "act": "answer"}
    assert not table.choice("B", "take_back"), "others have answered after B"
    events = table.do(None, "take_back", seat=1)
    assert of(events, "act_taken_back")["by_host"] is True
    assert (table.stage, table.game["answered"]) == ("answers", [])
    table.do(None, "take_back", seat=0)
    table.do(None, "take_back", seat=0)
    assert (table.look()["phase"], table.look()["game"], table.look()["last_act"]) == ("between", None, None)


def test_a_game_that_has_ended_is_not_taken_back_but_corrected_and_the_host_may_set_the_line():
    table = wood()
    ends(table, "box")
    assert table.refuses(None, "take_back", seat=0) == "not_open"
    assert table.line == "ACDB"
    table.do(None, "place", seat=1, to=0)
    assert table.line == "BACD"


def test_a_resignation_told_by_mistake_is_taken_back():
    table = wood()
    table.do("A", "resign", level=1)
    table.do("A", "take_back")
    assert table.game["resignation"] is None
    assert "result" in table.required("B")


def test_less_than_a_refused_resignation_may_be_offered_again_as_the_next_play_is_not_seen():
    table = wood(jacoby=False)
    table.do("A", "resign", level=2)
    for name in "BCD":
        table.do(name, "answer_resignation", accept=False)
    assert [option["level"] for option in table.options_of("A", "resign")] == [1, 2, 3]


# Coming and going.


def test_a_box_that_leaves_a_real_board_pays_every_cube():
    table = wood(bot_plays_on=True)
    table.house("leave", "A")
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}


def test_who_leaves_lets_the_acts_before_stand():
    table = wood()
    table.do("B", "double", cube=table.cube("B"))
    table.house("leave", "D")
    assert not table.choice("B", "take_back")
    assert table.choice("B", "withdraw_double"), "but the double may still be withdrawn"


@pytest.mark.parametrize("by_host", [False, True])
def test_who_joins_in_a_game_whose_beginning_is_taken_back_plays_in_the_next(by_host):
    table = wood("ABC")
    table.house("join", "D")
    table.house("join", "E")
    events = table.do(None, "take_back", seat=0) if by_host else table.do("A", "take_back")
    assert of(events, "line_set") == {"line": [0, 1, 2, 3, 4], "why": "joined"}
    table.do(table.box, "begin_game")
    assert table.line == "ABCDE" and [table.role(name) for name in "DE"] == ["member", "member"]
    ends(table, "box")
    assert table.last_row == {"A": 4, "B": -1, "C": -1, "D": -1, "E": -1}


def test_who_joins_in_a_game_that_goes_on_waits_for_the_next_when_a_later_act_is_taken_back():
    table = wood("ABC")
    table.do("B", "double", cube=table.cube("B"))
    table.house("join", "D")
    table.do("B", "take_back")
    assert table.line == "ABC" and table.look()["phase"] == "playing"


def test_a_deputy_tells_the_result():
    table = wood(deputy=True)
    table.do("B", "name_deputy", seat=table.seat("D"))
    assert [name for name in "ABCD" if "result" in table.required(name)] == ["A", "D"]


def test_a_sleeping_teller_has_the_same_time_once_more_and_is_then_gone():
    table = wood()
    assert of(table.house("timeout", "B"), "timed_out")["again"]
    assert "seat_left" in types(table.house("timeout", "B"))
    assert table.captain == "C"


def test_a_scorekeepers_device_is_handed_on_for_written_talk_alone():
    table = wood(beavers=True)
    table.offer("BCD")
    assert not any(rules.has_secrets(table.state, table.seat(name)) for name in "ABCD"), "answers are said aloud"
    table.do("B", "answer", cube=table.cube("B"), take=True)
    assert not rules.has_secrets(table.state, table.seat("B"))
    table.do("B", "say", text="Drop it")
    assert rules.has_secrets(table.state, table.seat("C"))
    assert not rules.has_secrets(table.state, table.seat("A"))
