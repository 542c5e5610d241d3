"""The headings of a table: the row that has them, and what its columns seem to mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from itertools import islice

import regex

from games.services.sheets import cells, columns
from games.services.sheets.cells import Days
from games.services.sheets.columns import SUMS, Columns, plain
from games.services.sheets.grids import Grid

ABOVE = 20
"""The headings are looked for in so many first rows."""
SAMPLE = 500
"""So many cells of a column tell what it means."""
MOST_MERGED = 2
"""A heading may have begun so many rows above."""
_WORDS: Mapping[str, frozenset[str]] = {
    "name": frozenset(("name", "names", "spieler", "spielerin", "player", "players", "navn", "spiller", "wer", "who")),
    "points": SUMS | frozenset(("points", "score", "punkte", "stand", "poeng", "ergebnis", "saldo")),
    "games": frozenset(("games", "played", "spiele", "partien", "gespielt", "spill", "partier", "spilt")),
    "day": frozenset(("day", "date", "night", "tag", "datum", "abend", "dag", "dato", "kveld")),
    "": frozenset(("place", "rank", "no", "nr", "#", "nights", "platz", "rang", "abende", "plass", "plassering")),
}
_DAY_WITHIN = regex.compile(
    r"(?<![0-9.])(?:[0-9]{1,2}\. ?[0-9]{1,2}\. ?(?:[0-9]{4}|[0-9]{2})?|[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{1,2}\.? ?[^\W\d_]{3,}\.?(?: ?[12][0-9]{3})?)(?![0-9])"
)
"""A day among other words: "2. Abend (23.4.)"."""


def guessed(grid: Grid, within: Days, head: int | None = -1) -> Columns:
    """Return what the columns of a table seem to mean, in a season of these days.

    `head`: the row of the headings as the organiser says, None for none; -1: as it seems.
    """
    comma = cells.is_comma_decimal(cell for row in grid for cell in row)
    at = _row_of_headings(grid, within, comma) if head == -1 else head
    heads = texts(grid, at)
    days = {} if at is None else _days(grid, at, heads, within)
    body = Columns((), {}, at).body(grid)
    kinds = [
        "night" if index in days or cells.is_like_day(text) else _kind(text, column, comma, within)
        for index, (text, column) in enumerate(zip(heads, _columns(body, len(heads)), strict=True))
    ]
    if "night" in kinds:
        kinds = _with_sums(kinds, heads, body, comma)
    return Columns(_once(kinds), {i: day for i, day in days.items() if kinds[i] == "night"}, at)


def _columns(body: Grid, width: int) -> list[list[str]]:
    return [[row[index] for row in body] for index in range(width)]


def _row_of_headings(grid: Grid, within: Days, comma: bool) -> int | None:
    """Return the row with the most headings that are known, else the first full one without a number."""
    top = grid[: min(ABOVE, len(grid) - 1)]
    scores = [_score(row, within, comma) for row in top]
    if max(scores, default=0) > 0:
        at = scores.index(max(scores))
        # Below a heading that is merged over several nights stand their days.
        is_split = at + 1 < len(top) and not _dated(top[at], within) and len(_dated(top[at + 1], within)) > 1
        return at + 1 if is_split and not _is_someone(top[at + 1], within, comma) else at
    full = next((index for index, row in enumerate(top) if sum(map(bool, row)) > 1), None)
    if full is None or any(cells.number(cell, comma=comma) is not None for cell in top[full][1:]):
        return None
    return full


def _score(row: list[str], within: Days, comma: bool) -> int:
    """Return how many cells of a row are headings: words that are known, a word for the names thrice, and days."""
    words = [_word(cell) for cell in row]
    known, dated = sum(word is not None for word in words), len(_dated(row, within))
    if plain(next(filter(None, row), "")) in SUMS and _has_numbers(row, within, comma):
        return 0
    return known + 2 * ("name" in words) + dated if known or dated > 1 else 0


def _dated(row: list[str], within: Days) -> list[int]:
    return [index for index, cell in enumerate(row) if heading_day(cell, within) is not None]


def _has_numbers(row: list[str], within: Days, comma: bool) -> bool:
    """Tell whether a row has numbers that are no days."""
    return any(cells.number(cell, comma=comma) is not None and heading_day(cell, within) is None for cell in row)


def _is_someone(row: list[str], within: Days, comma: bool) -> bool:
    """Tell whether a row is a person's: with a text that is no heading."""
    texts = (cell for cell in row if cell and cells.number(cell, comma=comma) is None)
    return any(_word(cell) is None and heading_day(cell, within) is None for cell in texts)


