"""The rules of Chicago as a game of the house (docs/rules-chicago.md); see `games.kernel.contract`."""

from chicago.rules.about import about
from chicago.rules.choices import choices, to_enter
from chicago.rules.decide import decide
from chicago.rules.endings import headlines
from chicago.rules.faults import faults
from chicago.rules.fold import EVENTS, fold
from chicago.rules.game.ending import outcome
from chicago.rules.game.played_rounds import form, taking_back
from chicago.rules.game.rounds import open_table
from chicago.rules.options.declaration import options
from chicago.rules.picture import picture
from chicago.rules.state import State, gone, initial, is_over
from chicago.rules.throwing.throws import throwing
from chicago.rules.view import resample, view
from chicago.rules.view_shape import CHOICES, View
from games.kernel.codec import codec
from games.kernel.rules import Rules

dump, load = codec(State)

rules = Rules(
    version=9,
    events=EVENTS,
    options=options,
    open=open_table,
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
    throwing=throwing,
    to_enter=to_enter,
    about=about,
    headlines=headlines,
    picture=picture,
    form=form,
    taking_back=taking_back,
    view_shape=View,
    choice_shapes=CHOICES,
)
