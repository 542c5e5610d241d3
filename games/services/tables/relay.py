"""The content of an entry sent to other processes, so that they need not read the database.

A plain entry (no seat and no status changed) is sent whole. A process that knows the table as it was
before folds it, just as it would fold an entry read from the log. Only committed entries are sent, so
a process never knows more than the log; a process that misses an entry reads the log.

News of a table for listeners in this process (`games.services.publication`).
"""

from __future__ import annotations

from dataclasses import dataclass

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, JsonObject
from games.kernel.records import changed
from games.services.dice import dice_chains
from games.services.publication import News
from games.services.tables import snapshot as table_snapshot
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot


@dataclass(frozen=True, slots=True)
class TableNews(News):
    """A committed log entry of a table, and the table after it."""

    snapshot: TableSnapshot
    entry: LoggedEntry


def relayed_entry(news: TableNews) -> JsonObject | None:
    """Return a plain entry as JSON with all its events, for other servers only, never for a seat.

    None for an entry that other processes must read from the log.
    """
    entry, after = news.entry, news.snapshot
    if entry.is_meta or after.state is None:
        return None
    return {
        "events": [event.to_json() for event in entry.events],
        "command": entry.command_id,
        "actor": entry.actor_id,
        "throw": entry.throw,
        "after": {"clocks": after.clocks, "dice_drawn": after.dice_drawn, "state_seq": after.state_seq},
        "chains": None if after.chains is None else dice_chains.dump(after.chains),
    }


def news_of(table_id: int, seq: int, entry: JsonObject) -> TableNews | None:
    """Return the news of entry `seq` as sent by another process, and cache the table after it.

    None if this process does not know the table as it was before.
    """
    before = table_snapshot.cached(table_id)
    if before is None or before.seq not in (seq - 1, seq):
        return None
    events = tuple(map(Event.from_json, entry["events"]))
    logged = LoggedEntry(seq, events, entry["command"], entry["actor"], throw=entry["throw"])
    if before.seq == seq:  # the entry was read or folded while the message was on its way
        return TableNews(before, logged)
    state = replay.fold_entry(plugin.game(before.game_id).rules, before.state, logged)
    chains = None if entry["chains"] is None else dice_chains.load(entry["chains"])
    after = changed(before, seq=seq, state=state, due_at=None, chains=chains, **entry["after"])
    table_snapshot.keep(after)
    return TableNews(after, logged)
