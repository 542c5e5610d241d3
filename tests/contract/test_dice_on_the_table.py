"""The dice that a table shows as those of the throw are those that fell last, as a phone checks them (record.js)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest

from games.kernel import simulate
from games.kernel.contract import Event
from games.kernel.dice import event_faces
from games.kernel.simulate import RandomDice
from tests.contract.driver import Case, few_cases

SHOWN: dict[str, Callable[[Any], list[int]]] = {
    "chicago": lambda view: view["cup"]["rolled"],
    "chouette": lambda view: view["game"]["dice"] if view["game"] else [],
}
"""What `thrown` of each game's element returns."""
ENTRIES = 250


def untyped(event: Event) -> Event:
    """Return an event of typed dice as one of the house's."""
    return Event(event.type, {name: value for name, value in event.data.items() if name != "typed"})


def differences(case: Case) -> Iterator[str]:
    """Yield the entries after which a table shows other dice than fell."""
    fallen: list[list[int]] = []
    rng = random.Random(str(case))
    steps = simulate.play(case.rules, case.values, case.seats, rng, dice=RandomDice(rng), limit=ENTRIES)
    for step in steps:
        if faces := event_faces.rolls(map(untyped, step.entry.events)):
            fallen = [*fallen, list(chain.from_iterable(faces))][-2:]
        shown = SHOWN[case.game_id](case.rules.view(step.state, None))
        last = fallen[-1] if fallen else []
        lay = last if len(last) >= len(shown) else list(chain.from_iterable(fallen))
        if fallen and Counter(shown) - Counter(lay):
            yield f"{step.entry.seq}: {shown}, fell {fallen}, {[event.type for event in step.entry.events]}"


@pytest.mark.parametrize("case", [case for case in few_cases() if case.game_id in SHOWN], ids=str)
def test_a_table_shows_the_dice_that_fell_last(case: Case) -> None:
    assert list(differences(case)) == []
