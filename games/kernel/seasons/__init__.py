"""Seasons: the standing of many nights under the rules of a season, exactly, as pure functions.

`python -m games.kernel.seasons [--lines]` reads and writes the same as JSON (`reading`, `__main__`).
"""

from games.kernel.seasons.rules import Count, NightMatch, NightOfSeason, NightPoints, Number, SeasonRules
from games.kernel.seasons.standing import Place, Standing, Unranked, standing_of

__all__ = [
    "Count", "NightMatch", "NightOfSeason", "NightPoints", "Number", "Place", "SeasonRules", "Standing", "Unranked",
    "standing_of",
]  # fmt: skip
