"""Every row of the table of whose a choice is, with a blunder planted for every kind in it."""

from __future__ import annotations

from typing import Any

import pytest

from chouette.analysis import counting, house, telling
from chouette.analysis.engine import CubeEquities
from chouette.analysis.sessions import EXTRA, NO_EXTRA, SETTLEMENT, choices
from chouette.board.plays import results
from chouette.rules.play import by_notation, movers_view
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import GameToGrade
from tests.chouette.analysis.test_sessions import Planted, begun, rows, turn_of_team
from tests.chouette.table import LONG_RACE, Table

WRONG_TO_DOUBLE, WRONG_NOT_TO = Planted(0.5, 0.3), Planted(0.5, 0.8)
TAKE, DROP, BEAVER = Planted(0.5, 0.7), Planted(0.5, 1.4), Planted(0.1, -0.2)
"""Engines for which this is the answer to a double."""


def told(table: Table, engine: Planted, *kinds: str) -> list[tuple[str | None, str, float]]:
    """Return whose the choices of some kinds were, their kind and what they cost in cubes before the double."""
    names = dict(enumerate(table.names))
    found = [row for row in rows(table, engine) if row["kind"] in kinds]
    return [(names.get(row["seat"]), row["kind"], round(row["error"], 3)) for row in found]


def last(table: Table, engine: Planted, *kinds: str) -> tuple[str | None, str, float]:
    return told(table, engine, *kinds)[-1]


# Plays.


def worst_play(table: Table) -> str:
    """Return the play that `Planted` likes least."""
    found = by_notation(movers_view(table.state.game), tuple(table.game["dice"]))
    return max(found, key=lambda play: found[play])


def blunder(table: Table, who: str) -> tuple[str | None, float]:
    """Let somebody roll and play the worst; return whose the grade says it was, with its error."""
    if table.stage in ("window", "offer", "roll"):
        table.do(who, "roll", (3, 1))
    cost = (len(results(movers_view(table.state.game), (3, 1))) - 1) / 100
    table.do(who, "move", play=worst_play(table))
    whose, _, error = last(table, Planted(), "play")
    assert error == pytest.approx(cost)
    return whose, error


def test_a_play_is_the_captains_and_the_boxs() -> None:
    table = turn_of_team()
    captain, box = table.captain, table.box
    assert blunder(table, captain)[0] == captain
    assert blunder(table, box)[0] == box


def test_a_play_of_a_deputy_is_the_deputys() -> None:
    table = turn_of_team(deputy=True)
    seat = table.options_of(table.captain, "name_deputy")[0]["seat"]
    table.do(table.captain, "name_deputy", seat=seat)
    assert blunder(table, table.names[seat])[0] == table.names[seat]


def test_a_play_of_the_boxs_partner_with_the_dice_is_the_partners() -> None:
    table = turn_of_team(deputy=True, partner="compulsory_from", partner_from=4)
    partner = next(name for name in table.names if table.role(name) == "partner")
    table.next_turn(4, 2)
    table.do(table.box, "name_deputy", seat=table.seat(partner))
    assert blunder(table, partner)[0] == partner


def test_a_play_of_a_stand_in_is_the_stand_ins() -> None:
    table = turn_of_team(uniform_response="none")
    first = table.captain
    table.double(first)
    table.box_takes("")
    assert table.captain != first
    assert blunder(table, table.captain)[0] == table.captain


# Doubles.


def test_a_double_and_none_are_each_members_own() -> None:
    table = turn_of_team(uniform_response="none")
    table.double("C")
    assert last(table, WRONG_TO_DOUBLE, "double") == ("C", "double", 0.2)
    missed = {(name, error) for name, _, error in told(table, WRONG_NOT_TO, "no_double") if error}
    assert missed >= {("B", 0.3), ("D", 0.3)}


def test_a_double_and_none_of_the_box_are_its_own() -> None:
    table = turn_of_team(uniform_response="none")
    table.next_turn(3, 1)
    table.offer("B")
    assert told(table, WRONG_TO_DOUBLE, "double") == [("A", "double", 0.2)]
    missed = [error for name, _, error in told(table, WRONG_NOT_TO, "no_double") if name == "A"]
    assert missed[-2:] == [0.3, 0.3]


