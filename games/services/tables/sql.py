"""Plain SQL for each move and each ping: rights, new entries, updated tables.

The ORM would take longer to build these statements than the database takes to run them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from games import plugin
from games.json_text import to_text
from games.models import LogEntry, Membership, Night, Seat, Table
from games.services.dice import dice_chains
from games.services.seats.seats import SeatRow
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot

_ENTRY = (
    "table_id", "seq", "command_id", "command", "seat", "actor_id", "events", "dice", "throw", "created_at",
)  # fmt: skip


def keep_few_pages() -> None:
    """Let this thread's connection to SQLite keep 512 kB of pages in place of 2 MB; for threads that mostly read.

    What another connection has written makes it forget them all, so at play they serve one visit alone.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -512")


def lock(table_ids: Collection[int]) -> dict[int, tuple[int, str]]:
    """Lock tables, always in the order of their ids; return the seq and the status of each."""
    marks = ", ".join(["%s"] * len(table_ids))
    sql = f"SELECT id, seq, status FROM {Table._meta.db_table} WHERE id IN ({marks}) ORDER BY id"  # noqa: S608
    if connection.features.has_select_for_update:
        sql += " FOR UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*table_ids])
        return {table_id: (seq, status) for table_id, seq, status in cursor.fetchall()}


def seqs(table_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the last seq of each table, and the version of its night's room code."""
    marks = ", ".join(["%s"] * len(table_ids))
    sql = (
        f"SELECT t.id, t.seq, n.code_version FROM {Table._meta.db_table} t "  # noqa: S608
        f"JOIN {Night._meta.db_table} n ON n.id = t.night_id WHERE t.id IN ({marks})"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*table_ids])
        return {table_id: (seq, version) for table_id, seq, version in cursor.fetchall()}


