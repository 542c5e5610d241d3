"""A match that was played at the house is graded from its log, each choice with whose it was."""

import json
import random
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from chouette.analysis import house, telling
from chouette.analysis.gnubg import program
from chouette.board.xgid import parse_xgid
from games.models import GameGrades
from tests.chouette.analysis import fake_gnubg
from tests.conftest import answer, choices_at
from tests.web.pages import Page, browser_of

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
ROW = {
    *("seq", "seat", "role", "kind", "xgid", "others", "dice", "played", "best", "equities", "error", "counts", "luck"),
    *("cube", "suggested", "graded", "listed", "chances", "lucks"),
}


def test_a_match_of_the_house_is_graded_choice_by_choice(start_table, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(house, "engine", lambda: program.program([sys.executable, fake_gnubg.__file__, "well"]))
    table = start_table("chouette", "match", match_length=1)
    rng = random.Random(4)
    while open_choices := [choice for choice in choices_at(table) if choice.required]:
        answer(table, open_choices[0], rng.randrange(len(open_choices[0].options)))
    call_command("analyser", "--once", stdout=StringIO())
    (grades,) = GameGrades.objects.all()
    assert (grades.engine, grades.level) == ("gnubg 9.99", "2-ply, luck 1-ply")
    assert {row["kind"] for row in grades.rows} == {"play"}, "in a match to 1 nobody doubles"
    assert {row["seat"] for row in grades.rows if row["counts"]} == {0, 1}
    for row in grades.rows:
        assert row.keys() == ROW
        assert row["graded"] and parse_xgid(row["xgid"]).state.match_length == 1


def test_the_replay_has_the_course_and_the_mistakes_that_its_reader_may_see(start_table, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(house, "engine", lambda: program.program([sys.executable, fake_gnubg.__file__, "well"]))
    table = start_table("chouette", "match", match_length=1, skill_shown="table")
    rng = random.Random(5)
    while open_choices := [choice for choice in choices_at(table) if choice.required]:
        answer(table, open_choices[0], rng.randrange(len(open_choices[0].options)))
    call_command("analyser", "--once", stdout=StringIO())
    table.refresh_from_db()
    (grades,) = GameGrades.objects.all()
    reader = table.seats.get(index=1).player
    for rule, seats in (("table", {0, 1}), ("own", {1})):
        table.options["skill_shown"] = rule
        table.save(update_fields=["options"])
        (told,) = told_at(table, reader)
        rows = [row for row in grades.rows if row["seat"] in seats]
        assert [tuple(pair) for pair in told["course"]] == telling.course(rows) != []
        assert [each["seq"] for each in told["mistakes"]] == [each.seq - 1 for each in telling.mistakes(rows)] != []
        worst = [told["mistakes"][each]["error"] for each in told["worst"]]
        assert worst == sorted((each.error for each in telling.mistakes(rows)), reverse=True)[:10]
        assert told["made_with"].startswith(
            "gnubg 9.99, 2-ply, luck 1-ply (deep pass), formula 1; choices that count: "
        )
        names = {table.seats.get(index=seat).name for seat in (0, 1) if seat not in seats}
        texts = [told["label"], *(each["text"] for each in told["mistakes"])]
        assert told["label"] and not any(name in text for name in names for text in texts)


def test_choices_without_a_figure_are_said_to_be_not_graded(start_table, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(house, "engine", lambda: program.program([sys.executable, fake_gnubg.__file__, "well"]))
    table = start_table("chouette", "match", match_length=1)
    rng = random.Random(5)
    while open_choices := [choice for choice in choices_at(table) if choice.required]:
        answer(table, open_choices[0], rng.randrange(len(open_choices[0].options)))
    call_command("analyser", "--once", stdout=StringIO())
    (grades,) = GameGrades.objects.all()
    reader = table.seats.get(index=1).player
    (told,) = told_at(table, reader)
    assert "not graded" not in told["made_with"]
    own = [row for row in grades.rows if row["seat"] == 1]
    for row in own[:2]:
        row.update(graded=False, error=None, equities=None, counts=False)
    grades.save()
    (told,) = told_at(table, reader)
    assert told["made_with"].endswith("; not graded, as the engine had no answer: 2")


def told_at(table, reader):
    page = Page()
    page.feed(browser_of(reader).get(f"/table/{table.public_id}/replay/").content.decode())
    return json.loads(page.by_id("config").text)["grades"]
