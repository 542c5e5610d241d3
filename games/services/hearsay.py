"""What one process tells the others of an entry, so that they need not ask the database.

A plain entry (no seat and no status changed) travels whole. Whoever knows the table as it was
before folds it on, just as it would fold what it read. It was committed before it was told,
so nothing is believed that is not in the log; whoever misses one reads the log.
"""

from __future__ import annotations

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, JsonObject
from games.services import known
from games.services.feed import TableNews
from games.services.known import Known


def told(news: TableNews) -> JsonObject | None:
    """Return a plain entry as JSON, all of it: this is for servers, never for a seat.

    None for one that others must read from the log.
    """
    if news.meta or news.state is None:
        return None
    return {
        "events": [event.to_json() for event in news.events],
        "clocks": news.clocks,
        "command": news.command_id,
        "actor": news.actor_id,
        "drawn": news.dice_drawn,
        "state_seq": news.state_seq,
    }


def follow(table_id: int, seq: int, entry: JsonObject) -> TableNews | None:
    """Return the news of entry `seq` as `told` by another process, and keep the state after it.

    None where this process does not know the table as it was before.
    """
    before = known.get(table_id)
    if before is None or before.seq not in (seq - 1, seq):
        return None
    about = before.about
    events = tuple(map(Event.from_json, entry["events"]))
    if before.seq == seq:  # it was read, or folded on, while the message was on its way
        after = before
    else:
        rules = plugin.game(about.game_id).rules
        state = replay.fold_entry(rules, before.state, replay.Entry(seq, events))
        after = Known(about, seq, state, entry["drawn"], entry["clocks"], entry["state_seq"], before.sat)
        known.keep(after)
    return TableNews(
        table_id=table_id,
        public_id=about.public_id,
        game_id=about.game_id,
        seq=seq,
        events=events,
        state=after.state,
        clocks=after.clocks,
        command_id=entry["command"],
        actor_id=entry["actor"],
        meta=False,
        dice_drawn=after.dice_drawn,
        state_seq=after.state_seq,
    )
