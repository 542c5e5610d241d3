"""Limits of a spreadsheet that is read in."""

from __future__ import annotations

from games.kernel.contract import Illegal

MOST_ROWS, MOST_COLUMNS = 5_000, 60
LONGEST_CELL = 200
MOST_CHARACTERS = 2_000_000
"""The most characters of all cells."""
MOST_UNPACKED = 16 << 20
"""The most bytes of a workbook's parts."""
MOST_PARTS, MOST_SHEETS = 300, 30
MOST_LOOKED_AT = 400_000
"""The most cells of a workbook that are looked at, empty ones too: one in the last column makes a row of 16,384."""


def too_large() -> Illegal:
    """Return the refusal of a file that is too large."""
    return Illegal("sheet_large", megabytes=1, unpacked=MOST_UNPACKED >> 20)


def too_many_cells() -> Illegal:
    """Return the refusal of a table with too many rows or columns."""
    return Illegal("sheet_rows", rows=MOST_ROWS, columns=MOST_COLUMNS)
