"""A backup of one kind of database in the other kind's house: SQLite to PostgreSQL and back.

The new database is brought to the migrations that the backup has, its rows are replaced by the backup's, each is read
again and compared, and the counters of its ids go on where the backup's were. Then the restore goes on as for a backup
of the house's own kind: migrations of this version, `check_logs`. Rows pass through models as they were at those
migrations, so that nothing that today's models do to a value happens twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Protocol, TypeAlias

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from games.ops import schema_version
from games.ops.schema_version import Migration

Row: TypeAlias = tuple[Any, ...]
Model: TypeAlias = type[models.Model]
BATCH = 500


class BackupSource(Protocol):
    """The database of a backup."""

    def applied(self) -> set[Migration]:
        """Return app and name of its migrations."""

    def rows(self, model: Model) -> Iterator[Row]:
        """Yield the rows of a model's table, each with the values of the concrete fields in their order."""

    def counters(self) -> Mapping[str, int]:
        """Return the last id that was given, by table."""


@dataclass(frozen=True, slots=True)
class TableProof:
    """One table that is the same in both databases: its rows, and the digest of all of them."""

    table: str
    rows: int
    digest: str


def fill(source: BackupSource) -> list[TableProof]:
    """Fill the connected, empty database from a backup of another kind; return the proof of each table.

    Raises CommandError.
    """
    applied = source.applied()
    executor = _executor(applied)
    targets = _targets(executor, applied)
    state = executor.migrate(targets)
    found = [
        model for model in state.apps.get_models(include_auto_created=True) if model._meta.managed and _is_own(model)
    ]
    try:
        with transaction.atomic():
            for model in found:
                model._base_manager.all()._raw_delete(connection.alias)
            for model in found:
                _copy(source, model)
            _set_counters(found, source.counters())
    except (DatabaseError, ValidationError, ValueError, TypeError, RecursionError) as error:
        raise CommandError(f"The backup does not fit into this database: {' '.join(str(error).split())}") from error
    return [_compared(source, model) for model in found]


def _is_own(model: Model) -> bool:
    return not model._meta.proxy and not model._meta.swapped


def _executor(applied: set[Migration]) -> MigrationExecutor:
    """Return an executor for a backup's migrations: by single steps where it has a part of a replacing one."""
    executor = MigrationExecutor(connection)
    replaced = {each for node in executor.loader.replacements.values() for each in node.replaces}
    if applied & replaced and not replaced <= applied:
        executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor


def _targets(executor: MigrationExecutor, applied: set[Migration]) -> list[Migration]:
    """Return the last migrations of each app; raises CommandError for those of a later version."""
    loader = executor.loader
    if unknown := schema_version.of_later_versions(applied, loader.disk_migrations):
        raise CommandError(f"The backup is of a newer version of the house: {', '.join(unknown)}. Nothing was changed.")
    # A house has the step that stands for several if it has all of these, whatever is recorded of the step itself.
    whole = {key for key, node in loader.replacements.items() if set(node.replaces) <= applied}
    here = (applied - set(loader.replacements) | whole) & set(loader.graph.nodes)
    nodes = [loader.graph.node_map[key] for key in here]
    parents = {parent.key for node in nodes for parent in node.parents if parent.key[0] == node.key[0]}
    return sorted(here - parents)


def _fields(model: Model) -> Sequence[Any]:
    return model._meta.concrete_fields


def _batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


def _copy(source: BackupSource, model: Model) -> None:
    """Insert the rows of a table as they are; raises DatabaseError."""
    fields = _fields(model)
    names = [field.attname for field in fields]
    size = max(1, connection.ops.bulk_batch_size(fields, range(BATCH)))
    for batch in _batches(source.rows(model), min(size, BATCH)):
        made = [model(**dict(zip(names, row, strict=True))) for row in batch]
        # What `bulk_create` calls, but raw: no field puts a value of its own, such as the time of now.
        insert: Any = model._base_manager.all()._insert  # type: ignore[attr-defined]
        insert(made, fields=fields, using=connection.alias, raw=True)


def _compared(source: BackupSource, model: Model) -> TableProof:
    """Compare all rows of a table in both databases, one by one; raises CommandError for the first difference."""
    table, at = model._meta.db_table, _key_at(model)
    theirs = {row[at]: digest(row) for row in source.rows(model)}
    whole, count = hashlib.sha256(), 0
    for row in house_rows(model, connection.alias):
        found = digest(row)
        if theirs.pop(row[at], None) != found:
            raise _differs(table, row[at])
        whole.update(found)
        count += 1
    if theirs:
        raise _differs(table, next(iter(theirs)))
    return TableProof(table, count, whole.hexdigest())


def _differs(table: str, key: object) -> CommandError:
    return CommandError(f"Row {key} of {table} is not the same in both databases. Nothing was changed.")


def _key_at(model: Model) -> int:
    """Return the place of the primary key among the fields."""
    return next(index for index, field in enumerate(_fields(model)) if field.primary_key)


def digest(row: Row) -> bytes:
    """Return the digest of a row, the same for the same values whatever database they come from."""
    return hashlib.sha256(json.dumps([_plain(value) for value in row], sort_keys=True).encode()).digest()


def _plain(value: Any) -> Any:
    """Return a value in one form: PostgreSQL gives whole numbers in JSON back without their ".0"."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def house_rows(model: Model, alias: str) -> Iterator[Row]:
    """Yield the rows of a table by Django, in the order of their keys."""
    names = [field.attname for field in _fields(model)]
    rows = model._base_manager.using(alias).order_by("pk")
    yield from rows.values_list(*names).iterator(chunk_size=BATCH)


# The counters of ids


def _set_counters(found: Sequence[Model], counters: Mapping[str, int]) -> None:
    """Let new ids begin after the last one that the backup's database gave, and after the highest one."""
    put: Callable[[str, str, int], None] = _put_sequence if connection.vendor == "postgresql" else _put_autoincrement
    for model in found:
        key: Any = model._meta.pk
        if isinstance(key, models.AutoField | models.BigAutoField):
            highest = model._base_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
            if last := max(highest, counters.get(model._meta.db_table, 0)):
                put(model._meta.db_table, str(key.column), last)


def _put_sequence(table: str, column: str, last: int) -> None:
    with connection.cursor() as cursor:
        quoted = connection.ops.quote_name(table)
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [quoted, column, last])


def _put_autoincrement(table: str, _column: str, last: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
