"""The rules of backgammon as a game of the house (docs/rules-chouette.md); see `games.kernel.contract`."""

from chouette.rules.audit import audit
from chouette.rules.choices import choices
from chouette.rules.decide import decide
from chouette.rules.events.fold import EVENTS, fold
from chouette.rules.options.declaration import options
from chouette.rules.resample import resample
from chouette.rules.seating.coming_and_going import gone, played_on
from chouette.rules.seating.rotation import open_table as open
from chouette.rules.secrets import has_secrets, payees, to_enter
from chouette.rules.session.consultation import may_speak
from chouette.rules.session.ending import match_end, outcome
from chouette.rules.state import State, initial, is_over
from chouette.rules.throw import throwing
from chouette.rules.view import view
from games.kernel.codec import codec

version = 9
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
    "has_secrets",
    "initial",
    "is_over",
    "load",
    "match_end",
    "may_speak",
    "open",
    "options",
    "outcome",
    "payees",
    "played_on",
    "resample",
    "throwing",
    "to_enter",
    "version",
    "view",
]
