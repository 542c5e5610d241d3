"""Files with grades: mistakes are comments, luck and marks are GNU Backgammon's properties; all is read again."""

from __future__ import annotations

import re

import pytest

from chouette.analysis import house
from chouette.export import files, mat, sgf
from chouette.export.reading import read as read_log
from chouette.match_files.reading import read
from games.kernel.figures.skill import GameToGrade
from tests import seeds
from tests.chouette.analysis.files import session
from tests.chouette.analysis.test_sessions import Planted

NAMES = ("Kari", "Per")


def graded_session():
    table = session("money", seed=seeds.first_seed(), games=1)
    rows = list(house.rows(GameToGrade(table.options, 2, table.log, 1), Planted()))
    return table, rows


def test_reading_gives_back_what_was_written_with_its_luck():
    table, rows = graded_session()
    for member in (0, 1):
        plain = read_log(table.options, 2, table.log, member, NAMES)
        for write in (mat, sgf):
            found = read(write(table.options, 2, table.log, member, NAMES, grades=rows).encode())
            assert [record.acts for record in found.records] == [record.acts for record in plain.records]
            assert [record.result for record in found.records] == [record.result for record in plain.records]
        said = [each["luck"] for each in found.records[0].said.values() if "luck" in each]
        lucks = [row["luck"] for row in rows if row["kind"] == "play"]
        assert said and said == pytest.approx(lucks[: len(said)], abs=1e-5)
        listed = [each["plays"] for each in found.records[0].said.values() if "plays" in each]
        assert listed and [[name for name, *_ in each] for each in listed] == [
            [name for name, _ in row["listed"]][:5] for row in rows if row["kind"] == "play" and row["chances"]
        ]


def test_every_mistake_is_a_comment_and_a_mark():
    table, rows = graded_session()
    text = sgf(table.options, 2, table.log, 0, NAMES, grades=rows)
    plays = [row for row in rows if row["kind"] == "play" and row["counts"]]
    marks = {least: len([row for row in plays if row["error"] >= least]) for least in (0.04, 0.08, 0.16)}
    assert text.count("BM[2]") == marks[0.16] and text.count("BM[1]") == marks[0.08] - marks[0.16]
    assert text.count("DO[]") == marks[0.04] - marks[0.08]
    for row in plays:
        told = f"{row['played']} costs {row['error']:.3f}; better\\: {row['best']}."
        assert (told in text) == (row["error"] >= 0.02)
    comments = re.findall(
        r"; Game 1: after line \d+: .* costs ", mat(table.options, 2, table.log, 0, NAMES, grades=rows)
    )
    assert len(comments) >= len([row for row in plays if row["error"] >= 0.02]) > 0


def test_without_grades_the_files_are_as_before_and_of_others_nothing_is_told():
    table, rows = graded_session()
    bare = files(table.options, 2, NAMES, table.log)
    assert bare == files(table.options, 2, NAMES, table.log, [])
    own = [row for row in rows if row["seat"] == 0]
    told = sgf(table.options, 2, table.log, 0, NAMES, grades=own)
    others = {row["seq"] for row in rows if row["seat"] == 1}
    record = read_log(table.options, 2, table.log, 0, NAMES, grades=own).records[0]
    assert told != sgf(table.options, 2, table.log, 0, NAMES) and record.graded
    assert all(row["seat"] == 0 and row["seq"] not in others for row in record.graded.values())
