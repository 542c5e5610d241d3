"""The house rules about the cubes (docs/rules-chouette.md §§4.2–4.6, 4.8)."""

from __future__ import annotations

from dataclasses import replace

from chouette.rules.options.needs import CUBE_EACH, FOR_POINTS, FROM_THE_START, IN_CHOUETTE, ON_SCREEN
from games.kernel.options import BoolOption, ChoiceOption, IntOption, Needs, Option, Pick
from games.kernel.text import gettext_noop as _

CUBE = _("The cubes")
BOX = _("What the Box may and must do")

_LIMITED = Needs("automatics", ("limit",), _("No number limits the automatic doubles."))
_BEAVERS = Needs("beavers", (True,), _("There are no beavers."))

CUBE_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="cubes",
        label=_("Cubes of the Team"),
        default="each",
        group=CUBE,
        needs=IN_CHOUETTE,
        help=_("With a single cube most of what the Box may and must do has no meaning."),
        picks=(
            Pick(
                "each", _("one for each member"), _("Each member of the Team has a cube of their own against the Box.")
            ),
            Pick(
                "single",
                _("a single one"),
                _(
                    "The Team has a single cube: the Captain alone doubles for it, the Box takes or drops for all. "
                    "When the Box doubles, each member takes or drops; who drops pays and is out."
                ),
            ),
        ),
    ),
    ChoiceOption(
        id="automatics",
        label=_("Automatic doubles"),
        default="off",
        group=CUBE,
        needs=replace(FOR_POINTS, also=FROM_THE_START),
        help=_("What a tie in the opening roll does to the cubes."),
        picks=(
            Pick("off", _("none"), _("A tied opening roll is rolled again; no cube moves.")),
            Pick(
                "limit",
                _("up to a number"),
                _("A tied opening roll doubles every cube, up to a number of times."),
            ),
            Pick(
                "first_then_box",
                _("the first, then as the Box likes"),
                _("The first tied opening roll doubles every cube, each further one if the Box agrees."),
            ),
            Pick(
                "box_decides",
                _("as the Box likes"),
                _("A tied opening roll doubles every cube if the Box agrees."),
            ),
            Pick(
                "carry_over",
                _("the second goes to the next game"),
                _(
                    "A tied opening roll doubles every cube; a second one makes the next game "
                    "start doubled, if its Box agrees."
                ),
            ),
        ),
    ),
    IntOption(
        id="automatics_limit",
        label=_("Most automatic doubles in a game"),
        default=1,
        group=CUBE,
        needs=_LIMITED,
        low=1,
        high=4,
        card=_("Most automatic doubles in a game: {value}."),
        unit=_("doubles"),
    ),
    BoolOption(
        id="jacoby",
        label=_("Jacoby rule"),
        default=True,
        group=CUBE,
        needs=FOR_POINTS,
        on=_("Gammons and backgammons count only on a cube that has been offered and taken."),
        off=_("Gammons and backgammons always count."),
    ),
    BoolOption(
        id="beavers",
        label=_("Beavers"),
        default=False,
        group=CUBE,
        needs=FOR_POINTS,
        on=_("Whoever takes a double may double at once and keep the cube: a beaver."),
        off=_("There are no beavers."),
    ),
    BoolOption(
        id="raccoons",
        label=_("Raccoons"),
        default=False,
        group=CUBE,
        needs=_BEAVERS,
        on=_("A beaver may be answered by doubling once more: a raccoon."),
        off=_("There are no raccoons."),
    ),
    ChoiceOption(
        id="cube_order",
        label=_("How the Team doubles"),
        default="sealed",
        group=CUBE,
        needs=replace(ON_SCREEN, also=CUBE_EACH),
        picks=(
            Pick(
                "sealed",
                _("everyone in secret"),
                _("The Team's members decide about their doubles in secret, all at once."),
            ),
            Pick(
                "in_line",
                _("openly, in the order of the line"),
                _("The Team's members decide about their doubles openly, the Captain first."),
            ),
            Pick(
                "captain_last",
                _("openly, the Captain last"),
                _("The Team's members decide about their doubles openly, the Captain last."),
            ),
        ),
    ),
)

BOX_OPTIONS: tuple[Option, ...] = (
    ChoiceOption(
        id="uniform_response",
        label=_("Cubes that the Box treats alike"),
        default="by_category",
        group=BOX,
        needs=CUBE_EACH,
        help=_("It binds the Box within one turn, when it offers and when it answers."),
        picks=(
            Pick(
                "by_category",
                _("initial doubles, and redoubles"),
                _(
                    "In one turn the Box takes all initial doubles or none, and all redoubles or "
                    "none; it offers them the same way."
                ),
            ),
            Pick("none", _("none"), _("The Box need not treat cubes alike.")),
            Pick(
                "by_value",
                _("cubes of the same value"),
                _("In one turn the Box takes all cubes of the same value or none; it offers them the same way."),
            ),
        ),
    ),
    BoolOption(
        id="must_take_captain",
        label=_("Takes include the Captain's cube"),
        default=False,
        group=BOX,
        needs=CUBE_EACH,
        on=_(
            "If the Box takes any of several doubles, it takes the Captain's too, unless it "
            "already holds cubes of other members."
        ),
    ),
    ChoiceOption(
        id="min_takes",
        label=_("When the whole Team doubles at once"),
        default="none",
        group=BOX,
        needs=CUBE_EACH,
        help=_(
            "Only when every cube still in the game is doubled from the centre in one turn: how many must "
            "the Box take if it takes any? It may always drop all."
        ),
        picks=(
            Pick("none", _("take any number"), _("No number of takes is prescribed to the Box.")),
            Pick(
                "half",
                _("take at least half"),
                _("If the whole Team doubles at once, the Box takes at least half or none."),
            ),
            Pick(
                "break_even",
                _("take enough to break even"),
                _(
                    "If the whole Team doubles at once, the Box takes so many cubes that winning them singly "
                    "pays at least for those it drops, or none."
                ),
            ),
            Pick(
                "all_or_none",
                _("take all or none"),
                _("If the whole Team doubles at once, the Box takes all or none."),
            ),
        ),
    ),
    BoolOption(
        id="sole_captain_beaver",
        label=_("The Captain's cube alone is beavered"),
        default=False,
        group=BOX,
        needs=replace(_BEAVERS, also=CUBE_EACH),
        on=_("If the Box takes only the Captain's cube and drops another, it must beaver it."),
    ),
    ChoiceOption(
        id="sole_taker",
        label=_("The only member who takes"),
        default="free",
        group=BOX,
        needs=CUBE_EACH,
        help=_("When the Box doubles everyone in the game and all but one drop."),
        picks=(
            Pick("free", _("plays on"), _("A member who alone takes simply plays on.")),
            Pick(
                "must_beaver_or_drop",
                _("must beaver or drop"),
                _("A member who alone takes must beaver, or drop after all."),
            ),
            Pick(
                "extras",
                _("may be given extras"),
                _(
                    "Each who drops may pay the only taker the cube's value and play a second "
                    "cube against them: an extra."
                ),
            ),
        ),
    ),
    BoolOption(
        id="box_must_double_captain",
        label=_("The Box doubles the Captain too"),
        default=False,
        group=BOX,
        needs=CUBE_EACH,
        on=_("If the Box doubles anyone, it doubles a Captain's cube of the same value too."),
    ),
)