def test_the_double_of_a_leavers_cube_is_its_caretakers() -> None:
    table = turn_of_team(uniform_response="none")
    captain = table.captain
    leaver = next(name for name in "BCD" if name != captain)
    table.house("leave", leaver)
    table.do(captain, "cube", cube=table.cube(leaver), double=True)
    if table.stage == "window":
        table.do(captain, "roll")
    assert (captain, "double", 0.2) in told(table, WRONG_TO_DOUBLE, "double")


# Takes, drops, beavers, raccoons.


def test_a_take_and_a_drop_of_the_box() -> None:
    table = turn_of_team(uniform_response="none")
    table.double("BC")
    table.box_takes("B")
    assert told(table, DROP, "take", "drop") == [("A", "take", 0.4), ("A", "drop", 0.0)]
    assert told(table, TAKE, "take", "drop") == [("A", "take", 0.0), ("A", "drop", 0.3)]


def test_a_take_and_a_drop_of_a_member() -> None:
    table = turn_of_team(uniform_response="none")
    table.next_turn(3, 1)
    table.offer("BC")
    table.answers(B=True, C=False)
    assert told(table, DROP, "take", "drop") == [("B", "take", 0.4), ("C", "drop", 0.0)]
    assert told(table, TAKE, "take", "drop") == [("B", "take", 0.0), ("C", "drop", 0.3)]


def beavered(by: str) -> Table:
    """Return a table at which a double to 2 has been beavered: by the Box C's, or by C the Box's."""
    table = turn_of_team(uniform_response="none", beavers=True, raccoons=True)
    if by == "box":
        table.double("C")
        table.box_takes("C", beavers="C")
        return table
    table.next_turn(3, 1)
    table.offer("C")
    table.answers(C="beaver")
    return table


@pytest.mark.parametrize("by", ["box", "member"])
def test_a_beaver_is_the_takers(by: str) -> None:
    table, who = beavered(by), {"box": "A", "member": "C"}[by]
    # To take would have cost 0.7 of a cube, the beaver costs twice that.
    assert told(table, TAKE, "beaver") == [(who, "beaver", 0.7)]
    assert told(table, DROP, "beaver") == [(who, "beaver", 1.8)]
    assert told(table, BEAVER, "beaver") == [(who, "beaver", 0.0)]


@pytest.mark.parametrize("by", ["box", "member"])
@pytest.mark.parametrize(("said", "kind", "costs"), [("accept", "take", 0.0), ("drop", "drop", 0.8)])
def test_an_answer_to_a_beaver_is_the_doublers(by: str, said: str, kind: str, costs: float) -> None:
    table, who = beavered(by), {"box": "C", "member": "A"}[by]
    table.reply(who, "C", said)
    # In cubes of the double: dropped it costs one, accepted a fifth of one.
    assert last(table, BEAVER, kind) == (who, kind, costs)
    lost = Planted(-2.0, -1.7)
    assert last(table, lost, kind) == (who, kind, 0.7 if kind == "take" else 0.0)


@pytest.mark.parametrize("by", ["box", "member"])
@pytest.mark.parametrize("said", ["accept", "drop"])
def test_a_raccoon_is_the_doublers_and_the_answer_to_it_the_takers(by: str, said: str) -> None:
    table = beavered(by)
    doubler, taker = {"box": ("C", "A"), "member": ("A", "C")}[by]
    table.reply(doubler, "C", "raccoon")
    table.reply(taker, "C", said)
    kind = {"accept": "take", "drop": "drop"}[said]
    # The doubler is behind: to accept would have cost 0.2 in cubes of the beaver, the raccoon costs twice that.
    assert last(table, BEAVER, "raccoon") == (doubler, "raccoon", pytest.approx(0.2))
    assert last(table, Planted(0.5, 0.7), "raccoon") == (doubler, "raccoon", 0.0)
    assert last(table, Planted(0.5, 0.7), kind) == (taker, kind, 0.0 if kind == "take" else pytest.approx(0.3))
    assert last(table, DROP, kind) == (taker, kind, pytest.approx(0.4) if kind == "take" else 0.0)


