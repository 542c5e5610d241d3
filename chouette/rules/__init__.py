"""The rules of backgammon as the house's contract asks for them (docs/rules-chouette.md)."""

from chouette.rules.audit import audit
from chouette.rules.choices import choices
from chouette.rules.codec import dump, load
from chouette.rules.coming import gone
from chouette.rules.decide import decide
from chouette.rules.ending import outcome
from chouette.rules.fold import fold
from chouette.rules.options import options
from chouette.rules.order import open_table as open
from chouette.rules.state import initial, is_over
from chouette.rules.view import view

version = 2

__all__ = [
    "audit",
    "choices",
    "decide",
    "dump",
    "fold",
    "gone",
    "initial",
    "is_over",
    "load",
    "open",
    "options",
    "outcome",
    "version",
    "view",
]
