"""The odds of the rules page in the form of the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from chicago.odds import exact
from chicago.rules.throwing.turn import MOST_THROWS
from games.kernel.figures.chances import Chance


def chances(options: Mapping[str, Any]) -> list[Chance]:
    """Return the exact odds under complete house rules.

    "beat" is a follower's best chance to end above a result, worst result first; if the starter
    declares, it is for 100, 60 and high.
    """
    return [
        Chance("chick", exact.chick_first()),
        Chance("one", exact.one_first()),
        Chance("fish", exact.fish_one_throw()),
        *_three_ones(options),
        *_beat(options),
    ]


def _three_ones(options: Mapping[str, Any]) -> Iterator[Chance]:
    """Yield the chances of three ones when only they are played for."""
    for throws in range(1, MOST_THROWS + 1):
        yield Chance("three_ones", exact.three_ones(options, throws), {"throws": throws})


def _beat(options: Mapping[str, Any]) -> Iterator[Chance]:
    """Yield the chances to end above each result."""
    for row in exact.odds_table(options):
        for chance in row.chances:
            case = {"above": row.above, "is_fish": row.is_fish, "throws": chance.throws}
            yield Chance("beat", Fraction(chance.num, chance.den), case)