def sole_taker(said: str, **changes: Any) -> Table:
    """Return a table at which C alone has taken the Box's doubles, and must beaver or drop."""
    rule = {"sole_taker": "must_beaver_or_drop", "beavers": True, "uniform_response": "none"}
    table = turn_of_team(**rule | changes)
    table.next_turn(3, 1)
    table.offer("BCD")
    table.answers(B=False, C=True, D=False)
    table.reply("C", "C", said)
    return table


@pytest.mark.parametrize(
    ("said", "kind", "engine", "costs", "better"),
    [
        ("beaver", "beaver", TAKE, 0.4, "drop"),
        ("beaver", "beaver", Planted(0.2, 0.4), 0.0, "beaver"),
        ("drop", "drop", Planted(0.2, 0.4), 0.2, "beaver"),
        ("drop", "drop", TAKE, 0.0, "drop"),
    ],
)
def test_the_only_taker_who_must_beaver_or_drop_is_held_to_these_two(
    said: str, kind: str, engine: Planted, costs: float, better: str
) -> None:
    table = sole_taker(said)
    assert told(table, engine, "take") == [], "the take was none yet"
    assert last(table, engine, kind) == ("C", kind, pytest.approx(costs))
    row = [row for row in rows(table, engine) if row["kind"] == kind][-1]
    assert (row["best"], row["counts"]) == (better, True)
    assert set(row["equities"]) == {"no_double", "drop", "beaver"}
    told_of = [each for each in telling.mistakes([row]) if costs]
    assert len(told_of) == bool(costs)


def test_the_answers_about_a_single_cube_are_each_members_own_and_its_double_the_captains() -> None:
    table = turn_of_team(cubes="single")
    captain = table.captain
    table.double(captain)
    table.box_takes(captain)
    found = [row for row in rows(table, WRONG_TO_DOUBLE) if row["kind"] == "double"]
    assert [(table.names[row["seat"]], round(row["error"], 3), row["cube"]) for row in found] == [(captain, 0.2, 3)]
    assert [row["cube"] for row in rows(table) if row["kind"] == "take"] == [3]
    table = turn_of_team(cubes="single")
    table.next_turn(3, 1)
    table.do("A", "offer", **table.options_of("A", "offer")[0])
    table.answers(B=True, C=False, D=True)
    assert sorted(told(table, DROP, "take", "drop")) == [("B", "take", 0.4), ("C", "drop", 0.0), ("D", "take", 0.4)]


# What the obligations force.


def test_a_beaver_that_the_rules_force_is_nobodys_and_one_on_top_of_a_forced_take_the_boxs_own() -> None:
    table = turn_of_team(uniform_response="none", beavers=True, sole_captain_beaver=True)
    captain = table.captain
    other = next(name for name in "BCD" if name != captain)
    table.double(captain + other)
    table.box_takes(captain, beavers=captain)
    # To take both would have been best, this cube too: it is the drop of the other one that was wrong.
    found = [row for row in rows(table, Planted(0.5, 0.6)) if row["kind"] == "beaver"]
    assert [(row["seat"], row["counts"]) for row in found] == [(None, False)]
    # Beavered it costs more than a drop: nothing forced the Box to take this one.
    found = [row for row in rows(table, DROP) if row["kind"] == "beaver"]
    assert [(row["seat"], row["best"], round(row["error"], 3)) for row in found] == [(table.seat("A"), "drop", 1.8)]

    alike = turn_of_team(uniform_response="by_category", beavers=True)
    alike.double("BCD")
    alike.box_takes("BCD", beavers="C")
    found = [row for row in rows(alike, TAKE) if row["kind"] == "beaver"]
    assert [(row["seat"], row["best"], round(row["error"], 3)) for row in found] == [(alike.seat("A"), "take", 0.7)]


# Extras and settlements.


