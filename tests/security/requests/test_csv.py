"""No text of a guest's becomes a formula in a spreadsheet, at whatever sign it splits cells."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.services.history import exports

SEPARATORS = ",;\t|"
FORMULA = re.compile(r"[\s\"]*[=+\-@|%\t\r\n＝＋－＠]")


def cells(text: str, separator: str) -> list[str]:
    """Return the cells of a file as a spreadsheet finds them that splits at a sign."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [cell for line in lines for cell in line]


@given(st.text(alphabet="a=+-@;,|\t\r\n\" '%＝1", max_size=8))
@example("Kari;=1+1")
@example("a;\t=1")
@example('b;"=1"')
@example("c|@SUM(A1)")
@example("d,+1")
@example("e;\r\n=1")
@example("\r=1")
@example("＝1+1")
@example("; = 1")
def test_no_cell_begins_a_formula_at_the_comma_or_after_another_separator(name: str) -> None:
    written = "".join(exports.csv_parts(["name", "points"], [[name, 3]])).removeprefix("\ufeff")
    for separator in SEPARATORS:
        for cell in cells(written, separator):
            for part in re.split(r"[;,|\t\r\n]", cell):
                assert not FORMULA.match(part), (separator, cell)


@pytest.mark.parametrize("name", ["Kari", "Ole & Kari", "O'Brien", "a;b", "semi; colon", "x=1", "4-2"])
def test_what_begins_no_formula_is_left_as_it_is(name: str) -> None:
    assert exports.cell(name) == name
