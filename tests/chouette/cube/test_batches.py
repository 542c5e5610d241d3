"""The Box's obligations at the table, beavers, raccoons, Jacoby (§§4.4–4.6)."""

from random import Random

import pytest

from chouette.rules import rules
from games.kernel.sets import subsets
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table, of, types

BOX_WINS_GAMMON = (0, *[0] * 5, 15, *[0] * 17, -2, 0)
"""The Captain, on roll, has all 15 on the 6 point; the Box bears off its last two next."""
TEAM_WINS_GAMMON = (0, 2, *[0] * 17, -15, *[0] * 5, 0)
TEAM_WINS_BACKGAMMON = (0, 2, -15, *[0] * 22, 0)


def opened(line="ABCD", position=LONG_RACE, **changes):
    table = Table(line, position=position, **changes)
    table.start()
    return table


def box_options(table):
    """Return what the Box may take, as words of names."""
    by_id = {table.cube(name): name for name in table.line[1:]}
    taken = {tuple(option["take"]) for option in table.options_of(table.box, "answer_batch")}
    return sorted("".join(sorted(by_id[i] for i in ids)) for ids in taken)


def forbidden(table):
    """Return what the Box may not take or offer, as words of names, and why not."""
    by_id = {table.cube(name): name for name in table.line[1:]}
    sets = (table.choice(table.box, "answer_batch") or table.choice(table.box, "offer")).options
    why = {some: sets.why_not(some) for some in subsets(sets.of)}
    return {"".join(sorted(by_id[i] for i in some)): list(laws) for some, laws in why.items() if laws}


def test_uniform_response_the_box_takes_all_or_drops_all_of_a_category():
    table = opened(uniform_response="by_category")
    table.double("BC")
    assert box_options(table) == ["", "BC"]
    assert forbidden(table) == {"B": ["uniform_response"], "C": ["uniform_response"]}
    assert table.refuses("A", "answer_batch", take=[table.cube("B")]) == "bad_args"


def test_cubes_of_different_turns_are_free():
    table = opened(uniform_response="by_category")
    table.double("B")
    table.box_takes("B")
    table.play(2, 1)
    table.play(2, 1)
    table.double("C")
    table.box_takes("")
    assert table.role("C") == "out"
    assert table.owner("B") == "against"


def test_the_box_offers_all_or_none_of_a_category():
    table = opened(uniform_response="by_category")
    table.double("BC")
    table.box_takes("BC")
    table.play(2, 1)
    cubes = {name: table.cube(name) for name in "BCD"}
    offers = [option["cubes"] for option in table.options_of("A", "offer")]
    assert sorted(offers) == sorted([[cubes["D"]], [cubes["B"], cubes["C"]], [cubes["B"], cubes["C"], cubes["D"]]])


def test_the_team_is_never_bound():
    table = opened(uniform_response="by_category")
    table.next_turn()
    table.offer("BCD")
    table.answers(B=True, C=False, D=True)
    assert [table.role(name) for name in "BCD"] == ["captain", "out", "member"]


def test_must_take_captain():
    table = opened(uniform_response="none", must_take_captain=True)
    table.double("BC")
    assert box_options(table) == ["", "B", "BC"]
    assert forbidden(table) == {"C": ["must_take_captain"]}


def test_must_take_captain_not_when_it_holds_others_cubes_already():
    table = opened(uniform_response="none", must_take_captain=True)
    table.double("CD")
    table.box_takes("C")
    table.play(2, 1)
    table.play(2, 1)
    table.double("B")
    assert box_options(table) == ["", "B"]


def test_min_takes_only_when_all_cubes_in_the_game_are_turned_from_the_centre_at_once():
    table = opened("ABCDE", uniform_response="none", min_takes="half")
    table.double("BCD")
    assert len(box_options(table)) == 8
    table.box_takes("")
    table.play(2, 1)
    table.play(2, 1)
    table.double("E")
    assert box_options(table) == ["", "E"], "E is alone in the game"
    whole = opened("ABCDE", uniform_response="none", min_takes="half")
    whole.double("BCDE")
    assert {len(names) for names in box_options(whole)} == {0, 2, 3, 4}
    assert forbidden(whole)["B"] == ["min_takes"]


