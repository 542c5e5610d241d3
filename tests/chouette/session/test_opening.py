"""The order, the opening roll and automatics (docs/rules-chouette.md §§3, 4.1, 4.2)."""

import pytest

from chouette.rules import rules
from chouette.rules.cube.automatics import effect
from games.kernel.dice import ScriptedDice
from games.kernel.standings import throw_for_order
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def test_highest_is_box_next_captain_and_so_on():
    order, rolls = throw_for_order((0, 1, 2, 3), ScriptedDice([2, 6, 5, 1]))
    assert order == [1, 2, 0, 3]
    assert len(rolls) == 1


def test_only_those_who_tie_roll_again_and_only_for_their_block():
    order, rolls = throw_for_order((0, 1, 2, 3, 4), ScriptedDice([3, 6, 3, 1, 3, 2, 4, 2, 6, 5]))
    assert order == [1, 2, 0, 4, 3]
    assert [[r["seat"] for r in roll] for roll in rolls] == [[0, 1, 2, 3, 4], [0, 2, 4], [0, 4]]


def test_all_of_it_is_shown_and_logged():
    events = rules.open(rules.options().values("german"), 3, ScriptedDice([4, 4, 1, 2, 5])).events
    assert types(events) == ["order_rolled", "order_rolled", "line_set"]
    assert events[1].data["rolls"] == [{"seat": 0, "die": 2}, {"seat": 1, "die": 5}]
    assert events[2].data["line"] == [1, 0, 2]


def test_the_captain_and_the_box_make_the_opening_roll_with_fresh_dice():
    table = Table("ABC")
    assert [table.required(name) for name in "ABC"] == [["opening_roll"], ["opening_roll"], []]
    table.do("B", "opening_roll", [2])
    assert table.required("B") == []
    events = table.do("A", "opening_roll", [5])
    assert of(events, "turn_began") == {"side": "box", "seat": 0, "stage": "move", "dice": [5, 2]}


def test_both_openers_may_roll_at_the_same_time():
    """Neither die makes the other's decision stale, nor do two replies to a batch."""
    table = Table("ABC")
    basis = table.choice("A", "opening_roll").opened_at
    table.do("B", "opening_roll", [2])
    assert table.choice("A", "opening_roll").opened_at == basis
    table = Table("ABC", position=LONG_RACE, beavers=True)
    table.start()
    table.next_turn()
    table.offer("BC")
    basis = table.choice("C", "answer").opened_at
    table.answers(B=True)
    assert table.choice("C", "answer").opened_at == basis
    table = Table("ABC", position=LONG_RACE, beavers=True, uniform_response="none")
    table.start()
    table.double("BC")
    table.box_takes("BC", beavers="BC")
    basis = table.choice("C", "reply").opened_at
    table.reply("B", "B", "accept")
    assert table.choice("C", "reply").opened_at == basis


def test_the_higher_die_starts_with_those_two_numbers():
    table = Table("ABC")
    table.start(1, 6)
    assert (table.game["turn"], table.game["dice"], table.stage) == ("team", [6, 1], "move")
    assert "move" in table.required("B")
    assert table.choice("B", "roll") is None


@pytest.mark.parametrize(
    ("automatics", "effects"),
    [
        ("off", ["nothing", "nothing", "nothing"]),
        ("limit", ["double", "double", "nothing"]),
        ("first_then_box", ["double", "ask", "ask"]),
        ("box_decides", ["ask", "ask", "ask"]),
        ("carry_over", ["double", "carry", "nothing"]),
    ],
)
def test_what_each_tied_opening_roll_does(automatics, effects):
    assert [effect(automatics, ties, 2) for ties in (1, 2, 3)] == effects


def values(table):
    return {cube["value"] for cube in table.game["cubes"]}


def test_a_tie_is_rolled_again():
    table = Table("ABC")
    table.start(3, 3)
    assert values(table) == {1}
    assert sorted(table.required("A") + table.required("B")) == ["opening_roll"] * 2


def test_a_tie_doubles_every_cube_up_to_the_limit():
    table = Table("ABC", automatics="limit", automatics_limit=2)
    for value in (2, 4, 4):
        table.start(3, 3)
        assert values(table) == {value}


def test_the_first_is_compulsory_each_further_one_only_if_the_box_agrees():
    table = Table("ABC", automatics="first_then_box")
    table.start(3, 3)
    assert values(table) == {2}
    table.start(4, 4)
    assert (table.required("A"), table.required("B")) == (["automatic"], [])
    table.do("A", "automatic", agree=False)
    assert values(table) == {2}
    table.start(4, 4)
    table.do("A", "automatic", agree=True)
    assert values(table) == {4}


def test_box_decides():
    table = Table("ABC", automatics="box_decides")
    table.start(6, 6)
    table.do("A", "automatic", agree=True)
    assert values(table) == {2}


def carried(line="ABCD", **changes):
    """A table at which a double is carried over to the next game, with B, the next Box, asked about it."""
    table = Table(line, automatics="carry_over", **changes)
    for _ in range(2):
        table.start(3, 3)
    table.start(6, 1)
    table.do("A", "resign", level=1)
    for name in line[1:]:
        table.do(name, "answer_resignation", accept=True)
    assert table.required("B") == ["automatic"]
    return table


