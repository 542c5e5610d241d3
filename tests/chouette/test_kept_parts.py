"""What is kept from one entry to the next, parts of views and optional acts, is what the state gives now."""

import random
import sys
from typing import Any

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.state import PLAYING
from games.kernel import simulate

# The package has functions of the same names as its modules.
view: Any = sys.modules["chouette.rules.view"]
choices: Any = sys.modules["chouette.rules.choices"]
SEATS = {"money": 2, "match": 2}


@pytest.mark.parametrize("preset", [preset.id for preset in OPTIONS.presets])
def test_who_plays_what_for_how_much_is_of_the_present_state(preset: str) -> None:
    values = OPTIONS.values(preset)
    for seed in range(3):
        rng, seats = random.Random(f"{preset} {seed}"), SEATS.get(preset, 4)
        for step in simulate.play(rules, values, seats, rng, house=True, limit=400):
            assert view._lasting(step.state) == view._lasting.__wrapped__(step.state)
            if step.state.game is not None:
                position, turn = step.state.game.position, step.state.game.turn
                assert view._checkers(position, turn) == view._checkers.__wrapped__(position, turn)


@pytest.mark.parametrize("preset", [preset.id for preset in OPTIONS.presets])
def test_optional_acts_are_of_the_present_state(preset: str) -> None:
    # Whether a deputy may be named changes with the ring of cubes.
    values = OPTIONS.values(preset, {} if preset in SEATS else {"deputy": True})
    made_anew = choices._open_by_seat.__wrapped__.__wrapped__
    for seed in range(3):
        rng, seats = random.Random(f"acts {preset} {seed}"), SEATS.get(preset, 4)
        for step in simulate.play(rules, values, seats, rng, house=True, limit=400):
            if step.state.phase == PLAYING:
                assert choices._open_by_seat(step.state) == made_anew(step.state)
