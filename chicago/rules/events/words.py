"""Words of Chicago's choices, by the choices' names (games.kernel.words); `chicago.rules.about` has their data."""

from __future__ import annotations

from collections.abc import Mapping

from chicago.rules.events.phrases import NUMBERS
from games.kernel.contract import TAKE_BACK
from games.kernel.dice import typed
from games.kernel.sentences import (
    Node,
    alike,
    each,
    equals,
    first,
    given,
    has,
    more,
    name_of,
    ngettext,
    no,
    phrase,
    pick,
    say,
    when,
    within,
)
from games.kernel.text import gettext_noop as _
from games.kernel.words import Words

_BEAT: dict[str, Node] = {"result": within("view.beat", phrase("called"))}
_LAID: dict[str, Node] = {"dice": each("lay", "%(item)s")}
_IS_THREE_SIXES = (
    "turn",
    equals("options.three_sixes", "forced"),
    equals("view.cup.rolled.length", 3),
    equals("view.cup.rolled.0", 6),
    alike("view.cup.rolled"),
)
_BREACH = say(
    _("%(by)s calls a breach by %(name)s: %(breach)s. %(votes)s of %(voters)s have voted."),
    by=name_of("view.breach.by"),
    name=name_of("view.breach.seat"),
    breach=within("view.breach", phrase("breach_name")),
    votes="view.breach.voted",
    voters="view.breach.voters.length",
)
_ON_TURN = when(
    "view.cup.throws",
    say(_("%(name)s: throw %(number)s of %(all)s"), number="view.throw.number", all="view.throw.all"),
    _("%(name)s has the cup"),
)
_NEED = first(
    ("forced", _("There is only one way to throw on: the table throws for you.")),
    (("view.beat", "view.for_high"), say(_("Beat the high: %(result)s"), **_BEAT)),
    (("view.beat", given("view.valuation"), no("view.valuation.high")), say(_("Get below %(result)s"), **_BEAT)),
    ("view.beat", say(_("Beat %(result)s"), **_BEAT)),
    (("view.declares", "view.cup.throws"), _("Declare what counts")),
    otherwise=_("You start the round"),
)
_COUNT_LAID = pick("lay.length", NUMBERS)
_LAID_OUT = first(
    (_IS_THREE_SIXES, _("Turn three sixes into two ones")),
    (("laid", "lay"), say(_("Turn a six laid out, lay out %(dice)s"), **_LAID)),
    ("laid", _("Turn a six laid out")),
    (("turn", "lay"), say(_("Turn two sixes, lay out %(dice)s"), **_LAID)),
    ("turn", _("Turn two sixes")),
    (
        more("lay", 0),
        ngettext("Lay out %(dice)s", "Lay out %(dice)s (%(count)s dice)", "lay.length", **_LAID, count=_COUNT_LAID),
    ),
    ("view.cup.throws", _("Throw all you can")),
    otherwise=None,
)
_TURN_ENDS = _("When the time runs out, the house throws and stands for you.")

WORDS: Mapping[str, Words] = {
    "vote_breach": Words(
        own=_("Your vote, please"),
        others=_("The table votes"),
        question=_BREACH,
        label=when("guilty", _("Guilty"), _("Not guilty")),
        tone=when("guilty", "stop"),
        lapse=_("When the time runs out, your vote is: not guilty."),
    ),
    "refill": Words(
        own=_("Your turn: refill"),
        others=say(_("%(name)s refills"), name=name_of("view.refill")),
        question=say(_("You took the last forfeit (%(forfeit)s): refill.")),
        label=_("Refill"),
        tone="go",
    ),
    "name_loser": Words(
        own=_("Your turn: name the loser"),
        others=say(_("%(name)s names the loser"), name=name_of("view.naming")),
        question=say(_("Name the loser of the round, who takes %(forfeit)s")),
        label="%(name)s",
        tone="",
        lapse=_("When the time runs out, the low loses."),
    ),
    "enter_result": Words(
        own=_("Your turn: throw, and enter what it came to"),
        others=_ON_TURN,
        title=_("What the dice came to"),
        question=_NEED,
        label=pick(
            "kind",
            {
                "chick": _("Chick"),
                "collected": _("Chick, collected"),
                "triple": when("value", _("Triple %(value)s"), _("Triple")),
                "one_six_five": "1-6-5",
                "fish": when("value", _("Fish %(value)s"), _("Fish")),
            },
            otherwise="%(value)s",
        ),
        note=say(_("in %(throws)s"), throws=phrase("word")),
    ),
    "type_dice": Words(
        own=_("Your turn: throw, and tap what fell"),
        others=_ON_TURN,
        title=_("What the dice show"),
        question=_NEED,
        label=typed.LABEL,
        lapse=_TURN_ENDS,
    ),
    "throw": Words(
        own=first(
            (has("open", "enter_result"), None),
            (has("open", "stand"), _("Your turn: throw again or stand")),
            ("view.cup.throws", _("Your turn: throw again")),
            otherwise=_("Your turn: throw"),
        ),
        others=_ON_TURN,
        question=when(has("open", "enter_result"), None, _NEED),
        label=first(
            (has("open", "enter_result"), _("The house throws")),
            (
                "view.cup.throws",
                ngettext("Throw %(count)s die", "Throw %(count)s dice", "throws", count=phrase("word")),
            ),
            otherwise=_("Throw"),
        ),
        note=_LAID_OUT,
        key="T",
        tone=when(has("open", "enter_result"), "", "go"),
        lapse=_TURN_ENDS,
        order=2,
    ),
    "stand": Words(
        own=_("Your turn: stand"),
        question=_NEED,
        label=when(given("value"), say(_("Stand with %(value)s"), value=phrase("short")), _("Stand")),
        note=when(given("high"), phrase("declared")),
        key="S",
        tone="",
        lapse=_TURN_ENDS,
        order=3,
    ),
    "declare": Words(title=_("What you declare"), label=phrase("declared"), order=4),
    "call_breach": Words(
        title=_("Call a breach"),
        question=_("Who has broken which rule?"),
        label=say(_("%(name)s: %(result)s"), result=phrase("breach_name")),
        tone="stop",
        order=7,
    ),
    "take_for": Words(
        label=when(
            "has_left",
            _("I take over what %(name)s owes: %(forfeits)s"),
            _("I take over what the one before %(name)s owes: %(forfeits)s"),
        ),
        tone="stop",
        order=6,
    ),
    TAKE_BACK: Words(label=_("Take the turn back"), order=5),
}
