"""The log of a table: the one place that appends to it.

`append` writes an entry, the cached state, the deadlines and the results in the caller's
transaction, and publishes after the commit. Game commands of many tables that arrive
together go a shorter way to the same rows: batches.py. The state is cached per process
(known.py) and brought up to date from the log whenever it does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.dice import FairDice
from games.models import LogEntry, Table
from games.services import chat_lines, deadlines, feed, known, results, seats, sittings
from games.services.known import Known


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted command. `repeated`: it had been accepted before."""

    seq: int
    events: tuple[Event, ...]
    repeated: bool = False


def lock(table_id: int) -> Table:
    """Return the table with its row locked; call inside a transaction.

    Raises Illegal `no_such_table`.
    """
    table = Table.objects.select_for_update(of=("self",)).filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    return table


def earlier(table: Table, command_id: str) -> Receipt | None:
    """Return the receipt of a command id that this table has accepted before, or None."""
    return accepted([(table.pk, command_id)]).get((table.pk, command_id))


def accepted(ids: Sequence[tuple[int, str]]) -> dict[tuple[int, str], Receipt]:
    """Return the receipts of those commands (table, command id) that were accepted before."""
    if not ids:
        return {}
    tables, names = zip(*ids, strict=True)
    rows = LogEntry.objects.filter(table_id__in=set(tables), command_id__in=set(names))
    return {
        (table_id, command_id): Receipt(seq, tuple(map(Event.from_json, events)), repeated=True)
        for table_id, command_id, seq, events in rows.values_list("table_id", "command_id", "seq", "events")
    }


def entries(table_id: int, upto: int | None = None, after: int = 0) -> list[replay.Entry]:
    """Return the log of a table after entry `after`, oldest first, as far as entry `upto`."""
    rows = LogEntry.objects.filter(table_id=table_id, seq__gt=after).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return [replay.Entry(seq, tuple(map(Event.from_json, events))) for seq, events in rows.values_list("seq", "events")]


def seat_count(table: Table) -> int:
    """Return how many seats the game was opened with."""
    first = LogEntry.objects.values_list("events", flat=True).get(table=table, seq=1)
    return len(first[0]["data"]["seats"])


def state_of(table: Table) -> Any:
    """Return the game's state after entry `table.seq`."""
    return known_of(table).state


def known_of(table: Table, old: Known | None = None) -> Known:
    """Return what is known of a table at its row's seq, and keep it once that is committed.

    From `old` or the process's cache, else from the row's cached state if it was dumped by
    these rules, else from the log; the entries that it has not seen come from the log. What a
    transaction has read may be its own, and rolled back: it is kept after the commit only. A
    row in memory that is ahead of the log is what a rolled back transaction left: not kept.
    """
    found = old or known.get(table.pk)
    if found is not None and found.seq == table.seq:
        return found
    rules = plugin.game(table.game_id).rules
    if found is not None and found.seq < table.seq:
        seq, state, sat = found.seq, found.state, found.sat
    elif table.state is not None and table.rules_version == rules.version:
        seq, state = table.state_seq, rules.load(table.state)
        sat = sittings.read(table.pk, seq)
    else:
        seq, state, sat = 0, rules.initial(table.options, seat_count(table)), ()
    for entry in entries(table.pk, upto=table.seq, after=seq):
        state, sat, seq = replay.fold_entry(rules, state, entry), sittings.after(sat, entry), entry.seq
    fresh = known.of_row(table, state, sat)
    if seq == table.seq:
        transaction.on_commit(partial(known.keep, fresh))
    return fresh


def forget_all() -> None:
    """Empty the process's cache (tests; after a restored backup)."""
    known.forget_all()


def dice_of(table: Table) -> FairDice:
    """Return the table's dice, at the place where the log left them."""
    return FairDice(table.dice_seed, table.dice_salt, table.dice_drawn)


