"""The cube window of the Team's turn and the Box's offers (docs/rules-chouette.md §4.3)."""

import pytest

from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def opened(line="ABCD", **changes):
    table = Table(line, position=LONG_RACE, **changes)
    table.start()
    return table


def test_every_member_says_double_or_no_double():
    table = opened()
    assert [table.required(name) for name in "ABCD"] == [[], ["cube"], ["cube"], ["cube"]]
    assert table.refuses("A", "cube", cube=0, double=True) == "not_open"
    assert table.refuses("C", "cube", cube=table.cube("D"), double=True) == "bad_args"


def test_in_secret_until_the_window_closes():
    table = opened()
    events = table.do("C", "cube", cube=table.cube("C"), double=True)
    assert events[0].audience == (table.seat("C"),)
    assert "double" not in events[1].data
    for viewer in ("A", "B", "D", None):
        game = table.look(viewer)["game"]
        assert game["spoken"] == [table.cube("C")]
        assert "says" not in str(table.look(viewer)["game"])
        assert viewer is None or table.look(viewer)["me"]["words"] == []
    assert table.look("C")["me"]["words"] == [{"for": table.cube("C"), "says": True}]


def test_the_captain_cannot_roll_before_the_window_closes():
    table = opened(grace_seconds=15)
    assert table.refuses("B", "roll") == "window_open"
    table.do("B", "cube", cube=table.cube("B"), double=False)
    assert table.refuses("B", "roll") == "window_open"
    assert table.refuses("B", "close_window") == "not_open"
    table.double()
    assert table.required("B") == ["roll"]


def test_it_closes_when_all_have_spoken_and_the_doubles_are_shown():
    table = opened()
    events = table.double("CD")
    assert of(events, "window_closed")["doubles"] == [table.cube("C"), table.cube("D")]
    assert of(events, "doubled")["cubes"] == [table.cube("C"), table.cube("D")]
    assert table.required("A") == ["answer_batch"]


def test_the_captain_closes_it_after_the_grace_time():
    table = opened(grace_seconds=15)
    assert table.choice("C", "cube").seconds == 15
    table.do("D", "cube", cube=table.cube("D"), double=True)
    table.house("timeout", "C")
    assert table.game["grace_over"]
    assert (table.required("B"), table.required("C")) == (["close_window"], [])
    assert "cube" in table.commands("C"), "who has not spoken still may, until it closes"
    events = table.do("B", "close_window")
    assert of(events, "window_closed")["doubles"] == [table.cube("D")]


def test_with_no_grace_time_the_captain_may_close_it_at_once():
    table = opened(grace_seconds=0)
    assert "close_window" in table.commands("B")
    assert "close_window" not in table.commands("C")
    table.do("B", "close_window")
    assert table.stage == "roll"


def test_a_timer_that_runs_out_is_no_double():
    table = opened(grace_seconds=0, turn_seconds=30)
    for name in "BCD":
        assert table.choice(name, "cube").seconds == 30
        table.house("timeout", name)
    assert table.stage == "roll"
    assert {c["value"] for c in table.game["cubes"]} == {1}


def test_a_member_may_switch_on_auto_no_double():
    table = opened()
    table.do("C", "cube", cube=table.cube("C"), double=False)
    events = table.do("C", "auto", on=True)
    assert [event.audience for event in events] == [(table.seat("C"),)]
    assert table.look("C")["me"]["auto"] is True
    assert table.look("D")["me"]["auto"] is False
    table.next_turn()
    table.play(2, 1)
    assert table.stage == "window"
    assert table.required("C") == []
    assert table.game["spoken"] == [table.cube("C")]
    table.do("C", "auto", on=False)
    table.next_turn()
    table.play(2, 1)
    assert table.required("C") == ["cube"]


def test_auto_no_double_answers_an_open_window_at_once():
    table = opened()
    said = table.do("D", "cube", cube=table.cube("D"), double=True)
    switched = table.do("C", "auto", on=True)
    assert table.required("C") == []
    assert table.look("C")["me"]["auto"] is True
    assert table.look("C")["me"]["words"] == [{"for": table.cube("C"), "says": False}]
    told = [[(event.audience is None and event.type) for event in events] for events in (said, switched)]
    assert told[0] == told[1], "nobody can tell it from a word"


@pytest.mark.parametrize("order", ["sealed", "in_line"])
def test_auto_no_double_of_the_last_silent_member_closes_the_window(order):
    table = opened("AB", cube_order=order)
    events = table.do("B", "auto", on=True)
    assert of(events, "window_closed")["doubles"] == []
    assert table.stage == "roll"
    assert table.look("B")["me"]["auto"] is True


def test_auto_no_double_of_the_last_silent_member_closes_a_window_whose_grace_time_is_over():
    table = opened(grace_seconds=15)
    table.do("B", "cube", cube=table.cube("B"), double=False)
    table.do("C", "cube", cube=table.cube("C"), double=True)
    table.house("timeout", "D")
    events = table.do("D", "auto", on=True)
    assert of(events, "doubled")["cubes"] == [table.cube("C")]


