"""The cache of table snapshots of this process.

Cached snapshots were committed. One is valid only while the table's row still has its seq: if
another process has written since, the missing entries come from the log.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from games.kernel.answers import TABLES
from games.services.tables.snapshot import TableSnapshot

MOST_KEPT = 2 * TABLES
"""The most snapshots in the cache; each takes 5 to 20 kB.

A table that drops out is read from its row again, which costs one more query.
"""

_kept: OrderedDict[int, TableSnapshot] = OrderedDict()
_lock = threading.Lock()


def get(table_id: int) -> TableSnapshot | None:
    """Return the cached snapshot of a table, of any seq, or None."""
    return _kept.get(table_id)


def keep(snapshot: TableSnapshot) -> None:
    """Cache a committed snapshot, unless a later one is cached already."""
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
