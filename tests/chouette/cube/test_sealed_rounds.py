"""The order in which people tap never matters (docs/rules-chouette.md §4.4)."""

from itertools import permutations

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from tests.chouette.table import LONG_RACE, Table, types

CHOUETTES = [preset.id for preset in OPTIONS.presets if preset.changes.get("format", "chouette") == "chouette"]


def opened(preset="german", **changes):
    table = Table("ABCD", preset, position=LONG_RACE, **{"uniform_response": "none", **changes})
    table.start()
    return table


def left(table):
    """Return all that is left of a round: nothing of it may know who was quick."""
    game = table.state.game
    seen = [{k: v for k, v in table.look(name).items() if k != "options"} for name in "ABCD"]
    state = (game.captain, game.captains, game.outs, game.cubes, game.stage, game.proxies, game.declined)
    return table.line, table.look()["sheet"], state, [s["game"] for s in seen]


def beavered_by_the_box(preset):
    """The Box beavers all three; how each answers is what the permutations are of."""
    table = opened(preset, beavers=True, sole_captain_beaver=False)
    table.double("BCD")
    table.box_takes("BCD", beavers="BCD")
    return table


@pytest.mark.parametrize("preset", CHOUETTES)
@pytest.mark.parametrize("said", [("drop", "drop", "drop"), ("drop", "accept", "drop"), ("drop", "drop", "accept")])
def test_all_answers_to_one_round_of_beavers_take_effect_together_in_line_order(preset, said):
    found = []
    for order in permutations(range(3)):
        table = beavered_by_the_box(preset)
        for place in order:
            table.reply("BCD"[place], "BCD"[place], said[place])
        found.append(left(table))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("preset", CHOUETTES)
def test_so_do_those_to_raccoons_and_the_beavers_themselves(preset):
    found = []
    for order in permutations("BCD"):
        table = opened(preset, beavers=True, raccoons=True)
        table.next_turn()
        table.offer("BCD")
        for name in order:
            table.do(name, "answer", cube=table.cube(name), take=True, beaver=True)
        for name in order:
            table.reply("A", name, "raccoon")
        for name in reversed(order):
            table.reply(name, name, "accept" if name == "C" else "drop")
        found.append(left(table))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("preset", CHOUETTES)
@pytest.mark.parametrize("refuser", ["", "B", "C", "BD"])
def test_the_same_holds_for_resignations(preset, refuser):
    found = []
    for order in permutations("BCD"):
        table = opened(preset, jacoby=False)
        table.do("A", "resign", level=2)
        for name in order:
            table.do(name, "answer_resignation", accept=name not in refuser)
        found.append(left(table))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("preset", CHOUETTES)
def test_and_for_the_doubles_of_the_box(preset):
    found = []
    for order in permutations("BCD"):
        table = opened(preset, sole_taker="extras")
        table.next_turn()
        table.offer("BCD")
        for name in order:
            table.do(name, "answer", cube=table.cube(name), take=name == "C")
        for name in sorted("BD", key=order.index):
            table.reply(name, "C", "give")
        found.append(left(table))
    assert all(one == found[0] for one in found)


def test_nobody_sees_a_reply_before_all_are_there():
    table = beavered_by_the_box("german")
    before = {name: table.look(name) for name in "AC"}
    events = table.reply("B", "B", "drop")
    assert types(events) == ["reply_sealed", "reply_given"]
    assert events[0].audience == (1,) and "reply" not in events[1].data
    other = beavered_by_the_box("german")
    other.reply("B", "B", "accept")
    for name in "ACD":
        assert table.look(name) == other.look(name)
        assert table.commands(name) == other.commands(name)
    assert table.look() == other.look() and before["A"] != table.look("A")
    assert table.look("B")["me"]["replied"] == [{"for": table.cube("B"), "reply": "drop"}]
    assert table.commands("B") == opened().commands("B")[:0] or "reply" not in table.commands("B")


def test_nobody_sees_an_answer_to_a_resignation_before_all_are_there():
    looks = []
    for accept in (True, False):
        table = opened()
        table.do("A", "resign", level=1)
        events = table.do("B", "answer_resignation", accept=accept)
        assert events[0].audience == (1,) and "accept" not in events[1].data
        assert table.look("B")["me"]["resigned_to"] is accept
        looks.append([table.look(name) for name in "ACD"] + [table.look()])
    assert looks[0] == looks[1]


def test_a_round_of_beavers_ends_a_game_at_one_moment():
    table = beavered_by_the_box("last_man_standing")
    for name in "DCB":
        table.reply(name, name, "drop")
    assert table.last_row == {"A": 6, "B": -2, "C": -2, "D": -2}
    assert table.line == "ACDB" and not any(rules.faults(table.state))
