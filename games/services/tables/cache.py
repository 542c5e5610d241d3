"""The cache of this process: the last snapshot of each table that it has played or shown.

What is kept was committed, and it counts only while the table's row still has its seq: when
another process has written, the log tells the rest.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from games.kernel.answers import TABLES
from games.services.tables.snapshot import TableSnapshot

MOST_KEPT = 2 * TABLES
"""A snapshot takes 5 to 20 kB.

A table that falls out is read from its row again: slower by one query, no less right.
"""

_kept: OrderedDict[int, TableSnapshot] = OrderedDict()
_lock = threading.Lock()


def get(table_id: int) -> TableSnapshot | None:
    """Return the snapshot kept of a table, of any seq."""
    return _kept.get(table_id)


def keep(snapshot: TableSnapshot) -> None:
    """Keep a committed snapshot, unless a later one is kept already."""
    with _lock:
        older = _kept.get(snapshot.table_id)
        if older is None or older.seq <= snapshot.seq:
            _kept[snapshot.table_id] = snapshot
            _kept.move_to_end(snapshot.table_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget_all() -> None:
    """Empty the cache (tests; after a restored backup)."""
    with _lock:
        _kept.clear()
