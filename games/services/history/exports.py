"""Exports: results and score sheets as CSV, logs as JSON, a game's own formats, a night as a zip.

Logs are told as a spectator may read them, also when they are exported: what was said in a
team leaves the server to nobody else. What grows with a night is made piece by piece while it
is sent, so that its length is no memory.
"""

from __future__ import annotations

import csv
import io
import json
import re
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import slugify

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.models import LogEntry, Night, ResultLine, Table
from games.services.history import score_sheets
from games.services.tables import log, log_views
from games.services.tables.sittings import ONLOOKER

FORMAT = "stammtisch-log"
FORMAT_VERSION = 1
ROWS_A_PIECE = 500
RESULT_FIELDS = (
    *("night", "table", "game", "preset", "unit", "number", "finished_at", "reason"),
    *("correction", "note", "seat", "player", "name", "bot", "points", "rank"),
)
_COLUMNS = (
    *("result__table__night__name", "result__table__number", "result__game_id", "result__preset", "result__unit"),
    *("result__number", "result__finished_at", "result__reason", "result__is_correction", "result__note"),
    *("seat", "player_id", "name", "is_bot", "points", "rank"),
)
_FINISHED_AT, _IS_CORRECTION, _RANK = (RESULT_FIELDS.index(name) for name in ("finished_at", "correction", "rank"))
# A spreadsheet reads a cell that begins with one of these as a formula, or cuts it there. Where
# it is told to split cells at another sign than the comma, as a German one does at semicolons,
# what follows that sign begins a cell, too; quotes and blanks before it are passed over.
_FORMULA = re.compile(r"(^|[;,|\t\r\n])(?=[\s\"]*[=+\-@\t\r\n|%＝＋－＠])")


def cell(value: Any) -> Any:
    """Return a value as a CSV cell: numbers as they are, text never as a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return int(value) if isinstance(value, bool) else value
    return _FORMULA.sub(r"\1'", str(value).replace("\x00", ""))


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a CSV file (RFC 4180) with a byte order mark, which spreadsheets look for."""
    return "".join(csv_parts(head, rows))


