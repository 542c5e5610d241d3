"""Tables as rows of texts, read from CSV, from XLSX or from the clipboard, within limits."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from games.kernel.contract import Illegal
from games.services.sheets import workbooks
from games.services.sheets.address import (
    LONGEST_CELL,
    MOST_CELLS,
    MOST_CHARACTERS,
    MOST_COLUMNS,
    MOST_ROWS,
    too_large,
    too_many_cells,
)

Grid: TypeAlias = list[list[str]]
"""The cells of a table by rows, all of one length; the last row and column are not empty."""

_DELIMITERS = (";", "\t", ",")
"""In this order where two of them fit as well: a semicolon or a tab stands in no number."""
_SAMPLE = 200
_ZIP = b"PK\x03\x04"
_FOREIGN = frozenset(chr(code) for code in range(32)) - set("\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")


def read(data: bytes) -> Grid:
    """Return the table of a file.

    Raises Illegal `sheet_empty`, `sheet_kind` (no CSV and no XLSX), `sheet_large`, `sheet_laden`, `sheet_rows`,
    `sheet_cell`, `sheet_several`, `sheet_formula`.
    """
    if data.startswith(_ZIP):
        return trimmed(workbooks.rows(data))
    return read_text(_decoded(data))


def read_text(text: str) -> Grid:
    """Return the table of a text: CSV by semicolon, tab or comma, or cells from the clipboard; raises as `read`."""
    text = text.removeprefix("\ufeff")
    if _FOREIGN & set(text):
        raise Illegal("sheet_kind")
    first, _end, rest = text.partition("\n")
    if first.strip().lower() in {f"sep={each}" for each in _DELIMITERS}:
        return trimmed(_split(rest, first.strip()[4:] or "\t"))
    return trimmed(_split(text, _delimiter(text)))


def _decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252."""
    is_utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if is_utf_16 else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Illegal("sheet_kind")


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts most rows into the same number of cells; a semicolon where there is none."""

    def fit(delimiter: str) -> int:
        widths = Counter(len(row) for row in itertools.islice(_split(text, delimiter), _SAMPLE) if any(row))
        return max((count for width, count in widths.items() if width > 1), default=0)

    return max(_DELIMITERS, key=fit)


def _split(text: str, delimiter: str) -> Iterable[Sequence[str]]:
    """Yield the rows of a text; raises `sheet_kind`, `sheet_cell`."""
    # Cells beyond the standard library's own limit are too long for us as well.
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error:
        raise Illegal("sheet_cell", longest=LONGEST_CELL) from None


def trimmed(rows: Iterable[Sequence[str]]) -> Grid:
    """Return rows without the empty ones and columns around them; raises `sheet_empty`, and as `read`."""
    found: Grid = []
    size = 0
    for row in rows:
        # A line of marks alone is looked at no further than it may be wide.
        if len(row) > MOST_COLUMNS and any(itertools.islice(row, MOST_COLUMNS, None)):
            raise too_many_cells()
        cells = [" ".join(cell.split()) for cell in row[:MOST_COLUMNS]]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        if len(found) >= MOST_ROWS:
            raise too_many_cells()
        if any(len(cell) > LONGEST_CELL for cell in cells):
            raise Illegal("sheet_cell", longest=LONGEST_CELL)
        size += sum(map(len, cells))
        if size > MOST_CHARACTERS:
            raise too_large()
        found.append(cells)
    if not found:
        raise Illegal("sheet_empty")
    width = max(map(len, found))
    if width * len(found) > MOST_CELLS:
        raise too_many_cells()
    left = min(next(index for index, cell in enumerate(cells) if cell) for cells in found)
    return [[*cells, *[""] * (width - len(cells))][left:] for cells in found]
