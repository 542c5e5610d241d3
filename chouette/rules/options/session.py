"""The house rules about the format, the line and the table (docs/rules-chouette.md §§2, 4–7)."""

from __future__ import annotations

from dataclasses import replace

from chouette.rules.options.club import CLUB_LINE_OPTIONS, CONSULTATION_FROM, DEPUTY, PIP_COUNT
from chouette.rules.options.needs import (
    FOR_POINTS,
    FORMAT,
    IN_CHOUETTE,
    IN_MATCH,
    LINE,
    MOST_PLAYERS,
    ON_SCREEN,
    SHEET,
    TABLE,
    TEAM,
)
from chouette.rules.options.time import CLOCK_OPTIONS, START_OPTIONS
from chouette.rules.session.start import StartOption
from games.kernel.dice import chains, typed
from games.kernel.figures import skill
from games.kernel.options import BoolOption, ChoiceOption, IntOption, Needs, Option, Pick
from games.kernel.text import gettext_noop as _

_GAME_RESULT = Needs("rotation", ("game_result",), _("Another result decides about the Box."))
_OWN_CUBE = Needs("consultation", ("own_cube_turned",), _("The consultation rule leaves nothing to ask for."))
_WITH_PARTNER = Needs("partner", ("optional_from", "compulsory_from"), _("The Box plays without a partner."))

FORMAT_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="format",
        label=_("Format"),
        default="chouette",
        group=FORMAT,
        picks=(
            Pick(
                "chouette",
                _("chouette"),
                _("One player, the Box, plays against all the others, the Team."),
            ),
            Pick("money", _("money game"), _("Two players play game after game for points.")),
            Pick("match", _("match"), _("Two players play a match under the Crawford rule.")),
        ),
    ),
    IntOption(
        id="match_length",
        label=_("Points in the match"),
        default=5,
        group=FORMAT,
        needs=IN_MATCH,
        low=1,
        high=25,
        card=_("Points to win the match: {value}."),
        unit=_("points"),
    ),
    *START_OPTIONS,
    IntOption(
        id="max_players",
        label=_("Most players"),
        default=6,
        group=FORMAT,
        needs=IN_CHOUETTE,
        help=_("Newcomers may join between two games up to this number."),
        low=3,
        high=MOST_PLAYERS,
        card=_("Newcomers may join between two games, up to {value} players."),
        unit=_("players"),
    ),
    ChoiceOption(
        id="board",
        label=_("Board"),
        default="screen",
        group=FORMAT,
        help=_(
            "With a real board on the table, dice and checkers stay on it; the house keeps line, cubes, answers and "
            "score sheet. Bots, hints and .mat files need a board that the house can see."
        ),
        picks=(
            Pick("screen", _("on the screen"), _("Dice and checkers are on the screen.")),
            Pick(
                "wood",
                _("a real one, on the table"),
                _(
                    "Dice and checkers are on a real board; line, cubes, answers and score sheet are kept here. The "
                    "Box and the Captain say together how a game has ended, or the host says it."
                ),
            ),
        ),
    ),
    StartOption(
        id="start_position",
        label=_("Position at the start"),
        default="start",
        group=FORMAT,
        help=_(
            "start is the usual position. To study another one, paste its position id or XGID, which "
            "backgammon programs show: every game then starts there, with the Captain on roll."
        ),
        longest=90,
        card=_("Each game starts from this position, without an opening roll, the Captain on roll: {value}."),
        usual=_("Each game starts from the usual position."),
    ),
)

LINE_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="rotation",
        label=_("Who is Box next"),
        default="captain_result",
        group=LINE,
        needs=IN_CHOUETTE,
        picks=(
            Pick(
                "captain_result",
                _("the result against the first Captain decides"),
                _(
                    "The Box stays unless the first Captain of the game beats it; whoever stood in "
                    "for that Captain is Captain in the next game."
                ),
            ),
            Pick(
                "last_man_standing",
                _("the last Captain plays for it"),
                _("A Captain who goes out moves to the end of the line; the last Captain plays for the Box."),
            ),
            Pick(
                "game_result",
                _("the result of the game decides"),
                _(
                    "The Box stays if it wins the game; a Captain whose double was dropped keeps "
                    "the claim to the Box while another stands in."
                ),
            ),
        ),
    ),
    BoolOption(
        id="must_break_even",
        label=_("The Box must at least break even"),
        default=True,
        group=LINE,
        needs=_GAME_RESULT,
        on=_("To stay, the Box must win the game and lose no points in it."),
        off=_("To stay, the Box must win the game, whatever the points."),
    ),
    ChoiceOption(
        id="join_position",
        label=_("Newcomers stand"),
        default="behind_loser",
        group=LINE,
        needs=IN_CHOUETTE,
        picks=(
            Pick(
                "behind_loser",
                _("behind the loser"),
                _("Newcomers join at the end of the line, behind the loser."),
            ),
            Pick(
                "ahead_of_loser",
                _("ahead of the loser"),
                _("Newcomers join the line just ahead of the loser."),
            ),
        ),
    ),
    *CLUB_LINE_OPTIONS,
)

