import pytest

from games.ops.system import calls
from games.services.grades import jobs
from tests.grades.judging import Grading, Judge, play_out


@pytest.fixture(autouse=True)
def own_pace(monkeypatch):
    """Leave the precedence of the tests' own process as it is."""
    monkeypatch.setattr(calls, "give_way", lambda niceness: None)


@pytest.fixture
def grading(monkeypatch):
    found = Grading()
    monkeypatch.setattr(Grading, "asked", [])
    monkeypatch.setattr(Grading, "levels", [])
    monkeypatch.setattr(Grading, "graded", True)
    monkeypatch.setattr(Judge, "closed", 0)
    monkeypatch.setattr(jobs, "graded_games", lambda: {"dummygame": found})
    return found


@pytest.fixture
def played(start_table):
    return play_out(start_table())
