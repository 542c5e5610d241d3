"""Computes the standing of a season: `python -m games.kernel.seasons [--lines] < season.json`; docs/seasons.md.

Reads `{"rules": …, "nights": […]}` and writes `{"standings": […], "unranked": […]}`, or `{"error": …}` with exit status
2. With --lines each line is a season of its own, answered by a line; a refused one does not keep the others.
"""

from __future__ import annotations

import sys
from typing import Any

from games.kernel.json import commands
from games.kernel.seasons.reading import SeasonUnreadable, season_of, to_json
from games.kernel.seasons.standing import standing_of


def answer(text: bytes) -> dict[str, Any]:
    """Return the answer to a season in JSON: its standing, or its refusal."""
    try:
        return to_json(standing_of(*season_of(text)))
    except SeasonUnreadable as refused:
        return refused.to_json()


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)  # A total may be longer than the numbers that it is made of.
    sys.exit(commands.run(answer, sys.argv[1:]))