def append(
    table: Table,
    events: tuple[Event, ...],
    *,
    command_id: str,
    command: JsonObject,
    seat: int | None = None,
    actor_id: int | None = None,
    dice: FairDice | None = None,
    before: Any = None,
) -> Receipt:
    """Append one entry to a locked table and publish it after the commit.

    `before` is the game's state before the entry, None for the first one.
    """
    rules = plugin.game(table.game_id).rules
    table.seq += 1
    entry = replay.Entry(table.seq, events)
    if before is None:
        before = rules.initial(table.options, len(events[0].data["seats"]))
    state = replay.fold_entry(rules, before, entry)
    events = (*events, *_freed(table, before, state))
    if rules.is_over(state):
        events = (*events, reveal(table))
    entry = replay.Entry(entry.seq, events)
    now = datetime.now(UTC)
    LogEntry.objects.create(
        table=table,
        seq=table.seq,
        command_id=command_id,
        command=command,
        seat=seat,
        actor_id=actor_id,
        events=[e.to_json() for e in entry.events],
        dice=dice.thrown if dice else [],
        created_at=now,
    )
    results.record(table, entry, now)
    _save_head(table, state, dice, now)
    news = _news(table, entry, state, command_id, actor_id)
    sat = sittings.after(_sat_before(table), entry)
    transaction.on_commit(partial(committed, known.of_row(table, state, sat), news))
    if chat_lines.is_silence_over(table.game_id, before, state, is_running=table.is_running):
        chat_lines.release(table)
    return Receipt(table.seq, entry.events)


def _sat_before(table: Table) -> tuple[sittings.Sitting, ...]:
    """Return who sat where before the entry that is being appended."""
    before = known.get(table.pk)
    return before.sat if before is not None and before.seq == table.seq - 1 else sittings.read(table.pk, table.seq - 1)


def _freed(table: Table, before: Any, after: Any) -> tuple[Event, ...]:
    """Free the seats that are gone since `before`; return the events that tell so.

    Where a bot plays the game out, it takes the seat until the game has ended.
    """
    config = plugin.game(table.game_id)
    gone = config.rules.gone(after)
    if not gone:
        return ()
    freed = seats.free(table, set(gone) - set(config.rules.gone(before)))
    played_on, played_before = set(config.played_on(after)), set(config.played_on(before))
    if played_before - played_on:
        seats.end_play_on(table, played_before - played_on)
    return (*freed, *(seats.play_on(table, new) if (new := played_on - played_before) else ()))


def reveal(table: Table) -> Event:
    """Return the event that makes the table's dice checkable once they all have fallen."""
    return Event("table.dice_revealed", {"seed": table.dice_seed, "salt": table.dice_salt})


def _save_head(table: Table, state: Any, dice: FairDice | None, now: datetime) -> None:
    """Write the table's row: seq, cached state, dice count, deadlines, end."""
    rules = plugin.game(table.game_id).rules
    table.state, table.state_seq = rules.dump(state), table.seq
    table.rules_version = rules.version
    if dice is not None:
        table.dice_drawn = dice.drawn
    if table.is_running and rules.is_over(state):
        table.status = Table.Status.FINISHED
    if table.status == Table.Status.FINISHED:
        table.finished_at = now
    deadlines.set_on(table, state)
    table.save(
        update_fields=[
            "seq", "state", "state_seq", "rules_version", "dice_drawn", "status", "clocks",
            "due_at", "options", "dice_salt", "started_at", "finished_at",
        ]
    )  # fmt: skip


def _news(table: Table, entry: replay.Entry, state: Any, command_id: str, actor_id: int | None) -> feed.TableNews:
    """Return the news of one entry."""
    return feed.TableNews(
        table_id=table.pk,
        public_id=table.public_id,
        game_id=table.game_id,
        seq=entry.seq,
        events=entry.events,
        state=state,
        clocks=dict(table.clocks),
        command_id=command_id.split(":", 1)[-1],
        actor_id=actor_id,
        meta=table.status == Table.Status.FINISHED or any(map(replay.is_house, entry.events)),
        dice_drawn=table.dice_drawn,
        state_seq=table.state_seq,
        due_at=table.due_at,
    )


def committed(now_known: Known, news: feed.TableNews) -> None:
    """After the commit: the state may be cached and the news told."""
    known.keep(now_known)
    feed.publish(news)
