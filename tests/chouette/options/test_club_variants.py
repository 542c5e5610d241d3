"""House rules of single clubs: line, Box, deputies, talk, pips (docs/rules-chouette.md §§4.9, 4.12, 7)."""

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Command, Illegal
from games.kernel.dice import ScriptedDice
from games.kernel.standings import draw_lots
from tests.chouette.table import FOUR_EACH, LONG_RACE, TEAM_WINS, NoDice, Table, of, types


def opened(seats, dice=None, **changes):
    """Return the state of a table that has just been opened."""
    options = OPTIONS.values("german", {"pause_between": 0, **changes})
    return rules.open(options, seats, NoDice() if dice is None else ScriptedDice(dice)).state


def won(line="ABCD", **changes):
    """A table whose Captain has just won: the next line is B, C, D, A."""
    table = Table(line, position=TEAM_WINS, **changes)
    table.start()
    table.play(6, 5)
    return table


def race(line="ABCD", **changes):
    """A race that has begun, with the Captain on roll."""
    table = Table(line, position=LONG_RACE, **changes)
    table.start()
    return table


# The first line.


def test_by_lot_every_order_of_the_first_line_is_drawn_and_nobody_rolls_for_it():
    assert draw_lots((0, 1, 2), ScriptedDice([1, 1, 1, 2])) == ([0, 2, 1], [[1, 1], [1, 2]])
    drawn = {tuple(draw_lots((0, 1, 2), ScriptedDice([1, a, 1, b]))[0]) for a in (1, 2, 3) for b in (1, 2)}
    assert len(drawn) == 6
    state = opened(3, [1, 3, 1, 1], line_order="lot")
    view = rules.view(state, None)
    assert (view["line"], view["order"], view["roles"]["box_why"]) == ([2, 0, 1], [], "drawn")


def test_what_two_dice_show_beyond_equal_shares_is_thrown_again():
    assert draw_lots((0, 1, 2, 3, 4), ScriptedDice([6, 6, 1, 1, 1, 1, 1, 1, 1, 1]))[0] == [0, 1, 2, 3, 4]


def moved(state, seat, to):
    return rules.decide(state, Command("place", None, {"seat": seat, "to": to}), NoDice(), 2).state


def test_by_hand_the_host_sets_the_first_line_and_all_see_it():
    state = opened(4, line_order="by_hand")
    assert state.line == (0, 1, 2, 3)
    state = moved(moved(state, 3, 0), 0, 2)
    view = rules.view(state, None)
    assert view["line"] == [3, 1, 0, 2]
    assert (view["roles"]["box_why"], view["roles"]["captain_why"]) == ("by_hand", "by_hand")
    ways = next(c.options for c in rules.choices(state, None) if c.name == "place")
    assert len(ways) == 4 * 3 and {"seat": 3, "to": 0} not in ways


def test_once_the_opening_roll_has_begun_the_line_is_set():
    state = opened(3, line_order="by_hand")
    begun = rules.decide(state, Command("opening_roll", 0), ScriptedDice([3]), 2).state
    with pytest.raises(Illegal, match="not_open"):
        moved(begun, 2, 0)
    assert not any(c.name == "place" for c in rules.choices(opened(3, [1, 2, 3]), None)), "by die nobody sets it"


# Passing the Box on.


def test_whoever_is_to_be_box_may_pass_it_to_the_next_and_stands_behind_them():
    table = won(may_decline_box=True)
    assert [name for name in "ABCD" if "pass_box" in table.commands(name)] == ["B"]
    events = table.do("B", "pass_box")
    assert of(events, "box_passed") == {"seat": 1, "to": 2}
    assert table.line == "CBDA"
    assert table.look()["roles"] == {"box": 2, "captain": 1, "box_why": "passed_on", "captain_why": "passed_on"}
    table.start()
    assert (table.role("C"), table.role("B")) == ("box", "captain")


def test_the_box_goes_to_the_next_who_has_not_passed_it_on_and_who_passed_stand_behind_them():
    table = won(may_decline_box=True)
    table.do("B", "pass_box")
    events = table.do("C", "pass_box")
    assert of(events, "box_passed") == {"seat": 2, "to": 3}, "not back to B, who has passed"
    assert table.line == "DCBA"
    roles = {"box": 3, "captain": 2, "box_why": "passed_on", "captain_why": "passed_on"}
    assert table.look()["roles"] == roles


