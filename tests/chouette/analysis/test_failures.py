"""An engine that hangs, lies, crashes or answers late costs the figures of a decision, and the rest goes on."""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from chouette.analysis.engine import EngineGone
from chouette.analysis.gnubg import process, program
from chouette.analysis.report import report
from chouette.match_files.reading import read
from tests.chouette.analysis.files import SHORT
from tests.conftest import require

FAKE = Path(__file__).with_name("fake_gnubg.py")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def engine(monkeypatch):
    """Return a maker of engines that are ended with the test."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = []

    def make(way, seconds=20.0):
        made.append(program.program([sys.executable, str(FAKE), way], seconds=seconds))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_engine_that_answers_well_grades_every_decision(engine):
    found = report(read(SHORT.encode()), engine("well"))
    assert found["engine"] == "gnubg 9.99"
    kinds = [row["kind"] for row in found["decisions"]]
    assert kinds == ["play", "no_double", "play", "double", "take", "play", "double", "drop"]
    assert all(row["graded"] for row in found["decisions"])


@pytest.mark.parametrize("way", ["crashes", "lies", "shifts", "invents", "breaks"])
def test_an_engine_that_fails_costs_single_decisions(way, engine):
    found = report(read(SHORT.encode()), engine(way))
    lost = [row for row in found["decisions"] if not row["graded"]]
    assert 0 < len(lost) < len(found["decisions"])
    for row in lost:
        assert (row["equities"], row["error"], row["counts"]) == (None, None, False)
    assert sum(player["decisions"] for player in found["players"]) == sum(row["counts"] for row in found["decisions"])


def test_an_engine_that_is_silent_is_ended_and_started_again(engine):
    found = report(read(SHORT.encode()), engine("hangs", seconds=3.0))
    assert {row["graded"] for row in found["decisions"]} == {True, False}


def test_an_engine_that_never_starts_is_said_to_be_gone(engine):
    with pytest.raises(EngineGone):
        _ = engine("late", seconds=1.0).name
    with pytest.raises(EngineGone):
        _ = program.program(["/nowhere/gnubg"]).name


@pytest.mark.parametrize("name", ["Käse #1", "Haus ☕ ßø", "a b'c\"d"])
def test_an_installation_below_any_path_has_its_engine(tmp_path, monkeypatch, name):
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setattr(process, "_SCRIPT", Path(shutil.copy(process._SCRIPT, folder)))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    engine = program.program([str(program.find())], seconds=20.0)
    try:
        assert engine.name.startswith("gnubg ")
    finally:
        engine.close()
