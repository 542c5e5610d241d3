"""The cube window of the Team's turn and the Box's offers (docs/rules-chouette.md §4.3)."""

import pytest

from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types

# The Captain has a checker on the bar, and the Box six points in its home.
CLOSED_OUT = (0, 3, 3, 2, 2, 2, 2, *[0] * 11, -3, *[-2] * 6, 1)


def opened(line="ABCD", **changes):
    table = Table(line, position=LONG_RACE, **changes)
    table.start()
    return table


def say(table, name, double=True):
    return table.do(name, "cube", cube=table.cube(name), double=double)


def ringing(**changes):
    """A window of four whose Captain has asked to roll."""
    table = opened(**{"grace_seconds": 3, **changes})
    table.do("B", "roll")
    return table


def test_doubling_is_opt_in_the_captain_alone_is_asked():
    table = opened(grace_seconds=3)
    assert [table.required(name) for name in "ABCD"] == [[], ["cube", "roll"], [], []]
    assert all("cube" in table.commands(name) for name in "CD"), "who wants to may double at once"
    assert table.refuses("A", "cube", cube=0, double=True) == "not_open"
    assert table.refuses("C", "cube", cube=table.cube("D"), double=True) == "bad_args"


def test_one_tap_of_the_captain_rolls_when_nobody_else_may_double_any_more():
    table = opened("AB", grace_seconds=3)
    assert types(table.do("B", "roll", [2, 1])) == ["window_closed", "dice_rolled"]
    whole = opened(grace_seconds=0)
    assert types(whole.do("B", "roll", [2, 1])) == ["window_closed", "dice_rolled"], "no grace time, no ring"


def test_in_secret_until_the_window_closes_even_that_something_was_said():
    tables = [opened(grace_seconds=3) for _ in range(3)]
    for table, double in zip(tables, (True, False, None), strict=True):
        if double is not None:
            (event,) = say(table, "C", double)
            assert event.audience == (table.seat("C"),)
        table.do("B", "roll")
    for viewer in ("A", "B", "D", None):
        assert [t.look(viewer)["me"] for t in tables[1:]] == [tables[0].look(viewer)["me"]] * 2
        # The third table is an entry behind: where entries are counted it differs.
        windows = [{**t.look(viewer)["game"]["window"], "ring": None} for t in tables]
        assert windows == [windows[0]] * 3
        if viewer is not None:
            assert [t.commands(viewer) for t in tables] == [tables[0].commands(viewer)] * 3
    assert tables[0].look("C")["me"]["words"] == [{"for": tables[0].cube("C"), "says": True}]


def test_nothing_tells_the_captains_double_from_the_roll_before_the_window_closes():
    double, roll = opened(grace_seconds=3), opened(grace_seconds=3)
    told = [say(double, "B"), roll.do("B", "roll")]
    assert types(told[0]) == types(told[1]) == ["cube_sealed", "ring_opened"]
    for viewer in ("A", "C", "D", None):
        assert double.look(viewer) == roll.look(viewer)


def test_the_roll_starts_a_ring_for_all_who_may_still_double_and_silence_is_no_double():
    table = ringing()
    assert [table.required(name) for name in "ABCD"] == [[], [], ["cube"], ["cube"]]
    assert {table.choice(name, "cube").seconds for name in "CD"} == {3}
    assert table.game["window"]["ring"] == {"opened": 3, "seconds": 3, "over": False}
    assert table.refuses("B", "roll") == "window_open"
    events = table.house("timeout", "C", [2, 1])
    assert types(events) == ["ring_ended", "window_closed", "dice_rolled"], "one tap for the Captain, nobody's time-out"
    assert table.required("B") == ["move"]


def test_the_ring_ends_when_all_have_spoken_and_doubles_are_shown():
    table = ringing()
    say(table, "D")
    events = say(table, "C", False)
    assert of(events, "window_closed")["doubles"] == [table.cube("D")]
    assert of(events, "doubled")["cubes"] == [table.cube("D")]
    assert table.required("A") == ["answer_batch"]


def test_the_captains_own_double_gives_the_others_the_same_time_to_join_in():
    table = opened(grace_seconds=3)
    say(table, "B")
    assert [table.required(name) for name in "BCD"] == [[], ["cube"], ["cube"]]
    say(table, "C")
    events = table.house("timeout", "D")
    assert of(events, "doubled")["cubes"] == [table.cube("B"), table.cube("C")]


def test_a_double_said_before_the_roll_counts_and_one_on_its_way_is_not_too_late():
    table = opened(grace_seconds=3)
    basis = table.choice("C", "cube").opened_at
    say(table, "D")
    table.do("B", "roll")
    assert table.choice("C", "cube").opened_at == basis
    say(table, "C")
    assert table.game["batch"] == [table.cube("C"), table.cube("D")]


def test_what_was_said_in_secret_may_be_taken_back_until_the_window_closes():
    table = ringing()
    say(table, "C")
    assert table.options_of("C", "cube") == [{"cube": table.cube("C"), "double": False}]
    say(table, "C", False)
    assert types(table.house("timeout", "D", [2, 1]))[-1] == "dice_rolled"


def test_wait_gives_a_member_the_full_time_for_a_decision_once_a_turn():
    table = ringing(turn_seconds=60)
    table.do("C", "wait", late=False)
    assert table.choice("C", "cube").seconds == 60
    assert table.choice("C", "wait") is None
    assert table.game["window"]["waits"] == [{"seat": table.seat("C"), "opened": 4, "seconds": 60}]
    assert types(table.house("timeout", "D")) == ["ring_ended"], "the others have had their time"
    assert (table.required("C"), table.required("D")) == (["cube"], [])
    assert "cube" not in table.commands("D")
    assert of(say(table, "C"), "doubled")["cubes"] == [table.cube("C")]


