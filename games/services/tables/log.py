"""The log of a table: its entries, and the snapshot that they lead to.

Nothing here writes: entries are written by commit.py alone. Snapshots are cached per process
(cache.py) and brought up to date from the log whenever they do not fit the table's row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.kernel.dice import FairDice
from games.models import LogEntry, Table
from games.services.tables import cache, sittings, snapshot
from games.services.tables.snapshot import TableSnapshot


@dataclass(frozen=True, slots=True)
class LoggedEntry(replay.Entry):
    """An entry with what the log says of its command; the fields are those of models.LogEntry."""

    command_id: str = ""
    actor_id: int | None = None
    seat: Seat | None = None
    command: JsonObject = field(default_factory=dict)
    dice: tuple[int, ...] = ()

    @property
    def own_id(self) -> str:
        """The command's id as its sender knows it."""
        return self.command_id.split(":", 1)[-1]

    @property
    def is_meta(self) -> bool:
        """Tell whether seats, names or status may have changed."""
        return any(map(replay.is_house, self.events))


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted command. `repeated`: it had been accepted before."""

    entry: LoggedEntry
    repeated: bool = False

    @property
    def seq(self) -> int:
        """The number of the command's entry."""
        return self.entry.seq

    @property
    def events(self) -> tuple[Event, ...]:
        """What the command led to."""
        return self.entry.events


def lock(table_id: int) -> Table:
    """Return the table with its row locked; call inside a transaction.

    Raises Illegal `no_such_table`.
    """
    table = Table.objects.select_for_update(of=("self",)).filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    return table


def accepted(ids: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Receipt]:
    """Return the receipts of those commands (table, command id) that were accepted before."""
    wanted = set(ids)
    if not wanted:
        return {}
    tables, names = ({each[i] for each in wanted} for i in (0, 1))
    rows = LogEntry.objects.filter(table_id__in=tables, command_id__in=names)
    found = {(table_id, row[2]): row for table_id, *row in rows.values_list("table_id", *_FIELDS)}
    return {id_: Receipt(_logged(*row), repeated=True) for id_, row in found.items() if id_ in wanted}


_FIELDS = ("seq", "events", "command_id", "actor_id", "seat", "command", "dice")


def _logged(seq: int, events: list[JsonObject], command_id: str, *more: Any) -> LoggedEntry:
    actor_id, seat, command, dice = more
    return LoggedEntry(seq, tuple(map(Event.from_json, events)), command_id, actor_id, seat, command, tuple(dice))


def entries(table_id: int, upto: int | None = None, after: int = 0, limit: int | None = None) -> list[LoggedEntry]:
    """Return at most `limit` entries of a table with after < seq <= upto, oldest first."""
    rows = LogEntry.objects.filter(table_id=table_id, seq__gt=after).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return [_logged(*row) for row in rows.values_list(*_FIELDS)[:limit]]


def seat_count(table: Table) -> int:
    """Return how many seats the game was opened with."""
    first = LogEntry.objects.values_list("events", flat=True).get(table=table, seq=1)
    return len(first[0]["data"]["seats"])


def state_of(table: Table) -> Any:
    """Return the game's state after the table's last entry."""
    return snapshot_of(table).state


def snapshot_of(table: Table, old: TableSnapshot | None = None) -> TableSnapshot:
    """Return the snapshot of a table's row, from what is cached (`old`), stored, or from the log.

    The stored state counts if it was dumped by these rules; the entries that it has not seen come
    from the log. What a transaction has read may be its own, and rolled back: it is kept after the
    commit only. A row in memory that is ahead of the log is what a rolled back transaction left:
    not kept.
    """
    if table.seq == 0:
        return snapshot.snapshot_of_row(table, None, None, ())
    found = old or cache.get(table.pk)
    if found is not None and found.seq == table.seq:
        return found
    rules = plugin.game(table.game_id).rules
    state_seq = table.state_seq if table.rules_version == rules.version else None
    if found is not None and found.seq < table.seq:
        seq, state, sat = found.seq, found.state, found.sat
    elif state_seq is not None and table.state is not None:
        seq, state = state_seq, rules.load(table.state)
        sat = sittings.read(table.pk, seq)
    else:
        seq, state, sat, state_seq = 0, rules.initial(table.options, seat_count(table)), (), None
    for entry in entries(table.pk, upto=table.seq, after=seq):
        state, sat, seq = replay.fold_entry(rules, state, entry), sittings.after(sat, entry), entry.seq
    fresh = snapshot.snapshot_of_row(table, state, state_seq, sat)
    if seq == table.seq:
        transaction.on_commit(partial(cache.keep, fresh))
    return fresh


def forget_all() -> None:
    """Empty the process's cache (tests; after a restored backup)."""
    cache.forget_all()


def dice_of(table: Table) -> FairDice:
    """Return the table's dice, at the place where the log left them."""
    return FairDice(table.dice_seed, table.dice_salt, table.dice_drawn)
