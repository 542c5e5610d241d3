"""The picture of a table: it has the dice, mats, results and tallies of the view, and no others."""

from __future__ import annotations

import random
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from games.kernel import simulate
from tests.seeds import first_seed

NAMES = [f"Gast {i}" for i in range(12)]


def groups(root: Element, kind: str) -> list[Element]:
    """Return the groups of a kind."""
    return [element for element in root.iter() if element.get("class") == kind]


def faces(element: Element) -> list[int]:
    """Return the faces of the dice in a group."""
    return [int(die.get("data-at", 0)) for die in groups(element, "die")]


def numbers(element: Element, kind: str) -> list[int]:
    """Return the numbers of the groups of a kind."""
    return [int(each.get("data-at", 0)) for each in groups(element, kind)]


def check(view) -> None:
    """Hold the picture of a view to the view."""
    root = ElementTree.fromstring(rules.picture(view, NAMES))
    cup = view["cup"]
    if view["turn"] is not None:
        assert [face for row in groups(root, "laid") for face in faces(row)] == cup["laid"]
        assert [face for row in groups(root, "rolled") for face in faces(row)] == cup["rolled"]
        assert sum(numbers(root, "cup")) == cup["in_cup"]
    rows = groups(root, "player")
    assert [int(row.get("data-at", -1)) for row in rows] == view["order"]
    is_for_forfeits = view["options"]["forfeits"]
    for row, seat in zip(rows, view["order"], strict=True):
        player = view["seats"][seat]
        assert faces(row) == (player["result"]["dice"] if player["result"] else [])
        assert bool(groups(row, "turn")) == (seat in view["waiting_for"])
        assert numbers(row, "tally") == [player["forfeits"] if is_for_forfeits else player["rounds_paid"]]
        assert numbers(row, "mats") == ([] if view["stock"] is None else [player["mats"]])
        strokes, (lost,) = len(groups(row, "stroke")), numbers(row, "tally")
        assert strokes == (lost if lost <= 10 else 0)
    assert numbers(root, "stock") == ([] if view["stock"] is None else [view["stock"]])


@pytest.mark.parametrize("preset", [preset.id for preset in OPTIONS.presets])
@pytest.mark.parametrize("seed", range(first_seed(), first_seed() + 2))
def test_all_dice_mats_and_tallies_are_in_the_picture_of_every_variant(preset, seed):
    seats = random.Random(seed).choice(next(one for one in OPTIONS.presets if one.id == preset).seats)
    for step in simulate.play(rules, OPTIONS.values(preset), seats, random.Random(seed), limit=200):
        check(rules.view(step.state, None))
