"""The cache of table snapshots of this process.

Cached snapshots were committed. One is valid only while the table's row still has its seq: if
another process has written since, the missing entries come from the log.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from games.kernel.answers import TABLES
from games.services.tables.snapshot import TableSnapshot

MOST_KEPT = 2 * TABLES
"""The most snapshots in the cache; each takes 5 to 20 kB.

A table that drops out is read from its row again, which costs more than a move: the row, its seats and its log.
"""
MOST_RESTING = 1000
"""The most snapshots that are kept beyond those of tables with an entry in the last REST_SECONDS."""
REST_SECONDS = 600.0

_kept: OrderedDict[int, tuple[TableSnapshot, float]] = OrderedDict()
"""By table, each with the time at which it was kept; the last one kept is at the end."""
_lock = threading.Lock()


def get(table_id: int) -> TableSnapshot | None:
    """Return the cached snapshot of a table, of any seq, or None."""
    found = _kept.get(table_id)
    return None if found is None else found[0]


def keep(snapshot: TableSnapshot) -> None:
    """Cache a committed snapshot, unless a later one is cached already."""
    now = time.monotonic()
    with _lock:
        older = _kept.get(snapshot.table_id)
        if older is None or older[0].seq <= snapshot.seq:
            _kept[snapshot.table_id] = (snapshot, now)
            _kept.move_to_end(snapshot.table_id)
        while len(_kept) > MOST_RESTING and (len(_kept) > MOST_KEPT or _has_rested(now)):
            _kept.popitem(last=False)


def _has_rested(now: float) -> bool:
    """Tell whether the snapshot that was kept first is that of a resting table."""
    _, kept_at = next(iter(_kept.values()))
    return kept_at < now - REST_SECONDS


def forget(table_id: int) -> None:
    """Drop the snapshot of a table, so that its row and its log are read again."""
    with _lock:
        _kept.pop(table_id, None)


def forget_all() -> None:
    """Empty the cache (tests; after a restored backup)."""
    with _lock:
        _kept.clear()
