"""The first events of a table: who starts is drawn (docs/rules-chicago.md §4.1)."""

from __future__ import annotations

from chicago.rules import rounds
from chicago.rules.draft import Draft
from chicago.rules.mats import stock_at_start
from chicago.rules.state import has_mats, initial, seats_in
from games.kernel.contract import Event
from games.kernel.dice import Dice
from games.kernel.options import Values


def open_table(options: Values, seats: int, dice: Dice) -> tuple[Event, ...]:
    """Return the first events of a table; raises ValueError for fewer than two seats."""
    draft = Draft(initial(options, seats), dice)
    stock = stock_at_start(options, seats) if has_mats(options) else None
    draft.add("phase_started", phase=draft.state.phase, stock=stock)
    starter = rounds.draw_starter(draft, seats_in(draft.state), "opening")
    rounds.start_round(draft, starter)
    return tuple(draft.events)