def test_a_time_asked_for_runs_out_too():
    table = ringing(turn_seconds=60)
    table.do("C", "wait", late=False)
    table.house("timeout", "D")
    assert types(table.house("timeout", "C", [2, 1])) == ["wait_ended", "window_closed", "dice_rolled"]


def test_who_comes_into_the_ring_late_has_the_grace_time_whole_once():
    """Adequate opportunity: nobody's window is shorter than the house rule, reconnecting included."""
    table = ringing(turn_seconds=60)
    before = table.choice("C", "cube")
    table.do("C", "wait", late=True)
    late = table.choice("C", "cube")
    assert late.seconds == 3 and late.opened_at > before.opened_at, "a time of its own"
    assert table.options_of("C", "wait") == [{"late": False}]
    table.house("timeout", "D")
    assert table.stage == "window"


def test_a_captain_who_does_nothing_rolls_when_the_time_is_up():
    table = opened("AB", turn_seconds=30)
    assert {table.choice("B", name).seconds for name in ("cube", "roll")} == {30}
    assert types(table.house("timeout", "B", [2, 1]))[-1] == "dice_rolled"


def test_auto_no_double_answers_an_open_window_at_once_and_shows_that_it_is_on():
    table = ringing()
    assert [event.audience for event in table.do("C", "auto", on=True)] == [(table.seat("C"),)]
    assert table.look("C")["me"]["auto"] is True and table.look("D")["me"]["auto"] is False
    events = table.do("D", "auto", [2, 1], on=True)
    assert types(events) == ["auto_set", "window_closed", "dice_rolled"]


@pytest.mark.parametrize("order", ["sealed", "in_line", "captain_last"])
def test_when_all_others_are_on_auto_the_captains_roll_rolls_at_once(order):
    table = opened(grace_seconds=3, cube_order=order)
    for name in "CD":
        table.do(name, "auto", on=True)
    assert types(table.do("B", "roll", [2, 1]))[-1] == "dice_rolled"


def test_who_is_on_auto_may_double_after_all():
    table = opened(grace_seconds=3)
    table.do("C", "auto", on=True)
    say(table, "C")
    table.do("B", "roll")
    assert of(say(table, "D", False), "doubled")["cubes"] == [table.cube("C")]


def test_auto_no_double_holds_for_the_game_in_which_it_was_switched_on():
    table = Table("BAC", position=TEAM_WINS)
    table.start()
    table.do("C", "auto", on=True)
    table.play(6, 5)
    assert table.look()["phase"] == "between"
    assert [table.look(name)["me"]["auto"] for name in "ABC"] == [False] * 3
    assert all(table.choice(name, "auto") is None for name in "ABC"), "there is nothing to switch off"
    table.start()
    assert [table.look(name)["me"]["auto"] for name in "ABC"] == [False] * 3


def test_in_line_they_speak_openly_the_captain_first():
    table = opened(cube_order="in_line", grace_seconds=3)
    assert [name for name in "BCD" if "cube" in table.commands(name)] == ["B"]
    table.do("B", "roll")
    for name in "CD":
        assert [n for n in "BCD" if table.required(n)] == [name]
        events = say(table, name, name == "C")
        assert of(events, "cube_spoken")["says"] is (name == "C")
    assert table.game["batch"] == [table.cube("C")]


@pytest.mark.parametrize("doubler", ["C", ""])
def test_captain_last_joins_in_a_double_of_the_others_and_else_has_rolled(doubler):
    table = opened(cube_order="captain_last", grace_seconds=3)
    table.do("B", "roll")
    order, dice = [], [2, 1]
    while table.stage == "window":
        (name,) = [n for n in "BCD" if table.required(n)]
        order.append(name)
        is_rolled = not doubler and name == "D"
        table.do(name, "cube", dice if is_rolled else (), cube=table.cube(name), double=name == doubler)
    assert order == (["C", "D", "B"] if doubler else ["C", "D"])
    assert table.stage == ("answers" if doubler else "move")


@pytest.mark.parametrize("order", ["in_line", "captain_last"])
def test_in_an_open_order_each_has_the_grace_time_and_silence_is_no_double(order):
    table = opened(cube_order=order, grace_seconds=10)
    table.do("B", "roll")
    for name in "CD":
        assert [n for n in "BCD" if table.required(n)] == [name]
        assert table.choice(name, "cube").seconds == 10
        table.house("timeout", name, [2, 1] if name == "D" else ())
    assert table.stage == "move"


def test_a_new_captain_has_not_asked_to_roll():
    table = ringing()
    table.house("leave", "B")
    assert table.game["window"]["ring"] is None
    assert (table.captain, table.required("C")) == ("C", ["cube", "roll"])


def test_a_roll_without_a_legal_play_is_shown_two_seconds_and_confirms_itself():
    table = Table("AB", position=CLOSED_OUT, turn_seconds=30)
    table.start()
    table.do("B", "roll", [2, 1])
    choice = table.choice("B", "move")
    assert [option["play"] for option in choice.options] == ["cannot move"]
    assert (choice.seconds, choice.not_before) == (2, 2), "bots wait as long, so that people see it"
    assert types(table.house("timeout", "B"))[0] == "play_made", "nobody's time-out"


def test_only_those_whose_cube_is_centred_or_theirs():
    table = opened(uniform_response="none")
    table.double("C")
    table.box_takes("C")
    assert table.owner("C") == "against"
    table.play(2, 1)
    table.play(2, 1)
    assert table.game["window"]["may_double"] == [table.cube("B"), table.cube("D")]
    assert "cube" not in table.commands("C")


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
    assert table.look("D")["me"]["given"] == [{"for": table.cube("D"), "takes": False, "beavers": False}]
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
