"""The first line by real dice: one each, typed; who ties throws again (docs/rules-chouette.md §4.12)."""

from __future__ import annotations

import pytest

from chouette.rolls import rolls
from chouette.rules.options.declaration import OPTIONS
from games.kernel.options import OptionErrors
from tests.chouette.table import Table, of, types


def table_of(line: str = "ABCD", **changes: object) -> Table:
    return Table(line, preset="wood", line_order="typed", **changes)


def throws(table: Table, **dice: int) -> None:
    for name, die in dice.items():
        table.do(name, "order_die", dice=[die])


def waited_for(table: Table) -> str:
    return "".join(name for name in table.names if "order_die" in table.required(name))


def test_everybody_throws_one_die_in_any_order_and_the_highest_is_box() -> None:
    table = table_of()
    assert (waited_for(table), table.look()["roles"], table.look()["to_throw"]) == ("ABCD", None, [0, 1, 2, 3])
    basis = table.choice("A", "order_die").opened_at
    throws(table, D=2, B=6, A=3)
    assert (waited_for(table), table.choice("C", "order_die").opened_at) == ("C", basis)
    events = table.do("C", "order_die", dice=[5])
    assert types(events) == ["order_die_thrown", "line_set"]
    assert (table.line, waited_for(table)) == ("BCAD", "")
    roles = table.look()["roles"]
    assert (roles["box"], roles["captain"], roles["box_why"]) == (1, 2, "rolled")
    assert [name for name in "ABCD" if "begin_game" in table.required(name)] == ["B", "C"]


def test_those_who_tie_throw_again_for_their_places_alone() -> None:
    table = table_of()
    throws(table, A=4, B=4, C=6)
    assert waited_for(table) == "ABD", "D may not tie with them, but they do with each other"
    throws(table, D=1, A=2)
    throws(table, B=2)
    assert waited_for(table) == "AB", "a second tie"
    throws(table, A=3, B=5)
    assert table.line == "CBAD"
    assert [len(block["rolls"]) for block in table.look()["order"]] == [4, 2, 2]


def test_a_typed_die_is_marked_and_the_house_throws_where_none_is_at_hand() -> None:
    table = table_of("ABC")
    typed = table.do("A", "order_die", dice=[3])
    assert of(typed, "order_die_thrown") == {"seat": 0, "die": 3, "typed": True}
    house = table.do("B", "order_die", [5], server=True)
    assert of(house, "order_die_thrown") == {"seat": 1, "die": 5}
    assert [rolls(events[0])[0].level for events in (typed, house)] == ["typed", "sealed"]


@pytest.mark.parametrize(
    ("dice", "code"), [([7], "dice_face"), ([], "dice_count"), ([1, 2], "dice_count"), ([True], "dice_face")]
)
def test_what_no_die_can_show_is_refused(dice: list[int], code: str) -> None:
    assert table_of().refuses("A", "order_die", dice=dice) == code


def test_until_all_have_thrown_no_game_begins_and_nobody_passes_the_box_on() -> None:
    table = table_of(may_decline_box=True)
    throws(table, A=1, B=2)
    assert table.refuses("A", "order_die", dice=[3]) == "not_open", "each throws once"
    for name in "ABCD":
        assert not {"begin_game", "pass_box"} & set(table.commands(name))


def test_who_leaves_is_not_waited_for_and_who_comes_throws_too() -> None:
    table = table_of()
    throws(table, A=1, B=2)
    table.house("leave", "D")
    table.house("join", "E")
    throws(table, C=3)
    assert waited_for(table) == "E"
    throws(table, E=2)
    assert waited_for(table) == "BE"
    events = table.house("leave", "E")
    assert types(events)[-1] == "line_set"
    assert table.line == "CBA"


def test_the_host_may_set_the_line_by_hand_instead() -> None:
    table = table_of()
    throws(table, A=1)
    table.do(None, "place", seat=3, to=0)
    assert (table.line, waited_for(table)) == ("DABC", "")
    assert table.look()["roles"]["box_why"] == "by_hand"


def test_on_the_screen_the_first_line_is_thrown_for_by_the_house() -> None:
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("german", {"line_order": "typed"})
    assert [code for code, *_ in refused.value.errors.values()] == ["typed_order_on_screen"]
