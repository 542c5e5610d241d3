"""The house rules about mats, rounds, forfeits and the table (docs/rules-chicago.md §§4–5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kernel.dice import chains, typed
from games.kernel.figures import skill
from games.kernel.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Needs,
    Option,
    Pick,
    TextOption,
)
from games.kernel.text import gettext_noop as _
from games.kernel.text import pgettext_noop as pgettext

GAME = _("The game")
FORFEITS = _("Forfeits")
TABLE = _("The table")

MATS_IN_PLAY = ("n_plus_1", "two_n_minus_1", "two_n_plus_1", "fixed")

_WITH_MATS = Needs("mats", MATS_IN_PLAY, _("The game is played without beer mats."))
_WITHOUT_MATS = Needs("mats", ("none",), _("A game for beer mats ends with the last mat."))
_WITH_FORFEITS = Needs("forfeits", (True,), _("The game is played without forfeits."))

MATS_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="mats",
        label=_("Beer mats"),
        default="none",
        group=GAME,
        help=_("With mats a game has two phases: dealing the mats and playing them off."),
        picks=(
            Pick("none", _("none"), _("The low of each round has lost that round.")),
            Pick(
                "n_plus_1",
                _("one more than players"),
                _("There is one {mat} more than players; until they are dealt the low of each round takes one."),
            ),
            Pick(
                "two_n_minus_1",
                _("twice the players less one"),
                _(
                    "There are twice as many {mats} as players, less one; "
                    "until they are dealt the low of each round takes one."
                ),
            ),
            Pick(
                "two_n_plus_1",
                _("twice the players and one"),
                _(
                    "There are twice as many {mats} as players, and one more; "
                    "until they are dealt the low of each round takes one."
                ),
            ),
            Pick(
                "fixed",
                _("a fixed number"),
                _("There is a fixed number of {mats}; until they are dealt the low of each round takes one."),
            ),
        ),
    ),
    IntOption(
        id="mats_fixed",
        label=_("Number of beer mats"),
        default=10,
        group=GAME,
        needs=Needs("mats", ("fixed",), _("The number of beer mats follows from the players.")),
        low=1,
        high=60,
        card=_("In the stock at the start: {value} {mats}."),
        unit=_("beer mats"),
    ),
    ChoiceOption(
        id="playing_off",
        label=_("Playing off the mats"),
        default="discard",
        group=GAME,
        needs=_WITH_MATS,
        picks=(
            Pick(
                "discard",
                _("the high puts one out of play"),
                _(
                    "When all {mats} are dealt, the high of each round puts one out of play: then the high is "
                    "the one to beat. The last player with any has lost and pays the round."
                ),
            ),
            Pick(
                "give",
                _("the best gives one to the worst"),
                _(
                    "When all {mats} are dealt, the best of each round gives one to the worst; while "
                    "there are more than twice the players less one, it leaves play instead. The "
                    "last player in has lost and pays the round."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="phase2_start",
        label=_("Starting a round while mats are played off"),
        default="most_mats_then_low",
        group=GAME,
        needs=_WITH_MATS,
        picks=(
            Pick(
                "most_mats_then_low",
                _("most mats first, then the low"),
                _("Whoever has most {mats} starts the first round of playing off, the low of the last one each other."),
            ),
            Pick(
                "most_mats",
                _("most mats, each time"),
                _("Whoever has most {mats} starts each round of playing off; of equals one die each decides."),
            ),
        ),
    ),
    IntOption(
        id="losers",
        label=_("Losers above five players"),
        default=1,
        group=GAME,
        needs=_WITH_MATS,
        low=1,
        high=2,
        card=_("Losers of a game that starts with more than five players: {value}."),
        unit=_("players"),
    ),
    BoolOption(
        id="chick_pays_schnapps",
        label=_("A Chick owes the side forfeit"),
        default=False,
        group=GAME,
        on=_("Who throws three ones in one throw owes the table a small side forfeit all the same."),
    ),
    BoolOption(
        id="chick_stays",
        label=_("A Chick stays in the game"),
        default=False,
        group=GAME,
        needs=_WITH_MATS,
        on=_("Who throws a Chick keeps their {mats}, stays in the game and is merely safe in that round."),
        off=_("Who throws a Chick is out of the game and safe at once, and their {mats} leave play."),
    ),
    IntOption(
        id="rounds",
        label=_("Rounds in a game"),
        default=0,
        group=GAME,
        needs=_WITHOUT_MATS,
        help=_("0: the game goes on until the host closes it between two rounds."),
        low=0,
        high=99,
        card=_("Rounds in a game: {value}."),
        zero=_("The game is open-ended: people may join and the host may close it between two rounds."),
        unit=_("rounds"),
    ),
)

FORFEIT_OPTIONS: tuple[Option, ...] = (
    BoolOption(
        id="forfeits",
        label=_("Play for forfeits"),
        default=False,
        group=FORFEITS,
        help=_("The low of a full round takes a forfeit; with a Chick everybody else does."),
        on=_(
            "The low of a full round takes a forfeit and starts the next round. With a Chick "
            "everybody else takes a forfeit. The game never asks anybody to drink alcohol."
        ),
    ),
    TextOption(
        id="forfeit_name",
        label=_("What a forfeit is"),
        default=_("a point"),
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        help=_("For instance a point, a push-up or a glass of water: the table calls it by this name."),
        longest=40,
        card=_("A forfeit is: {value}."),
    ),
    BoolOption(
        id="adults_only",
        label=_("Adults only"),
        default=False,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        on=_("This table is for adults only."),
    ),
    BoolOption(
        id="triples_name_loser",
        label=_("A triple names the loser"),
        default=True,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        on=_(
            "Three equal dice in one throw, from twos to sixes, let their thrower name the loser; the round ends there."
        ),
    ),
    BoolOption(
        id="one_six_five_names_loser",
        label=_("1-6-5 names the loser"),
        default=True,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        on=_("1-6-5 lets its thrower name the loser; the round ends there."),
    ),
    BoolOption(
        id="refill",
        label=_("Refill after a forfeit"),
        default=True,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        on=_(
            "Whoever took the last forfeit must refill before anybody throws; who throws before "
            "that takes a forfeit and refills."
        ),
    ),
    BoolOption(
        id="breaches",
        label=_("Breaches at the table"),
        default=True,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        on=_(
            "Anybody may call a breach (spilling, not finishing in one go, something foreign in "
            "the cup); the others vote, and the guilty takes a forfeit. Something foreign in the cup, or "
            "a breach in one's own turn, also loses the round, which ends there."
        ),
    ),
    IntOption(
        id="leaving_forfeits",
        label=_("Forfeits for leaving"),
        default=3,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        low=0,
        high=9,
        card=_("Forfeits for leaving, whichever way: {value} at once; another player may take them."),
        zero=_("Leaving costs nothing."),
        unit=_("forfeits"),
    ),
    IntOption(
        id="end_total",
        label=_("Forfeits in an evening"),
        default=0,
        group=FORFEITS,
        needs=_WITH_FORFEITS,
        help=_("0: as many as come."),
        low=0,
        high=200,
        card=_("The evening ends when so many forfeits have been taken: {value}."),
        zero=_("However many forfeits are taken, the evening goes on."),
        unit=_("forfeits"),
    ),
)

GAME_OPTIONS = MATS_OPTIONS + FORFEIT_OPTIONS

BAVARIAN = pgettext("Bavarian", "beer mat"), pgettext("Bavarian", "beer mats")
OTHERS = pgettext("the other games", "beer mat"), pgettext("the other games", "beer mats")
"""Names of the mats: in German the Bavarian game is played with Filze, the others with Deckel."""


def mat_words(options: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the words for `{mat}` and `{mats}`, by the way in which mats are played off."""
    one, many = BAVARIAN if options["playing_off"] == "discard" else OTHERS
    return {"mat": one, "mats": many}


