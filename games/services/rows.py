"""What is asked with every move and every ping, as plain SQL: who may play, entries in, heads on.

The ORM would spend more time on building these statements than the database on them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from games.json_text import to_text
from games.kernel.contract import JsonObject
from games.models import LogEntry, Membership, Night, Seat, Table

_ENTRY = (
    "table_id", "seq", "command_id", "command", "seat", "actor_id", "events", "dice", "created_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A log entry to insert; the fields are those of models.LogEntry."""

    table_id: int
    seq: int
    command_id: str
    command: JsonObject
    seat: int | None
    actor_id: int | None
    events: list[JsonObject]
    dice: list[int]


@dataclass(frozen=True, slots=True)
class HeadRow:
    """What a batch changes of a table. `state` is None where the stored one stays."""

    table_id: int
    seq: int
    dice_drawn: int
    clocks: dict[str, int]
    due_at: datetime | None
    state: JsonObject | None
    rules_version: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a table: `is_in` tells whether its player is in at the table's night.

    `has_accepted`: the rules card is accepted for it.
    """

    table_id: int
    index: int
    player_id: int | None
    bot_level: str
    is_in: bool
    has_accepted: bool


def lock(table_ids: Sequence[int]) -> dict[int, int]:
    """Lock those of the tables that are played, in their order; return their seqs."""
    marks = ", ".join(["%s"] * len(table_ids))
    sql = (
        f"SELECT id, seq FROM {Table._meta.db_table} "  # noqa: S608
        f"WHERE id IN ({marks}) AND status = %s ORDER BY id"
    )
    if connection.features.has_select_for_update:
        sql += " FOR UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*table_ids, Table.Status.PLAYING.value])
        return dict(cursor.fetchall())


def seqs(table_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the last seq of each of some tables, and the version of its night's code."""
    marks = ", ".join(["%s"] * len(table_ids))
    sql = (
        f"SELECT t.id, t.seq, n.code_version FROM {Table._meta.db_table} t "  # noqa: S608
        f"JOIN {Night._meta.db_table} n ON n.id = t.night_id WHERE t.id IN ({marks})"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*table_ids])
        return {table_id: (seq, version) for table_id, seq, version in cursor.fetchall()}


def inside(night_ids: Collection[int], player_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return (night, player) of those of some players who are in at some nights."""
    if not player_ids:
        return set()
    nights = ", ".join(["%s"] * len(night_ids))
    players = ", ".join(["%s"] * len(player_ids))
    sql = (
        f"SELECT night_id, player_id FROM {Membership._meta.db_table} "  # noqa: S608
        f"WHERE status = %s AND night_id IN ({nights}) AND player_id IN ({players})"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [Membership.Status.IN.value, *night_ids, *player_ids])
        return set(cursor.fetchall())


def sitting(table_ids: Sequence[int]) -> list[SeatRow]:
    """Return the seats of some tables, in order."""
    index = connection.ops.quote_name("index")
    marks = ", ".join(["%s"] * len(table_ids))
    sql = (
        f"SELECT s.table_id, s.{index}, s.player_id, s.bot_level, m.id, s.accepted_at "  # noqa: S608
        f"FROM {Seat._meta.db_table} s JOIN {Table._meta.db_table} t ON t.id = s.table_id "
        f"LEFT JOIN {Membership._meta.db_table} m ON m.night_id = t.night_id "
        "AND m.player_id = s.player_id AND m.status = %s "
        f"WHERE s.table_id IN ({marks}) ORDER BY s.table_id, s.{index}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [Membership.Status.IN.value, *table_ids])
        return [
            SeatRow(table_id, seat, player_id, level, member is not None, accepted is not None)
            for table_id, seat, player_id, level, member, accepted in cursor.fetchall()
        ]


def insert(entries: Sequence[EntryRow], now: datetime) -> None:
    """Insert log entries; raises IntegrityError when a seq or a command id is there already."""
    columns = ", ".join(_ENTRY)
    marks = ", ".join(["%s"] * len(_ENTRY))
    # Names of the schema's own, no input.
    sql = f"INSERT INTO {LogEntry._meta.db_table} ({columns}) VALUES ({marks})"  # noqa: S608
    at = _moment(now)
    with connection.cursor() as cursor:
        cursor.executemany(sql, [_values(entry, at) for entry in entries])


def _values(entry: EntryRow, at: Any) -> tuple[Any, ...]:
    return (
        entry.table_id,
        entry.seq,
        entry.command_id,
        to_text(entry.command),
        entry.seat,
        entry.actor_id,
        to_text(entry.events),
        to_text(entry.dice),
        at,
    )


def move_on(heads: Sequence[HeadRow]) -> None:
    """Write the new heads of some tables."""
    plain = [_moved(head) for head in heads if head.state is None]
    whole = [
        (*_moved(head)[:-1], to_text(head.state), head.seq, head.rules_version, head.table_id)
        for head in heads
        if head.state is not None
    ]
    moved = "seq = %s, dice_drawn = %s, clocks = %s, due_at = %s"
    kept = "state = %s, state_seq = %s, rules_version = %s"
    with connection.cursor() as cursor:
        for sets, rows in ((moved, plain), (f"{moved}, {kept}", whole)):
            if rows:
                sql = f"UPDATE {Table._meta.db_table} SET {sets} WHERE id = %s"  # noqa: S608
                cursor.executemany(sql, rows)


def _moved(head: HeadRow) -> tuple[Any, ...]:
    due = None if head.due_at is None else _moment(head.due_at)
    return (head.seq, head.dice_drawn, to_text(head.clocks), due, head.table_id)


def _moment(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)