def test_sole_captain_beaver():
    table = opened(uniform_response="none", sole_captain_beaver=True, beavers=True)
    table.double("BC")
    assert table.refuses("A", "answer_batch", take=[table.cube("B")]) == "bad_args"
    events = table.box_takes("B", beavers="B")
    forced = {"cube": table.cube("B"), "value": 4, "forced": True}
    assert of(events, "beavered").items() >= forced.items()
    assert (table.value("B"), table.owner("B")) == (4, "against")
    assert table.options_of("B", "reply") == [
        {"cube": table.cube("B"), "reply": "accept"},
        {"cube": table.cube("B"), "reply": "drop"},
    ]


def test_sole_captain_beaver_not_without_a_drop_nor_with_another_take():
    for doubles, takes in (("B", "B"), ("BC", "BC"), ("BC", "C")):
        table = opened(uniform_response="none", sole_captain_beaver=True, beavers=True)
        table.double(doubles)
        assert "beavered" not in types(table.box_takes(takes))


def test_sole_taker_free_plays_on():
    table = opened(sole_taker="free")
    table.next_turn()
    table.offer("BCD")
    table.answers(B=False, C=False, D=True)
    assert table.required("A") == ["roll"]


def test_sole_taker_must_beaver_or_change_to_a_drop_once_the_answers_are_shown():
    for said, row in (("drop", {"A": 3, "B": -1, "C": -1, "D": -1}), ("beaver", None)):
        table = opened(sole_taker="must_beaver_or_drop", beavers=True)
        table.next_turn()
        table.offer("BCD")
        table.answers(B=False, C=False, D=True)
        assert [o["reply"] for o in table.options_of("D", "reply")] == ["beaver", "drop"]
        table.reply("D", "D", said)
        if row:
            assert table.last_row == row
        else:
            assert (table.value("D"), table.owner("D")) == (4, "member")


def test_sole_taker_only_when_the_box_doubled_every_member_in_the_game_and_two_or_more():
    table = opened(sole_taker="must_beaver_or_drop", beavers=True, uniform_response="none")
    table.next_turn()
    table.offer("CD")
    table.answers(C=False, D=True)
    assert table.required("A") == ["roll"]
    two = opened("AB", sole_taker="must_beaver_or_drop", beavers=True)
    two.next_turn()
    two.offer("B")
    two.answers(B=True)
    assert two.required("A") == ["roll"]


def test_a_sole_taker_who_has_beavered_has_done_what_they_must():
    table = opened(sole_taker="must_beaver_or_drop", beavers=True)
    table.next_turn()
    table.offer("BCD")
    table.answers(B=False, C=False, D="beaver")
    assert table.value("D") == 4
    assert [o["reply"] for o in table.options_of("A", "reply")] == ["accept", "drop"]


def test_box_must_double_captain():
    table = opened(uniform_response="none", box_must_double_captain=True)
    table.next_turn()
    captain = table.cube("B")
    assert all(captain in option["cubes"] for option in table.options_of("A", "offer"))
    assert forbidden(table)["C"] == ["box_must_double_captain"]


# Beavers and raccoons. The amounts are example 4 of §10.


def beavered(**changes):
    table = opened("AB", beavers=True, raccoons=True, **changes)
    table.double("B")
    cube = table.cube("B")
    assert table.options_of("A", "answer_batch") == [
        {"take": []}, {"take": [cube]}, {"take": [cube], "beaver": [cube]},
    ]  # fmt: skip
    table.box_takes("B", beavers="B")
    return table


def test_the_taker_of_a_double_may_beaver_at_once_and_owns_the_cube():
    table = beavered()
    assert (table.value("B"), table.owner("B")) == (4, "against")
    assert [o["reply"] for o in table.options_of("B", "reply")] == ["accept", "drop", "raccoon"]


def test_example_4_a_dropped_beaver_costs_the_doubler_2():
    table = beavered()
    table.reply("B", "B", "drop")
    assert table.last_row == {"A": 2, "B": -2}