FEWEST, MOST = 2, 12
FEWEST_FOR_FORFEITS, MOST_FOR_FORFEITS = 3, 8


def most_players(options: Mapping[str, Any]) -> int:
    """Return the greatest number of players at a time under complete house rules (§4)."""
    return seat_bounds(options)[1]


def seat_bounds(options: Mapping[str, Any]) -> tuple[int, int]:
    """Return the least and the greatest number of players under complete house rules (§4)."""
    return (FEWEST_FOR_FORFEITS, MOST_FOR_FORFEITS) if options["forfeits"] else (FEWEST, MOST)


TABLE_OPTIONS: tuple[Option, ...] = (
    typed.option(TABLE),
    chains.wait_option(TABLE, needs=Needs("dice", ("server",), _("Real dice are thrown."))),
    ChoiceOption(
        id="entry",
        label=_("What is typed"),
        default="result",
        group=TABLE,
        needs=Needs("dice", ("typed",), _("The house throws the dice.")),
        help=_("With cup and mats on the table, what is announced is enough: the number of throws, and the result."),
        picks=(
            Pick(
                "result",
                _("what a turn came to"),
                _(
                    "Dice are laid out at the table; who has thrown enters in how many throws they came to what, "
                    "and may take it back until the next player's first tap."
                ),
            ),
            Pick(
                "throws",
                _("every throw"),
                _("Every throw is typed; a turn may be taken back until the next player's first tap."),
            ),
        ),
    ),
    IntOption(
        id="turn_seconds",
        label=_("Time for a turn"),
        default=60,
        group=TABLE,
        help=_("0: no limit. When the time is up, the table throws as often as needed and stands."),
        low=0,
        high=600,
        card=_("Seconds for each decision: {value}. Then the table throws as often as needed and stands."),
        zero=_("There is no time limit."),
        unit=_("seconds"),
    ),
    IntOption(
        id="pause_between",
        label=_("Pause between rounds"),
        default=5,
        group=TABLE,
        help=_("So long the result of a round is shown before a bot throws on. A player may throw at once."),
        low=0,
        high=60,
        card=_("Seconds for the result of a round, before a bot throws on: {value}."),
        zero=_("Bots throw on at once after a round."),
        unit=_("seconds"),
    ),
    BoolOption(
        id="hints",
        label=_("Hints"),
        default=True,
        group=TABLE,
        on=_("Players may ask for a hint with the exact odds."),
        off=_("There are no hints."),
    ),
    skill.option(TABLE, needs=Needs("dice", ("server",), _("Real dice are thrown."))),
)
