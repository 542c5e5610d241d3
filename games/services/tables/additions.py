"""Additions to a table's log: what a commit tells the rooms that write by it, in its own transaction."""

from __future__ import annotations

from datetime import datetime

from games.kernel.records import record
from games.models import Result
from games.services.occurrences import Occurrence
from games.services.seats.seats import Seats
from games.services.tables.decisions import LockedTable
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot


@record(frozen=True, slots=True)
class Addition:
    """A new entry of a locked table's log, with the table `before` and `after` it and the seats after it.

    `corrects` is the result whose people a correction concerns.
    """

    table: LockedTable
    entry: LoggedEntry
    before: TableSnapshot
    after: TableSnapshot
    seats: Seats
    corrects: Result | None
    now: datetime


ADDED: Occurrence[Addition] = Occurrence()
"""An entry has been written to a table's log, with what it changes at the table."""
