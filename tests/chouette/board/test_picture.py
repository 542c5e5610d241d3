"""The picture of a table: it has the checkers, dice, cubes and points of the view, and no others."""

from __future__ import annotations

import random
from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel import simulate
from tests.chouette.sessions import Session, house_rules
from tests.seeds import first_seed

NAMES = ["Hanna", "Kari", "Uli", "Ole", "Brünhilde", "Ada", "Bo", "Cy", "Max", "Dag", "Eva", "Finn"]


def groups(svg: str, kind: str) -> dict[str, Element]:
    """Return the groups of a kind by where they are."""
    found = [element for element in ElementTree.fromstring(svg).iter() if element.get("class") == kind]
    return {element.get("data-at", ""): element for element in found}


def of_class(element: Element, kind: str) -> list[Element]:
    """Return the elements of a kind in another one."""
    return [each for each in element.iter() if each.get("class") == kind]


def check(view: object) -> None:
    """Hold the picture of a view to the view."""
    shown, svg = dict(view), rules.picture(view, NAMES)
    game = shown["game"]
    if shown["options"]["board"] == "wood" or game is None:
        assert game is None or not groups(svg, "point")
        return
    points = {
        place: len(of_class(pile, "box")) - len(of_class(pile, "team")) for place, pile in groups(svg, "point").items()
    }
    assert points == {str(place): count for place, count in enumerate(game["points"]) if count}
    off = [len(of_class(groups(svg, "off")[side], side)) for side in ("box", "team")]
    assert off == game["off"]
    shown_dice = [die for dice in groups(svg, "dice").values() for die in of_class(dice, "die")]
    assert Counter(int(die.get("data-at", 0)) for die in shown_dice) == Counter(game["dice"])
    cubes = [cube for cube in game["cubes"] if not cube["how"]]
    found = {at: [text.text for text in cube.iter() if text.text] for at, cube in groups(svg, "cube").items()}
    if game["single"] or len(game["cubes"]) == 1:
        assert list(found.values()) == [[str(cubes[0]["value"])]] if cubes else not found
    else:
        assert found == {str(cube["cube"]): [str(cube["value"])] for cube in cubes}
    rows = groups(svg, "player")
    assert set(rows) >= {str(seat) for seat in shown["line"]}
    turns = {at for at, row in rows.items() if of_class(row, "turn")}
    assert turns == {str(seat) for seat in shown["waiting_for"]}


@pytest.mark.parametrize("seed", range(first_seed(), first_seed() + 4))
def test_all_checkers_dice_and_cubes_of_a_chouette_are_in_the_picture(seed):
    rng = random.Random(seed)
    session = Session(rng, house_rules(rng), rng.randint(3, 6))
    for _ in range(120):
        if rules.is_over(session.state):
            break
        session.act()
        check(rules.view(session.state, None))


@pytest.mark.parametrize("preset", [preset.id for preset in OPTIONS.presets])
def test_all_checkers_dice_and_cubes_are_in_the_picture_of_every_variant(preset):
    seats = min(next(one for one in OPTIONS.presets if one.id == preset).seats)
    for step in simulate.play(rules, OPTIONS.values(preset), seats, random.Random(preset), limit=150):
        check(rules.view(step.state, None))
