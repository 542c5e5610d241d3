"""Exports: results and score sheets as CSV, logs as JSON, a game's own formats, a night as a zip.

Logs are told as a spectator may read them, also when they are exported: what was said in a
team leaves the server to nobody else.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils.text import slugify

from games import plugin
from games.kernel.contract import JsonObject
from games.models import LogEntry, Night, Result, Table
from games.services import heads, ledger, reading
from games.services.sittings import ONLOOKER

FORMAT = "stammtisch-log"
FORMAT_VERSION = 1
RESULT_FIELDS = (
    *("night", "table", "game", "preset", "unit", "number", "finished_at", "reason"),
    *("correction", "note", "seat", "player", "name", "bot", "points", "rank"),
)
# A spreadsheet reads a cell that begins with one of these as a formula, or cuts it there.
_FORMULA = re.compile(r"^[\s]*[=+\-@\t\r\n|%]")


def cell(value: Any) -> Any:
    """Return a value as a CSV cell: numbers as they are, text never as a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return int(value) if isinstance(value, bool) else value
    text = str(value).replace("\x00", "")
    return f"'{text}" if _FORMULA.match(text) else text


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a CSV file (RFC 4180) with a byte order mark, which spreadsheets look for."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([cell(name) for name in head])
    writer.writerows([cell(value) for value in row] for row in rows)
    return "\ufeff" + out.getvalue()


def results_csv(results: Iterable[Result]) -> str:
    """Return results as CSV, a row for each line of each; they come with tables and lines."""
    return csv_text(RESULT_FIELDS, (row for result in results for row in _result_rows(result)))


def _result_rows(result: Result) -> Iterator[tuple[Any, ...]]:
    for line in sorted(result.lines.all(), key=lambda ln: ln.seat):
        yield (
            result.table.night.name,
            result.table.number,
            result.game_id,
            result.preset,
            result.unit,
            result.number,
            result.finished_at.isoformat(),
            result.reason,
            result.is_correction,
            result.note,
            line.seat,
            line.player_id,
            line.name,
            line.is_bot,
            line.points,
            None if result.is_correction else line.rank,
        )


def log_json(table: Table) -> JsonObject:
    """Return the log of a finished table: its rules, its seats and every entry."""
    rows = LogEntry.objects.filter(table=table).order_by("seq")
    entries = [
        {
            "seq": line.seq,
            "at": at.isoformat(),
            "events": [reading.event_json(event, line.seq, ONLOOKER) for event in line.events],
        }
        for line, at in zip(
            reading.lines(table.pk, 0, table.seq, table.seq),
            rows.values_list("created_at", flat=True),
            strict=True,
        )
    ]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "table": heads.head_of(table.pk).table,
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
    return dict(exports(table.options, ledger.seat_count(table), names, ledger.entries(table.pk)))


def table_files(table: Table) -> dict[str, str]:
    """Return everything that there is to export of a finished table, by file name."""
    stem = f"table-{table.number}-{table.game_id}"
    found = {f"{stem}.json": json.dumps(log_json(table), ensure_ascii=False, indent=1)}
    for name, text in game_files(table).items():
        found[f"{stem}/{name}"] = text
    return found


def night_zip(night: Night, sheets: dict[str, str]) -> bytes:
    """Return a night as a zip: `sheets` (CSV by name), all results, and each finished table."""
    results = (
        Result.objects.filter(table__night=night)
        .select_related("table__night")
        .prefetch_related("lines")
        .order_by("table__number", "number")
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results.csv", results_csv(results))
        for name, text in sheets.items():
            archive.writestr(name, text)
        for table in night.tables.filter(status=Table.Status.FINISHED).select_related("night"):
            for name, text in table_files(table).items():
                archive.writestr(name, text)
    return out.getvalue()


def file_stem(text: str) -> str:
    """Return a name that every file system takes."""
    return slugify(text)[:60] or "night"
