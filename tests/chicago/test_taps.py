"""How many taps a whole game takes, everybody's together: what nearly everybody would do needs none.

Counted for games that strong bots play. Ones lie out by themselves where they help, and a throw that
nobody can decide about needs no tap (docs/front-end.md); before, each die and each throw needed one.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chicago import bots
from chicago.rules import rules
from tests.chicago.botplay import Table

DECLARED = {"ones": 100, "sixes": 60, "high": True}
"""What a starter declares who changes nothing."""

# The most taps of all players in the first game of six rounds, or of all mats, by variant and players.
FIGURES = {
    ("classic", 2): 24,
    ("classic", 4): 38,
    ("classic", 6): 50,
    ("bavarian", 2): 15,
    ("bavarian", 4): 49,
    ("bavarian", 6): 84,
    ("tschigg", 2): 20,
    ("tschigg", 4): 103,
    ("tschigg", 6): 184,
    ("forfeits", 4): 45,
    ("forfeits", 6): 47,
}


def laid_out(view: Any, options: list[Any]) -> list[int]:
    """Return the dice that lie out before anybody taps."""
    laid: list[int] = []
    for face in view["cup"]["rolled"]:
        wanted = Counter([*laid, face])
        if face == view["usual"] and any(not o["turn"] and wanted <= Counter(o["lay"]) for o in options):
            laid.append(face)
    return laid


def taps(view: Any, choices: list[Any], name: str, args: Any) -> tuple[int, int]:
    """Return the taps of one answer: as they are, and with one for each die and each throw."""
    if name == "stand":
        changed = sum(args[key] != DECLARED[key] for key in args)
        return 1 + changed, 1 + changed
    if name != "throw":
        return 1, 1
    options = list(next(c for c in choices if c.name == "throw").options)
    is_alone = len(options) == 1 and view["cup"]["throws"] > 0 and all(c.name != "stand" for c in choices)
    turned = int(args["turn"] and len(options) > 1)
    before, wanted = Counter(laid_out(view, options)), Counter(args["lay"])
    moved = ((before - wanted) + (wanted - before)).total()
    return (0 if is_alone else 1 + moved + turned), 1 + wanted.total() + turned


def taps_of_a_game(preset: str, seats: int, seed: int) -> tuple[int, int]:
    """Let strong bots play a game and return all their taps, as they are and as they would be."""
    changes = {"rounds": 6} if preset in ("classic", "forfeits") else {}
    table = Table(dict(rules.options().values(preset, changes)), seats, seed)
    now = before = 0
    while not rules.is_over(table.state):
        seat, choices = next(iter(table.awaited().items()))
        seen = rules.view(table.state, seat)
        name, args = bots.choose(seen, choices, "strong", seed * 1000 + seat)
        counted = taps(seen, choices, name, args)
        now, before = now + counted[0], before + counted[1]
        table.submit(name, seat, args)
    return now, before


@pytest.mark.parametrize(("preset", "seats"), FIGURES)
def test_a_whole_game_needs_no_more_taps_than_the_page_of_the_front_end_says(preset: str, seats: int) -> None:
    now, before = taps_of_a_game(preset, seats, seed=1)
    assert now <= FIGURES[preset, seats]
    assert now <= before


def test_the_figures_are_those_of_the_page_of_the_front_end() -> None:
    page = (Path(__file__).parents[2] / "docs" / "front-end.md").read_text()
    for preset in {preset for preset, _ in FIGURES}:
        cells = [str(FIGURES.get((preset, seats), "–")) for seats in (2, 4, 6)]
        assert f"| {preset} | {' | '.join(cells)} |" in page
