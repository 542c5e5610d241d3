"""Rolling for the order: Box, Captain, and so on (docs/rules-chouette.md §4.1)."""

from __future__ import annotations

from chouette.rules.fold import fold
from chouette.rules.state import Draft, State, initial, is_two
from games.kernel.contract import Decision, JsonObject, Seat
from games.kernel.dice import Dice
from games.kernel.options import Values

Rolls = list[list[JsonObject]]


def open_table(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table: the order is rolled for.

    In a money game or a match the two highest play. Raises ValueError for fewer than 2 or
    more than 10 seats.
    """
    draft = Draft(fold, initial(options, seats), dice, seq=1)
    order, rolls = draw(tuple(range(seats)), dice)
    for roll in rolls:
        draft.add("order_rolled", rolls=roll)
    draft.add("line_set", line=order[:2] if is_two(draft.state) else order, why="rolled")
    return draft.decision()


def draw(seats: tuple[Seat, ...], dice: Dice) -> tuple[list[Seat], Rolls]:
    """Return the seats from the highest die to the lowest, and the rolls on the way there.

    Only those who tie roll again, and only for their block. Each roll is a list of
    `{"seat", "die"}`.
    """
    if len(seats) == 1:
        return list(seats), []
    fell = dict(zip(seats, dice.roll(len(seats)), strict=True))
    rolls = [[{"seat": seat, "die": die} for seat, die in fell.items()]]
    order: list[Seat] = []
    for value in sorted(set(fell.values()), reverse=True):
        block = tuple(seat for seat in seats if fell[seat] == value)
        placed, more = draw(block, dice)
        order += placed
        rolls += more
    return order, rolls
