"""Whose each choice of a chouette is, and against what it is held: planted blunders for every row of the table."""

from dataclasses import replace

import pytest

from chouette.analysis import house, telling
from chouette.analysis.engine import Candidate, Chances, CubeEquities, EngineFailed, Stakes
from chouette.analysis.problems import Problem
from chouette.analysis.sessions import Bound, SessionChoice, _SessionReader, choices
from chouette.board.plays import results
from chouette.board.position import START
from chouette.board.xgid import parse_xgid
from chouette.export.record import NO_DOUBLE
from chouette.rules.cube.obligations import CubeBatch, DoubledCube, answers
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.play import by_notation, movers_view
from games.kernel.figures.skill import GameToGrade
from tests.chouette.table import Table


class Planted:
    """An engine with opinions: the plays in the order of their results, by the cube's owner, and cubes as planted."""

    name, level = "planted", "0-ply"

    def __init__(self, no_double=0.5, take=0.7, bonus=None):
        self.equities, self.bonus = CubeEquities(no_double, take), bonus or {}

    def plays(self, position, dice, stakes, played):
        found = [
            Candidate(result, -i / 100 + self.bonus.get((stakes.owner, i), 0.0), 2)
            for i, result in enumerate(sorted(results(position, dice)))
        ]
        return sorted(found, key=lambda each: -each.equity)

    def cube(self, position, stakes):
        return self.equities

    def mean(self, position, stakes):
        return 0.1

    def after_rolls(self, position, rolls, stakes):
        return [0.3 for _ in rolls]

    def chances(self, position, dice, stakes, after):
        return Chances(2, tuple((0.5, 0.1, 0.0, 0.2, 0.0, -0.1) for _ in after))

    def cube_chances(self, position, stakes):
        return Chances(2, ((0.6, 0.1, 0.0, 0.1, 0.0, 0.2, self.equities.no_double, self.equities.take),))

    def close(self):
        """Nothing is kept running."""


def rows(table, engine=None):
    return list(house.rows(GameToGrade(table.options, len(table.names), table.log, 1), engine or Planted()))


def of(table, found, kind):
    """Return the names and errors of the rows of a kind."""
    names = dict(enumerate(table.names))
    return [(names.get(row["seat"]), round(row["error"], 3)) for row in found if row["kind"] == kind]


def begun(line="ABCD", **changes):
    table = Table(line, **changes)
    table.start(2, 1)
    table.move()
    return table


def turn_of_team(**changes):
    """Return a table at which the Box and the Captain have played, and the Team is on turn."""
    table = begun(**changes)
    if table.game["turn"] != "team":
        table.play(3, 1)
    return table


def test_a_double_is_each_members_own_and_so_is_none():
    table = turn_of_team(uniform_response="none")
    table.double("C")
    found = rows(table, Planted(no_double=0.5, take=0.3))
    assert of(table, found, "double") == [("C", 0.2)]
    missed = rows(table, Planted(no_double=0.5, take=0.8))
    assert {name for name, error in of(table, missed, NO_DOUBLE) if error == 0.3} >= {"B", "D"}
    assert "C" not in {name for name, error in of(table, missed, NO_DOUBLE) if error and name != "A"}


def test_an_answer_is_the_boxs_for_each_cube():
    table = turn_of_team(uniform_response="none")
    table.double("BC")
    table.box_takes("B")
    found = rows(table, Planted(no_double=0.5, take=1.4))
    assert of(table, found, "take") == [("A", 0.4)]
    assert of(table, found, "drop") == [("A", 0.0)]


def test_a_double_of_the_box_is_its_own_for_each_cube_and_the_answers_are_each_members():
    table = turn_of_team(uniform_response="none")
    table.next_turn(3, 1)
    table.offer("BC")
    table.answers(B=True, C=False)
    wrong = rows(table, Planted(no_double=0.5, take=0.3))
    assert of(table, wrong, "double") == [("A", 0.2), ("A", 0.2)]
    assert (of(table, wrong, "take"), of(table, wrong, "drop")) == ([("B", 0.0)], [("C", 0.7)])
    right = rows(table, Planted(no_double=0.5, take=1.4))
    assert of(table, right, "double") == [("A", 0.0), ("A", 0.0)]
    assert (of(table, right, "take"), of(table, right, "drop")) == ([("B", 0.4)], [("C", 0.0)])
    last = [row for row in right if row["kind"] in (NO_DOUBLE, "double")][-3:]
    missed = [(row["seat"], row["error"]) for row in last if row["kind"] == NO_DOUBLE]
    assert missed == [(table.seat("A"), 0.5)], "the Box did not double the third cube"


