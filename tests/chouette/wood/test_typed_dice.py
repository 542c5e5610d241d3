"""Typed dice in backgammon: real dice are thrown, and whoever threw types what fell (docs/rules-chouette.md §4.12)."""

from chouette.bot import bots
from chouette.figures import figures
from chouette.rules.options.declaration import OPTIONS
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types


def race(**changes):
    table = Table("ABC", position=LONG_RACE, dice="typed", **changes)
    table.start()
    return table


def test_after_the_roll_nobody_doubles_and_what_fell_is_typed():
    table = race()
    assert of(table.do("B", "roll"), "dice_awaited") == {"seat": 1}
    assert table.required("B") == ["type_dice"] and not table.options_of("C", "cube")
    rolled = of(table.do("B", "type_dice", dice=[6, 4]), "dice_rolled")
    assert rolled == {"seat": 1, "dice": [6, 4], "typed": True}
    table.move()
    table.do("A", "roll")
    assert len(table.options_of("A", "type_dice")) == 22


def test_who_does_not_throw_types_nothing():
    table = race()
    table.do("B", "roll")
    assert table.refuses("A", "type_dice", dice=[6, 4]) == "not_open"
    assert table.refuses("C", "type_dice", dice=[6, 4]) == "not_open"


def test_what_cannot_have_fallen_is_refused_with_a_reason():
    table = race()
    table.do("B", "roll")
    for faces, code in (([6], "dice_count"), ([7, 1], "dice_face"), ([1, 2], "dice_order"), ("6-1", "bad_args")):
        assert table.refuses("B", "type_dice", dice=faces) == code


def test_after_the_answers_what_fell_is_typed_at_once():
    table = race()
    table.do("B", "cube", cube=table.cube("B"), double=True)
    if table.stage == "window":
        table.do("B", "roll")
    table.box_takes("B")
    assert table.required("B") == ["type_dice"]


def test_the_opening_dice_are_typed_each_by_whoever_threw():
    table = Table("AB", preset="money", dice="typed")
    assert table.refuses("A", "opening_roll") == "bad_args"
    assert of(table.do("A", "opening_roll", dice=[3]), "opening_die_rolled") == {"seat": 0, "die": 3, "typed": True}
    assert of(table.do("B", "opening_roll", dice=[5]), "turn_began")["dice"] == [5, 3]


def test_the_house_throws_where_the_real_dice_are_not_at_hand():
    table = race()
    table.do("B", "roll")
    assert of(table.do("B", "type_dice", (3, 6), server=True), "dice_rolled") == {"seat": 1, "dice": [6, 3]}


def test_the_house_throws_for_a_bot_and_for_who_lets_the_time_run_out():
    table = race(turn_seconds=30)
    table.do("B", "roll")
    choice = table.choice("B", "type_dice")
    assert bots.choose(table.look("B"), [choice], "net", 1) == ("type_dice", {"server": True})
    assert of(table.house("timeout", "B", (2, 1)), "dice_rolled") == {"seat": 1, "dice": [2, 1]}


def test_luck_with_typed_dice_is_counted_apart():
    table = Table("ABC", position=TEAM_WINS, dice="typed")
    table.start()
    table.do("B", "roll")
    table.do("B", "type_dice", dice=[6, 6])
    table.move()
    found = figures(table.options, 3, table.log)
    assert found[1] == {"luck": 0, "luck_typed": 16} and found[0]["luck_typed"] == 0


def test_with_the_dice_of_the_house_nothing_is_typed():
    table = Table("ABC", position=LONG_RACE)
    table.start()
    assert "typed" not in of(table.do("B", "roll", (2, 1)), "dice_rolled")
    assert "dice_awaited" not in types(table.log[-1].events)
    assert OPTIONS.values("german")["dice"] == "server"
