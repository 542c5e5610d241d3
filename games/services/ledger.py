"""The log of a table: the one place that appends to it.

`append` writes an entry, the cached state, the deadlines and the results in the caller's
transaction, and publishes after the commit. The state is cached per process, by table and
seq, and rebuilt from the log whenever it does not fit.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from games import plugin
from games.kernel import replay
from games.kernel.contract import Choice, Event, Illegal, JsonObject
from games.kernel.dice import FairDice
from games.models import LogEntry, Seat, Table
from games.services import feed, results, seats

_CACHE_SIZE = 2000
_cache: OrderedDict[int, tuple[int, Any]] = OrderedDict()
_cache_lock = threading.Lock()


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
    entry = LogEntry.objects.filter(table=table, command_id=command_id).first()
    if entry is None:
        return None
    return Receipt(entry.seq, tuple(map(Event.from_json, entry.events)), repeated=True)


def entries(table_id: int, upto: int | None = None) -> list[replay.Entry]:
    """Return the log of a table, oldest first: all of it, or as far as entry `upto`."""
    rows = LogEntry.objects.filter(table_id=table_id).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return [
        replay.Entry(seq, tuple(map(Event.from_json, events)))
        for seq, events in rows.values_list("seq", "events")
    ]


def seat_count(table: Table) -> int:
    """Return how many seats the game was opened with."""
    first = LogEntry.objects.values_list("events", flat=True).get(table=table, seq=1)
    return len(first[0]["data"]["seats"])


def state_of(table: Table) -> Any:
    """Return the game's state after entry `table.seq`.

    From the process's cache, else from the row's cached state if it was dumped by these
    rules, else from the log.
    """
    cached = _cache.get(table.pk)
    if cached is not None and cached[0] == table.seq:
        return cached[1]
    rules = plugin.game(table.game_id).rules
    if table.state is not None and table.rules_version == rules.version:
        state = rules.load(table.state)
    else:
        log = entries(table.pk, upto=table.seq)
        state = replay.fold_all(rules, table.options, seat_count(table), log)
    _remember(table.pk, table.seq, state)
    return state


def _remember(table_id: int, seq: int, state: Any) -> None:
    """Cache a state; only ever called with what is committed."""
    with _cache_lock:
        _cache[table_id] = (seq, state)
        _cache.move_to_end(table_id)
        while len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)


def forget_all() -> None:
    """Empty the process's cache (tests; after a restored backup)."""
    _cache.clear()


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
    transaction.on_commit(partial(_committed, table.pk, table.seq, state, news))
    return Receipt(table.seq, entry.events)


def _freed(table: Table, before: Any, after: Any) -> tuple[Event, ...]:
    """Free the seats that are gone since `before`; return the events that tell so."""
    rules = plugin.game(table.game_id).rules
    gone = rules.gone(after)
    return seats.free(table, set(gone) - set(rules.gone(before))) if gone else ()


def reveal(table: Table) -> Event:
    """Return the event that makes the table's dice checkable once they all have fallen."""
    return Event("table.dice_revealed", {"seed": table.dice_seed, "salt": table.dice_salt})


def _save_head(table: Table, state: Any, dice: FairDice | None, now: datetime) -> None:
    """Write the table's row: seq, cached state, dice count, deadlines, end."""
    rules = plugin.game(table.game_id).rules
    table.state, table.rules_version = rules.dump(state), rules.version
    if dice is not None:
        table.dice_drawn = dice.drawn
    if table.is_running and rules.is_over(state):
        table.status = Table.Status.FINISHED
    if table.status == Table.Status.FINISHED:
        table.finished_at = now
    set_deadlines(table, state)
    table.save(
        update_fields=[
            "seq", "state", "rules_version", "dice_drawn", "status", "clocks", "due_at",
            "options", "dice_salt", "started_at", "finished_at",
        ]
    )  # fmt: skip


def _news(
    table: Table, entry: replay.Entry, state: Any, command_id: str, actor_id: int | None
) -> feed.TableNews:
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
    )


def _committed(table_id: int, seq: int, state: Any, news: feed.TableNews) -> None:
    """After the commit: the state may be cached and the news told."""
    cached = _cache.get(table_id)
    if cached is None or cached[0] < seq:
        _remember(table_id, seq, state)
    feed.publish(news)


def now_ms() -> int:
    """Return the server's clock in milliseconds since the epoch."""
    return int(time.time() * 1000)


def clock_key(choice: Choice) -> str:
    """Return the name of a choice's deadline in `Table.clocks`."""
    return f"{choice.seat}:{choice.name}:{choice.opened_at}"


def set_deadlines(table: Table, state: Any) -> None:
    """Set when the clock must act: for the first timed decision, or for a bot.

    A decision that was open before keeps its deadline. Nothing is due while paused; the
    clocks then hold what is left and `house.resume` starts them again.
    """
    if table.status == Table.Status.PAUSED:
        table.due_at = None
        return
    if table.status != Table.Status.PLAYING:
        table.clocks, table.due_at = {}, None
        return
    config = plugin.game(table.game_id)
    levels = dict(Seat.objects.filter(table=table).values_list("index", "bot_level"))
    with_asides = any(levels.values()) and config.aside is not None
    clocks: dict[str, int] = {}
    due: list[int] = []
    now = now_ms()
    for seat, level in levels.items():
        choices = config.rules.choices(state, seat)
        required = [c for c in choices if c.required]
        if level and (required or (with_asides and choices)):
            due.append(now + int(settings.BOT_DELAY * 1000))
        for choice in required:
            if choice.seconds is not None and not level:
                key = clock_key(choice)
                clocks[key] = table.clocks.get(key, now + choice.seconds * 1000)
    table.clocks, table.due_at = clocks, _first([*due, *clocks.values()])


def _first(moments: Iterable[int]) -> datetime | None:
    """Return the first of some moments in milliseconds, None without one."""
    first = min(moments, default=None)
    return None if first is None else datetime.fromtimestamp(first / 1000, UTC)


def rest(table: Table) -> bool:
    """Let the clock look again only at the next deadline; tell whether the table stood still."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    return still.update(due_at=_first(table.clocks.values())) > 0


def shift_clocks(table: Table, *, paused: bool) -> None:
    """Turn deadlines into time left (when pausing) or back (when going on)."""
    now = now_ms()
    sign = -1 if paused else 1
    table.clocks = {key: max(0, value + sign * now) for key, value in table.clocks.items()}


def postpone(table_id: int, seconds: float) -> None:
    """Let the clock look at a table again only in `seconds` (after a failed act)."""
    later = datetime.now(UTC) + timedelta(seconds=seconds)
    Table.objects.filter(pk=table_id).update(due_at=later)
