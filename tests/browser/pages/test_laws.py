"""The laws of a table's screen hold in every state on every screen (tests/browser/gallery)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import laws
from tests.browser.gallery.laws import Fault
from tests.browser.gallery.stage import SCREENS, by_table
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HELD = {"chouette": laws.LAWS, "chicago": laws.LAWS}
"""The laws that hold for a game: `python -m tests.browser.gallery --faults` lists what breaks the others."""


@pytest.fixture(scope="module")
def faults(chrome: Browser) -> list[Fault]:
    """The faults of the states: each day a sixth of the tables on a phone, and a sixteenth on each other screen."""
    groups = by_table(laws.all_states())
    phone, *others = SCREENS
    found = laws.faults(chrome, [state for group in share_of_day(groups, 6) for state in group], [phone])
    for turn, screen in enumerate(others):
        states = [state for group in share_of_day(groups, 2 * len(others), turn) for state in group]
        found += laws.faults(chrome, states, [screen])
    return found


@pytest.mark.parametrize(("game", "law"), [(game, law) for game, held in HELD.items() for law in held])
def test_a_law_holds_in_every_state_on_every_screen(faults: list[Fault], game: str, law: str) -> None:
    broken = [str(fault) for fault in faults if (fault.game, fault.law) == (game, law)]
    assert broken == [], "\n".join(broken)


def test_every_law_is_measured_for_every_game() -> None:
    assert set(HELD) == set(laws.PARTS) == {course.game for course in laws.COURSES}
    assert {law for held in HELD.values() for law in held} <= set(laws.LAWS)
