"""Tables are read as people and programs write them, and whatever is none is refused with a code."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.services.sheets import cells, columns, grids, limits

WITHIN = date(2026, 9, 1), date(2027, 3, 31)
WORDS = st.text(
    st.characters(codec="cp1252", exclude_categories=("Cc", "Zs", "Zl", "Zp", "Cf")), min_size=1, max_size=12
)


def workbook(*sheets: list[list[Any]]) -> bytes:
    """Return a workbook with these sheets as XLSX."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def changed(data: bytes, part: str, change: Any) -> bytes:
    """Return a workbook with the text of a part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name).decode()) if name == part else old.read(name))
    return out.getvalue()


def refused(data: bytes) -> str:
    """Return the code with which a file is refused."""
    with pytest.raises(Illegal) as refusal:
        grids.read(data)
    return refusal.value.code


# CSV


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(WORDS, min_size=2, max_size=6),
    points=st.lists(st.decimals(-999, 999, places=2), min_size=2, max_size=6),
    delimiter=st.sampled_from(";\t,"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
    comma=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_is_read_as_it_was_written_whatever_wrote_it(
    names: list[str], points: list[Decimal], delimiter: str, encoding: str, comma: bool, end: str
) -> None:
    pairs = list(zip(names, points, strict=False))
    rows = [[f"N{name}", str(value).replace(".", "," if comma else ".")] for name, value in pairs]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows([["Name", "Punkte"], *rows])
    found = grids.read(out.getvalue().encode(encoding))
    assert found == [["Name", "Punkte"], *rows]
    is_comma = cells.is_comma_decimal(cell for row in found[1:] for cell in row[1:])
    assert [cells.number(row[1], comma=is_comma) for row in found[1:]] == [value for _, value in pairs]


def test_latin_1_semicolons_and_decimal_commas_of_an_old_spreadsheet_are_read() -> None:
    text = "sep=;\r\nName;1.10.2026\r\nJürgen Süß;12,5\r\nØyvind;-1.234,25\r\n"
    grid = grids.read(text.encode("cp1252"))
    found = columns.entries(grid, columns.guessed(grid, WITHIN), WITHIN)
    assert [(each.name, each.day, each.points) for each in found] == [
        ("Jürgen Süß", date(2026, 10, 1), Decimal("12.5")),
        ("Øyvind", date(2026, 10, 1), Decimal("-1234.25")),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "sheet_empty"),
        (b" ; ;\n\n;;", "sheet_empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "sheet_kind"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "sheet_kind"),
        (b"PK\x03\x04 and nothing more", "sheet_kind"),
        (b"a;" + b"x" * 201, "sheet_cell"),
        (b"a;" + b"x" * 200_000, "sheet_cell"),
        (b";".join([b"x"] * 61), "sheet_rows"),
        (b"a;b\n" * 5001, "sheet_rows"),
        (b"\xff\xfea", "sheet_kind"),
    ],
)
def test_what_is_no_table_or_too_large_is_refused_with_a_code(data: bytes, code: str) -> None:
    assert refused(data) == code


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
@example(data=b'"')
@example(data=b"sep=,\n")
@example(data=b"PK\x03\x04")
def test_any_bytes_are_a_table_or_a_refusal(data: bytes) -> None:
    try:
        grid = grids.read(data)
        guess = columns.guessed(grid, WITHIN)
        assert columns.Columns.from_json(guess.to_json()) == guess
        columns.entries(grid, guess, WITHIN)
    except Illegal as refusal:
        assert refusal.code.startswith("sheet_")


# XLSX


def test_a_workbook_gives_its_stored_values() -> None:
    rows = [["Name", datetime(2026, 10, 1), date(2026, 10, 8)], ["Anna", 3, 8.125], ["Bert", -3, None]]
    assert grids.read(workbook(rows, [])) == [
        ["Name", "2026-10-01", "2026-10-08"],
        ["Anna", "3", "8.1250"],
        ["Bert", "-3", ""],
    ]


def test_a_workbook_with_two_filled_sheets_is_refused_by_their_names() -> None:
    with pytest.raises(Illegal) as refusal:
        grids.read(workbook([["Anna", 1]], [["Bert", 2]]))
    assert refusal.value.code == "sheet_several"
    assert refusal.value.params["names"] == "Sheet, Sheet1"


def test_a_sheet_that_is_hidden_is_not_read() -> None:
    book = openpyxl.Workbook()
    book.active.append(["Anna", 1])
    hidden = book.create_sheet()
    hidden.append(["Bert", 2])
    hidden.sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    assert grids.read(out.getvalue()) == [["Anna", "1"]]


def test_formulas_count_with_their_stored_value() -> None:
    without = workbook([["Anna", "=1+1"], ["Bert", 2]])
    assert refused(without) == "sheet_formula"
    stored = changed(without, "xl/worksheets/sheet1.xml", lambda text: re.sub(r"<v ?/>|<v></v>", "<v>7</v>", text))
    assert grids.read(stored) == [["Anna", "7"], ["Bert", "2"]]
    # A formula in a text file is a text, and no number.
    grid = grids.read(b"Name;Punkte\nAnna;=1+1\nBert;2\n")
    with pytest.raises(Illegal, match="sheet_number"):
        columns.entries(grid, columns.guessed(grid, WITHIN), WITHIN)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    book = workbook([["Anna", 1]])
    bomb = changed(book, "xl/worksheets/sheet1.xml", lambda text: text + " " * (limits.MOST_UNPACKED + 1))
    assert len(bomb) < 100_000
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *args, **kwargs: pytest.fail("unpacked"))
    assert refused(bomb) == "sheet_large"


def test_a_workbook_with_an_external_entity_is_refused_and_nothing_is_read(tmp_path: Any) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'

    def planted(text: str) -> str:
        head, _end, rest = text.partition("?>") if text.startswith("<?xml") else ("", "", text)
        return f"{head}{_end}{entity}{rest}".replace("<v>1</v>", "<v>&e;</v>")

    for part in ("xl/worksheets/sheet1.xml", "xl/workbook.xml"):
        assert refused(changed(workbook([["Anna", 1]]), part, planted)) == "sheet_kind"


def test_a_cell_in_the_last_column_and_broken_parts_are_refused() -> None:
    book = workbook([["Anna", 1]])
    sheet = "xl/worksheets/sheet1.xml"
    wide = changed(book, sheet, lambda text: text.replace('r="B1"', 'r="XFD1"'))
    assert refused(wide) == "sheet_rows"
    row = '</row><row r="1048576"><c r="A1048576"><v>1</v></c></row>'
    far = changed(book, sheet, lambda text: text.replace("</row>", row))
    assert refused(far) == "sheet_rows"
    for part in (sheet, "xl/workbook.xml", "[Content_Types].xml"):
        assert refused(changed(book, part, lambda text: text[: len(text) // 2])).startswith("sheet_")


# Cells


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("2026-10-01", date(2026, 10, 1)),
        ("2026-10-01 00:00:00", date(2026, 10, 1)),
        ("1.10.2026", date(2026, 10, 1)),
        ("Do 01.10.26", date(2026, 10, 1)),
        ("1.10.", date(2026, 10, 1)),
        ("7.1.", date(2027, 1, 7)),
        ("1/10/2026", date(2026, 10, 1)),
        ("10/28/2026", date(2026, 10, 28)),
        ("12/10/2026", date(2026, 10, 12)),
        ("31.2.2026", None),
        ("Abend 1", None),
        ("12", None),
        ("", None),
    ],
)
def test_days_are_read_in_all_their_forms(cell: str, day: date | None) -> None:
    assert cells.day(cell, WITHIN) == day


@pytest.mark.parametrize(
    ("cell", "comma", "number"),
    [
        ("12,5", True, "12.5"),
        ("1.234,5", True, "1234.5"),
        ("1,234.5", False, "1234.5"),
        ("1.234", True, "1234"),
        ("1.234", False, "1.234"),
        ("8.1250", True, "8.125"),
        ("\u22123", False, "-3"),
        ("1 000", False, "1000"),
        ("1000001", False, None),
        ("1e9", False, None),
        ("٣", False, None),
        ("x", False, None),
    ],
)
def test_numbers_are_read_by_the_habit_of_their_table(cell: str, comma: bool, number: str | None) -> None:
    assert cells.number(cell, comma=comma) == (None if number is None else Decimal(number))


# Columns


def entries(text: str) -> list[tuple[str, str, str, int | None]]:
    """Return the points of a pasted table as its columns are guessed."""
    grid = grids.read_text(text)
    found = columns.entries(grid, columns.guessed(grid, WITHIN), WITHIN)
    return [(each.name, str(each.day or ""), f"{each.points:f}".rstrip("0").rstrip("."), each.games) for each in found]


def test_a_table_of_nights_of_rows_and_of_totals_is_each_understood() -> None:
    wide = "Platz\tSpieler\t1.10.\t8.10.\tSumme\n1\tAnna\t5\t3\t8\n2\tBert\t-5\t–\t-5\n"
    assert entries(wide) == [
        ("Anna", "2026-10-01", "5", None),
        ("Anna", "2026-10-08", "3", None),
        ("Bert", "2026-10-01", "-5", None),
    ]
    assert entries("Datum;Name;Punkte;Spiele\n1.10.2026;Anna;5;4\n8.10.2026;anna;3;2\n") == [
        ("Anna", "2026-10-01", "5", 4),
        ("Anna", "2026-10-08", "3", 2),
    ]
    assert entries("Anna\t12\nBert\t-12\n") == [("Anna", "", "12", None), ("Bert", "", "-12", None)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Name;1.10.\nAnna;1\nanna;2\n", "sheet_name_twice"),
        ("Name;Punkte\nAnna;viele\nBert;2\nCarl;3\n", "sheet_number"),
        ("Name;Punkte;Datum\nAnna;1;1.10.\nBert;2;gestern\n", "sheet_day"),
        ("Name;1.10.2024\nAnna;1\n", "sheet_outside"),
        ("Name;1.10.2026;1/10/2026\nAnna;1;2\n", "sheet_days"),
        ("Name;Punkte;Spiele\nAnna;1;0\n", "sheet_games"),
        ("Name;Punkte\n" + "A" * 61 + ";1\n", "sheet_name"),
        ("Name;Punkte\nAnna;–\n", "sheet_nothing"),
        ("Anna\nBert\n", "sheet_columns"),
        ("Name;Punkte\n" + "".join(f"P{n};1\n" for n in range(301)), "sheet_names"),
    ],
)
def test_what_gives_no_points_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        entries(text)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("\u200fنور", "نور"),
        ("\u202aAnna\u202c", "Anna"),
        ("\ufeffBert", "Bert"),
        ("Per \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", None),
    ],
)
def test_names_lose_what_is_not_seen_and_keep_the_flag_of_a_country(cell: str, name: str | None) -> None:
    assert columns.clean_name(cell) == (name or cell)