def test_example_4_a_beaver_accepted_and_won_by_the_beaverer_single_4():
    table = Table("AB", position=(0, 15, *[0] * 22, -2, 0), beavers=True)
    table.start()
    table.double("B")
    table.box_takes("B", beavers="B")
    table.reply("B", "B", "accept")
    table.play(2, 1)
    table.play(2, 1)
    assert table.last_row == {"A": 4, "B": -4}
    assert table.look()["last_game"]["reason"] == "single"


def test_example_4_a_raccoon_accepted_and_won_by_the_doubler_single_8():
    table = Table("AB", position=TEAM_WINS, beavers=True, raccoons=True)
    table.start()
    table.double("B")
    table.box_takes("B", beavers="B")
    table.reply("B", "B", "raccoon")
    assert (table.value("B"), table.owner("B")) == (8, "against")
    table.reply("A", "B", "accept")
    table.play(2, 1)
    assert table.last_row == {"A": -8, "B": 8}


def test_a_dropped_raccoon_pays_4():
    table = beavered()
    table.reply("B", "B", "raccoon")
    table.reply("A", "B", "drop")
    assert table.last_row == {"A": -4, "B": 4}


def test_no_raccoons_no_beavers():
    table = opened("AB", beavers=True, raccoons=False)
    table.double("B")
    table.box_takes("B", beavers="B")
    assert [o["reply"] for o in table.options_of("B", "reply")] == ["accept", "drop"]
    table = opened("AB", beavers=False)
    table.double("B")
    table.box_takes("B")
    assert table.required("B") == ["roll"]


def test_every_taker_beavers_for_themselves():
    table = opened(beavers=True)
    table.next_turn()
    table.offer("BCD")
    cube = table.cube("D")
    ways = [{"take": False}, {"take": True}, {"take": True, "beaver": True}]
    assert table.options_of("D", "answer") == [{"cube": cube, **way} for way in ways], "one step: drop, take, beaver"
    table.answers(B="beaver", D=True)
    assert table.required("A") == [], "first all answers, then those to the beavers"
    table.answers(C="beaver")
    assert len(table.options_of("A", "reply")) == 4
    table.reply("A", "B", "drop")
    table.reply("A", "C", "accept")
    assert table.role("B") == "out"
    assert table.role("C") == "stand_in"
    assert [table.value(name) for name in "CD"] == [4, 2]


def test_a_sealed_reply_is_another_one_in_what_the_others_cannot_rule_out():
    table = opened(beavers=True)
    table.next_turn()
    table.offer("BCD")
    table.answers(B="beaver", C="beaver", D=True)
    table.reply("A", "B", "drop")
    for viewer in (*map(table.seat, "BCD"), None):
        guessed = {rules.resample(table.state, viewer, Random(n)).game.said for n in range(20)}
        assert len(guessed) == 2
    assert {rules.resample(table.state, table.seat("A"), Random(n)).game.said for n in range(5)} == {
        table.state.game.said
    }


# Jacoby, per cube.


def won(position, doubles, **changes):
    """Return the row of a game in which some double, the Box takes, and the Captain wins."""
    table = Table("ABCD", position=position, uniform_response="none", **changes)
    table.start()
    table.double(doubles)
    if doubles:
        table.box_takes(doubles)
    table.play(2, 1)
    return table.last_row


@pytest.mark.parametrize(("position", "times"), [(TEAM_WINS_GAMMON, 2), (TEAM_WINS_BACKGAMMON, 3), (TEAM_WINS, 1)])
def test_jacoby_a_gammon_counts_only_on_a_cube_that_has_been_turned(position, times):
    assert won(position, "C") == {"A": -2 - 2 * times, "B": 1, "C": 2 * times, "D": 1}
    assert won(position, "C", jacoby=False) == {
        "A": -4 * times, "B": times, "C": 2 * times, "D": times,
    }  # fmt: skip


def test_how_a_cube_ended_is_told_per_cube():
    table = Table("ABC", position=TEAM_WINS_GAMMON, uniform_response="none")
    table.start()
    table.double("C")
    table.box_takes("C")
    table.play(2, 1)
    assert [cube["how"] for cube in table.game["cubes"]] == ["single", "gammon"]
