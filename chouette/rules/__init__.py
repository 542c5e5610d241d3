"""The rules of backgammon as a game of the house (docs/rules-chouette.md); see `games.kernel.contract`."""

from chouette.rules.about import about
from chouette.rules.choice_shapes import CHOICES
from chouette.rules.choices import choices
from chouette.rules.decide import decide
from chouette.rules.events.fold import EVENTS, fold
from chouette.rules.faults import faults
from chouette.rules.headlines import headlines
from chouette.rules.options.declaration import options
from chouette.rules.picture import picture
from chouette.rules.resample import resample
from chouette.rules.seating.coming_and_going import gone, order, played_on
from chouette.rules.seating.rotation import open_table
from chouette.rules.secrets import has_secrets, payees, to_enter
from chouette.rules.session.consultation import may_speak
from chouette.rules.session.ending import match_end, outcome
from chouette.rules.session.game_clock import timers
from chouette.rules.state import State, initial, is_over
from chouette.rules.throw import throwing
from chouette.rules.view import view
from chouette.rules.view_shape import View
from chouette.rules.wood.played import before, form, taking_back
from games.kernel.codec import codec
from games.kernel.rules import Rules

dump, load = codec(State)

rules = Rules(
    version=11,
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
    played_on=played_on,
    order=order,
    match_end=match_end,
    throwing=throwing,
    may_speak=may_speak,
    has_secrets=has_secrets,
    to_enter=to_enter,
    payees=payees,
    timers=timers,
    about=about,
    headlines=headlines,
    picture=picture,
    form=form,
    before=before,
    taking_back=taking_back,
    view_shape=View,
    choice_shapes=CHOICES,
)