def csv_parts(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield a CSV file in pieces of some hundred rows."""
    out = io.StringIO("\ufeff")
    out.seek(0, io.SEEK_END)
    writer = csv.writer(out)
    writer.writerow([cell(name) for name in head])
    for number, row in enumerate(rows, 1):
        writer.writerow([cell(value) for value in row])
        if number % ROWS_A_PIECE == 0:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def results_csv(night: Night) -> Iterator[str]:
    """Yield the results of a night as CSV, a row for each line of each."""
    return csv_parts(RESULT_FIELDS, _result_rows(night))


def _result_rows(night: Night) -> Iterator[list[Any]]:
    """Yield the rows of all results; as plain values: an object for each would take ten times as long."""
    for ids in score_sheets.chunks(score_sheets.night_results(night), "table__number", "number"):
        lines = ResultLine.objects.filter(result__in=ids)
        ordered = lines.order_by("result__table__number", "result__number", "result_id", "seat")
        for values in ordered.values_list(*_COLUMNS):
            row = list(values)
            row[_FINISHED_AT] = row[_FINISHED_AT].isoformat()
            if row[_IS_CORRECTION]:
                row[_RANK] = None
            yield row


def sheet_csv(night: Night, sheet: score_sheets.Sheet) -> Iterator[str]:
    """Yield a score sheet as CSV: a row a game, a column a person."""
    head = ["game", "finished_at", *(who.name for who in sheet.people)]
    return csv_parts(head, _sheet_rows(night, sheet))


def _sheet_rows(night: Night, sheet: score_sheets.Sheet) -> Iterator[list[object]]:
    for row in score_sheets.each_game(night, sheet):
        named = row.result.note if row.result.is_correction else row.result.preset
        points = (line.points if line else None for line in row.lines)
        yield [named, row.result.finished_at.isoformat(), *points]
    yield ["total", "", *sheet.totals]


def log_json(table: Table) -> JsonObject:
    """Return the log of a finished table: its rules, its seats and every entry."""
    rows = LogEntry.objects.filter(table=table).order_by("seq")
    entries = [
        {
            "seq": line.seq,
            "at": at.isoformat(),
            "events": [log_views.event_json(event, line.seq, ONLOOKER) for event in line.events],
        }
        for line, at in zip(
            log.entries(table.pk, upto=table.seq),
            rows.values_list("created_at", flat=True),
            strict=True,
        )
    ]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "table": log_views.snapshot(table.pk).table,
        "preset": table.preset,
        "options": table.options,
        "entries": entries,
    }


def game_files(table: Table) -> dict[str, str]:
    """Return a finished table in the formats of its game, by file name; {} without any."""
    exports = plugin.game(table.game_id).exports
    if exports is None or not table.seq:
        return {}
    names = [seat.name for seat in table.seats.order_by("index")]
    return dict(exports(table.options, log.seat_count(table), names, log.entries(table.pk)))


def table_files(table: Table) -> dict[str, str]:
    """Return everything that there is to export of a finished table, by file name."""
    stem = f"table-{table.number}-{table.game_id}"
    found = {f"{stem}.json": json.dumps(log_json(table), ensure_ascii=False, indent=1)}
    for name, text in game_files(table).items():
        found[f"{stem}/{name}"] = text
    return found


class _Tap(io.RawIOBase):
    """A file that only takes; what it took can be drawn off meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._taken: list[bytes] = []

    def writable(self) -> bool:
        """Say that it takes."""
        return True

    def write(self, data: Any) -> int:
        """Take bytes."""
        self._taken.append(bytes(data))
        return len(data)

    def drawn(self) -> bytes:
        """Return what it took since the last time."""
        found = b"".join(self._taken)
        self._taken.clear()
        return found


def night_zip(night: Night, sheets: Mapping[str, Iterable[str]]) -> Iterator[bytes]:
    """Yield a night as a zip: `sheets` (CSV by name), all results, and each finished table."""
    tap = _Tap()
    with zipfile.ZipFile(tap, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in {"results.csv": results_csv(night), **sheets}.items():
            yield from _packed(archive, tap, name, parts)
        for table_id in night.tables.filter(status=Table.Status.FINISHED).values_list("pk", flat=True):
            table = Table.objects.select_related("night").get(pk=table_id)
            for name, text in table_files(table).items():
                yield from _packed(archive, tap, name, [text])
    yield tap.drawn()


def _packed(archive: zipfile.ZipFile, tap: _Tap, name: str, parts: Iterable[str]) -> Iterator[bytes]:
    """Yield what a file adds to a zip, while it is written."""
    info = zipfile.ZipInfo(name, time.localtime()[:6])
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    with archive.open(info, "w") as file:
        for part in parts:
            file.write(part.encode())
            yield tap.drawn()
    yield tap.drawn()


def file_stem(text: str) -> str:
    """Return a name that every file system takes."""
    return slugify(text)[:60] or "night"


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
    return [RESULTS, EVERYTHING, *(_sheet_name(game_id, unit) for game_id, unit, _ in score_sheets.kinds(night))]


def _sheet_name(game_id: str, unit: str) -> str:
    return f"sheet-{game_id}-{unit}.csv"


def _sheets(night: Night) -> dict[str, Iterator[str]]:
    """Return the night's score sheets as CSV by file name."""
    found = score_sheets.sheets(night)
    return {_sheet_name(sheet.game_id, sheet.unit): sheet_csv(night, sheet) for sheet in found}


def night_file(night: Night, name: str) -> File:
    """Return a night's file; raises Illegal `no_such_file`."""
    stem = file_stem(night.name)
    if name == RESULTS:
        return File(results_csv(night), CSV, f"{stem}-results.csv")
    sheets = _sheets(night)
    if name == EVERYTHING:
        return File(night_zip(night, sheets), ZIP, f"{stem}.zip")
    if name not in sheets:
        raise Illegal("no_such_file")
    return File(sheets[name], CSV, f"{stem}-{name}")


def table_names(table: Table) -> list[str]:
    """Return the names of a table's files: none before it is finished."""
    if table.status != Table.Status.FINISHED:
        return []
    return [LOG, *game_files(table)]


def table_file(table: Table, name: str) -> File:
    """Return a finished table's file; raises Illegal `not_finished`, `no_such_file`."""
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    if name == LOG:
        text = json.dumps(log_json(table), ensure_ascii=False)
        return File([text], JSON, f"table-{table.number}-{table.game_id}.json")
    text = game_files(table).get(name, "")
    if not text:
        raise Illegal("no_such_file")
    return File([text], TEXT, name)