OTHER_BOX = {
    "leaves": lambda table: table.house("leave", "B"),
    "sits out": lambda table: table.do("B", "sit_out", on=True),
    "passes it on": lambda table: table.do("B", "pass_box"),
}


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("then", OTHER_BOX)
def test_the_player_who_begins_as_box_is_asked_anew_about_a_doubled_start(then, said):
    table = carried(may_decline_box=True)
    table.do("B", "automatic", agree=said)
    OTHER_BOX[then](table)
    assert (table.box, table.look()["question"], table.required("C")) == ("C", "carry", ["automatic"])
    assert table.choice("C", "automatic").opened_at == len(table.log), "with the whole time for it"
    table.do("C", "automatic", agree=not said)
    table.start(6, 1)
    assert values(table) == {1 if said else 2}


def test_a_box_that_comes_back_from_sitting_out_has_said_already_whether_the_game_starts_doubled():
    table = carried()
    table.do("B", "automatic", agree=True)
    table.do("B", "sit_out", on=True)
    table.do("C", "automatic", agree=False)
    table.do("B", "sit_out", on=False)
    assert table.required("B") == ["opening_roll"]
    table.start(6, 1)
    assert values(table) == {2}


def test_a_double_is_carried_over_to_one_game_whatever_its_box_said():
    table = carried()
    table.do("B", "automatic", agree=False)
    table.start(6, 1)
    assert not table.state.carry and table.state.agreed == ()


@pytest.mark.parametrize("agrees", [True, False])
def test_a_second_tie_makes_the_next_game_start_doubled_if_its_box_agrees(agrees):
    table = Table("ABC", automatics="carry_over")
    table.start(3, 3)
    table.start(3, 3)
    table.start(3, 3)
    assert values(table) == {2}
    table.start(6, 1)
    table.do("A", "resign", level=1)
    table.do("B", "answer_resignation", accept=True)
    table.do("C", "answer_resignation", accept=True)
    assert table.line == "BCA"
    assert (table.required("B"), table.required("C")) == (["automatic"], [])
    table.do("B", "automatic", agree=agrees)
    table.start(6, 1)
    assert values(table) == {2 if agrees else 1}
    table.do("B", "resign", level=1)
    table.do("C", "answer_resignation", accept=True)
    table.do("A", "answer_resignation", accept=True)
    assert table.required("C") == ["opening_roll"]


def test_an_automatic_does_not_count_as_a_turned_cube():
    """Not for Jacoby, not for advice, not for the category."""
    table = Table("ABC", automatics="limit", consultation="own_cube_turned")
    table.start(3, 3)
    assert [(c["turned"], c["owner"]) for c in table.game["cubes"]] == [(False, "centre")] * 2
    table.start(6, 1)
    assert table.refuses("C", "say", text="Run!") == "may_not_talk"
    assert table.options_of("A", "resign") == [{"level": 1}]


def test_forced_and_impossible_plays_are_shown_and_confirmed():
    table = Table("ABC", position=TEAM_WINS)
    table.start()
    table.double()
    table.do("B", "roll", [2, 1])
    assert table.options_of("B", "move") == [{"play": "1/off(2)"}]
    closed = (0, 2, 2, 2, 2, 2, 2, 2, *[0] * 14, 0, 0, -1, 0)
    table = Table("ABC", position=closed)
    table.start()
    table.next_turn(6, 5)
    assert table.stage == "offer"


def test_a_play_may_come_in_any_spelling_or_as_a_list_of_moves():
    table = Table("ABC")
    table.start(1, 3)
    assert table.options_of("B", "move").count({"play": "8/5 6/5"}) == 1
    event = of(table.do("B", "move", play="6/5, 8/5"), "play_made")
    assert event["play"] == "8/5 6/5"
    table = Table("ABC")
    table.start(1, 3)
    event = of(table.do("B", "move", moves=[[8, 5], [6, 5]]), "play_made")
    assert event["play"] == "8/5 6/5"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"play": "8/4 6/5"}, "illegal_play"),
        ({"play": "castle"}, "bad_play"),
        ({"moves": [[8, 5]]}, "illegal_play"),
        ({"moves": [[8, 5.0]]}, "bad_args"),
        ({"moves": []}, "bad_args"),
        ({"play": "8/5 6/5", "moves": []}, "bad_args"),
        ({}, "bad_args"),
    ],
)
def test_what_is_no_play_is_refused(args, code):
    table = Table("ABC")
    table.start(1, 3)
    assert table.refuses("B", "move", **args) == code


def test_only_the_captain_and_the_box_roll_and_move():
    table = Table("ABC")
    table.start(1, 3)
    assert table.refuses("A", "move", play="8/5 6/5") == "not_your_turn"
    assert table.refuses("C", "move", play="8/5 6/5") == "not_your_turn"
    table.move()
    assert table.refuses("B", "roll") == "not_your_turn"
    assert table.refuses("C", "roll") == "not_your_turn"


def test_at_a_real_board_the_box_that_the_host_sets_is_asked_about_a_doubled_start():
    table = Table("ABC", automatics="carry_over", board="wood")
    table.start()
    for _ in range(2):
        table.do("A", "tie")
    table.do(None, "state_result", winner="team", level=1)
    table.do("B", "automatic", agree=True)
    table.do(None, "place", seat=2, to=0)
    assert (table.box, table.required("C")) == ("C", ["automatic"])
    table.do(None, "place", seat=1, to=0)
    assert (table.box, table.look()["question"]) == ("B", ""), "B has agreed"
    table.start()
    assert values(table) == {2}
