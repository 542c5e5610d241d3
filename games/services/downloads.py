"""Which files there are to take along of a night or a finished table, and what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.kernel.contract import Illegal
from games.models import Night, Table
from games.services import exporting, standings

CSV, ZIP = "text/csv; charset=utf-8", "application/zip"
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
RESULTS, EVERYTHING, LOG = "results.csv", "night.zip", "log.json"


@dataclass(frozen=True, slots=True)
class File:
    """A file: its content in pieces, its media type and the name to save it under."""

    parts: Iterable[str | bytes]
    kind: str
    save_as: str


def night_names(night: Night) -> list[str]:
    """Return the names of a night's files."""
    return [RESULTS, EVERYTHING, *(_sheet_name(game_id, unit) for game_id, unit, _ in standings.kinds(night))]


def _sheet_name(game_id: str, unit: str) -> str:
    return f"sheet-{game_id}-{unit}.csv"


def _sheets(night: Night) -> dict[str, Iterator[str]]:
    """Return the night's score sheets as CSV by file name."""
    found = standings.sheets(night)
    return {_sheet_name(sheet.game_id, sheet.unit): exporting.sheet_csv(night, sheet) for sheet in found}


def night_file(night: Night, name: str) -> File:
    """Return a night's file; raises Illegal `no_such_file`."""
    stem = exporting.file_stem(night.name)
    if name == RESULTS:
        return File(exporting.results_csv(night), CSV, f"{stem}-results.csv")
    sheets = _sheets(night)
    if name == EVERYTHING:
        return File(exporting.night_zip(night, sheets), ZIP, f"{stem}.zip")
    if name not in sheets:
        raise Illegal("no_such_file")
    return File(sheets[name], CSV, f"{stem}-{name}")


def table_names(table: Table) -> list[str]:
    """Return the names of a table's files: none before it is finished."""
    if table.status != Table.Status.FINISHED:
        return []
    return [LOG, *exporting.game_files(table)]


def table_file(table: Table, name: str) -> File:
    """Return a finished table's file; raises Illegal `not_finished`, `no_such_file`."""
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    if name == LOG:
        text = json.dumps(exporting.log_json(table), ensure_ascii=False)
        return File([text], JSON, f"table-{table.number}-{table.game_id}.json")
    text = exporting.game_files(table).get(name, "")
    if not text:
        raise Illegal("no_such_file")
    return File([text], TEXT, name)