def members(night_ids: Collection[int], player_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs (night, player) for the given players that are in at the given nights."""
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


def seats(table_ids: Collection[int]) -> dict[int, dict[int, SeatRow]]:
    """Return the seats of tables: table → index → seat, in order."""
    index = connection.ops.quote_name("index")
    marks = ", ".join(["%s"] * len(table_ids))
    sql = (
        f"SELECT s.table_id, s.{index}, s.player_id, s.name, s.bot_level, s.accepted_at, "  # noqa: S608
        "m.id, m.keeper_id, s.accepted_by_id "
        f"FROM {Seat._meta.db_table} s JOIN {Table._meta.db_table} t ON t.id = s.table_id "
        f"LEFT JOIN {Membership._meta.db_table} m ON m.night_id = t.night_id "
        "AND m.player_id = s.player_id AND m.status = %s "
        f"WHERE s.table_id IN ({marks}) ORDER BY s.table_id, s.{index}"
    )
    found: dict[int, dict[int, SeatRow]] = {table_id: {} for table_id in table_ids}
    with connection.cursor() as cursor:
        cursor.execute(sql, [Membership.Status.IN.value, *table_ids])
        for table_id, seat, player_id, name, level, accepted_at, member, keeper_id, by in cursor.fetchall():
            is_in = member is not None
            found[table_id][seat] = SeatRow(seat, player_id, name, level, accepted_at, is_in, keeper_id, by)
    return found


def insert(entries: Sequence[tuple[int, LoggedEntry]], now: datetime) -> None:
    """Insert log entries (table, entry); raises IntegrityError when a seq or a command id is there already."""
    columns = ", ".join(_ENTRY)
    marks = ", ".join(["%s"] * len(_ENTRY))
    # Only names of the schema, no input.
    sql = f"INSERT INTO {LogEntry._meta.db_table} ({columns}) VALUES ({marks})"  # noqa: S608
    at = moment(now)
    with connection.cursor() as cursor:
        cursor.executemany(sql, [_values(table_id, entry, at) for table_id, entry in entries])


def _values(table_id: int, entry: LoggedEntry, at: Any) -> tuple[Any, ...]:
    return (
        table_id,
        entry.seq,
        entry.command_id,
        to_text(entry.command),
        entry.seat,
        entry.actor_id,
        to_text([event.to_json() for event in entry.events]),
        to_text(list(entry.dice)),
        None if entry.throw is None else to_text(entry.throw),
        at,
    )


def update_tables(snapshots: Collection[TableSnapshot]) -> None:
    """Write tables at their last entry, with status and state if the state is that of the last entry."""
    moved = "seq = %s, dice_drawn = %s, clocks = %s, due_at = %s, chains = %s"
    kept = "state = %s, state_seq = %s, rules_version = %s, status = %s"
    plain = [(*_moved(each), each.table_id) for each in snapshots if each.state_seq != each.seq]
    whole = [(*_moved(each), *_kept(each), each.table_id) for each in snapshots if each.state_seq == each.seq]
    with connection.cursor() as cursor:
        for sets, rows in ((moved, plain), (f"{moved}, {kept}", whole)):
            if rows:
                sql = f"UPDATE {Table._meta.db_table} SET {sets} WHERE id = %s"  # noqa: S608
                cursor.executemany(sql, rows)


def _moved(snapshot: TableSnapshot) -> tuple[Any, ...]:
    due = None if snapshot.due_at is None else moment(snapshot.due_at)
    chains = None if snapshot.chains is None else to_text(dice_chains.dump(snapshot.chains))
    return (snapshot.seq, snapshot.dice_drawn, to_text(snapshot.clocks), due, chains)


def _kept(snapshot: TableSnapshot) -> tuple[Any, ...]:
    rules = plugin.game(snapshot.game_id).rules
    return (to_text(rules.dump(snapshot.state)), snapshot.seq, rules.version, snapshot.status)


def seat_down(changed: Sequence[tuple[int, SeatRow]], new: Sequence[tuple[int, SeatRow]]) -> None:
    """Write changed and new seats (table, seat); emptied seats first, because no player may have two."""
    index = connection.ops.quote_name("index")
    columns = ("player_id", "name", "bot_level", "accepted_at", "accepted_by_id")
    sets = ", ".join(f"{column} = %s" for column in columns)
    changes = f"UPDATE {Seat._meta.db_table} SET {sets} WHERE table_id = %s AND {index} = %s"  # noqa: S608
    names = ", ".join((*columns, "table_id", index, "nonce"))
    inserts = f"INSERT INTO {Seat._meta.db_table} ({names}) VALUES (%s, %s, %s, %s, %s, %s, %s, '')"  # noqa: S608
    ordered = sorted(changed, key=lambda each: each[1].player_id is not None)
    with connection.cursor() as cursor:
        for sql, rows in ((changes, ordered), (inserts, new)):
            if rows:
                cursor.executemany(sql, [_seated(table_id, each) for table_id, each in rows])


def _seated(table_id: int, seat: SeatRow) -> tuple[Any, ...]:
    return (seat.player_id, seat.name, seat.bot_level, seat.accepted_at, seat.accepted_by, table_id, seat.index)


def moment(at: datetime) -> Any:
    """Return a time in the form in which the database takes it and returns it."""
    return connection.ops.adapt_datetimefield_value(at)


@dataclass(frozen=True, slots=True)
class Claim:
    """A process's claim to act at tables, made at `now` (the house's time) until `until`."""

    process: str
    now: datetime
    until: datetime

    @property
    def latest(self) -> datetime:
        """The latest believable end of a claim: a later one is ignored, because no claim lasts that long."""
        return self.until + (self.until - self.now)


def claim(table_ids: Collection[int], by: Claim) -> set[int]:
    """Claim the free ones of the given tables; return their ids. Tables locked at the moment are skipped."""
    marks = ", ".join(["%s"] * len(table_ids))
    free = (
        f"SELECT id FROM {Table._meta.db_table} WHERE id IN ({marks}) "  # noqa: S608
        "AND (claimed_by = %s OR claimed_until IS NULL OR claimed_until <= %s OR claimed_until > %s)"
    )
    if connection.features.has_select_for_update_skip_locked:
        free += " ORDER BY id FOR UPDATE SKIP LOCKED"
    sets = "claimed_by = %s, claimed_until = %s"
    sql = f"UPDATE {Table._meta.db_table} SET {sets} WHERE id IN ({free}) RETURNING id"  # noqa: S608
    values = [by.process, moment(by.until), *table_ids, by.process, moment(by.now), moment(by.latest)]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return {table_id for (table_id,) in cursor.fetchall()}
