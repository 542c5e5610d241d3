"""Rolling for the order: Box, Captain, and so on (docs/rules-chouette.md §4.1)."""

from __future__ import annotations

from chouette.rules.fold import fold
from chouette.rules.state import Draft, State, initial, is_two
from games.kernel.contract import Decision
from games.kernel.dice import Dice
from games.kernel.options import Values
from games.kernel.standings import throw_for_order


def open_table(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table: the order is rolled for.

    In a money game or a match the two highest play. Raises ValueError for fewer than 2 or
    more than 10 seats.
    """
    draft = Draft(fold, initial(options, seats), dice, seq=1)
    order, rolls = throw_for_order(tuple(range(seats)), dice)
    for roll in rolls:
        draft.add("order_rolled", rolls=roll)
    draft.add("line_set", line=order[:2] if is_two(draft.state) else order, why="rolled")
    return draft.decision()