def test_a_beaver_is_the_boxs_and_the_answer_to_it_the_doublers():
    # In cubes of the double: dropped it costs one of them, accepted a fifth of one.
    for said, costs in (("drop", 0.8), ("accept", 0.0)):
        table = turn_of_team(uniform_response="none", beavers=True)
        table.double("C")
        table.box_takes("C", beavers="C")
        table.reply("C", "C", said)
        found = rows(table, Planted(no_double=0.5, take=-0.2))
        assert of(table, found, "double") == [("C", 0.7)]
        assert of(table, found, "beaver") == [("A", 0.0)]
        kind = {"drop": "drop", "accept": "take"}[said]
        assert of(table, found, kind) == [("C", costs)]
        wrong = rows(table, Planted(no_double=0.5, take=0.4))
        assert of(table, wrong, "beaver") == [("A", 0.4)], "a take would have cost half"


def test_who_had_suggested_the_better_play_is_named():
    table = turn_of_team()
    table.double()
    captain = table.captain
    table.do(captain, "roll", (3, 1))
    plays = [option["play"] for option in table.options_of(captain, "move")]
    position, legal = choices_of(table)
    best, made = (next(play for play in plays if legal[play] == result) for result in (min(position), max(position)))
    member, other = (name for name in "BCD" if name != captain)
    table.do(member, "suggest", play=best)
    table.do(other, "suggest", play=made)
    table.do(captain, "move", play=made)
    row = [row for row in rows(table) if row["kind"] == "play"][-1]
    assert (row["seat"], row["best"], row["suggested"]) == (table.seat(captain), best, [table.seat(member)])


def choices_of(table):
    """Return the results of the plays of the roll in hand, and the result of each play by its notation."""
    found = by_notation(movers_view(table.state.game), tuple(table.game["dice"]))
    return set(found.values()), found


def test_an_answer_that_obligations_force_is_nobodys():
    """Of two cubes that are answered alike the one is a clear take, the other a narrow drop: taking both is best."""
    batch = CubeBatch((DoubledCube(0, 1, True, True), DoubledCube(1, 1, True)))
    sets = answers(OPTIONS.values("german", {"uniform_response": "by_value"}), batch)
    takes = {0: 1.1, 1: 0.2}
    problems = {index: Problem(0, "take", START, Stakes(owner=1 - index), played="take", offer="D") for index in takes}

    class Two(Planted):
        def cube(self, position, stakes):
            return CubeEquities(0.5, takes[1 - stakes.owner])

    grader = house.SessionGrader(Two())
    for index, is_forced in ((0, True), (1, False)):
        choice = SessionChoice(1, 0, "box", "take", ((problems[index], 1),), bound=Bound(index, sets, problems))
        assert grader.grade(choice).cost.is_forced == is_forced
        dropped = replace(problems[index], kind="drop", played="drop")
        choice = replace(choice, kind="drop", groups=((dropped, 1),))
        assert not grader.grade(choice).cost.is_forced


def test_an_answer_of_the_clock_is_nobodys_and_silence_in_the_ring_is_each_members():
    table = turn_of_team(uniform_response="none", grace_seconds=10)
    table.do("C", "cube", cube=table.cube("C"), double=True)
    table.do(table.captain, "roll")
    table.house("timeout", "D")
    for _ in range(2):
        table.house("timeout", "A")
    found = rows(table)
    assert [(row["seat"], row["counts"]) for row in found if row["kind"] == "drop"] == [(None, False)]
    silent = {row["seat"] for row in found if row["kind"] == NO_DOUBLE and row["role"] != "box"}
    assert silent == {table.seat("B"), table.seat("D")}


