"""The embedded net: sensible plays, both sides alike, better than what it is compared with."""

import os
import subprocess
import sys

import numpy as np
import pytest

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.position import START, swap
from chouette.bot import bots, evaluator
from chouette.bot.evaluator import (
    PipCount,
    Random,
    boards_of,
    embedded,
    features,
    flipped,
    is_race,
    judged,
    swapped,
)
from chouette.bot.move_choice import equities, money, ranked
from chouette.rules import rules
from tests.architecture.sources import files, imports_of
from tests.chouette.botplay import match_up
from tests.chouette.positions import placed
from tests.chouette.table import Table


@pytest.mark.parametrize("looks_ahead", [False, True])
@pytest.mark.parametrize(("dice", "play"), [((3, 1), "8/5 6/5"), ((6, 1), "13/7 8/7"), ((4, 2), "8/4 6/4")])
def test_points_are_made_in_the_opening(dice, play, looks_ahead):
    plays = legal_plays(START, dice)
    best = ranked(embedded(), [p.result for p in plays], money(), looks_ahead=looks_ahead)
    assert format_play(plays[best[0][0]]) == play
    assert sorted(index for index, _ in best) == list(range(len(plays)))


def test_the_start_is_a_little_better_for_who_is_on_roll():
    win, gammon, backgammon, lost_gammon, lost_backgammon = judged(embedded(), boards_of([START]))[0]
    assert 0.5 < win < 0.55
    assert 0.08 < lost_gammon <= gammon < 0.2
    assert backgammon < 0.02
    assert lost_backgammon < 0.02


def test_a_position_has_202_inputs_and_the_sides_change_places_in_them():
    board = boards_of([placed(p6=4, p25=2, p13=9, p20=-5, p0=-1, p1=-9)])
    there, back = features(board)[0], features(swapped(board))[0]
    assert there.shape == (202,)
    assert np.array_equal(there[:96], back[96:192])
    assert np.array_equal(there[192:200:2], back[193:200:2])
    assert list(there[20:24]) == [0, 0, 1, 0.5]
    assert list(there[192:194]) == [1.0, 0.5]


def test_a_race_is_when_the_sides_have_passed_each_other():
    passed, met = placed(p6=15, p19=-15), placed(p20=15, p19=-15)
    assert list(is_race(boards_of([passed, met, swap(passed), swap(met), START]))) == [
        True,
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("position", "worth"),
    [
        (placed(p19=-3), 1),
        (placed(p19=-15), 2),
        (placed(p6=-1, p19=-14), 3),
        (placed(p0=-1, p19=-14), 3),
    ],
)
def test_a_game_that_has_ended_is_worth_its_result(position, worth):
    assert equities(embedded(), [position], money())[0] == worth
    assert money().of(judged(embedded(), boards_of([swap(position)])))[0] == -worth


def test_nobody_loses_a_gammon_with_a_checker_off():
    chances = judged(embedded(), boards_of([placed(p1=14, p24=-15), placed(p1=15, p24=-14)]))
    assert list(chances[0, 3:]) == [0, 0]
    assert list(chances[1, 1:3]) == [0, 0]


def test_chances_seen_from_both_sides_turn_back():
    chances = judged(embedded(), boards_of([START]))
    assert np.allclose(flipped(flipped(chances)), chances)
    assert money().of(flipped(chances))[0] == pytest.approx(-money().of(chances)[0], abs=1e-5)


@pytest.mark.parametrize(("other", "least"), [(Random(1), 38), (PipCount(), 28)])
def test_the_net_beats_random_and_pip_count_players(other, least):
    points = match_up(embedded(), other, 40)
    assert sum(p > 0 for p in points) >= least
    assert sum(points) > 0


class Flat:
    """An engine that likes no high stacks, and contradicts itself."""

    def evaluate(self, boards):
        stack = -boards.min(axis=1) / 16
        return np.stack([stack, stack, np.ones(len(boards)), 1 - stack, 1 - stack], axis=1)


class Short:
    def evaluate(self, boards):
        return np.zeros((len(boards), 3))


@pytest.fixture
def house(monkeypatch):
    """Return what sets the house's evaluator."""

    def uses(name):
        monkeypatch.setenv(evaluator.SETTING, f"tests.chouette.bot.test_evaluator.{name}")
        evaluator.chosen.cache_clear()

    yield uses
    monkeypatch.undo()
    evaluator.chosen.cache_clear()


def test_the_house_plays_by_the_evaluator_that_its_setting_names(house):
    table = Table("ABC")
    table.start(6, 5)
    seat = table.game["on_roll"]
    view, choices = rules.view(table.state, seat), list(rules.choices(table.state, seat))
    assert bots.choose(view, choices, "net", 1)[1] == {"play": "24/13"}
    house("Flat")
    assert bots.choose(view, choices, "net", 1)[1] != {"play": "24/13"}
    assert bots.choose(view, choices, "lookahead", 1)[0] == "move"


def test_what_an_engine_says_is_made_consistent():
    chances = judged(Flat(), boards_of([START, placed(p1=14, p24=-15), placed(p1=-15)]))
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances[0]
    assert 0 <= backgammon <= gammon <= win <= 1
    assert 0 <= lost_backgammon <= lost_gammon <= 1 - win + 1e-6
    assert list(chances[1, 3:]) == [0, 0]
    assert list(chances[2]) == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("name", ["Short", "nothing_there", "placed"])
def test_an_evaluator_that_judges_no_boards_is_refused_when_it_is_loaded(house, name):
    house(name)
    with pytest.raises(ImportError, match="CHOUETTE_EVALUATOR=tests"):
        evaluator.chosen()


@pytest.mark.day(parts=5, turn=2)
def test_the_house_does_not_start_with_an_evaluator_that_cannot_be_loaded():
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={**os.environ, evaluator.SETTING: "no.such.engine"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "CHOUETTE_EVALUATOR=no.such.engine" in done.stderr


def test_numpy_is_imported_in_one_place_so_that_it_computes_in_one_thread():
    importing = [path for path in files(".py", under="chouette") if "numpy" in "".join(imports_of(path))]
    assert [str(path) for path in importing] == ["chouette/bot/arrays.py"]
