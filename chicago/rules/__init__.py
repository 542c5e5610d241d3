"""The rules of Chicago as a game of the house (docs/rules-chicago.md); see `games.kernel.contract`."""

from chicago.rules.audit import audit
from chicago.rules.choices import choices, to_enter
from chicago.rules.decide import decide
from chicago.rules.fold import EVENTS, fold
from chicago.rules.game.ending import outcome
from chicago.rules.game.opening import open_table as open
from chicago.rules.options.declaration import options
from chicago.rules.state import State, gone, initial, is_over
from chicago.rules.throwing.throws import throwing
from chicago.rules.view import resample, view
from games.kernel.codec import codec

version = 7
events = EVENTS
dump, load = codec(State)

__all__ = [
    "audit",
    "choices",
    "decide",
    "dump",
    "events",
    "fold",
    "gone",
    "initial",
    "is_over",
    "load",
    "open",
    "options",
    "outcome",
    "resample",
    "throwing",
    "to_enter",
    "version",
    "view",
]
