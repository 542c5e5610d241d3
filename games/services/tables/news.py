"""News of a table for listeners in this process (`games.services.publication`)."""

from __future__ import annotations

from dataclasses import dataclass

from games.services.publication import News
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot


@dataclass(frozen=True, slots=True)
class TableNews(News):
    """A committed log entry of a table, and the table after it."""

    snapshot: TableSnapshot
    entry: LoggedEntry