TEAM_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="consultation",
        label=_("Advice in the Team"),
        default="free",
        group=TEAM,
        needs=IN_CHOUETTE,
        picks=(
            Pick(
                "free",
                _("from everyone still in the game"),
                _("Everyone in the Team who is still in the game may advise the Captain."),
            ),
            Pick(
                "own_cube_turned",
                _("only with one's own cube turned"),
                _("Only members whose own cube has been offered and taken may advise the Captain."),
            ),
            Pick(
                "cube_at_least",
                _("once a cube stands high enough"),
                _("Once a cube stands high enough, everyone in the Team still in the game may advise the Captain."),
            ),
            Pick("none", _("none"), _("Nobody advises the Captain.")),
        ),
    ),
    CONSULTATION_FROM,
    BoolOption(
        id="captain_may_ask",
        label=_("The Captain may ask"),
        default=False,
        group=TEAM,
        needs=_OWN_CUBE,
        on=_("The Captain may ask a member by name, who may then advise on this play."),
        off=_("The Captain may not ask the others for advice."),
    ),
    ChoiceOption(
        id="partner",
        label=_("A partner in the Box"),
        default="off",
        group=TEAM,
        needs=IN_CHOUETTE,
        help=_(
            "Against many the Box need not be alone: the last in line changes sides, has no cube, advises "
            "the Box in secret and wins or loses half of what the Box does."
        ),
        picks=(
            Pick("off", _("never"), _("The Box plays alone.")),
            Pick(
                "optional_from",
                _("if the Box likes"),
                _(
                    "In a large chouette the Box may take the last in line as a partner, who has no "
                    "cube, advises the Box and shares its result half and half."
                ),
            ),
            Pick(
                "compulsory_from",
                _("always in a large chouette"),
                _(
                    "In a large chouette the last in line is the Box's partner, has no cube, advises the "
                    "Box and shares its result half and half."
                ),
            ),
        ),
    ),
    IntOption(
        id="partner_from",
        label=_("Partner from how many players"),
        help=_("Not more than may play at the table."),
        default=6,
        group=TEAM,
        needs=_WITH_PARTNER,
        low=4,
        high=MOST_PLAYERS,
        card=_("Players from which on the Box has a partner: {value}."),
        unit=_("players"),
    ),
    DEPUTY,
)

TABLE_OPTIONS: tuple[Option, ...] = (
    replace(typed.option(TABLE), needs=ON_SCREEN),
    chains.wait_option(TABLE, needs=Needs("dice", ("server",), _("Real dice are thrown."), also=ON_SCREEN)),
    PIP_COUNT,
    BoolOption(
        id="settlements",
        label=_("Settling"),
        default=True,
        group=SHEET,
        needs=FOR_POINTS,
        on=_("Two opponents may settle their cube for any points they agree on."),
        off=_("Cubes are not settled."),
    ),
    BoolOption(
        id="bot_plays_on",
        label=_("A bot plays on for whoever leaves"),
        default=True,
        group=TABLE,
        needs=replace(ON_SCREEN, also=FOR_POINTS),
        help=_("For a Box without a partner, and for the last of a Team, on the account of who left."),
        on=_("If the Box or the last of the Team leaves in the middle of a game, a bot plays it out on their account."),
        off=_(
            "If the Box or the last of the Team leaves in the middle of a game, each cube is paid at the highest level "
            "that was refused in a resignation plus one, at least at its value."
        ),
    ),
    IntOption(
        id="grace_seconds",
        label=_("Grace time for doubles"),
        default=3,
        group=TABLE,
        needs=ON_SCREEN,
        help=_(
            "So long everybody may still double after the Captain has asked to roll; who says wait has the "
            "time for a decision. 0: the dice are thrown at once."
        ),
        low=0,
        high=120,
        card=_("Seconds in which the others may still double when the Captain rolls: {value}."),
        zero=_("The Captain rolls at once: who wants to double does so before."),
        unit=_("seconds"),
    ),
    IntOption(
        id="pause_between",
        label=_("Pause after a game"),
        default=8,
        group=TABLE,
        needs=ON_SCREEN,
        help=_(
            "So long the result stands before the next game; its Box and Captain together can go on earlier. "
            "0: no pause."
        ),
        low=0,
        high=120,
        card=_("Seconds that a result stands before the next game: {value}. Leaving costs nothing then."),
        zero=_("The next game begins without a pause."),
        unit=_("seconds"),
    ),
    IntOption(
        id="turn_seconds",
        label=_("Time for a decision"),
        default=0,
        group=TABLE,
        help=_(
            "0: no limit. When the time is up, nobody doubles and the dice are thrown; a play or "
            "an answer gets the same time once more."
        ),
        low=0,
        high=900,
        card=_(
            "Seconds for each decision: {value}. A play or an answer gets them twice; then the "
            "cube is dropped, or the seat is left."
        ),
        zero=_("A decision may take as long as it takes."),
        unit=_("seconds"),
    ),
    *CLOCK_OPTIONS,
    BoolOption(
        id="bot_advice",
        label=_("Advice from bots"),
        default=True,
        group=TABLE,
        needs=replace(ON_SCREEN, also=IN_CHOUETTE),
        help=_("Where the Team may consult, bots in it join in: they draw plays and speak about cubes."),
        on=_("Bots in the Team suggest plays, and say what they would do with a cube."),
        off=_("Bots in the Team give no advice."),
    ),
    BoolOption(
        id="hints",
        label=_("Hints"),
        default=False,
        group=TABLE,
        needs=ON_SCREEN,
        help=_("Whoever must play, double or answer may ask what a bot would do."),
        on=_("A bot may be asked for advice on a play or a cube."),
        off=_("There are no hints."),
    ),
    skill.option(TABLE, needs=ON_SCREEN),
)
