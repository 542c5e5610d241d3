"""The house rules of Sealed Bids: one option of each kind, a need and an exclusion."""

from __future__ import annotations

from games.kernel.dice import typed
from games.kernel.options import (
    BoolOption,
    ChoiceOption,
    Exclusion,
    IntOption,
    Needs,
    OptionSet,
    Pick,
    Preset,
    TextOption,
)
from games.kernel.text import gettext_noop as _

BIDS, END = _("Bidding"), _("The end")

_OPTIONS = (
    IntOption(
        id="numbers",
        label=_("Numbers in a hand"),
        default=5,
        group=BIDS,
        low=3,
        high=9,
        card=_("Everybody holds the numbers from 1 to {value}."),
    ),
    BoolOption(
        id="reuse",
        label=_("Numbers may be used again"),
        default=False,
        group=BIDS,
        on=_("A number may be bid again in a later round."),
        off=_("Each number is bid once; a set ends when the hands are empty."),
    ),
    IntOption(
        id="rounds",
        label=_("Rounds in a set"),
        default=4,
        group=BIDS,
        needs=Needs("reuse", (True,), _("Without reuse a set ends when the hands are empty.")),
        low=1,
        high=9,
        card=_("Rounds in a set: {value}."),
    ),
    ChoiceOption(
        id="wins",
        label=_("Winning number"),
        default="highest",
        group=BIDS,
        picks=(
            Pick("highest", _("the highest"), _("The highest number that nobody shares wins.")),
            Pick("lowest", _("the lowest"), _("The lowest number that nobody shares wins.")),
        ),
    ),
    ChoiceOption(
        id="ties",
        label=_("When the best number is shared"),
        default="nobody",
        group=BIDS,
        picks=(
            Pick("nobody", _("look further"), _("A shared number wins nothing.")),
            Pick("die", _("a die decides"), _("Those who share the highest number throw a die.")),
        ),
    ),
    BoolOption(
        id="thanks",
        label=_("Thanks"),
        default=False,
        group=BIDS,
        on=_("After a round everybody thanks each of the others before the next."),
        off="",
    ),
    BoolOption(
        id="own_die",
        label=_("Own die"),
        default=False,
        group=BIDS,
        on=_("Everybody has a die that they alone see; the highest is worth a point when the set ends."),
        off="",
    ),
    TextOption(
        id="prize",
        label=_("What a round is worth"),
        default="a point",
        group=BIDS,
        longest=20,
        card=_("The best of a round takes {value}."),
    ),
    IntOption(
        id="sets",
        label=_("Sets"),
        default=1,
        group=END,
        low=0,
        high=5,
        card=_("Sets: {value}."),
        zero=_("The host ends the game between two rounds."),
    ),
    typed.option(END),
    IntOption(
        id="turn_seconds",
        label=_("Time for a bid"),
        default=0,
        group=END,
        low=0,
        high=120,
        card=_("Seconds for a bid: {value}. Then the lowest number is bid."),
        zero=_("There is no time limit."),
        unit=_("seconds"),
    ),
)

_PRESETS = (
    Preset("quick", _("Quick"), _("Three numbers, one set."), {"numbers": 3}, (2, 4)),
    Preset(
        "dicey",
        _("Dicey"),
        _("Two sets, and a die breaks ties."),
        {"reuse": True, "sets": 2, "ties": "die", "turn_seconds": 20},
        (2, 4),
    ),
    Preset(
        "endless",
        _("Endless"),
        _("Low numbers win until the host has had enough."),
        {"sets": 0, "wins": "lowest", "reuse": True, "rounds": 2},
        (2, 3),
    ),
    Preset(
        "polite",
        _("Polite"),
        _("Three numbers, one set, and thanks after each round."),
        {"numbers": 3, "thanks": True, "turn_seconds": 20},
        (3, 4),
    ),
    Preset(
        "hidden",
        _("Hidden dice"),
        _("Three numbers, two sets, and a die that its owner alone sees."),
        {"numbers": 3, "sets": 2, "own_die": True},
        (2, 3),
    ),
)

OPTIONS = OptionSet(
    _OPTIONS,
    _PRESETS,
    (
        Exclusion(
            {"wins": ("lowest",), "ties": ("die",)},
            "ties",
            "die_needs_highest",
            _("A die breaks ties of the highest number only."),
        ),
        Exclusion(
            {"own_die": (True,), "ties": ("die",)},
            "ties",
            "one_kind_of_dice",
            _("Dice that break ties would fall together with dice that are hidden."),
        ),
    ),
)


def options() -> OptionSet:
    """Return the declaration."""
    return OPTIONS
