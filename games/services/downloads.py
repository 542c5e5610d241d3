"""Which files there are to take along of a night or a finished table, and what is in them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Result, Table
from games.services import exporting, standings

CSV, ZIP = "text/csv; charset=utf-8", "application/zip"
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
RESULTS, EVERYTHING, LOG = "results.csv", "night.zip", "log.json"


@dataclass(frozen=True, slots=True)
class File:
    """A file: its content, its media type and the name to save it under."""

    content: str | bytes
    kind: str
    save_as: str


def results_of(night: Night) -> list[Result]:
    """Return the results of all tables of a night, with their lines and players."""
    rows = Result.objects.filter(table__night=night, game_id__in=plugin.all_games())
    return list(rows.select_related("table__night").prefetch_related("lines__player"))


def sheets_csv(night: Night) -> dict[str, str]:
    """Return the night's score sheets as CSV by file name: a row a game, a column a person."""
    found = {}
    for sheet in standings.sheets(results_of(night)):
        head = ["game", "finished_at", *(who.name for who in sheet.people)]
        rows: list[list[object]] = [
            [
                row.result.note if row.result.is_correction else row.result.preset,
                row.result.finished_at.isoformat(),
                *(line.points if line else None for line in row.lines),
            ]
            for row in sheet.games
        ]
        rows.append(["total", "", *sheet.totals])
        found[f"sheet-{sheet.game_id}-{sheet.unit}.csv"] = exporting.csv_text(head, rows)
    return found


def night_names(night: Night) -> list[str]:
    """Return the names of a night's files."""
    return [RESULTS, EVERYTHING, *sheets_csv(night)]


def night_file(night: Night, name: str) -> File:
    """Return a night's file; raises Illegal `no_such_file`."""
    stem = exporting.file_stem(night.name)
    if name == RESULTS:
        rows = sorted(results_of(night), key=lambda r: (r.table.number, r.number))
        return File(exporting.results_csv(rows), CSV, f"{stem}-results.csv")
    sheets = sheets_csv(night)
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
        return File(text, JSON, f"table-{table.number}-{table.game_id}.json")
    text = exporting.game_files(table).get(name, "")
    if not text:
        raise Illegal("no_such_file")
    return File(text, TEXT, name)
