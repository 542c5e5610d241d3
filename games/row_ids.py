"""Numbers from outside, before they reach a database: ids of rows.

A row's id has at most 63 bits. A larger one raises OverflowError on SQLite and DataError on PostgreSQL, and one of more
than 4,300 digits ValueError before that.
"""

from __future__ import annotations

LARGEST_ID = 2**63 - 1
LONGEST_ID = 18
"""The most digits of a row's id."""


def row_id(raw: str) -> int | None:
    """Return a typed or posted row id; None unless it is at most 18 ASCII digits."""
    is_id = raw.isascii() and raw.isdigit() and len(raw) <= LONGEST_ID
    return int(raw) if is_id else None


def number(raw: str, digits: int = 8) -> int | None:
    """Return a typed or posted count; None unless it is at most `digits` ASCII digits."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= digits else None
