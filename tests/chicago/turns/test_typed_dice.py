"""Typed dice in Chicago: real dice are thrown, and whoever threw types what fell (docs/rules-chicago.md §2)."""

from chicago import bots
from chicago.figures import figures
from chicago.rules import rules
from tests.chicago.table import Table, of, types


def typed(preset="bavarian", seats=2, **changes):
    return Table(preset, seats, dice="typed", entry="throws", **changes)


def choice(t, seat, name):
    return next((c for c in rules.choices(t.state, seat) if c.name == name), None)


def test_the_first_throw_of_a_turn_is_typed_at_once():
    t = typed()
    assert t.names(0) == ["type_dice"] and t.view["to_type"] == {"count": 3, "laid": []}
    thrown = of(t.do(0, "type_dice", dice=[6, 3, 1]), "dice_thrown")
    assert (thrown["dice"], thrown["typed"]) == ([1, 3, 6], True)
    assert t.names(0) == ["throw", "stand", "take_back"]


def test_dice_are_laid_out_before_the_others_are_thrown_and_typed():
    t = typed()
    t.do(0, "type_dice", dice=[6, 3, 1])
    assert types(t.do(0, "throw", lay=[1], turn=False)) == ["dice_awaited"]
    assert t.view["to_type"] == {"count": 2, "laid": [1]}
    assert t.names(0) == ["type_dice", "take_back"]
    t.do(0, "type_dice", dice=[4, 4])
    assert t.view["cup"] == {"laid": [1], "rolled": [4, 4], "throws": 2, "in_cup": 0}


def test_turned_sixes_lie_out_beside_the_dice_that_are_typed():
    t = typed()
    t.do(0, "type_dice", dice=[6, 6, 3])
    t.do(0, "throw", lay=[], turn=True)
    assert t.view["to_type"] == {"count": 2, "laid": [1]}
    assert "sixes_turned" in types(t.do(0, "type_dice", dice=[2, 1]))


def test_what_cannot_have_fallen_is_refused_with_a_reason():
    t = typed()
    for faces, code in (([6, 1], "dice_count"), ([7, 1, 1], "dice_face"), ([1, 2, 3], "dice_order")):
        assert t.refuses(0, "type_dice", dice=faces) == code
    assert t.refuses(1, "type_dice", dice=[1, 1, 1]) == "not_your_turn"


def test_nobody_stands_while_dice_are_to_be_typed():
    t = typed()
    assert t.refuses(0, "stand") == "type_first"
    t.do(0, "type_dice", dice=[6, 3, 1])
    t.do(0, "throw", lay=[1], turn=False)
    assert t.refuses(0, "stand") == "type_first"


def test_the_house_throws_for_a_bot_and_for_who_lets_the_time_run_out():
    t = typed()
    found = choice(t, 0, "type_dice")
    assert bots.choose(t.view, [found], "strong", 1) == ("type_dice", {"server": True})
    assert "typed" not in of(t.do(0, "type_dice", (2, 3, 4), server=True), "dice_thrown")
    t.do(0, "throw", lay=[], turn=False)
    events = t.house("timeout", (5, 5, 2), seat=0)
    assert [e.data.get("typed") for e in events if e.type == "dice_thrown"] == [None]


def test_a_turn_of_somebody_who_left_is_typed_by_nobody():
    t = typed(seats=3)
    t.do(0, "type_dice", dice=[6, 3, 1])
    t.do(0, "throw", lay=[1], turn=False)
    t.house("leave", seat=0)
    assert t.view["to_type"] == {"count": 3, "laid": []} and t.names(1) == ["type_dice"]


def test_luck_with_typed_dice_is_counted_apart():
    t = typed()
    t.do(0, "type_dice", dice=[3, 2, 2])
    t.stand(0)
    t.do(1, "type_dice", dice=[6, 6, 1])
    found = figures(t.options, 2, t.log)
    assert found[1]["luck"] == 0 and found[1]["luck_typed"] > 0


def test_with_the_dice_of_the_house_nothing_is_typed():
    t = Table("bavarian", 2)
    assert t.view["to_type"] is None
    assert "typed" not in of(t.throw(0, 1, 2, 3), "dice_thrown")