def test_when_everybody_has_passed_the_box_on_the_first_must_take_it():
    table = won(may_decline_box=True)
    for name in "BCDA":
        table.do(name, "pass_box")
    assert table.line == "BADC"
    assert not any("pass_box" in table.commands(name) for name in "ABCD")
    table.start()
    table.play(6, 5)
    assert "pass_box" in table.commands(table.box), "before the next game it may be passed on again"


@pytest.mark.parametrize(
    "goes", [lambda table: table.house("leave", "C"), lambda table: table.do("C", "sit_out", on=True)]
)
def test_the_box_comes_back_to_nobody_who_has_passed_it_on_while_others_have_not(goes):
    table = won(may_decline_box=True)
    table.do("B", "pass_box")
    goes(table)
    assert table.line == "DBA", "C leaves or sits out, and B has passed"
    assert table.look()["roles"]["box_why"] == "passed_on"


def test_who_comes_back_from_sitting_out_is_box_as_before():
    table = won(may_decline_box=True)
    table.do("B", "pass_box")
    table.do("C", "sit_out", on=True)
    table.do("C", "sit_out", on=False)
    assert table.line == "CDBA"


def test_the_pause_ends_when_the_box_comes_back_to_one_who_had_gone_on():
    table = won("ABC", may_decline_box=True, pause_between=8)
    table.do("B", "next")
    table.do("B", "pass_box")
    table.do("C", "pass_box")
    table.do("A", "next")
    table.do("A", "pass_box")
    assert (table.line, table.look()["phase"]) == ("BAC", "between")


def test_who_sits_out_is_passed_over():
    table = won(may_decline_box=True)
    table.do("C", "sit_out", on=True)
    table.do("B", "pass_box")
    assert table.line == "DBA"


def test_without_the_house_rule_the_box_is_not_passed_on():
    assert won().refuses("B", "pass_box") == "not_open"


def test_while_a_game_is_being_opened_the_box_is_not_passed_on():
    table = Table("ABCD", may_decline_box=True)
    table.start(2, 2)
    assert "pass_box" not in table.commands("A")


# Deputies.


def test_a_captain_hands_the_dice_to_another_member_for_the_rest_of_the_game():
    table = race(deputy=True)
    assert [option["seat"] for option in table.options_of("B", "name_deputy")] == [2, 3]
    assert of(table.do("B", "name_deputy", seat=2), "deputy_named") == {"seat": 1, "deputy": 2, "side": "team"}
    assert table.game["deputies"] == {"box": None, "team": 2}
    assert (table.game["on_roll"], table.captain) == (2, "B")
    assert table.refuses("B", "roll") == "not_your_turn"
    table.next_turn()
    table.play(2, 1)
    assert table.game["on_roll"] == 2
    assert not any("name_deputy" in table.commands(name) for name in "ABCD"), "the dice are handed on once"


def test_decisions_about_cubes_stay_with_their_owners():
    table = race(deputy=True, grace_seconds=3)
    table.do("B", "name_deputy", seat=2)
    table.do("C", "roll")
    assert table.game["window"]["asked"] == [1, 3], "the Captain speaks like any other member"
    table.do("B", "cube", cube=table.cube("B"), double=True)
    table.do("D", "cube", cube=table.cube("D"), double=False)
    assert (table.stage, table.game["batch"]) == ("answers", [table.cube("B")])


def test_with_the_dice_in_another_hand_the_result_of_the_captain_decides_as_ever():
    table = Table("ABCD", position=FOUR_EACH, deputy=True)
    table.start()
    table.do("B", "name_deputy", seat=3)
    table.next_turn(6, 6)
    assert table.line == "BCDA"


def test_the_dice_go_back_when_the_deputy_goes_out():
    table = race(deputy=True, uniform_response="none")
    table.do("B", "name_deputy", seat=2)
    table.do("C", "cube", cube=table.cube("C"), double=True)
    events = table.box_takes()
    assert of(events, "deputy_ended") == {"deputy": 2, "side": "team"}
    assert (table.game["on_roll"], table.required("B")) == (1, ["roll"])


