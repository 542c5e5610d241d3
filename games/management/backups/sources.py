"""The database of a backup as rows: an SQLite file, and a dump of PostgreSQL, of which no SQL is carried out."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections, models

from games.management.backups import postgres
from games.management.backups.transfer import Model, Row, house_rows
from games.ops.schema_version import Migration

_ALIAS = "backup"


class SqliteFile:
    """An SQLite database, read by Django under an alias of its own."""

    def applied(self) -> set[Migration]:
        """Return app and name of its migrations."""
        with connections[_ALIAS].cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            return {(app, name) for app, name in cursor.fetchall()}

    def rows(self, model: Model) -> Iterator[Row]:
        """Yield the rows of a model's table."""
        return house_rows(model, _ALIAS)

    def counters(self) -> Mapping[str, int]:
        """Return the last id that was given, by table."""
        with connections[_ALIAS].cursor() as cursor:
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            return dict(cursor.fetchall())


@contextmanager
def sqlite_file(path: Path) -> Iterator[SqliteFile]:
    """Open an SQLite database beside the house's own."""
    config = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}
    made = connections.configure_settings({"default": config})["default"]
    connections.settings[_ALIAS] = made
    try:
        yield SqliteFile()
    finally:
        connections[_ALIAS].close()
        del connections[_ALIAS]
        del connections.settings[_ALIAS]


# A dump of PostgreSQL

_COPY = re.compile(r"COPY \S+ \((.*)\) FROM stdin;\n")
_SET = re.compile(r"SELECT pg_catalog\.setval\('(?:[^'.]+\.)?\"?([^'\"]+)\"?', (\d+), (true|false)\);")
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Dump:
    """A dump in PostgreSQL's custom format: `pg_restore` writes its data as text, without a server."""

    def __init__(self, path: Path) -> None:
        self.path, self.schema = path, postgres.schema_of(path)

    def applied(self) -> set[Migration]:
        """Return app and name of its migrations."""
        return {(str(row["app"]), str(row["name"])) for row in self._texts("django_migrations")}

    def rows(self, model: Model) -> Iterator[Row]:
        """Yield the rows of a model's table."""
        fields = model._meta.concrete_fields
        for texts in self._texts(model._meta.db_table):
            yield tuple(read(field, texts[str(field.column)]) for field in fields)

    def counters(self) -> Mapping[str, int]:
        """Return the last id that was given, by table."""
        found = {}
        for name, last, is_called in _SET.findall(self._sequences()):
            table = re.sub(r"_[^_]+_seq$", "", name)
            found[table] = int(last) if is_called == "true" else 0
        return found

    def _sequences(self) -> str:
        """Return the statements that set sequences."""
        entries = postgres.run_tool("pg_restore", "--list", str(self.path)).splitlines()
        chosen = [entry for entry in entries if " SEQUENCE SET " in entry]
        with tempfile.TemporaryDirectory() as folder:
            wanted = Path(folder) / "wanted.list"
            wanted.write_text("\n".join(chosen), encoding="utf-8")
            return postgres.run_tool("pg_restore", f"--use-list={wanted}", "--file=-", str(self.path))

    def _texts(self, table: str) -> Iterator[dict[str, str | None]]:
        """Yield the rows of a table as PostgreSQL's texts by column; None is NULL. Raises CommandError."""
        only = ["--data-only", f"--schema={self.schema}", f"--table={table}", "--file=-"]
        columns: list[str] | None = None
        for line in postgres.lines_of("pg_restore", *only, str(self.path)):
            if columns is None:
                if found := _COPY.fullmatch(line):
                    columns = [name.strip().strip('"') for name in found[1].split(",")]
            elif line == "\\.\n":
                columns = None
            else:
                values = line.removesuffix("\n").split("\t")
                yield dict(zip(columns, map(_unescaped, values), strict=True))


def _unescaped(text: str) -> str | None:
    """Return a value of COPY's text format; None for NULL."""
    if text == r"\N":
        return None
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)


def read(field: Any, text: str | None) -> Any:
    """Return a field's value of PostgreSQL's text."""
    if text is None:
        return None
    if isinstance(field, models.JSONField):
        return json.loads(text)
    if isinstance(field, models.BinaryField):
        return bytes.fromhex(text.removeprefix("\\x"))
    return field.to_python(text)
