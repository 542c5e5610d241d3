"""The house rules of backgammon as a declaration (docs/rules-chouette.md).

The engine never reads presets; it reads options, through `rule`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chouette.rules.options.cube import BOX_OPTIONS, CUBE_OPTIONS
from chouette.rules.options.needs import FOR_POINTS, MOST_PLAYERS, ON_SCREEN
from chouette.rules.options.presets import PRESETS, exclusions
from chouette.rules.options.session import FORMAT_OPTIONS, LINE_OPTIONS, TABLE_OPTIONS, TEAM_OPTIONS
from games.kernel.options import Needs, OptionSet, Values


def seats_by(values: Mapping[str, Any]) -> tuple[int, int]:
    """Return the least and the greatest number of players: two, or a chouette of three and more (§1)."""
    return (3, values["max_players"]) if values["format"] == "chouette" else (2, 2)


OPTIONS = OptionSet(
    FORMAT_OPTIONS + LINE_OPTIONS + CUBE_OPTIONS + BOX_OPTIONS + TEAM_OPTIONS + TABLE_OPTIONS,
    PRESETS,
    exclusions(MOST_PLAYERS),
    seats_by,
    bots_need=ON_SCREEN,
    points_need=FOR_POINTS,
)

# Values in force where an option has no meaning: a match has no automatic doubles, beavers or Jacoby.
_MEANINGLESS: dict[str, Any] = {
    "rotation": "captain_result",
    "must_break_even": False,
    "join_position": "behind_loser",
    "line_order": "die",
    "may_decline_box": False,
    "deputy": False,
    "consultation": "none",
    "consultation_from": 2,
    "captain_may_ask": False,
    "partner": "off",
    "settlements": False,
    "bot_plays_on": False,
    "pip_count": "hidden",
    "grace_seconds": 0,
    "pause_between": 0,
    "hints": False,
    "bot_advice": False,
    "score_first": 0,
    "score_second": 0,
    "match_minutes": 0,
    "clock": "none",
    "clock_minutes": 7,
    "clock_expiry": "match",
    "automatics": "off",
    "jacoby": False,
    "beavers": False,
    "raccoons": False,
    "cubes": "each",
    "cube_order": "sealed",
    "uniform_response": "none",
    "must_take_captain": False,
    "min_takes": "none",
    "sole_captain_beaver": False,
    "sole_taker": "free",
    "box_must_double_captain": False,
}


def options() -> OptionSet:
    """Return the declaration of the house rules and presets."""
    return OPTIONS


def _needs(option_id: str) -> Iterator[Needs]:
    """Yield the needs of an option, and their own needs in turn."""
    needs = OPTIONS[option_id].needs
    for each in needs.all() if needs is not None else ():
        yield each
        yield from _needs(each.id)


_DEFAULTS = {option.id: option.default for option in OPTIONS.options}
_NEEDS = {
    option_id: tuple((needs.id, _DEFAULTS[needs.id], needs.values) for needs in _needs(option_id))
    for option_id in _MEANINGLESS
}


def rule(options: Values, option_id: str) -> Any:
    """Return the value of a house rule, or the value in force where the rule has no meaning."""
    for needed, default, values in _NEEDS.get(option_id, ()):
        if options.get(needed, default) not in values:
            return _MEANINGLESS[option_id]
    return options.get(option_id, _DEFAULTS[option_id])
