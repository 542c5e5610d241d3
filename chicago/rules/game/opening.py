"""The first events of a table: the starter is drawn (docs/rules-chicago.md §4.1)."""

from __future__ import annotations

from chicago.rules.events.rounds import PhaseStarted
from chicago.rules.fold import EVENTS
from chicago.rules.game import rounds
from chicago.rules.game.mats import stock_at_start
from chicago.rules.state import Draft, State, has_mats, initial, seats_in
from games.kernel.contract import Decision
from games.kernel.dice import Dice
from games.kernel.options import Values


def open_table(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table; raises ValueError for fewer than two seats."""
    draft = Draft(EVENTS, initial(options, seats), dice, seq=1)
    stock = stock_at_start(options, seats) if has_mats(options) else None
    draft.add(PhaseStarted(phase=draft.state.phase, stock=stock))
    starter = rounds.draw_starter(draft, seats_in(draft.state), "opening")
    rounds.start_round(draft, starter)
    return draft.decision()
