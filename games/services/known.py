"""What this process knows of the tables it has played at: their games' states, by seq.

A cache of the log and no more. What is kept was committed, and it counts only while the
table's row still has its seq: when another process has written, the log tells the rest.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from games.kernel.dice import FairDice
from games.models import Table
from games.services.sittings import Sitting

MOST_KEPT = 2000


@dataclass(frozen=True, slots=True)
class About:
    """What does not change while a table is played."""

    table_id: int
    public_id: str
    game_id: str
    night_id: int
    dice_seed: str
    dice_salt: str


@dataclass(frozen=True, slots=True)
class Known:
    """A table after entry `seq`. `clocks` as in models.Table; `state_seq` as stored there.

    `sat` tells who sat where and when, by the players' ids of that time.
    """

    about: About
    seq: int
    state: Any
    dice_drawn: int
    clocks: dict[str, int]
    state_seq: int
    sat: tuple[Sitting, ...]

    def dice(self) -> FairDice:
        """Return the table's dice, at the place where the log left them."""
        return FairDice(self.about.dice_seed, self.about.dice_salt, self.dice_drawn)


_kept: OrderedDict[int, Known] = OrderedDict()
_lock = threading.Lock()


def of_row(table: Table, state: Any, sat: tuple[Sitting, ...]) -> Known:
    """Return what a table's row, its game's state and its sittings say."""
    about = About(
        table.pk,
        table.public_id,
        table.game_id,
        table.night_id,
        table.dice_seed,
        table.dice_salt,
    )
    return Known(about, table.seq, state, table.dice_drawn, dict(table.clocks), table.state_seq, sat)


def get(table_id: int) -> Known | None:
    """Return what is known of a table, of whatever seq."""
    return _kept.get(table_id)


def keep(known: Known) -> None:
    """Keep what is committed, unless something later is kept already."""
    table_id = known.about.table_id
    with _lock:
        older = _kept.get(table_id)
        if older is None or older.seq <= known.seq:
            _kept[table_id] = known
            _kept.move_to_end(table_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget_all() -> None:
    """Forget everything (tests; after a restored backup)."""
    with _lock:
        _kept.clear()
