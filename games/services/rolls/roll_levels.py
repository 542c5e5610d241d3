"""Levels of rolls: the devices that had a part in the dice, for each thrower of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.kernel.contract import Illegal
from games.kernel.dice import chains
from games.kernel.figures import rolls
from games.models import Table
from games.services.rolls import roll_files
from games.services.rolls.roll_files import TableRoll

_CHAINED = (chains.WITH_BOTH, chains.WITH_ROLLER, chains.WITH_OPPONENT, chains.BY_SERVER)
LEVELS = (*_CHAINED, rolls.TYPED)
EVERY_LEVEL = (*_CHAINED, rolls.SEALED, rolls.TYPED)
"""All levels, including that of tables whose dice come from a sealed seed."""
FIELDS = ("table", "roller", *EVERY_LEVEL)


@dataclass(frozen=True, slots=True)
class SeatLevels:
    """The rolls of one thrower by level, in the order of the columns; an empty `name` is the house."""

    name: str
    counts: tuple[int, ...]


def by_seat(found: Sequence[TableRoll]) -> list[SeatLevels]:
    """Return the levels of rolls by thrower, in the order of the seats; [] if no dice come from chains."""
    if not any(each.roll.level in _CHAINED for each in found):
        return []
    return _by_seat(found, LEVELS)


def _by_seat(found: Sequence[TableRoll], levels: Sequence[str]) -> list[SeatLevels]:
    """Return the rolls of each thrower by level, in the order of the seats, the house last."""
    counts = Counter((each.roll.seat, _name(each), each.roll.level) for each in found)
    throwers = sorted({(seat, name) for seat, name, _ in counts}, key=lambda one: (one[0] is None, one[0] or 0, one[1]))
    return [SeatLevels(name, tuple(counts[seat, name, level] for level in levels)) for seat, name in throwers]


def file_rows(tables: Iterable[Table]) -> Iterator[Sequence[object]]:
    """Yield the number of rolls of each level, for each thrower of each table, under FIELDS.

    A table whose log can't be read now is left out.
    """
    for table in tables:
        try:
            found = roll_files.of_table(table)
        except Illegal:
            continue
        for each in _by_seat(found, EVERY_LEVEL):
            yield (table.public_id, each.name or roll_files.HOUSE, *each.counts)


def counted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return levels with their numbers of rolls, in the order of EVERY_LEVEL; levels without rolls are left out."""
    return [(level, counts[level]) for level in EVERY_LEVEL if counts.get(level)]


def _name(each: TableRoll) -> str:
    return "" if each.thrower is None else each.thrower.name
