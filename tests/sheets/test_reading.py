"""Tables are read as people and programs write them, and whatever is none is refused with a code."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.services.sheets import address, cells, columns, grids, headings

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
    found = columns.entries(grid, headings.guessed(grid, WITHIN), WITHIN)
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
        guess = headings.guessed(grid, WITHIN)
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
        columns.entries(grid, headings.guessed(grid, WITHIN), WITHIN)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    book = workbook([["Anna", 1]])
    bomb = changed(book, "xl/worksheets/sheet1.xml", lambda text: text + " " * (address.MOST_UNPACKED + 1))
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
        ("2026/10/01", date(2026, 10, 1)),
        ("1-Oct", date(2026, 10, 1)),
        ("1-Oct-26", date(2026, 10, 1)),
        ("01. Okt", date(2026, 10, 1)),
        ("1. Oktober", date(2026, 10, 1)),
        ("Do, 1. Okt. 2026", date(2026, 10, 1)),
        ("torsdag 1. oktober 2026", date(2026, 10, 1)),
        ("Oct 1, 2026", date(2026, 10, 1)),
        ("Thursday, October 1st", date(2026, 10, 1)),
        ("3. März", date(2027, 3, 3)),
        ("1er févr.", date(2027, 2, 1)),
        ("46296", date(2026, 10, 1)),
        ("46296.8125", date(2026, 10, 1)),
        ("10/13/2026 19:30:12", date(2026, 10, 13)),
        ("2026/10/01 7:30:12 PM GMT+2", date(2026, 10, 1)),
        ("2026/10/01 7:30:12 nachm. MEZ", date(2026, 10, 1)),
        ("2026-10-01T19:30:12+02:00", date(2026, 10, 1)),
        ("1.10.2026, 19.30 Uhr", date(2026, 10, 1)),
        # What was typed before 05:00 belongs to the evening before; a day alone may stand with midnight.
        ("2/10/2026 00:45", date(2026, 10, 1)),
        ("10/1/2026 12:10 AM", date(2026, 9, 30)),
        ("31.2.2026", None),
        ("46000", None),
        ("46296.81.25", None),
        ("Marta 3", None),
        ("Oct-26", None),
        ("19:30", None),
        ("1 Tag", None),
        ("Abend 1", None),
        ("12", None),
        ("", None),
        ("0001-01-01 02:00", None),
        ("1.1.0001 02:00", None),
        ("1 Jan 0001 02:00", None),
        ("Jan 1, 0001 2:00 AM", None),
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
        ("1,234", False, "1234"),
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
    found = columns.entries(grid, headings.guessed(grid, WITHIN), WITHIN)
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


CASES = Path(__file__).parent / "cases"


def test_tables_from_the_field_are_read_as_their_people_meant_them() -> None:
    weekly = [(f"2026-10-{day}", points) for day, points in (("04", "1"), ("11", "2"), ("18", "3"), ("25", "4"))]
    assert [
        (day, points) for name, day, points, _ in entries((CASES / "us_weekly.csv").read_text()) if name == "Anna"
    ] == weekly
    thousands = entries((CASES / "thousands.csv").read_text())
    assert thousands == [("Anna", "", "1200", None), ("Bert", "", "950", None), ("Carl", "", "1050", None)]
    assert entries((CASES / "short_days.csv").read_text()) == [
        ("Anna", "2026-10-01", "3", None),
        ("Anna", "2026-10-08", "4", None),
        ("Bert", "2026-10-01", "1", None),
        ("Bert", "2026-10-08", "2", None),
    ]


@settings(max_examples=40, deadline=None)
@given(
    first=st.dates(WITHIN[0], date(2026, 12, 1)),
    nights=st.integers(4, 14),
    form=st.sampled_from(["%m/%d/%Y", "%d/%m/%Y", "%m/%d", "%d/%m", "%m/%d/%Y 19:30:00", "%d-%m-%Y", "%m-%d-%Y"]),
    in_rows=st.booleans(),
)
def test_the_order_of_day_and_month_is_that_of_all_weekly_nights(
    first: date, nights: int, form: str, in_rows: bool
) -> None:
    days = [first + timedelta(days=7 * number) for number in range(nights)]
    written = [day.strftime(form) for day in days]
    wide = [["Name", *written], ["Anna", *["1"] * nights]]
    rows = [["Datum", "Name", "Punkte"], *([day, "Anna", "1"] for day in written)]
    grid = rows if in_rows else wide
    found = columns.entries(grid, headings.guessed(grid, WITHIN), WITHIN)
    assert [each.day for each in found] == days


def test_a_day_that_does_not_fit_the_order_of_its_table_is_asked_for() -> None:
    grid = grids.read_text("Name;10/4;10/11;10/18;18/10\nAnna;1;2;3;4\n")
    guess = headings.guessed(grid, WITHIN)
    assert guess.kinds == ("name", *["night"] * 4) and sorted(guess.days) == [1, 2, 3]
    with pytest.raises(Illegal, match="sheet_days"):
        columns.entries(grid, guess, WITHIN)
    with pytest.raises(Illegal, match="sheet_day"):
        entries("Tag;Name;Punkte\n10/4;Anna;1\n10/11;Anna;2\n10/18;Anna;3\n18/10;Anna;4\n")


@pytest.mark.parametrize("head", ["Zeitstempel;Name;Punkte\n", "Timestamp;Wer;Punkte\n"])
def test_the_stamps_of_a_form_are_its_days_and_no_names(head: str) -> None:
    text = head + "10/13/2026 21:30:12;Anna;5\n10/21/2026 0:10:00;Bert;3\n"
    assert entries(text) == [("Anna", "2026-10-13", "5", None), ("Bert", "2026-10-20", "3", None)]
    with_times = [["Stempel", "Name", "Punkte"], [datetime(2026, 10, 13, 21, 30, 12), "Anna", 5]]
    grid = grids.read(workbook([*with_times, [datetime(2026, 10, 21, 0, 10), "Bert", 3]]))
    found = columns.entries(grid, headings.guessed(grid, WITHIN), WITHIN)
    assert [each.day for each in found] == [date(2026, 10, 13), date(2026, 10, 20)]


def test_serial_numbers_are_days_where_all_of_a_column_or_of_the_head_are() -> None:
    assert entries("Name;46296;46303\nAnna;1;2\n") == [
        ("Anna", "2026-10-01", "1", None),
        ("Anna", "2026-10-08", "2", None),
    ]
    assert entries("46296;Anna;5\n46303;Anna;3\n") == [
        ("Anna", "2026-10-01", "5", None),
        ("Anna", "2026-10-08", "3", None),
    ]
    assert [points for _, _, points, _ in entries("Anna;46296\nBert;12\n")] == ["46296", "12"]
    assert [points for _, _, points, _ in entries("Anna;1.5\nBert;2.10\n")] == ["1.5", "2.1"], "no days"


@pytest.mark.parametrize(
    ("numbers", "comma", "is_unsure"),
    [
        (["1.200", "950", "1.050"], True, True),
        (["1,200", "950", "1,050"], False, True),
        (["1.234.567", "3"], True, True),
        (["1.200", "12,5"], True, False),
        (["1.200", "12.5"], False, False),
        (["1.250", "0.875"], False, False),
        (["1234.567", "1.250"], False, False),
        (["1.200", "1,200"], False, False),
        (["5", "3"], False, False),
    ],
)
def test_a_mark_before_three_digits_alone_is_of_thousands_and_is_asked(
    numbers: list[str], comma: bool, is_unsure: bool
) -> None:
    assert (cells.is_comma_decimal(numbers), cells.is_unsure(numbers)) == (comma, is_unsure)
    grid = [["Name", "1.10", "8.10"], *(["Anna" + "a" * n, each, "1"] for n, each in enumerate(numbers))]
    guess = headings.guessed(grid, WITHIN)
    assert (columns.has_comma(grid, guess), bool(columns.unsure_number(grid, guess))) == (comma, is_unsure)
    said = replace(guess, comma=not comma)
    assert columns.Columns.from_json(said.to_json()) == said and columns.has_comma(grid, said) is not comma


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
