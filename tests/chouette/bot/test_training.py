"""The training of a net: the same seed gives the same bytes, and a short one learns already."""

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from chouette.board.position import START
from chouette.bot import training
from chouette.bot.evaluator import Net, PipCount, boards_of, embedded, judged
from chouette.bot.training import Fit, TrainingPlan, lessons, net_of, points, train, untrained

ROOT = Path(__file__).parents[3]
SMALL = TrainingPlan(rounds=2, games=8, hidden=(16, 8))


def test_the_same_seed_gives_the_same_bytes_however_many_play():
    once = train(SMALL)
    assert once == train(SMALL, workers=2)
    assert once != train(replace(SMALL, seed=2))


def test_a_short_training_learns():
    """From a few games of a good player: the mean error of the chance to win falls by a third at least."""
    rng = np.random.default_rng(1)
    boards, _ = lessons(embedded(), 12, rng, 0.7)
    known = judged(embedded(), boards)
    fit = Fit(untrained((16, 8), rng))

    def error():
        return float(np.abs(judged(net_of(fit.layers), boards) - known)[:, 0].mean())

    before = error()
    for _ in range(12):
        fit.learn((boards, known), rng, 0.01)
    assert error() < before * 2 / 3


@pytest.mark.long
@pytest.mark.day(parts=12, turn=6)
def test_a_thousand_games_against_itself_beat_a_pip_count_player():
    found = Net(BytesIO(train(TrainingPlan(rounds=10, games=80), workers=2)))
    assert fmean(points(found, PipCount(1), 100, 1)) > 1.0


def test_targets_are_the_result_at_the_end_and_a_mixture_before():
    course = training.Course(after=[np.full((1, 5), each, dtype=np.float32) for each in (0.5, 0.5)])
    course.after.append(np.array([[1, 1, 0, 0, 0]], dtype=np.float32))
    found = course.targets(0.5)
    assert list(found[2]) == [1, 1, 0, 0, 0]
    assert list(found[1]) == [0.25, 0.25, 0.25, 0.75, 0.25], "half of what it was worth, half of a lost gammon"


def test_a_net_is_stored_as_the_one_that_comes_along():
    """Its layers, written by the training, give the same file's numbers and the same chances."""
    with np.load(ROOT / "chouette/bot/data/tdnet_f16.npz") as file:
        layers = {name: file[name].astype(np.float32) for name in file.files}
    assert {name: each.shape for name, each in layers.items()} == {
        name: each.shape for name, each in untrained(TrainingPlan().hidden, np.random.default_rng(1)).items()
    }
    boards = boards_of([START])
    assert np.array_equal(net_of(layers).evaluate(boards), embedded().evaluate(boards))


def test_the_better_side_wins_whoever_begins():
    there = points(embedded(), PipCount(1), 10, 1)
    back = points(PipCount(1), embedded(), 10, 1)
    assert sum(there) > 0 > sum(back)
    assert all(abs(each) in (1, 2, 3) for each in there)


def test_the_command_writes_a_net_and_says_how_strong_it_is(tmp_path):
    out = tmp_path / "net.npz"
    command = [sys.executable, "-m", "chouette.bot.training", "--rounds", "1", "--games", "8", "--workers", "1"]
    done = subprocess.run(
        [*command, "--compare", "4", "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "against the net that comes along" in done.stdout
    assert Net(out).evaluate(boards_of([START])).shape == (1, 5)
    refused = subprocess.run([*command, "--games", "0"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "1 or more" in refused.stderr
