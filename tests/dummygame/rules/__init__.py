"""The rules of Sealed Bids, as the contract wants them."""

from tests.dummygame.rules.decide import choices, decide, open
from tests.dummygame.rules.fold import fold, outcome
from tests.dummygame.rules.options import options
from tests.dummygame.rules.state import audit, dump, gone, initial, is_over, load, may_speak
from tests.dummygame.rules.view import view

version = 1

__all__ = [
    "audit", "choices", "decide", "dump", "fold", "gone", "initial", "is_over", "load",
    "may_speak", "open", "options", "outcome", "version", "view",
]  # fmt: skip