def with_extra(said: str = "give", beaver: bool = False) -> Table:
    """Return a table at which C alone has taken the Box's double, and B has given an extra or none, D none."""
    rule = {"uniform_response": "none", "sole_taker": "extras", "beavers": beaver}
    table = Table("ABCD", position=LONG_RACE, **rule)
    table.start()
    table.next_turn(2, 1)
    table.offer("BCD")
    table.answers(B=False, C="beaver" if beaver else True, D=False)
    table.reply("B", "C", said)
    table.reply("D", "C", "keep")
    return table


@pytest.mark.parametrize(
    ("said", "engine", "costs"),
    [("give", TAKE, 0.3), ("give", DROP, 0.0), ("keep", TAKE, 0.0), ("keep", DROP, 0.4)],
)
def test_an_extra_is_its_givers_and_none_is_the_droppers(said: str, engine: Planted, costs: float) -> None:
    table = with_extra(said)
    kind = {"give": EXTRA, "keep": NO_EXTRA}[said]
    assert told(table, engine, EXTRA, NO_EXTRA)[0] == ("B", kind, costs)
    assert told(table, engine, NO_EXTRA)[-1] == ("D", NO_EXTRA, 0.4 if engine is DROP else 0.0)
    row = next(row for row in rows(table, engine) if row["kind"] == kind)
    assert not row["counts"]
    assert row["equities"] == {EXTRA: pytest.approx(engine.equities.take - 1.0), NO_EXTRA: 0.0}
    assert len([each for each in telling.mistakes([row]) if each.seat == table.seat("B")]) == bool(costs)


def test_an_extra_beside_a_beaver_is_worth_twice_as_much() -> None:
    table = with_extra("give", beaver=True)
    assert told(table, TAKE, EXTRA) == [("B", EXTRA, 0.0)]
    assert told(table, Planted(0.2, 0.4), EXTRA) == [("B", EXTRA, 0.2)]
    # Who has doubled drops the beaver at two cubes rather than play on for more.
    assert counting.of_extra(CubeEquities(-1.5, -1.4), is_given=True, is_beavered=True)[1] == -3.0


def test_a_redouble_weighs_with_the_extras_for_their_taker_and_without_them_for_the_box() -> None:
    table = with_extra()
    table.play(2, 1)
    table.double("C")
    table.box_takes("C")
    weighed = {(row["kind"], table.names[row["seat"]]): row["cube"] for row in rows(table) if row["seat"] is not None}
    assert (weighed["double", "C"], weighed["take", "A"]) == (4, 2)


def settle(table: Table, cube: int, points: int, one: str, other: str) -> Table:
    table.do(one, "propose", cube=cube, points=points)
    table.do(other, "answer_proposal", cube=cube, accept=True)
    return table


@pytest.mark.parametrize(
    ("points", "costs"), [(-1, [("B", 1.5), ("A", 0.0)]), (0, [("B", 0.5), ("A", 0.0)]), (2, [("B", 0.0), ("A", 1.5)])]
)
def test_a_settlement_of_a_members_cube_is_both_sides(points: int, costs: list[tuple[str, float]]) -> None:
    table = turn_of_team()
    settle(table, table.cube("B"), points, "B", "A")
    found = told(table, Planted(0.5, 0.4), SETTLEMENT)
    assert [(name, error) for name, _, error in found] == costs
    assert len(telling.mistakes([row for row in rows(table, Planted(0.5, 0.4)) if row["kind"] == SETTLEMENT])) == 1


def settlement_rows(table: Table, engine: Planted) -> list[JsonObject]:
    return [row for row in rows(table, engine) if row["kind"] == SETTLEMENT]


def test_a_settlement_counts_in_no_pr_and_its_row_tells_both_worths() -> None:
    table = turn_of_team()
    settle(table, table.cube("B"), -1, "B", "A")
    mine, boxes = settlement_rows(table, Planted(0.5, 0.4))
    assert not mine["counts"] and not boxes["counts"]
    assert (mine["equities"], boxes["equities"]) == ({"played": -1.0, "best": 0.5}, {"played": 1.0, "best": -0.5})
    assert (mine["best"], boxes["best"]) == ("play_on", SETTLEMENT)


