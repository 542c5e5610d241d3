"""The rules of Sealed Bids, as the contract wants them."""

from games.kernel.codec import codec
from tests.dummygame.rules.decide import choices, decide, open, to_enter
from tests.dummygame.rules.events import EVENTS
from tests.dummygame.rules.fold import fold, outcome
from tests.dummygame.rules.options import options
from tests.dummygame.rules.state import State, audit, gone, initial, is_over, may_speak
from tests.dummygame.rules.view import has_secrets, resample, view

version = 3
events = EVENTS
dump, load = codec(State)

__all__ = [
    "audit", "choices", "decide", "dump", "events", "fold", "gone", "has_secrets", "initial", "is_over",
    "load", "may_speak", "open", "options", "outcome", "resample", "to_enter", "version", "view",
]  # fmt: skip
