"""The seats that a table waits for and since when: of one table, and of the one that waits longest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from games import plugin
from games.models import LogEntry, Table
from games.services.dice import dice_chains
from games.services.tables import log
from games.services.tables.snapshot import TableSnapshot


@dataclass(frozen=True, slots=True)
class TableWait:
    """The state of a table that is not over.

    `names` are those of the seats that must decide, or whose device must give its part of a throw (`is_for_device`);
    none of a paused table, which waits for its host. `since` is the time of the entry from which on it waits, `last` is
    the last entry.
    """

    names: tuple[str, ...]
    is_for_device: bool
    since: datetime | None
    last: LogEntry | None


def of_table(table: Table) -> TableWait:
    """Return the people that a table waits for, with the time since when and the last entry."""
    snapshot = log.snapshot_of(table)
    seats, opened_at, is_for_device = _asked(snapshot)
    names = dict(table.seats.values_list("index", "name"))
    entries = {entry.seq: entry for entry in table.entries.filter(seq__in={opened_at, table.seq})}
    opened, last = entries.get(opened_at), entries.get(table.seq)
    since = opened.created_at if opened else last.created_at if last else table.created_at
    return TableWait(tuple(names.get(seat, str(seat)) for seat in seats), is_for_device, since, last)


def _asked(snapshot: TableSnapshot) -> tuple[list[int], int, bool]:
    """Return the seats that are asked, the entry that asked the first of them, and whether a device is."""
    if snapshot.status != Table.Status.PLAYING or not plugin.is_installed(snapshot.game_id):
        return [], snapshot.seq, False
    if snapshot.chains is not None and snapshot.under_way is not None:
        question = dice_chains.question(snapshot.chains, snapshot.dice_seed)
        return ([] if question is None else [question[0]]), snapshot.seq, True
    seats = Table(pk=snapshot.table_id).seats.order_by("index").values_list("index", flat=True)
    choices = [choice for seat in seats for choice in snapshot.choices(seat) if choice.required]
    asked = sorted({choice.seat for choice in choices if choice.seat is not None})
    return asked, min((choice.opened_at for choice in choices), default=snapshot.seq), False


def longest() -> datetime | None:
    """Return the time of the last entry of the playing table with people where nothing has happened for longest."""
    last = LogEntry.objects.filter(table__status=Table.Status.PLAYING, seq=F("table__seq"))
    with_people = last.filter(table__seats__player__isnull=False)
    return with_people.order_by("created_at").values_list("created_at", flat=True).first()
