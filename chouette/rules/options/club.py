"""House rules of single clubs (docs/rules-chouette.md §§4.9, 4.12, 7)."""

from __future__ import annotations

from chouette.rules.options.needs import IN_CHOUETTE, LINE, ON_SCREEN, TABLE, TEAM
from games.kernel.options import BoolOption, ChoiceOption, IntOption, Needs, Option, Pick
from games.kernel.text import gettext_noop as _

CLUB_LINE_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="line_order",
        label=_("The first line"),
        default="die",
        group=LINE,
        needs=IN_CHOUETTE,
        picks=(
            Pick("die", _("one die each"), _("For the first line everybody rolls one die: the highest is Box.")),
            Pick(
                "typed",
                _("one real die each, at a real board"),
                _("For the first line everybody throws one real die and types it: the highest is Box."),
            ),
            Pick("lot", _("lots are drawn"), _("The first line is drawn by lot.")),
            Pick(
                "by_hand",
                _("the host sets it"),
                _("The players stand in the first line as they sit; until the opening roll the host may change it."),
            ),
        ),
    ),
    BoolOption(
        id="may_decline_box",
        label=_("The Box may be passed on"),
        default=False,
        group=LINE,
        needs=IN_CHOUETTE,
        on=_(
            "Whoever is to be Box may pass it on between two games, to the next in line who has not passed it on, and "
            "stands behind them. When all have, the first takes it."
        ),
    ),
)

CONSULTATION_FROM = IntOption(
    id="consultation_from",
    label=_("Advice from which cube on"),
    help=_("A cube in the game has to stand at least so high."),
    default=4,
    group=TEAM,
    needs=Needs("consultation", ("cube_at_least",), _("No cube opens the talk.")),
    low=2,
    high=64,
    card=_("The talk in the Team begins when a cube stands at {value} or more."),
    unit=_("points"),
)

DEPUTY = BoolOption(
    id="deputy",
    label=_("Deputies"),
    default=False,
    group=TEAM,
    needs=IN_CHOUETTE,
    on=_(
        "A Captain or Box who is called away may hand the dice to another of their side for the rest of the game; "
        "everybody goes on deciding about their own cubes."
    ),
)

PIP_COUNT = ChoiceOption(
    id="pip_count",
    label=_("Pip counts"),
    default="shown",
    group=TABLE,
    needs=ON_SCREEN,
    picks=(
        Pick("shown", _("are shown"), _("The board shows both sides' pip counts.")),
        Pick("hidden", _("are hidden"), _("While a game runs no pip counts are shown: all count for themselves.")),
    ),
)
