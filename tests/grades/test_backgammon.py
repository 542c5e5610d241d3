"""A match that was played at the house is graded from its log, each choice with whose it was."""

import random
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from chouette.analysis import house
from chouette.analysis.gnubg_program import GnubgProgram
from chouette.board.xgid import parse_xgid
from games.models import GameGrades
from tests.chouette.analysis import fake_gnubg
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
ROW = {
    *("seq", "seat", "role", "kind", "xgid", "others", "dice", "played", "best", "equities", "error", "counts", "luck"),
    *("cube", "suggested", "graded"),
}


def test_a_match_of_the_house_is_graded_choice_by_choice(start_table, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(house, "engine", lambda: GnubgProgram([sys.executable, fake_gnubg.__file__, "well"]))
    table = start_table("chouette", "match", match_length=1)
    rng = random.Random(4)
    while open_choices := [choice for choice in choices_at(table) if choice.required]:
        answer(table, open_choices[0], rng.randrange(len(open_choices[0].options)))
    call_command("analyser", "--once", stdout=StringIO())
    (grades,) = GameGrades.objects.all()
    assert (grades.engine, grades.level) == ("gnubg 9.99", "2-ply")
    assert {row["kind"] for row in grades.rows} == {"play"}, "in a match to 1 nobody doubles"
    assert {row["seat"] for row in grades.rows if row["counts"]} == {0, 1}
    for row in grades.rows:
        assert row.keys() == ROW
        assert row["graded"] and parse_xgid(row["xgid"]).state.match_length == 1
