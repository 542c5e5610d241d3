"""The house rules of Chicago as a declaration (docs/rules-chicago.md §§2–4).

The options about the dice and their worth are here, options about mats, rounds and forfeits in
`game`. The engine never reads presets, only options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chicago.rules.options.game import GAME_OPTIONS, TABLE_OPTIONS, mat_words, seat_bounds
from chicago.rules.options.presets import EXCLUSIONS, PRESETS
from chicago.rules.throwing.scoring import Valuation
from games.kernel.options import BoolOption, ChoiceOption, Needs, Option, OptionSet, Pick
from games.kernel.text import gettext_noop as _

TURN = _("The turn")
WORTH = _("What a result is worth")

_FIXED = Needs("valuation", ("fixed",), _("The starter declares what the dice are worth."))
_SAME_THROW = Needs("sixes_turn", ("same_throw",), _("Sixes are not turned after every throw."))
_TURNING = Needs("sixes_turn", ("first_throw", "same_throw"), _("Sixes are not turned."))

TURN_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="followers",
        label=_("Followers throw"),
        default="at_most",
        group=TURN,
        help=_("The starter of a round fixes the number of throws: one, two or three."),
        picks=(
            Pick(
                "at_most",
                _("at most as often as the starter"),
                _("Followers throw at most as often as the starter of the round."),
            ),
            Pick(
                "exactly",
                _("exactly as often as the starter"),
                _("Followers throw exactly as often as the starter; only a Chick ends earlier."),
            ),
        ),
    ),
    ChoiceOption(
        id="keep",
        label=_("Dice that may be laid out"),
        default="any",
        group=TURN,
        help=_("After a throw you may lay out some of the dice just thrown and throw the rest."),
        picks=(
            Pick("any", _("any"), _("Any of the dice just thrown may be laid out.")),
            Pick(
                "ones_and_sixes",
                _("ones and sixes"),
                _(
                    "Of the dice just thrown only ones and sixes may stay while the rest is thrown again; "
                    "whoever stops may stand on any dice."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="free_return",
        label=_("Dice laid out may go back"),
        default="off",
        group=TURN,
        picks=(
            Pick("off", _("never"), _("Dice laid out do not go back into the cup.")),
            Pick(
                "third",
                _("before the third throw"),
                _("Dice laid out may go back into the cup before the third throw."),
            ),
        ),
    ),
    ChoiceOption(
        id="sixes_turn",
        label=_("Turning two sixes"),
        default="off",
        group=TURN,
        help=_("One of two sixes of the same throw becomes a one, the other is thrown again."),
        picks=(
            Pick("off", _("off"), _("Sixes are not turned.")),
            Pick(
                "first_throw",
                _("after the first throw"),
                _(
                    "Two sixes of the first throw may be turned: a one is laid out, the other six "
                    "goes back into the cup, and you must throw again."
                ),
            ),
            Pick(
                "same_throw",
                _("after any throw"),
                _(
                    "Two sixes of the same throw may be turned while a throw is left: a one is "
                    "laid out, the other six goes back into the cup, and you must throw again."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="three_sixes",
        label=_("Three sixes at once"),
        default="free",
        group=TURN,
        needs=_TURNING,
        picks=(
            Pick("free", _("are an ordinary throw"), _("Three sixes are an ordinary throw.")),
            Pick(
                "forced",
                _("become two ones"),
                _("Three sixes that may be turned must be: they become two ones, and one die goes back into the cup."),
            ),
        ),
    ),
    BoolOption(
        id="turn_laid_six",
        label=_("Turning a laid-out six with a new one"),
        default=False,
        group=TURN,
        needs=_SAME_THROW,
        on=_(
            "A laid-out six and one just thrown may be turned as well: the laid-out one becomes a one, the other "
            "goes back into the cup, and you must throw again."
        ),
    ),
)

WORTH_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="valuation",
        label=_("Who says what the dice are worth"),
        default="starter",
        group=WORTH,
        picks=(
            Pick(
                "starter",
                _("the starter of the round"),
                _(
                    "The starter of a round declares ones as 100 or 1, sixes as 60 or 6, "
                    "and whether the largest or the smallest number is best."
                ),
            ),
            Pick(
                "fixed",
                _("the house rules"),
                _("What the dice are worth is the same in every round."),
            ),
        ),
    ),
    ChoiceOption(
        id="ones",
        label=_("A one counts"),
        default="100",
        group=WORTH,
        needs=_FIXED,
        picks=(
            Pick("100", "100", _("A one counts 100.")),
            Pick("1", "1", _("A one counts 1.")),
        ),
    ),
    ChoiceOption(
        id="sixes",
        label=_("A six counts"),
        default="60",
        group=WORTH,
        needs=_FIXED,
        picks=(
            Pick("60", "60", _("A six counts 60.")),
            Pick("6", "6", _("A six counts 6.")),
        ),
    ),
    ChoiceOption(
        id="direction",
        label=_("Who wins a round"),
        default="high",
        group=WORTH,
        needs=_FIXED,
        picks=(
            Pick("high", _("the largest number"), _("The largest number is best.")),
            Pick("low", _("the smallest number"), _("The smallest number is best: it is high, the largest is low.")),
        ),
    ),
    ChoiceOption(
        id="chick",
        label=_("A Chick is"),
        default="any",
        group=WORTH,
        picks=(
            Pick("any", _("any three ones"), _("Three ones are a Chick, the best there is.")),
            Pick(
                "one_throw",
                _("three ones in one throw"),
                _(
                    "Three ones in one throw are a Chick, the best there is; three ones over "
                    "several throws count as their sum."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="fish",
        label=_("Fish (no one and no six)"),
        default="equal",
        group=WORTH,
        help=_("There is Fish only while ones count 100, sixes 60 and the largest number is best."),
        picks=(
            Pick(
                "equal",
                _("are all equal"),
                _(
                    "While ones count 100, sixes 60 and the largest number is best, dice without a one and "
                    "a six are a Fish, the lowest there is; all Fish are equal."
                ),
            ),
            Pick(
                "by_sum",
                _("compare by their sum"),
                _(
                    "While ones count 100, sixes 60 and the largest number is best, dice without a one and "
                    "a six are a Fish, the lowest there is; Fish compare by their sum."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="ties",
        label=_("Equal results"),
        default="later_loses",
        group=WORTH,
        picks=(
            Pick(
                "later_loses",
                _("the later one loses"),
                _("“Mit ist Shit”: who only equals the low is low themselves; the low must be beaten."),
            ),
            Pick(
                "fewer_throws",
                _("fewer throws win"),
                _("Of equal results the one with fewer throws is better; if these are equal too, the later one loses."),
            ),
            Pick(
                "roll_off",
                _("one die each decides"),
                _("Those who share the low throw one die each until one of them is lowest."),
            ),
        ),
    ),
)


def idle(values: Mapping[str, Any]) -> frozenset[str]:
    """Return the options without a meaning though their needs are met: `fish` under fixed values without Fish."""
    is_fixed = values["valuation"] == "fixed"
    return frozenset({"fish"}) if is_fixed and not Valuation.of(values).has_fish else frozenset()


OPTIONS = OptionSet(
    TURN_OPTIONS + WORTH_OPTIONS + GAME_OPTIONS + TABLE_OPTIONS, PRESETS, EXCLUSIONS, seat_bounds, idle, mat_words
)


def options() -> OptionSet:
    """Return the declaration of the house rules and presets."""
    return OPTIONS
