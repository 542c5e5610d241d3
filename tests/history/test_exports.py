"""Exports open in what they are for, and no cell of them is a formula."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Night, Player, Result, Table
from games.services.history import corrections, exports
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A finished table."""
    return play_out(start_table("chicago", "bavarian", seats=3))


def rows_of(text: str) -> list[dict[str, str]]:
    """Read a CSV file as a spreadsheet does."""
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_no_text_cell_is_read_as_a_formula_and_none_is_lost(texts: list[str]) -> None:
    written = "".join(exports.csv_parts(["a"] * len(texts), [texts]))
    (_, row) = csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline=""))
    for text, found in zip(texts, row, strict=True):
        assert not found.lstrip().startswith(("=", "+", "-", "@"))
        assert found.replace("'", "") == text.replace("\x00", "").replace("'", "")
        assert len(found) >= len(text.replace("\x00", ""))


def test_negative_points_stay_numbers() -> None:
    assert "".join(exports.csv_parts(["points"], [[-4]])).splitlines()[1] == "-4"


def test_a_nights_results_as_csv(table: Table, night: Night, host: Player) -> None:
    result = Result.objects.get()
    corrections.correct(result, host, {1: 1}, "=HYPERLINK(1)")
    text = browser_of(host).get(f"/night/{night.public_id}/files/results.csv").getvalue().decode()
    rows = rows_of(text)
    assert [int(row["points"]) for row in rows[:3]] == [line.points for line in result.lines.order_by("seat")]
    assert rows[3]["note"] == "'=HYPERLINK(1)"
    assert rows[3]["correction"] == "1"


def test_the_zip_of_a_night_holds_sheets_results_and_logs(table: Table, night: Night, host: Player) -> None:
    answer = browser_of(host).get(f"/night/{night.public_id}/files/night.zip")
    archive = zipfile.ZipFile(io.BytesIO(answer.getvalue()))
    day = night.day.isoformat()
    stem = f"{exports.file_stem(night.name)}-{day}"
    log_name = f"{stem}-table-1-chicago-log.json"
    dice = {f"{stem}-{name}" for name in ("rolls.csv", "levels.csv", "dice_check.py", "README.txt")}
    assert set(archive.namelist()) == {f"{stem}-results.csv", f"{stem}-sheet-chicago-rounds.csv", log_name, *dice}
    assert f'filename="{stem}-night.zip"' in answer["Content-Disposition"]
    single = browser_of(host).get(f"/table/{table.public_id}/log.json")
    assert f'filename="{log_name}"' in single["Content-Disposition"]
    sheet = rows_of(archive.read(f"{stem}-sheet-chicago-rounds.csv").decode())
    assert sheet[-1]["game"] == "total"
    log = json.loads(archive.read(log_name))
    assert [entry["seq"] for entry in log["entries"]] == list(range(1, table.seq + 1))
    assert log["format"] == exports.FORMAT


def test_the_log_of_a_table_comes_when_it_is_over(table: Table, start_table, host: Player, make_player) -> None:
    client = browser_of(host)
    assert client.get(f"/table/{table.public_id}/log.json").json()["options"] == table.options
    running = start_table("chicago", "bavarian", seats=3)
    assert client.get(f"/table/{running.public_id}/log.json").status_code == 400
    assert client.get(f"/table/{table.public_id}/files/nothing.mat").status_code == 404
    assert browser_of(make_player("X")).get(f"/table/{table.public_id}/log.json").status_code == 403


def test_hidden_events_stay_hidden_in_an_exported_log(start_table, host: Player) -> None:
    table = play_out(start_table("dummygame", seats=3))
    log = browser_of(host).get(f"/table/{table.public_id}/log.json").json()
    told = [event for entry in log["entries"] for event in entry["events"]]
    assert {"type": "hidden"} in told
