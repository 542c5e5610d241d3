"""Replaying finished games step by step, from the view of a spectator.

Everybody gets the spectators' view, also the players of the game: private events stay with their
audience. Once the table has ended, events that are hidden `until="over"` are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.models import Result, Table
from games.services.logs import log_views
from games.services.seats.sittings import ONLOOKER, TableReader
from games.services.tables import log

MOST_FRAMES = 60
"""The most steps in one response; a view is a few kilobytes."""


@dataclass(frozen=True, slots=True)
class Span:
    """A finished game in a table's log: entries `first` to `last`."""

    number: int
    first: int
    last: int
    reason: str


def games_of(table: Table) -> list[Span]:
    """Return the finished games of a table, oldest first; the last one of a table that is over with its corrections."""
    ended = Result.objects.filter(table=table, seq__isnull=False, is_correction=False)
    found: list[Span] = []
    for seq, reason in ended.order_by("seq").values_list("seq", "reason"):
        first = found[-1].last + 1 if found else 1
        found.append(Span(len(found) + 1, first, seq or 0, reason))
    corrected = Result.objects.filter(table=table, seq__isnull=False, is_correction=True).order_by("seq").last()
    if found and corrected is not None and table.status == Table.Status.FINISHED:
        found[-1] = replace(found[-1], last=max(found[-1].last, corrected.seq or 0))
    return found


def frames(table: Table, first: int, count: int = MOST_FRAMES) -> list[JsonObject]:
    """Return entries from `first` on, with the spectators' view after each.

    `{"seq", "at", "events", "view", "names"}`, as in docs/protocol.md §2, `at` in ISO 8601, `names` by seat as they
    were then. At most 60, and none after the last finished game: a running game is not replayed. Raises
    Illegal `no_replay` if no finished game has such an entry.
    """
    spans = games_of(table)
    if not spans or not 1 <= first <= spans[-1].last:
        raise Illegal("no_replay")
    last = min(first + min(count, MOST_FRAMES) - 1, spans[-1].last)
    rules = plugin.game(table.game_id).rules
    before = log.entries(table.pk, upto=first - 1)
    state = replay.fold_all(rules, table.options, log.seat_count(table), before)
    names: Mapping[Seat, str] = {}
    for earlier in before:
        names = replay.names_after(names, earlier.events)
    reader = replace(ONLOOKER, is_over=table.status == Table.Status.FINISHED)
    found = []
    for row in log.rows(table.pk, after=first - 1, upto=last):
        entry = replay.Entry(row.seq, tuple(map(Event.from_json, row.events)))
        state = replay.fold_entry(rules, state, entry)
        names = replay.names_after(names, entry.events)
        frame = _frame(replay.newest(rules, entry), reader, row.created_at, rules.view(state, None))
        found.append({**frame, "names": [names.get(seat, "") for seat in range(len(names))]})
    return found


def _frame(entry: replay.Entry, reader: TableReader, at: Any, view: Mapping[str, Any]) -> JsonObject:
    events = [log_views.event_json(event, entry.seq, reader) for event in entry.events]
    return {"seq": entry.seq, "at": at.isoformat(), "events": events, "view": view}
