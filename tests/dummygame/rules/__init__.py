"""The rules of Sealed Bids, as the contract wants them."""

from games.kernel.codec import codec
from games.kernel.rules import Rules
from tests.dummygame.rules.decide import choices, decide, open, to_enter
from tests.dummygame.rules.events import EVENTS
from tests.dummygame.rules.fold import fold, outcome
from tests.dummygame.rules.options import options
from tests.dummygame.rules.shapes import CHOICES, View
from tests.dummygame.rules.state import State, faults, gone, initial, is_over, may_speak
from tests.dummygame.rules.view import has_secrets, resample, view

dump, load = codec(State)

rules = Rules(
    version=3,
    events=EVENTS,
    options=options,
    open=open,
    initial=initial,
    choices=choices,
    decide=decide,
    fold=fold,
    view=view,
    resample=resample,
    is_over=is_over,
    gone=gone,
    outcome=outcome,
    faults=faults,
    dump=dump,
    load=load,
    may_speak=may_speak,
    has_secrets=has_secrets,
    to_enter=to_enter,
    view_shape=View,
    choice_shapes=CHOICES,
)
