"""The log of a table: its entries, and the snapshot after them.

Nothing here writes: entries are written by commit.py alone. Snapshots are cached per process
(cache.py) and brought up to date from the log if they are older than the table's row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.kernel.dice import Dice
from games.kernel.records import changed, record
from games.models import LogEntry, Table
from games.services import publication
from games.services.dice import dice_chains
from games.services.seats import sittings
from games.services.storage import log_files
from games.services.tables import snapshot
from games.services.tables.snapshot import TableSnapshot

ENTERED = "table.entered"
"""The event that names the player that entered an entry for another player's seat."""
_PASSING = dice_chains.PASSING | {ENTERED}


@record(frozen=True, slots=True)
class LoggedEntry(replay.Entry):
    """An entry with its command, as the log stores it; with the fields of models.LogEntry."""

    command_id: str = ""
    actor_id: int | None = None
    seat: Seat | None = None
    command: JsonObject = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    throw: JsonObject | None = None

    @property
    def own_id(self) -> str:
        """The command's id as its sender gave it."""
        return self.command_id.split(":", 1)[-1]

    @property
    def is_meta(self) -> bool:
        """Tell whether seats, names or status may have changed."""
        # Asked several times for each entry, where a generator would take three times as long.
        for event in self.events:  # noqa: SIM110
            if event.type.startswith(replay.HOUSE_PREFIX) and event.type not in _PASSING:
                return True
        return False


@record(frozen=True, slots=True)
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
        """The events of the command."""
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
    """Return the receipts of all given commands (table, command id) that were accepted before."""
    keys = set(ids)
    if not keys:
        return {}
    tables, names = ({each[i] for each in keys} for i in (0, 1))
    rows = LogEntry.objects.filter(table_id__in=tables, command_id__in=names)
    found = {(table_id, row[2]): row for table_id, *row in rows.values_list("table_id", *_FIELDS)}
    return {id_: Receipt(_logged(*row), repeated=True) for id_, row in found.items() if id_ in keys}


_FIELDS = ("seq", "events", "command_id", "actor_id", "seat", "command", "dice", "throw")


def _logged(seq: int, events: list[JsonObject], command_id: str, *more: Any) -> LoggedEntry:
    actor_id, seat, command, dice, throw = more
    read_events = tuple(map(Event.from_json, events))
    return LoggedEntry(seq, read_events, command_id, actor_id, seat, command, tuple(dice), throw)


def rows(table_id: int, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the stored entries of a table with after < seq <= upto, oldest first.

    They come from rows, or from the log file that the rows were moved to; raises Illegal `no_log_file` if
    the file can't be read.
    """
    found = list(_stored(table_id, after, upto))
    return [*_moved(table_id, after, upto, [row.seq for row in found[:1]]), *found]


def entries(table_id: int, upto: int | None = None, after: int = 0, limit: int | None = None) -> list[LoggedEntry]:
    """Return at most `limit` entries of a table with after < seq <= upto, oldest first; raises as `rows`."""
    found = [_logged(*row) for row in _stored(table_id, after, upto).values_list(*_FIELDS)[:limit]]
    moved = _moved(table_id, after, upto, [entry.seq for entry in found[:1]])
    return [*(_logged(*(getattr(row, name) for name in _FIELDS)) for row in moved), *found][:limit]


def _stored(table_id: int, after: int, upto: int | None) -> QuerySet[LogEntry]:
    stored = LogEntry.objects.filter(table_id=table_id, seq__gt=after).order_by("seq")
    return stored if upto is None else stored.filter(seq__lte=upto)


def _moved(table_id: int, after: int, upto: int | None, first: list[int]) -> list[LogEntry]:
    """Return the entries before entry `first` from the log file: seq has no gaps, so missing rows were moved there."""
    if first == [after + 1] or upto == after:
        return []
    return log_files.rows(table_id, after, first[0] - 1 if first else upto)


def opening(table_id: int) -> JsonObject:
    """Return the data of a table's first event, `table.started`: options, dice and the seats of the game."""
    (first,) = rows(table_id, upto=1)
    data: JsonObject = first.events[0]["data"]
    return data


def seat_count(table: Table) -> int:
    """Return the number of seats that the game was opened with."""
    return len(opening(table.pk)["seats"])


def state_of(table: Table) -> Any:
    """Return the game's state after the table's last entry."""
    return snapshot_of(table).state


def snapshot_of(table: Table, old: TableSnapshot | None = None) -> TableSnapshot:
    """Return the snapshot of a table's row, from the cache (or `old`), from the stored state, or from the log.

    The stored state is used if these rules dumped it; later entries come from the log. The snapshot is cached
    after the commit only, because the transaction may have read its own writes and be rolled back. If the row
    in memory is ahead of the log, its transaction was rolled back: its snapshot is not cached.
    """
    if table.seq == 0:
        return snapshot.snapshot_of_row(table, None, None, ())
    found = old or snapshot.cached(table.pk)
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
        transaction.on_commit(partial(snapshot.keep, fresh))
    return fresh


def present(heads: Mapping[int, tuple[int, str]]) -> dict[int, TableSnapshot]:
    """Return the snapshots of tables at the seq and status in their rows: cached ones, others are read."""
    found = {}
    for pk, (seq, status) in heads.items():
        old = snapshot.cached(pk)
        if old is None or old.seq != seq:
            old = snapshot_of(Table.objects.filter(pk=pk).defer(*(("state",) if old is not None else ())).get(), old)
        found[pk] = old if old.status == status else changed(old, status=status)
    return found


@transaction.atomic
def read_anew(table_id: int) -> None:
    """Compute the stored state of a table from its log, where a text in the log was changed, and cache none before."""
    table = lock(table_id)
    snapshot.forget(table_id)
    transaction.on_commit(partial(snapshot.forget, table_id))
    # What other rules have dumped is read from the log in any case.
    fresh: JsonObject | None = None
    with suppress(plugin.UnknownGame):
        rules = plugin.game(table.game_id).rules
        if table.rules_version == rules.version and table.state is not None:
            log = entries(table_id, upto=table.state_seq)
            fresh = rules.dump(replay.fold_all(rules, table.options, seat_count(table), log))
    table.state = fresh
    table.save(update_fields=["state"])
    publication.publish_later(publication.LogRewritten(table.pk, table.public_id))


def forget_all() -> None:
    """Empty the process's cache (tests; after a restored backup)."""
    snapshot.forget_all()


def dice_of(table: Table) -> Dice:
    """Return the table's dice, at the position where the log left them."""
    return snapshot_of(table).dice()