def texts(grid: Grid, at: int | None) -> list[str]:
    """Return the headings of all columns; where a merged one has begun in a row above, it stands there."""
    if at is None:
        return [""] * len(grid[0])
    above = [row for row in grid[max(0, at - MOST_MERGED) : at] if sum(map(bool, row)) > 1]
    return [
        cell or next((row[index] for row in reversed(above) if row[index]), "") for index, cell in enumerate(grid[at])
    ]


def _days(grid: Grid, at: int, heads: list[str], within: Days) -> dict[int, date]:
    """Return the days of headings by column; a day that is merged over several columns is that of their points."""
    month_first = cells.is_month_first(heads, within)
    found = {index: heading_day(text, within, month_first=month_first) for index, text in enumerate(heads)}
    days = {index: day for index, day in found.items() if day is not None}
    if any(index in days for index, cell in enumerate(grid[at]) if cell) or not at:
        return days
    over = None
    for index, cell in enumerate(grid[at - 1]):
        over = heading_day(cell, within, month_first=month_first) if cell else over
        if over is not None and _word(heads[index]) == "points":
            days[index] = over
    return days


def heading_day(text: str, within: Days, *, month_first: bool | None = None) -> date | None:
    """Return the day that a heading names, alone or among words; a serial number is one in any season."""
    day = cells.day(text, within, month_first=month_first)
    if day is not None or not any(map(str.isdigit, text)):
        return day
    if (serial := cells.serial_day(text)) is not None:
        return serial
    named = {found for each in _DAY_WITHIN.findall(text) if (found := cells.day(each.strip(), within)) is not None}
    return named.pop() if len(named) == 1 else None


def _word(cell: str) -> str | None:
    """Return the kind that a heading names; None for any other text."""
    text = plain(cell)
    return next((kind for kind, words in _WORDS.items() if text in words), None) if text else None


def _kind(text: str, column: list[str], comma: bool, within: Days) -> str:
    """Return the likely meaning of a column: by its heading, else by the kind of most of its first cells."""
    if (word := _word(text)) is not None:
        return word
    filled = list(islice((cell for cell in column if cell not in cells.NOTHING), SAMPLE))
    if filled and all(cells.is_serial_day(cell, within) for cell in filled):
        # Points are never all within one season.
        return "day"
    if 2 * sum(cells.number(cell, comma=comma) is not None for cell in filled) > len(filled):
        return "points"
    month_first = cells.is_month_first(filled, within)
    if 2 * sum(cells.day(cell, within, month_first=month_first) is not None for cell in filled) > len(filled):
        return "day"
    return "name" if filled else ""


def _with_sums(kinds: list[str], heads: list[str], body: Grid, comma: bool) -> list[str]:
    """Return the kinds of a table of nights with its columns of sums: by their heading, or by their numbers."""
    nights = [index for index, kind in enumerate(kinds) if kind == "night"]
    named = kinds.index("name") if "name" in kinds else 0
    rows = [row for row in body[:SAMPLE] if row[named] and not columns.is_of_sums(row, named)]
    added = [sum(_values(row, nights, comma), Decimal()) for row in rows]

    def is_sum(index: int) -> bool:
        if _word(heads[index]) == "points":
            return True
        found = [next(_values(row, [index], comma), None) for row in rows]
        equal = sum(value == points for value, points in zip(found, added, strict=True))
        return len(nights) > 1 and equal > 1 and 4 * equal >= 3 * len(rows)

    return ["sum" if kind == "points" and is_sum(index) else kind for index, kind in enumerate(kinds)]


def _values(row: list[str], at: list[int], comma: bool) -> Iterator[Decimal]:
    """Yield the numbers of a row at some of its columns."""
    found = (cells.number(row[index], comma=comma) for index in at)
    yield from (each for each in found if each is not None)


def _once(kinds: list[str]) -> tuple[str, ...]:
    """Return kinds with what there is once at most: the first name, day and games; points by the last such column."""
    has_nights = "night" in kinds
    for kind, keeps in (("name", 0), ("day", 0), ("games", 0), ("points", -1)):
        found = [index for index, each in enumerate(kinds) if each == kind]
        kept = [] if not found or (has_nights and kind != "name") else [found[keeps]]
        for index in found:
            kinds[index] = kind if index in kept else ""
    return tuple(kinds)
