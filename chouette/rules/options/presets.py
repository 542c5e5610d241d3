"""Whole sets of house rules (docs/rules-chouette.md §9), and contradictions."""

from __future__ import annotations

from chouette.rules.options.time import POINT_IN_MONEY, start_exclusions
from games.kernel.options import Exclusion, Preset
from games.kernel.text import gettext_noop as _

PRESETS = (
    Preset(
        "german",
        _("Chouette, German"),
        _(
            "The usual game in Germany: free advice, cubes of one kind are treated alike, and the "
            "Captain's result decides about the Box."
        ),
        {},
        (3, 6),
    ),
    Preset(
        "club",
        _("Chouette, club"),
        _(
            "An old club sheet: automatic doubles, beavers and raccoons, advice only with your "
            "own cube turned, and a Box that must break even."
        ),
        {
            "rotation": "game_result",
            "must_break_even": True,
            "consultation": "own_cube_turned",
            "captain_may_ask": True,
            "uniform_response": "none",
            "must_take_captain": True,
            "sole_captain_beaver": True,
            "min_takes": "break_even",
            "sole_taker": "must_beaver_or_drop",
            "automatics": "first_then_box",
            "beavers": True,
            "raccoons": True,
        },
        (3, 6),
    ),
    Preset(
        "last_man_standing",
        _("Chouette, last man standing"),
        _("As in English-speaking clubs: the last Captain left plays for the Box."),
        {"rotation": "last_man_standing", "beavers": True},
        (3, 6),
    ),
    Preset(
        "wood",
        _("Chouette on a real board"),
        _(
            "Board, dice and checkers stand on the table; here are the line, everybody's cube, the answers and the "
            "score sheet."
        ),
        {"board": "wood"},
        (3, 6),
    ),
    Preset(
        "money",
        _("Money game"),
        _("Two players, game after game, with the Jacoby rule and beavers."),
        {"format": "money", "beavers": True},
        (2, 2),
    ),
    Preset(
        "match",
        _("Match"),
        _("Two players to a number of points, with the Crawford rule."),
        {"format": "match"},
        (2, 2),
    ),
)

_PARTNERS = ("optional_from", "compulsory_from")
_BEAVERS = (
    Exclusion(
        {"sole_taker": ("must_beaver_or_drop",), "beavers": (False,)},
        "sole_taker",
        "must_beaver_without_beavers",
        _("Nobody can be made to beaver where there are no beavers."),
    ),
)

_TYPED_ORDER = Exclusion(
    {"format": ("chouette",), "line_order": ("typed",), "board": ("screen",)},
    "line_order",
    "typed_order_on_screen",
    _("Real dice for the first line are thrown at a real board alone."),
)


def exclusions(most_players: int) -> tuple[Exclusion, ...]:
    """Return the contradictions between house rules, for chouettes of at most `most_players`."""
    few = tuple(
        Exclusion(
            {
                "format": ("chouette",),
                "partner": _PARTNERS,
                "max_players": (most,),
                "partner_from": tuple(range(most + 1, most_players + 1)),
            },
            "partner_from",
            "partner_above_max_players",
            _("That many never play at this table: let more players in, or set this lower."),
        )
        for most in range(3, most_players)
    )
    return (*_BEAVERS, _TYPED_ORDER, POINT_IN_MONEY, *start_exclusions(), *few)