def test_a_captain_who_goes_out_takes_the_deputy_along():
    table = race(deputy=True, uniform_response="none")
    table.do("B", "name_deputy", seat=3)
    table.do("B", "cube", cube=table.cube("B"), double=True)
    table.do("D", "roll")
    table.box_takes()
    assert (table.captain, table.game["on_roll"], table.game["deputies"]["team"]) == ("C", 2, None)


def test_a_deputy_who_leaves_gives_the_dice_back():
    table = race(deputy=True)
    table.do("B", "name_deputy", seat=2)
    assert "deputy_ended" in types(table.house("leave", "C"))
    assert table.required("B") == ["cube", "roll"]


def test_the_box_hands_the_dice_to_its_partner_and_goes_on_doubling():
    table = race(deputy=True, partner="compulsory_from", partner_from=4)
    assert table.role("D") == "partner"
    table.do("A", "name_deputy", seat=3)
    table.next_turn()
    assert table.required("D") == ["roll"]
    assert "offer" in table.commands("A") and not table.required("A")
    table.offer("BC")
    table.answers(B=True, C=True)
    table.play(2, 1)
    table.next_turn()
    assert "deputy_ended" in types(table.house("leave", "D"))
    assert table.required("A") == ["roll"]


def test_a_box_alone_has_nobody_to_hand_the_dice_to():
    table = race(deputy=True)
    assert "name_deputy" not in table.commands("A") and "name_deputy" not in table.commands("C")
    assert "name_deputy" not in race().commands("B"), "without the house rule"


def test_the_deputy_may_ask_for_the_play_back_and_the_captain_may_suggest_one():
    table = race(deputy=True)
    table.do("B", "name_deputy", seat=2)
    table.do("C", "roll", (2, 1))
    assert table.options_of("B", "suggest") and not table.options_of("C", "suggest")
    table.move()
    assert "take_back" in table.commands("C") and "take_back" not in table.commands("B")


# The talk.


def test_the_talk_begins_when_a_cube_stands_high_enough():
    table = race(consultation="cube_at_least", consultation_from=4, uniform_response="none")
    assert [name for name in "BCD" if table.options_of(name, "say")] == []
    assert table.refuses("B", "say", text="Your choice.") == "may_not_talk"
    table.double("C")
    table.box_takes("C")
    table.play(2, 1)
    assert not table.options_of("C", "say"), "at 2 nobody talks yet"
    table.offer("C")
    table.answers(C=True)
    assert [name for name in "BCD" if table.options_of(name, "say")] == ["B", "C", "D"]
    table.play(2, 1)
    assert not rules.may_speak(table.state, None)


def test_a_high_cube_that_is_out_opens_no_talk():
    table = race(consultation="cube_at_least", consultation_from=2, uniform_response="none")
    table.double("C")
    table.box_takes("C")
    assert table.options_of("B", "say")
    table.play(2, 1)
    table.offer("C")
    table.answers(C=False)
    assert not table.options_of("B", "say")


# Pip counts.


def test_hidden_pip_counts_are_in_no_view_while_a_game_runs():
    table = Table("ABC", position=TEAM_WINS, pip_count="hidden")
    table.start()
    assert all(table.look(viewer)["game"]["pips"] is None for viewer in ("A", "B", "C", None))
    table.play(6, 5)
    assert table.game["pips"] is not None, "the game is over"
    assert race().game["pips"] is not None


# A single cube.


def single(line="ABCD", **changes):
    return race(line, cubes="single", **changes)


def test_the_captain_alone_doubles_a_single_cube_and_the_box_answers_for_all():
    table = single()
    assert [name for name in "BCD" if table.options_of(name, "cube")] == ["B"]
    events = table.double("B")
    assert of(events, "doubled")["members"] == [1, 2, 3] and of(events, "doubled")["by"] == 1
    assert table.options_of("A", "answer_batch") == [{"take": []}, {"take": [table.cube("B")]}]
    table.box_takes("B")
    assert [(table.value(name), table.owner(name)) for name in "BCD"] == [(2, "against")] * 3


