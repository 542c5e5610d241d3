"""Additions to a table's log: a decided command as an entry, and what it changes at the table.

A commit writes additions, and tells them in its own transaction to the rooms that write by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.dice.chains import dump_throw
from games.kernel.records import changed, record
from games.kernel.replay import HOUSE_PREFIX
from games.models import Table
from games.services.dice import dice_chains
from games.services.occurrences import Occurrence
from games.services.seats import seats, sittings
from games.services.tables import deadlines, throws
from games.services.tables.decisions import LockedTable, Submission, TableDecision
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot

# The number of entries after which the state in the table's row is renewed. A process that does not
# know a table folds at most this many.
STATE_EVERY = 50


@record(frozen=True, slots=True)
class Addition:
    """A new entry of a locked table's log, with its decision and the table and its seats `before` and `after` it."""

    table: LockedTable
    decision: TableDecision
    entry: LoggedEntry
    before: TableSnapshot
    after: TableSnapshot
    seats_before: seats.Seats
    seats: seats.Seats


ADDED: Occurrence[Addition] = Occurrence()
"""An entry has been written to a table's log, with what it changes at the table."""


def add(submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None) -> Addition:
    """Return the addition of a decision: seats that follow the game, the end, deadlines, the entry.

    The table is as after it from now on.
    """
    before, now_seated = table.snapshot, table.seats
    if decision.seats:
        now_seated = {**now_seated, **{each.index: each for each in decision.seats}}
    events, state, status = decision.events, decision.state, decision.status or before.status
    if before.state is not None:
        moved, seat_events = seats.follow_game(table.game, now_seated, before.state, state)
        if moved:
            now_seated = {**now_seated, **{each.index: each for each in moved}}
        events += seat_events
    if table.game.rules.is_over(state) and status != Table.Status.LOBBY:
        status = Table.Status.FINISHED
    events += throws.events_about(table, decision, events, status)
    entry = _entry(submission, table, decision, seat, events)
    chains = _chains(before, entry, status)
    clocks, due_at, open_now = _deadlines(table, decision, status, now_seated, chains)
    after = changed(
        before,
        seq=entry.seq,
        state=state,
        status=status,
        dice_drawn=before.dice_drawn + len(entry.dice),
        clocks=clocks,
        due_at=due_at,
        open_now=open_now,
        sat=sittings.after(before.sat, entry) if entry.is_meta else before.sat,
        chains=chains,
    )
    added = Addition(table, decision, entry, before, _with_state_seq(after, entry), table.seats, now_seated)
    table.snapshot, table.seats = added.after, now_seated
    if decision.scorekeeper is not None:
        table.row.scorekeeper_id = decision.scorekeeper
    return added


def _chains(before: TableSnapshot, entry: LoggedEntry, status: str) -> dice_chains.Chains | None:
    """Return the position in the chains of a table's dice after an entry."""
    now = deadlines.now_ms()
    found = dice_chains.after(before.chains, entry, entry.throw, entry.command["args"], now)
    if before.status == Table.Status.PAUSED and status == Table.Status.PLAYING:
        return dice_chains.going_on(found, now)
    return found


def _entry(
    submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None, events: tuple[Event, ...]
) -> LoggedEntry:
    request = submission.request
    command: JsonObject = {"name": request.name, "args": request.args if decision.args is None else decision.args}
    if not request.name.startswith(HOUSE_PREFIX):
        command["basis"] = request.basis
    return LoggedEntry(
        table.snapshot.seq + 1,
        events,
        submission.id[1],
        submission.actor.player_id,
        seat if submission.is_for_game else None,
        command,
        tuple(table.dice.thrown),
        None if table.dice.throw is None else dump_throw(table.dice.throw),
    )


def _deadlines(
    table: LockedTable,
    decision: TableDecision,
    status: str,
    now_seated: seats.Seats,
    chains: dice_chains.Chains | None,
) -> tuple[Mapping[str, int], datetime | None, deadlines.Open | None]:
    """Return a table's deadlines, the time of the clock's next act, and the open choices; in a pause nothing is due."""
    before = table.snapshot
    clocks = before.clocks if decision.clocks is None else decision.clocks
    if status == Table.Status.PAUSED:
        return clocks, None, None
    if status != Table.Status.PLAYING:
        return {}, None, None
    if chains is not None and chains.under_way is not None:
        return clocks, deadlines.first([] if chains.under_way.due is None else [chains.under_way.due]), None
    if before.under_way is not None:
        clocks = deadlines.later(clocks, before.under_way.began)
    levels = {index: each.bot_level for index, each in now_seated.items()}
    open_now = deadlines.open_choices(table.game, decision.state, levels)
    without = {index for index, each in now_seated.items() if each.must_accept}
    return *deadlines.after(table.game, decision.state, open_now, levels, clocks, without=without), open_now


def _with_state_seq(after: TableSnapshot, entry: LoggedEntry) -> TableSnapshot:
    """Return a snapshot marked for storing its state if that is due."""
    is_due = after.state_seq is None or after.seq - after.state_seq >= STATE_EVERY or entry.is_meta
    return changed(after, state_seq=after.seq) if is_due else after