def test_auto_no_double_holds_for_the_game_in_which_it_was_switched_on():
    table = Table("BAC", position=TEAM_WINS)
    table.start()
    table.do("C", "auto", on=True)
    table.double()
    table.play(6, 5)
    assert table.look()["phase"] == "between"
    assert [table.look(name)["me"]["auto"] for name in "ABC"] == [False] * 3
    assert all(table.choice(name, "auto") is None for name in "ABC"), "there is nothing to switch off"
    table.start()
    assert [table.look(name)["me"]["auto"] for name in "ABC"] == [False] * 3


def test_the_end_of_the_grace_time_is_nobodys_time():
    table = opened(grace_seconds=15)
    assert types(table.house("timeout", "C")) == ["grace_ended"]
    assert types(table.house("timeout", "B"))[0] == "timed_out", "the Captain, who may close it"


def test_a_window_of_autos_closes_at_once():
    table = opened("AB")
    table.do("B", "cube", cube=0, double=False)
    table.do("B", "auto", on=True)
    table.play(2, 1)
    table.play(2, 1)
    assert table.stage == "roll"


def test_in_line_they_speak_openly_the_captain_first():
    table = opened(cube_order="in_line")
    for name in "BCD":
        assert [n for n in "BCD" if table.required(n)] == [name]
        events = table.do(name, "cube", cube=table.cube(name), double=name == "C")
        assert of(events, "cube_spoken")["says"] is (name == "C")
    assert table.game["batch"] == [table.cube("C")]


def test_captain_last():
    table = opened(cube_order="captain_last")
    order = []
    while table.stage == "window":
        (name,) = [n for n in "BCD" if table.required(n)]
        order.append(name)
        table.do(name, "cube", cube=table.cube(name), double=False)
    assert order == ["C", "D", "B"]


@pytest.mark.parametrize("order", ["in_line", "captain_last"])
def test_in_an_open_order_a_sleeper_says_no_double(order):
    table = opened(cube_order=order, grace_seconds=10)
    for _ in range(3):
        (name,) = [n for n in "BCD" if table.required(n)]
        assert table.choice(name, "cube").seconds == 10
        table.house("timeout", name)
    assert table.stage == "roll"


def test_only_those_whose_cube_is_centred_or_theirs():
    table = opened(uniform_response="none")
    table.double("C")
    table.box_takes("C")
    assert table.owner("C") == "against"
    table.play(2, 1)
    table.play(2, 1)
    assert table.game["silent"] == [table.cube("B"), table.cube("D")]
    assert table.required("C") == []


def test_without_a_cube_that_may_be_turned_there_is_no_window():
    table = opened("AB")
    table.double("B")
    table.box_takes("B")
    table.play(2, 1)
    table.play(2, 1)
    assert table.stage == "roll"


def test_after_the_answers_no_more_cubes_are_offered_until_the_next_roll():
    table = opened(uniform_response="none")
    table.double("C")
    table.box_takes("C")
    assert table.required("B") == ["roll"]
    assert not any("cube" in table.commands(name) for name in "BCD")
    table.play(2, 1)
    table.offer("BC")
    table.answers(B=True, C=True)
    assert table.required("A") == ["roll"]
    assert "offer" not in table.commands("A")


def test_nobody_doubles_after_the_dice_are_thrown():
    table = opened()
    table.double()
    table.do("B", "roll", [2, 1])
    assert not any({"cube", "offer"} & set(table.commands(name)) for name in "ABCD")


def test_the_box_offers_to_any_set_that_the_rules_allow_or_rolls():
    table = opened(uniform_response="none")
    table.next_turn()
    assert sorted(table.required("A")) == ["offer", "roll"]
    assert len(table.options_of("A", "offer")) == 7
    table.offer("BD")
    assert (table.required("B"), table.required("C"), table.required("D")) == (
        ["answer"], [], ["answer"],
    )  # fmt: skip


def test_the_members_answer_for_themselves_sealed_until_all_have_answered():
    table = opened(uniform_response="none")
    table.next_turn()
    table.offer("BCD")
    events = table.do("D", "answer", cube=table.cube("D"), take=False)
    assert types(events) == ["answer_sealed", "answer_given"]
    assert events[0].audience == (table.seat("D"),)
    assert table.game["answered"] == [table.cube("D")]
    assert table.look("A")["me"]["given"] == table.look("B")["me"]["given"] == []
    assert table.look("D")["me"]["given"] == [{"for": table.cube("D"), "takes": False}]
    assert table.role("D") == "member", "nothing has happened yet"
    table.answers(B=True)
    events = table.answers(C=True)
    opening = of(events, "answers_opened")
    assert opening["takes"] == [table.cube("B"), table.cube("C")]
    assert table.role("D") == "out"


def test_a_drop_costs_the_cubes_value_before_the_double():
    table = opened(uniform_response="none")
    table.double("CD")
    table.box_takes("D")
    table.play(2, 1)
    table.offer("BD")
    table.answers(B=False, D=False)
    assert table.last_row == {"A": 1 - 1 + 2, "B": -1, "C": 1, "D": -2}


def test_all_members_out_and_the_game_is_over():
    table = opened()
    table.double("BCD")
    table.box_takes()
    assert table.state.phase == "between"
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}


def test_a_cube_at_its_highest_is_not_turned_again():
    table = Table("AB", start_position="XGID=-B----------------------b-:15:1:1:00:0:0:0:0:15")
    table.start()
    assert table.value("B") == 2**15
    assert table.stage == "roll"
