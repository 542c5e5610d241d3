"""House rules about time: game clocks, and time limits of matches and money sessions (docs/rules-chouette.md §12)."""

from __future__ import annotations

from chouette.rules.options.needs import FORMAT, IN_MATCH, ON_WOOD, TABLE
from games.kernel.options import ChoiceOption, Exclusion, IntOption, Needs, Option, Pick
from games.kernel.text import gettext_noop as _

LONGEST_MATCH = 25
EFFECTS = ("match", "minute", "game", "point", "bell")
"""The effects of a reserve that is used up, as `clock_expiry` names them."""

_NO_DECISION_TIME = Needs("turn_seconds", (0,), _("There is a time for each decision already."))
_TWO_PLAY = Needs(
    "format", ("money", "match"), _("A game clock needs two players against each other."), also=_NO_DECISION_TIME
)
_TIMED = Needs("format", ("money", "match"), _("Only two players against each other play for a time."))
_WITH_CLOCK = Needs("clock", ("delay", "pairs"), _("There is no game clock."))
_IN_MONEY = Needs("format", ("money",), _("In a match the reserve follows from its length."), also=_WITH_CLOCK)

START_OPTIONS: tuple[Option, ...] = (
    IntOption(
        id="score_first",
        label=_("Points of the first seat at the start"),
        default=0,
        group=FORMAT,
        needs=IN_MATCH,
        help=_("A penalty of the other side, for example for coming late. The Crawford rule follows the score."),
        low=0,
        high=LONGEST_MATCH - 1,
        card=_("The first seat starts the match with points: {value}."),
        zero="",
        unit=_("points"),
    ),
    IntOption(
        id="score_second",
        label=_("Points of the second seat at the start"),
        default=0,
        group=FORMAT,
        needs=IN_MATCH,
        low=0,
        high=LONGEST_MATCH - 1,
        card=_("The second seat starts the match with points: {value}."),
        zero="",
        unit=_("points"),
    ),
    IntOption(
        id="match_minutes",
        label=_("Time limit"),
        default=0,
        group=FORMAT,
        needs=_TIMED,
        help=_(
            "0: none. The game in play is played out, then who is ahead wins; if the score is equal, one more game "
            "decides. Money games with a time limit are a money session."
        ),
        low=0,
        high=600,
        card=_(
            "Minutes to play: {value}. The game in play is then played out, and who is ahead wins; if the score "
            "is equal, one more game decides."
        ),
        zero="",
        unit=_("minutes"),
    ),
)

CLOCK_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="clock",
        label=_("Game clock"),
        default="none",
        group=TABLE,
        needs=_TWO_PLAY,
        help=_(
            "Simple delay: a side's reserve runs only after the first seconds of each of its turns. In a match the "
            "reserve is 2 minutes a point of its length, less a minute for each point already won; for pairs 2.5 and "
            "1.25. The clock of a bot does not run."
        ),
        picks=(
            Pick("none", _("no clock"), _("There is no game clock.")),
            Pick(
                "delay",
                _("simple delay, 12 seconds a turn"),
                _("Each side has a clock: 12 seconds a turn are free, then its reserve runs."),
            ),
            Pick(
                "pairs",
                _("simple delay for pairs that consult, 18 seconds a turn"),
                _("Each side has a clock: 18 seconds a turn are free for the pair to consult, then its reserve runs."),
            ),
        ),
    ),
    IntOption(
        id="clock_minutes",
        label=_("Reserve for a game"),
        default=7,
        group=TABLE,
        needs=_IN_MONEY,
        low=1,
        high=60,
        card=_("Minutes of reserve a side, anew for each game: {value}."),
        unit=_("minutes"),
    ),
    ChoiceOption(
        id="clock_expiry",
        label=_("Whose reserve is used up"),
        default="match",
        group=TABLE,
        needs=_WITH_CLOCK,
        picks=(
            Pick(
                "match",
                _("loses the match"),
                _("Whose reserve is used up loses the match; in a money game, the game."),
            ),
            Pick(
                "minute",
                _("gets a minute, the second time loses the match"),
                _(
                    "Whose reserve is used up gets one minute more; the second time they lose the match, in a money "
                    "game the game."
                ),
            ),
            Pick(
                "game",
                _("loses the game"),
                _("Whose reserve is used up loses the game, and gets one minute more for the next."),
            ),
            Pick(
                "point",
                _("gives a point, and gets a minute"),
                _("Whose reserve is used up gives the other side one point, and gets one minute more."),
            ),
            Pick("bell", _("hears a bell"), _("When a reserve is used up a bell sounds, and nothing else follows.")),
        ),
    ),
    ChoiceOption(
        id="wood_moves",
        label=_("Moves on the real board"),
        default="legal",
        group=TABLE,
        needs=ON_WOOD,
        help=_("The house does not see the board: this only stands on the rules card."),
        picks=(
            Pick(
                "legal",
                _("legal moves"),
                _("Legal moves: an illegal move is corrected as soon as anybody sees it, before the next roll."),
            ),
            Pick(
                "responsible",
                _("responsible moves"),
                _("Responsible moves: an illegal move stands unless the opponent asks for it to be corrected."),
            ),
        ),
    ),
)

POINT_IN_MONEY = Exclusion(
    {"format": ("money",), "turn_seconds": (0,), "clock": ("delay", "pairs"), "clock_expiry": ("point",)},
    "clock_expiry",
    "point_in_money",
    _("Only in a match a point can be given for time."),
)


def start_exclusions() -> tuple[Exclusion, ...]:
    """Return the contradictions between a match's length and the points that it starts with."""
    reason = _("A match can't start with as many points as it is played to.")
    return tuple(
        Exclusion(
            {"format": ("match",), "match_length": (length,), field: tuple(range(length, LONGEST_MATCH))},
            field,
            "start_above_length",
            reason,
        )
        for length in range(1, LONGEST_MATCH)
        for field in ("score_first", "score_second")
    )
