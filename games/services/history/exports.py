"""Exports: results and score sheets as CSV, logs as JSON, a game's own formats, a night as a zip.

Exported logs hold only what a spectator may read: a team's private events never leave the server with them.
Files that grow with a night are made piece by piece while they are sent, so that memory use does not
grow with them.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from games import plugin
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.kernel.dice import dice_check
from games.models import LogEntry, Night, Player, ResultLine, Table
from games.models.house import zone
from games.services.grades import visibility
from games.services.grades.visibility import Viewer
from games.services.history import score_sheets
from games.services.logs import event_texts, log_views
from games.services.rolls import roll_files, roll_levels
from games.services.seats.sittings import ONLOOKER
from games.services.tables import log
from games.services.tables.snapshot import NO_SEATS

FORMAT = "stammtisch-log"
FORMAT_VERSION = 1
ROWS_A_PIECE = 500
RESULT_FIELDS = (
    *("night", "table", "game", "preset", "unit", "number", "finished_at", "reason"),
    *("correction", "note", "seat", "player", "name", "bot", "points", "rank", "medium", "consent"),
    "without_house",
)
_COLUMNS = (
    *("result__table__night__name", "result__table__number", "result__game_id", "result__preset", "result__unit"),
    *("result__number", "result__finished_at", "result__reason", "result__is_correction", "result__note"),
    *("seat", "player_id", "name", "is_bot", "points", "rank", "result__medium", "consent"),
    "result__is_without_house",
)
_FINISHED_AT, _IS_CORRECTION, _RANK = (RESULT_FIELDS.index(name) for name in ("finished_at", "correction", "rank"))
_PLAYER, _NAME, _CONSENT = (RESULT_FIELDS.index(name) for name in ("player", "name", "consent"))
# A spreadsheet reads a cell that begins with one of these characters as a formula, or cuts it there. If it
# splits cells at another character than the comma, as German ones do at semicolons, the text after that
# character begins a cell, too; quotes and spaces before the formula are ignored.
_FORMULA = re.compile(r"(^|[;,|\t\r\n])(?=[\s\"]*[=+\-@\t\r\n|%＝＋－＠])")


def cell(value: Any) -> Any:
    """Return a value as a CSV cell: numbers unchanged, text so that it is never a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return int(value) if isinstance(value, bool) else value
    return _FORMULA.sub(r"\1'", str(value).replace("\x00", ""))


