"""Workbooks (XLSX): the cells of the one filled sheet as texts, by openpyxl, reading only.

A formula counts with the value that was stored for it; nothing is computed. The XML is read by defusedxml, so that no
entity is resolved. A workbook that unpacks to more than 16 MiB, or has more elements than a list needs, is refused
before any of it is read: elements are counted by their marks, which takes a few milliseconds.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

from games.kernel.contract import Illegal
from games.services.sheets.address import (
    MOST_LOOKED_AT,
    MOST_MARKS,
    MOST_PARTS,
    MOST_SHEETS,
    MOST_UNPACKED,
    too_large,
    too_many_cells,
)

Rows = list[list[str]]
_SHEETS, _STRINGS = "xl/worksheets/", "xl/sharedStrings"
WEIGHT_OF_STYLES = 6
"""A mark of a part that has no cells and no texts costs as much as so many of those."""


def rows(data: bytes) -> Rows:
    """Return the rows of the one sheet that is seen and filled; raises as `grids.read`."""
    _check_size(data)
    try:
        return _filled(data)
    except (Illegal, MemoryError):
        raise
    # What is broken in a workbook comes out of openpyxl as almost any exception: a key, a value, an XML error.
    except Exception:
        raise Illegal("sheet_kind") from None


def _check_size(data: bytes) -> None:
    """Raise `sheet_large`, `sheet_laden` for a workbook with too much in it, `sheet_kind` for none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = packed.infolist()
            # A part that is longer than it says is cut there by zipfile, which then refuses its checksum.
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise too_large()
            if any(part.flag_bits & 1 for part in parts) or "xl/workbook.xml" not in {part.filename for part in parts}:
                raise Illegal("sheet_kind")
            if sum(_marks(packed, part) for part in parts) > MOST_MARKS:
                raise Illegal("sheet_laden")
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError):
        raise Illegal("sheet_kind") from None


def _marks(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> int:
    """Return how many marks of elements and attributes a part has, weighed by what reading them costs.

    Raises `sheet_laden` for too many sheets. Pictures and the like are not read.
    """
    if not part.filename.lower().endswith((".xml", ".rels")):
        return 0
    text = packed.read(part).replace(b"\0", b"")
    if text.count(b"sheetId") > MOST_SHEETS:
        raise Illegal("sheet_laden")
    marks = text.count(b"<") + text.count(b"=")
    return marks if part.filename.startswith((_SHEETS, _STRINGS)) else marks * WEIGHT_OF_STYLES


def _opened(data: bytes, *, data_only: bool = False) -> Any:
    """Return a workbook by openpyxl, with stored values instead of formulas if `data_only`."""
    # With what it imports it takes a fifth of a second of the start of a house, and few read a workbook.
    import openpyxl

    return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=data_only, keep_links=False)


def _filled(data: bytes) -> Rows:
    book = _opened(data, data_only=True)
    found: dict[str, list[tuple[Any, ...]]] = {}
    read = 0
    for sheet in [each for each in book.worksheets if each.sheet_state == "visible"][:MOST_SHEETS]:
        sheet.reset_dimensions()
        rows: list[tuple[Any, ...]] = []
        for row in sheet.iter_rows(values_only=True):
            read += max(1, len(row))
            if read > MOST_LOOKED_AT:
                raise too_many_cells()
            rows.append(row)
        if any(value is not None and _text(value) for row in rows for value in row):
            found[sheet.title] = rows
    if len(found) > 1:
        raise Illegal("sheet_several", names=", ".join(found)[:200])
    for title, rows in found.items():
        _check_formulas(data, title, rows)
        return [[_text(value) for value in row] for row in rows]
    raise Illegal("sheet_empty")


def _check_formulas(data: bytes, title: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Raise `sheet_formula` for a formula whose value was not stored: it would be lost in silence."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if not any(b"<f" in packed.read(name) for name in packed.namelist() if name.startswith(_SHEETS)):
            return
    written = _opened(data)[title]
    written.reset_dimensions()
    for row, stored in zip(written.iter_rows(), rows, strict=True):
        for cell, value in zip(row, stored, strict=True):
            if value is None and getattr(cell, "data_type", "") == "f":
                raise Illegal("sheet_formula", cell=cell.coordinate)


def _text(value: Any) -> str:
    """Return a stored value as a text: numbers with a point and four decimals, days and times as ISO."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.4f}"
    return str(value)