def test_a_play_is_held_to_the_mean_over_the_cubes_in_play():
    table = turn_of_team(uniform_response="none")
    table.double("B")
    table.box_takes("B")
    table.play(4, 2)
    found = list(choices(table.options, len(table.names), table.log))
    last = [choice for choice in found if choice.kind == "play"][-1]
    assert [(problem.stakes.owner, weight) for problem, weight in last.groups] == [(-1, 2), (0, 2)]
    # The best at each owner's cubes is another one; their mean decides.
    engine = Planted(bonus={(-1, 1): 0.5, (0, 2): 0.4})
    row = [row for row in rows(table, engine) if row["kind"] == "play"][-1]
    assert row["equities"]["best"] == pytest.approx(((0.5 - 0.01) + (0.0 - 0.01)) / 2)
    assert row["cube"] == 4
    assert len(row["others"]) == 1
    for text in (row["xgid"], *row["others"]):
        parse_xgid(text)
    assert row["luck"] == pytest.approx(0.2)


class OwnersLuck(Planted):
    """An engine for which a roll is luck by the cube's owner alone: 0.1 at one's own cube, 0.3 at the other side's."""

    def mean(self, position, stakes):
        return 0.2 - 0.1 * stakes.owner

    def after_rolls(self, position, rolls, stakes):
        return [0.4 - 0.2 * stakes.owner for _ in rolls]


def lucks_of(table, engine):
    """Return the luck of the last roll by the names of seats."""
    row = [row for row in rows(table, engine) if row["kind"] == "play"][-1]
    return {table.names[seat]: round(points, 6) for seat, points in row["lucks"]}


def test_the_luck_of_a_roll_is_each_members_at_their_own_cube_and_the_boxs_at_all_of_them():
    table = turn_of_team(uniform_response="none")
    table.double("BC")
    table.box_takes("B")
    table.play(4, 2)
    # B's cube of 2 is the Box's now, D's of 1 in the middle; C, whose double was dropped, has none any more.
    assert lucks_of(table, OwnersLuck()) == {"A": -0.8, "B": 0.6, "D": 0.2}


def test_the_luck_of_a_roll_of_the_box_is_bad_luck_for_the_members():
    table = turn_of_team()
    table.play(4, 2)
    table.play(3, 1)
    found = lucks_of(table, OwnersLuck())
    assert found == {"A": 0.6, "B": -0.2, "C": -0.2, "D": -0.2}


def test_a_partner_shares_the_luck_of_the_box_half_and_half():
    game = replace(turn_of_team().state.game, partner=3)
    game = replace(game, cubes=tuple(cube for cube in game.cubes if cube.member != 3))
    reader = _SessionReader(replace(turn_of_team().state, game=game))
    shares = list(reader._shares(game, [reader._stakes(game, game.cubes[0])]))
    by_seat = {seat: sum(share.value for share in shares if share.seat == seat) for seat in range(4)}
    assert by_seat == {game.box: -1.0, 1: 1, 2: 1, 3: -1.0}


def test_without_the_luck_at_one_cube_nobodys_luck_is_told():
    class Silent(OwnersLuck):
        def mean(self, position, stakes):
            if stakes.owner:
                raise EngineFailed("no answer")
            return super().mean(position, stakes)

    table = turn_of_team(uniform_response="none")
    table.double("B")
    table.box_takes("B")
    table.play(4, 2)
    found = [row for row in rows(table, Silent()) if row["kind"] == "play"]
    assert found[-1]["lucks"] is None and found[0]["lucks"]
    assert telling.luck_of_seat(found, 0) is None and telling.luck_of_seat(found[:1], 0) is not None


def test_a_settlement_is_held_to_the_equity_of_its_cube_on_both_sides():
    table = turn_of_team()
    cube = table.cube("B")
    table.do("B", "propose", cube=cube, points=-1)
    table.do("A", "answer_proposal", cube=cube, accept=True)
    found = of(table, rows(table, Planted(no_double=0.5, take=0.4)), "settlement")
    assert found == [("B", 1.5), ("A", 0.0)]


def test_a_session_on_a_real_board_has_no_choices():
    assert list(choices({"board": "wood"}, 2, ())) == []