def csv_parts(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield a CSV file (RFC 4180) in pieces of ROWS_A_PIECE rows; its byte order mark tells spreadsheets of UTF-8."""
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
    """Yield the results of a night as CSV, one row for each line of a result."""
    return csv_parts(RESULT_FIELDS, _result_rows(night))


def _result_rows(night: Night) -> Iterator[list[Any]]:
    """Yield the rows of all results as plain values; model objects would take ten times as long."""
    for ids in score_sheets.chunks(score_sheets.night_results(night), "table__number", "number"):
        lines = ResultLine.objects.filter(result__in=ids)
        ordered = lines.order_by("result__table__number", "result__number", "result_id", "seat")
        for values in ordered.values_list(*_COLUMNS):
            row = list(values)
            row[_FINISHED_AT] = row[_FINISHED_AT].isoformat()
            if row[_IS_CORRECTION]:
                row[_RANK] = None
            if row[_CONSENT] != ResultLine.Consent.GIVEN:
                row[_PLAYER], row[_NAME] = None, ""
            yield row


def night_rolls_csv(night: Night) -> Iterator[str]:
    """Yield the roll file of a night, including tables in play."""
    return csv_parts(roll_files.FIELDS, roll_files.file_rows(roll_files.tables_of_night(night)))


def night_levels_csv(night: Night) -> Iterator[str]:
    """Yield the numbers of rolls of a night by level, one row for each thrower at each table."""
    return csv_parts(roll_levels.FIELDS, roll_levels.file_rows(roll_files.tables_of_night(night)))


def sheet_csv(night: Night, sheet: score_sheets.Sheet) -> Iterator[str]:
    """Yield a score sheet as CSV: one row per game, one column per person."""
    head = ["game", "finished_at", *(person.name for person in sheet.people)]
    return csv_parts(head, _sheet_rows(night, sheet))


def _sheet_rows(night: Night, sheet: score_sheets.Sheet) -> Iterator[list[object]]:
    for row in score_sheets.each_game(night, sheet):
        named = row.result.note if row.result.is_correction else row.result.preset
        points = (line.points if line else None for line in row.lines)
        yield [named, row.result.finished_at.isoformat(), *points]
    yield ["total", "", *sheet.totals]


def log_json(table: Table) -> JsonObject:
    """Return the log of a finished table: its rules, its seats and every entry, in words too."""
    shown = log_views.snapshot(table.pk).table
    entries = [
        {
            "seq": row.seq,
            "at": row.created_at.isoformat(),
            "events": _told(table, row, event_texts.names_at((shown or NO_SEATS)["seats"], row.seq)),
            **({} if row.throw is None else {"throw": row.throw}),
        }
        for row in log.rows(table.pk, upto=table.seq)
    ]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "table": shown,
        "preset": table.preset,
        "options": table.options,
        "entries": entries,
    }


def _told(table: Table, row: LogEntry, names: Mapping[Seat, str]) -> list[JsonObject]:
    """Return an entry's events for a spectator, with what they say in the reader's language."""
    events = [log_views.event_json(Event.from_json(event), row.seq, ONLOOKER) for event in row.events]
    told: list[JsonObject] = event_texts.with_texts(table.game_id, table.options, {"events": events}, names)["events"]
    return told


def game_files(table: Table, by: Viewer | None = None) -> dict[str, str]:
    """Return a finished table in the formats of its game, by file name; {} if it has none.

    The grades that a viewer sees stand in them.
    """
    exports = plugin.game(table.game_id).exports
    if exports is None or not table.seq:
        return {}
    names = [seat.name for seat in table.seats.order_by("index")]
    grades = [row for seen in visibility.games(table, by) for row in seen.rows] if by is not None else []
    return dict(exports(table.options, log.seat_count(table), names, log.entries(table.pk), grades))


def table_files(table: Table) -> dict[str, str]:
    """Return all files to export of a finished table, by file name."""
    found = {_table_file_name(table, LOG): json.dumps(log_json(table), ensure_ascii=False, indent=1)}
    for name, text in game_files(table).items():
        found[_table_file_name(table, name)] = text
    return found


def _table_file_name(table: Table, name: str) -> str:
    """Return the name under which a table's file is saved: night, day, table, game and kind of file."""
    game = file_stem(str(plugin.game(table.game_id).verbose_name))
    return _night_file_name(table.night, f"table-{table.number}-{game}-{name}")


def _night_file_name(night: Night, name: str) -> str:
    """Return the name under which a night's file is saved: night, day and kind of file."""
    return f"{file_stem(night.name)}-{night.day.isoformat()}-{name}"


class _Tap(io.RawIOBase):
    """A write-only file whose content can be taken out while it is being written."""

    def __init__(self) -> None:
        super().__init__()
        self._taken: list[bytes] = []

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Store bytes."""
        self._taken.append(bytes(data))
        return len(data)

    def drawn(self) -> bytes:
        """Return the bytes written since the last call."""
        found = b"".join(self._taken)
        self._taken.clear()
        return found


def night_zip(night: Night, sheets: Mapping[str, Iterable[str]], readme: str) -> Iterator[bytes]:
    """Yield a night as a zip: results, `sheets` (CSV by name), rolls and the program to check them, finished tables."""
    tap = _Tap()
    of_dice: dict[str, Iterable[str]] = {ROLLS: night_rolls_csv(night), LEVELS: night_levels_csv(night)}
    of_dice |= {CHECK: [inspect.getsource(dice_check)], README: [readme]}
    with zipfile.ZipFile(tap, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in {RESULTS: results_csv(night), **sheets, **of_dice}.items():
            yield from _packed(archive, tap, _night_file_name(night, name), parts)
        tables = night.tables.filter(status=Table.Status.FINISHED, seq__gt=0, game_id__in=plugin.all_games())
        for table_id in tables.values_list("pk", flat=True):
            table = Table.objects.select_related("night").get(pk=table_id)
            for name, text in table_files(table).items():
                yield from _packed(archive, tap, name, [text])
    yield tap.drawn()


def _packed(archive: zipfile.ZipFile, tap: _Tap, name: str, parts: Iterable[str]) -> Iterator[bytes]:
    """Yield the bytes of a file in a zip while it is written."""
    info = zipfile.ZipInfo(name, datetime.now(zone()).timetuple()[:6])
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    with archive.open(info, "w") as file:
        for part in parts:
            file.write(part.encode())
            yield tap.drawn()
    yield tap.drawn()


def file_stem(text: str) -> str:
    """Return a file name that is valid on every file system."""
    return slugify(text.replace("ß", "ss"))[:60].strip("-_") or "night"


CSV, ZIP = "text/csv; charset=utf-8", "application/zip"
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
RESULTS, EVERYTHING, LOG, GRADES = "results.csv", "night.zip", "log.json", "grades.csv"
ROLLS, LEVELS, CHECK, README = "rolls.csv", "levels.csv", "dice_check.py", "README.txt"


@dataclass(frozen=True, slots=True)
class File:
    """A file: its content in pieces, its media type and the name to save it under."""

    parts: Iterable[str | bytes]
    kind: str
    save_as: str


NightFiles = Callable[[Night], Mapping[str, Iterable[str]]]
_further: list[NightFiles] = []
"""Additions of later rooms to a night's files: CSV by file name."""


def add_files(of_night: NightFiles) -> None:
    """Let a later room add files to those of each night."""
    if of_night not in _further:
        _further.append(of_night)


def _further_files(night: Night) -> dict[str, Iterable[str]]:
    return {name: parts for each in _further for name, parts in each(night).items()}


def night_names(night: Night) -> list[str]:
    """Return the names of a night's files."""
    sheets = (_sheet_name(game_id, unit) for game_id, unit, _ in score_sheets.kinds(night))
    return [RESULTS, ROLLS, LEVELS, EVERYTHING, *sheets, *_further_files(night)]


def _sheet_name(game_id: str, unit: str) -> str:
    return f"sheet-{game_id}-{unit}.csv"


def _sheets(night: Night) -> dict[str, Iterable[str]]:
    """Return the night's score sheets and tournaments as CSV by file name."""
    found = score_sheets.sheets(night)
    sheets = {_sheet_name(sheet.game_id, sheet.unit): sheet_csv(night, sheet) for sheet in found}
    return {**sheets, **_further_files(night)}


def night_file(night: Night, name: str) -> File:
    """Return a night's file; raises Illegal `no_such_file`."""
    save_as = _night_file_name(night, name)
    if name == RESULTS:
        return File(results_csv(night), CSV, save_as)
    if name == ROLLS:
        return File(night_rolls_csv(night), CSV, save_as)
    if name == LEVELS:
        return File(night_levels_csv(night), CSV, save_as)
    sheets = _sheets(night)
    if name == EVERYTHING:
        return File(night_zip(night, sheets, _readme()), ZIP, save_as)
    if name not in sheets:
        raise Illegal("no_such_file")
    return File(sheets[name], CSV, save_as)


def _readme() -> str:
    """Return the zip's README in the reader's language."""
    paragraphs = (
        _("Every row of the roll file is a throw: when, at which table, by whom, what for, and the faces."),
        _("levels.csv counts each thrower's rolls by whose phones had a part: A, B, B2, C as at the table's dice."),
        _("To throw all dice again, with Python and nothing else:"),
        "    python *dice_check.py *rolls.csv",
        _(
            "It checks that each link in a proof, the house's and those of phones, leads to the one told before it, "
            "and computes the dice from them. Where a table has a sealed number instead, that is shown when the table "
            "has ended. The program is short: read it before you trust it. The page of the dice does the same in a "
            "browser, without the network."
        ),
    )
    return "\n\n".join(map(str, paragraphs)) + "\n"


def table_names(table: Table, by: Viewer | None = None) -> list[str]:
    """Return the names of a table's files: only rolls and grades before it is finished, none before its start.

    Grades are among them where a viewer sees any. There are none while the table's game is not installed.
    """
    if table.is_past or not plugin.is_installed(table.game_id):
        return []
    grades = [GRADES] if by is not None and visibility.games(table, by) else []
    if table.status == Table.Status.FINISHED:
        return [LOG, *game_files(table), *([ROLLS] if table.seq else []), *grades]
    return [ROLLS, *grades] if table.seq else []


def player_rolls(player: Player) -> File:
    """Return the roll file of a player's rolls at finished tables."""
    rows = roll_files.file_rows(roll_files.tables_of_player(player), of=player)
    return File(csv_parts(roll_files.FIELDS, rows), CSV, f"{file_stem(player.nickname)}-{ROLLS}")


def house_rolls() -> File:
    """Return the roll file of all finished tables of the house."""
    return File(csv_parts(roll_files.FIELDS, roll_files.file_rows(roll_files.tables_of_house())), CSV, f"house-{ROLLS}")


def table_file(table: Table, name: str, by: Viewer | None = None) -> File:
    """Return a table's file, of grades those that a viewer sees; raises Illegal `not_finished`, `no_such_file`.

    Before the end only rolls and grades exist.
    """
    if name == GRADES:
        return _grades_file(table, by)
    if name == ROLLS and table.seq:
        rows = roll_files.file_rows([table])
        return File(csv_parts(roll_files.FIELDS, rows), CSV, _table_file_name(table, ROLLS))
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    if table.is_past:
        raise Illegal("no_such_file")
    if name == LOG:
        text = json.dumps(log_json(table), ensure_ascii=False)
        return File([text], JSON, _table_file_name(table, LOG))
    text = game_files(table, by).get(name, "")
    if not text:
        raise Illegal("no_such_file")
    return File([text], TEXT, _table_file_name(table, name))


def _grades_file(table: Table, by: Viewer | None) -> File:
    """Return the grades that a viewer sees as CSV: a row for each choice, with the engine's name and level."""
    games = visibility.games(table, by) if by is not None else []
    if not games:
        raise Illegal("no_such_file")
    fields = list(games[0].rows[0])
    rows = [
        [
            *(seen.result.number, seen.line(row["seat"]).name, *(_flat(row.get(name)) for name in fields)),
            *(seen.grades.engine, seen.grades.level, seen.grades.is_deep, seen.grades.formula),
        ]
        for seen in games
        for row in seen.rows
    ]
    parts = csv_parts(["game", "name", *fields, "engine", "level", "is_deep", "formula"], rows)
    return File(parts, CSV, _table_file_name(table, GRADES))


def _flat(value: Any) -> Any:
    """Return a value of a grade for one cell: lists and objects as JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value
