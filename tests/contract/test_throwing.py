"""Who throws, and whose devices may have a part: for every game."""

from __future__ import annotations

import random

import pytest

from games import plugin
from games.kernel import simulate


@pytest.mark.parametrize("game_id", plugin.all_games())
def test_others_are_other_seats_each_once(game_id: str) -> None:
    config = plugin.game(game_id)
    seats = max(config.min_seats, 3)
    for preset in config.options.presets:
        few, many = config.options.seats(preset.id, options := config.options.values(preset.id, {}))
        seats = min(max(few, 3), many)
        steps = simulate.play(config.rules, options, seats, random.Random(preset.id), limit=60)
        for step in steps:
            asked = None if step.command is None else step.command.seat
            roller, others = config.throwing(step.state, asked, seats)
            assert roller is None or 0 <= roller < seats
            assert sorted(set(others)) == sorted(others)
            assert set(others) <= set(range(seats)) - {roller}
