"""A secretary's list is read as it is kept: titles, merged cells, days of all kinds, sums; and one list more."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime

import openpyxl
import pytest

from games.kernel.contract import Illegal
from games.models import Player, Season, SheetRow
from games.services import rate_limit
from games.services.seasons import sheet_names
from games.services.sheets import address, columns, grids, headings, sheets
from tests.seasons.world import FIRST, evening, guests
from tests.sheets.test_reading import WITHIN, changed, workbook
from tests.sheets.test_sheets import refused, shown, take

OF_YEAR = date(2026, 1, 1), date(2026, 12, 31)
APRIL = date(2026, 4, 23)


def points(grid: grids.Grid, within: tuple[date, date] = OF_YEAR) -> list[tuple[str, str, str]]:
    """Return name, day and points of a table as its columns are guessed."""
    found = columns.entries(grid, headings.guessed(grid, within), within)
    return [(each.name, str(each.day or ""), f"{each.points.normalize():f}") for each in found]


# Headings


@pytest.mark.parametrize(
    "heading",
    [
        "23. April 2026", "23.4.", "Do 23.4.26", "Do, 23.04.2026", "Do.23.4.", "46135", "2026-04-23", "23. Apr",
        "Abend 3 (23.4.)", "3. Abend, 23.4.2026", "Thu 23 April 2026", "torsdag 23. april 2026",
    ],
)  # fmt: skip
@pytest.mark.parametrize("within", [OF_YEAR, WITHIN])
def test_a_column_headed_by_a_day_is_an_evening_in_any_season(heading: str, within: tuple[date, date]) -> None:
    grid = [["Name", heading], ["Anna", "5"], ["Bert", "-5"]]
    guess = headings.guessed(grid, within)
    assert guess.kinds == ("name", "night")
    assert (guess.days[1].month, guess.days[1].day) == (4, 23)


def test_a_day_of_a_workbook_is_an_evening() -> None:
    data = workbook([["Spieler", datetime(2026, 4, 23), date(2026, 4, 30)], ["Anna", 5, 3], ["Bert", -5, -3]])
    assert points(grids.read(data))[:2] == [("Anna", "2026-04-23", "5"), ("Anna", "2026-04-30", "3")]


def test_titles_and_empty_rows_stand_above_the_headings() -> None:
    text = "Stammtisch Einigkeit;;\nStand;1.5.2026;\n;;\nName;23.4.;30.4.\nAnna;5;3\nBert;-5;-3\n"
    grid = grids.read_text(text)
    assert headings.guessed(grid, OF_YEAR).head == 2
    assert [each[0] for each in points(grid)] == ["Anna", "Anna", "Bert", "Bert"]
    other = headings.guessed(grid, OF_YEAR, 1)
    assert other.head == 1 and other.kinds != headings.guessed(grid, OF_YEAR).kinds


def test_headings_that_are_merged_over_columns_and_rows_are_of_all_of_them() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Name", "23.4.", None, "30.4.", None], [None, "Punkte", "Spiele", "Punkte", "Spiele"],
                ["Anna", 5, 4, 3, 2], ["Bert", -5, 4, -3, 2]):  # fmt: skip
        sheet.append(row)
    for where in ("A1:A2", "B1:C1", "D1:E1"):
        sheet.merge_cells(where)
    out = io.BytesIO()
    book.save(out)
    assert points(grids.read(out.getvalue())) == [
        ("Anna", "2026-04-23", "5"), ("Anna", "2026-04-30", "3"),
        ("Bert", "2026-04-23", "-5"), ("Bert", "2026-04-30", "-3"),
    ]  # fmt: skip


def test_a_merged_day_or_name_is_that_of_the_rows_below_it() -> None:
    by_day = "Datum;Name;Punkte\n23.4.;Anna;5\n;Bert;-5\n30.4.;Anna;3\n;Bert;-3\n"
    assert [each[1] for each in points(grids.read_text(by_day))] == ["2026-04-23"] * 2 + ["2026-04-30"] * 2
    by_name = "Name;Datum;Punkte\nAnna;23.4.;5\n;30.4.;3\nBert;23.4.;-5\n"
    assert [each[0] for each in points(grids.read_text(by_name))] == ["Anna", "Anna", "Bert"]


# Sums


def test_sums_are_left_out_and_compared_by_person() -> None:
    text = "Name;23.4.;30.4.;Gesamt\nAnna;5;3;8\nBert;-5;;-5\nCarl;2;2;5\nSumme;2;5;8\nDer Wirt zahlt die Pokale;;;\n"
    grid = grids.read_text(text)
    guess = headings.guessed(grid, OF_YEAR)
    assert guess.kinds == ("name", "night", "night", "sum")
    assert {name for name, *_ in points(grid)} == {"Anna", "Bert", "Carl"}
    assert [(each.name, each.text, each.points) for each in columns.differences(grid, guess)] == [("Carl", "5", 4)]


def test_a_column_of_sums_is_known_by_its_numbers_too() -> None:
    grid = grids.read_text("Name;Alles;23.4.;30.4.\nAnna;8;5;3\nBert;-8;-5;-3\nCarl;0;0;0\n")
    assert headings.guessed(grid, OF_YEAR).kinds == ("name", "sum", "night", "night")


# One evening more

FOUR = "Name;1.10.2026;8.10.2026\nAnna;5;3\nOpa Karl;-5;-3\n"
FIVE = "Name;1.10.2026;8.10.2026;15.10.2026\nAnna;5;4;2\nOpa Karl;-5;-4;-2\n"


def totals(season: Season) -> dict[str, str]:
    return {name: total for _place, name, total, _nights in shown(season)}


@pytest.mark.django_db
def test_the_same_list_with_one_more_evening_replaces_what_came_from_it(olga: Player, season: Season) -> None:
    first = take(season, olga, FOUR)
    waits = sheets.read_in(season, olga, grids.read_text(FIVE))
    nights = {night.day: night for night in sheets.night_sums(season, sheets.entries_of(waits))}
    assert [night.is_known for night in nights.values()] == [True, True, False]
    moves = nights[date(2026, 10, 8)].moves
    assert [(each.name, each.old, each.new) for each in moves] == [("Anna", 3, 4), ("Opa Karl", -3, -4)]
    assert nights[FIRST].moves == ()
    second = sheets.take_in(season, olga, waits.pk, {}, None)
    assert totals(season) == {"Anna": "11", "Opa Karl": "-11"}
    names = ("pk", "has_replaced", "were_replaced")
    told = [tuple(getattr(each, name) for name in names) for each in sheets.taken(season)]
    assert told == [(second.pk, 2, 0), (first.pk, 0, 2)]
    assert {event.type for event in season.events.all()} >= {"evenings_replaced"}
    sheets.undo(season, olga, second.pk)
    assert totals(season) == {"Anna": "8", "Opa Karl": "-8"}


@pytest.mark.django_db
def test_each_evening_that_is_there_is_replaced_added_or_left(olga: Player, season: Season) -> None:
    take(season, olga, FOUR)
    waits = sheets.read_in(season, olga, grids.read_text(FIVE))
    ways = {FIRST: sheets.ADD, date(2026, 10, 8): sheets.LEAVE}
    sheets.take_in(season, olga, waits.pk, {}, None, ways=ways)
    assert totals(season) == {"Anna": "15", "Opa Karl": "-15"}
    refused("sheet_nothing", take_leaving, season, olga)


def take_leaving(season: Season, by: Player) -> None:
    waits = sheets.read_in(season, by, grids.read_text("Name;1.10.2026\nAnna;6\nOpa Karl;-6\n"))
    sheets.take_in(season, by, waits.pk, {}, None, ways={FIRST: sheets.LEAVE})


@pytest.mark.django_db
def test_what_was_carried_over_is_one_evening_and_nights_of_the_house_are_added(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 2, bert: -2})
    take(season, olga, "Name;Total\nCarl;40\nDora;-40\n")
    take(season, olga, "Name;Total\nCarl;50\nDora;-50\n")
    take(season, olga, "Name;1.10.2026\nCarl;1\nDora;-1\n")
    assert totals(season) == {"Carl": "51", "Dora": "-51", "Anna": "2", "Bert": "-2"}


@pytest.mark.django_db
def test_undoing_one_in_the_middle_doubles_nothing_and_undoing_the_old_one_keeps_the_new(
    olga: Player, season: Season
) -> None:
    lists = [f"Name;1.10.2026\nAnna;{n}\nOpa Karl;-{n}\n" for n in (1, 2, 3)]
    first, second, third = (take(season, olga, text) for text in lists)
    sheets.undo(season, olga, second.pk)
    assert totals(season) == {"Anna": "3", "Opa Karl": "-3"}
    sheets.undo(season, olga, third.pk)
    assert totals(season) == {"Anna": "1", "Opa Karl": "-1"}
    again = take(season, olga, lists[1])
    sheets.undo(season, olga, first.pk)
    assert totals(season) == {"Anna": "2", "Opa Karl": "-2"}
    sheets.undo(season, olga, again.pk)
    assert totals(season) == {} and not SheetRow.objects.exists() and not sheet_names.known(season)


# Lists that cost too much


STRINGS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def packed(**parts: str) -> bytes:
    """Return a small workbook with some of its parts written or replaced, packed."""
    out = io.BytesIO()
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{STRINGS}" /></Types>'
    data = changed(workbook([["Anna", 1]]), "[Content_Types].xml", lambda text: text.replace("</Types>", override))
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in {*old.namelist(), *(f"xl/{name}.xml" for name in parts)}:
            text = parts.get(part.removeprefix("xl/").removesuffix(".xml"))
            new.writestr(part, old.read(part) if text is None else text)
    return out.getvalue()


def test_a_small_file_with_millions_of_elements_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    strings = packed(sharedStrings="<sst>" + "<si/>" * 3_200_000 + "</sst>")
    styles = packed(styles="<styleSheet><fonts>" + "<font/>" * 60_000 + "</fonts></styleSheet>")
    names = changed(workbook([["Anna", 1]]), "xl/workbook.xml", many_sheets)
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *args, **kwargs: pytest.fail("read"))
    for data in (strings, styles, names):
        assert len(data) < 30_000
        with pytest.raises(Illegal, match="sheet_laden"):
            grids.read(data)


def many_sheets(text: str) -> str:
    one = '<sheet name="S%s" sheetId="%s" state="visible" r:id="rId1"/>'
    return text.replace("</sheets>", "".join(one % (n, n) for n in range(2, 500)) + "</sheets>")


def test_a_real_list_of_a_year_is_far_from_the_bounds() -> None:
    rows = [["Name", *(f"{n}.{m}.2026" for m in range(1, 12) for n in (1, 8, 15, 22))]]
    rows += [[f"Player {n}", *range(44)] for n in range(120)]
    assert len(grids.read(workbook(rows))) == 121


@pytest.mark.parametrize("text", [";" * 900_000, "x;" * 500_000, '"' + "a;" * 400_000, "\n".join(["a;" * 59] * 5000)])
def test_texts_that_are_no_lists_are_refused(text: str) -> None:
    with pytest.raises(Illegal, match="sheet_"):
        grids.read(text.encode())


def test_reading_a_list_gives_way_as_other_heavy_pages() -> None:
    for name in ("season_sheet_read", "season_sheet_columns", "season_sheet_names"):
        assert rate_limit.is_heavy("POST", name, {}) and address.MOST_MARKS