def test_before_the_roll_a_cube_that_can_be_doubled_is_worth_its_double() -> None:
    table = turn_of_team()
    settle(table, table.cube("B"), 0, "B", "A")
    assert told(table, WRONG_NOT_TO, SETTLEMENT)[0] == ("B", SETTLEMENT, 0.8)
    # On the turn of the Box the double is the Box's.
    table = turn_of_team()
    table.next_turn(3, 1)
    settle(table, table.cube("B"), 0, "B", "A")
    assert told(table, WRONG_NOT_TO, SETTLEMENT) == [("B", SETTLEMENT, 0.0), ("A", SETTLEMENT, 0.8)]


def test_after_the_doubles_of_a_turn_none_is_left_for_a_settlement() -> None:
    table = turn_of_team(uniform_response="none")
    captain = table.captain
    doubler, other = (name for name in "BCD" if name != captain)
    table.double(doubler)
    table.box_takes(doubler)
    assert table.stage == "roll"
    settle(table, table.cube(other), 0, other, "A")
    assert told(table, WRONG_NOT_TO, SETTLEMENT)[0] == (other, SETTLEMENT, 0.5)


def test_after_the_roll_a_settlement_is_held_to_the_best_play() -> None:
    table = turn_of_team()
    captain = table.captain
    table.do(captain, "roll", (3, 1))
    settle(table, table.cube("B"), -1, "B", "A")
    # The best play is worth nothing to `Planted`.
    assert told(table, Planted(), SETTLEMENT) == [("B", SETTLEMENT, 1.0), ("A", SETTLEMENT, 0.0)]
    assert all(row["dice"] == [3, 1] for row in settlement_rows(table, Planted()))


@pytest.mark.parametrize(
    ("points", "costs"), [(1, [("C", 0.0), ("B", 1.0)]), (-2, [("C", 0.5), ("B", 0.0)]), (3, [("C", 0.0), ("B", 2.0)])]
)
def test_a_settlement_of_an_extra_is_its_two_parties(points: int, costs: list[tuple[str, float]]) -> None:
    """At a cube of 2 on the turn of the Box, for whose side, that of B, it is worth half of that."""
    table = with_extra()
    extra = table.game["cubes"][-1]["cube"]
    settle(table, extra, points, "B", "C")
    found = told(table, Planted(0.5, 0.7), SETTLEMENT)
    assert [(name, error) for name, _, error in found] == costs
    assert [row["cube"] for row in settlement_rows(table, Planted())] == [2, 2]


def test_an_extra_that_goes_out_with_its_takers_own_cube_is_nobodys_for_its_other_side() -> None:
    table = with_extra()
    settle(table, table.cube("C"), -4, "C", "A")
    found = [(name, error) for name, _, error in told(table, Planted(0.5, 0.7), SETTLEMENT)]
    # -4 at a cube of 2, which plays on at -0.5: C gives 1.5 cubes at each of the two.
    assert found == [("C", 1.5), ("A", 0.0), ("C", 1.5), (None, 0.0)]


def test_what_is_refused_or_lapses_is_nobodys() -> None:
    table = turn_of_team()
    cube = table.cube("B")
    table.do("B", "propose", cube=cube, points=-1)
    table.do("A", "answer_proposal", cube=cube, accept=False)
    table.do("A", "propose", cube=cube, points=3)
    table.next_turn(3, 1)
    assert settlement_rows(table, Planted()) == []


def test_a_resignation_is_nobodys() -> None:
    table = turn_of_team(jacoby=False)
    table.do("B", "resign", level=3)
    table.do("A", "answer_resignation", accept=True)
    kinds = {choice.kind for choice in choices(table.options, len(table.names), table.log)}
    assert kinds <= {"play", "no_double", "double"}


def test_every_choice_of_a_log_is_graded_or_named_as_none() -> None:
    """The kinds of the rows of a chouette are those of the table."""
    table = begun()
    found = list(house.rows(GameToGrade(table.options, len(table.names), table.log, 1), Planted()))
    assert {row["kind"] for row in found} <= {
        *("play", "no_double", "double", "take", "drop", "beaver", "raccoon"),
        *(SETTLEMENT, EXTRA, NO_EXTRA),
    }