def test_a_single_cube_that_the_box_drops_ends_the_game_for_all():
    table = single()
    table.double("B")
    table.box_takes()
    assert table.last_row == {"A": -3, "B": 1, "C": 1, "D": 1}
    assert table.line == "BCDA"


def test_when_the_box_doubles_a_single_cube_who_drops_pays_and_is_out_and_the_rest_go_on():
    table = single()
    table.next_turn()
    assert table.options_of("A", "offer") == [{"cubes": [table.cube("B")]}]
    table.offer("B")
    table.answers(B=False, C=True, D=True)
    assert (table.captain, table.role("B")) == ("C", "out")
    assert [(table.value(name), table.owner(name)) for name in "CD"] == [(2, "member")] * 2
    table.play(2, 1)
    assert [name for name in "BCD" if table.options_of(name, "cube")] == ["C"]


def test_a_single_cube_is_beavered_by_the_box_for_all_and_the_captain_answers():
    table = single(beavers=True, raccoons=True)
    table.double("B")
    table.box_takes("B", beavers="B")
    assert [table.value(name) for name in "BCD"] == [4, 4, 4]
    assert [name for name in "ABCD" if table.required(name)] == ["B"]
    table.reply("B", "B", "raccoon")
    assert [table.value(name) for name in "BCD"] == [8, 8, 8]
    assert [name for name in "ABCD" if table.required(name)] == ["A"]
    table.reply("A", "B", "drop")
    assert table.last_row == {"A": -12, "B": 4, "C": 4, "D": 4}


def test_the_captain_beavers_a_single_cube_for_all_who_take():
    table = single(beavers=True)
    table.next_turn()
    table.offer("B")
    assert not any("beaver" in option for name in "CD" for option in table.options_of(name, "answer"))
    table.answers(B="beaver", C=True, D=False)
    assert [table.value(name) for name in "BC"] == [4, 4]
    assert table.options_of("A", "reply") == [{"cube": table.cube("B"), "reply": way} for way in ("accept", "drop")]
    table.reply("A", "B", "drop")
    assert table.last_row == {"A": -3, "B": 2, "C": 2, "D": -1}


def test_jacoby_counts_by_the_one_cube():
    for turned, points in ((False, 1), (True, 4)):
        table = Table("ABC", position=placed_gammon(), cubes="single")
        table.start()
        if turned:
            table.double("B")
            table.box_takes("B")
        table.play(6, 5)
        assert table.last_row == {"A": -2 * points, "B": points, "C": points}


def placed_gammon():
    """The Captain, on roll, wins a gammon with any dice."""
    return (0, 2, *[0] * 16, -15, *[0] * 6, 0)


def test_what_binds_the_box_about_several_cubes_means_nothing_for_a_single_one():
    values = OPTIONS.values("club", {"cubes": "single"})
    said = {line.option for line in OPTIONS.card(values)}
    assert "cubes" in said
    assert not said & {"cube_order", "min_takes", "sole_taker", "must_take_captain", "sole_captain_beaver"}
    table = single(preset="club", automatics="off", beavers=False, sole_taker="free")
    table.double("B")
    assert {"take": []} in table.options_of("A", "answer_batch")


def test_with_a_single_cube_no_member_is_on_auto_no_double() -> None:
    table = single()
    assert [name for name in "BCD" if "auto" in table.commands(name)] == []


def test_a_table_of_before_knows_nothing_of_these_house_rules_and_plays_on():
    new = {"cubes", "line_order", "may_decline_box", "deputy", "consultation_from", "pip_count"}
    options = {key: value for key, value in OPTIONS.values("club").items() if key not in new}
    state = rules.open(options, 4, ScriptedDice([6, 5, 4, 3])).state
    for seat, die in ((0, 6), (1, 1)):
        state = rules.decide(state, Command("opening_roll", seat), ScriptedDice([die]), 2).state
    assert rules.view(state, None)["game"]["pips"] == [167, 167]
    assert rules.faults(state) == ()
    assert {line.option for line in OPTIONS.card(options)} >= {"cubes", "line_order", "pip_count"}
