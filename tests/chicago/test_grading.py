"""Each decision of a turn is held to the exact chance for the aim that the rules give."""

from __future__ import annotations

import random

import pytest

from chicago import bots, grading
from chicago.odds import exact
from chicago.odds.objective import aim_of, stand_chance, turn_of, ways
from chicago.rules import rules
from chicago.rules.throwing.scoring import Valuation
from games.kernel.figures.skill import GameToGrade
from games.kernel.replay import Entry
from tests import seeds
from tests.chicago import botplay
from tests.chicago.table import LOW, Table


def rows(table):
    return list(grading.rows(GameToGrade(table.options, table.seats, table.log, 1), grading.Exact()))


def test_a_follower_who_stands_on_a_beaten_hand_gives_the_whole_chance_away():
    table = Table("classic", 2)
    table.throw(0, 6, 6, 1)
    table.throw(0, 6, 5, lay=[1])
    table.stand(0)
    table.throw(1, 2, 3, 4)
    aim = aim_of(table.view)
    (best, *_) = exact.moves(table.options, turn_of(table.view), aim.allowed, aim.exactly, aim.low)
    table.stand(1)
    (found,) = [row for row in rows(table) if row["seat"] == 1]
    assert best.chance > 0 and found["error"] == pytest.approx(100 * float(best.chance))
    assert (found["kind"], found["aim"], found["counts"]) == ("stand", "beat", True)
    (mistake,) = grading.mistakes([found])
    assert mistake.values["dice"] == "2-3-4" and mistake.seat == 1


def test_the_best_way_costs_nothing_and_any_other_the_difference():
    for lay in ((), (1,), (1, 6)):
        table = Table("classic", 2)
        table.throw(0, 6, 5, 2)
        table.throw(0, 4, 4, lay=[6])
        table.stand(0)
        table.throw(1, 6, 1, 3)
        aim, turn = aim_of(table.view), turn_of(table.view)
        by_kept = {move.lay.lay: move.chance for move in ways(aim, turn) if move.lay is not None}
        best = max(move.chance for move in ways(aim, turn))
        if lay not in by_kept:
            continue
        table.throw(1, *[2] * (3 - len(lay)), lay=lay)
        found = next(row for row in rows(table) if row["seat"] == 1)
        assert found["error"] == pytest.approx(100 * float(best - by_kept[lay]))
        assert found["played"] == ("-".join(map(str, lay)) or "–")


def test_a_bad_declaration_is_the_starters():
    table = Table("tschigg", 2)
    table.throw(0, 6, 6, 5)
    aim, turn = aim_of(table.view), turn_of(table.view)
    assert aim.declares
    lost = max(move.chance for move in ways(aim, turn)) - stand_chance(aim, turn, Valuation(**LOW))
    table.stand(0, **LOW)
    (found,) = rows(table)
    assert lost > 0 and found["error"] == pytest.approx(100 * float(lost)) and found["role"] == "starter"


def test_what_the_clock_did_is_nobodys():
    table = Table("classic", 2)
    table.throw(0, 2, 3, 4)
    table.house("timeout", seat=0)
    assert {(row["seat"], row["counts"]) for row in rows(table)} <= {(None, False)}


LABELS = {name for names in grading.PARTS.values() for name in names}


class Kept(botplay.Table):
    """A table of bots that keeps its log."""

    def write(self, events):
        self.log = [*getattr(self, "log", []), Entry(self.seq + 1, tuple(events))]
        super().write(events)


@pytest.mark.parametrize("preset", ["bavarian", "classic", "tschigg"])
def test_the_strong_bot_gives_nothing_away_and_a_random_player_does(preset):
    for is_perfect in (True, False):
        table = Kept(rules.options().values(preset, {"breaches": False}), 3, seeds.first_seed())
        rng = random.Random(table.seed)
        while not rules.is_over(table.state) and table.seq < 40:
            seat, choices = next(iter(table.awaited().items()))
            picked = rng.choice([each for each in choices if each.required])
            if is_perfect:
                table.submit(*told(bots.choose(rules.view(table.state, seat), choices, "strong", 1), seat))
            else:
                table.submit(picked.name, seat, rng.choice(list(picked.options)))
        found = rows(table)
        errors = [row["error"] for row in found if row["counts"]]
        assert errors and all(0 <= error <= 100 for error in errors)
        assert (max(errors) < 0.02) == is_perfect
        assert all(set(part) <= LABELS for part in grading.parts(found))


def told(answer, seat):
    name, args = answer
    return name, seat, args
