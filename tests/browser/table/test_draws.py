"""How often a table draws itself: what changes nothing that it shows costs a phone no drawing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import chicago
from tests.browser.gallery.stage import SCREENS, Stage, told
from tests.browser.gallery.states import Shown, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

COUNTED = """() => {
    const table = document.querySelector("chicago-table"), { update, play } = table;
    window.counted = { draws: 0, plays: 0 };
    table.update = (given) => { counted.draws += 1; update.call(table, given); };
    table.play = (...given) => { counted.plays += 1; return play.apply(table, given); };
}"""
HEARD = """async (frames) => {
    Object.assign(counted, { draws: 0, plays: 0 });
    await gallery.show({ name: "more", frames, cut: false });
    return [counted.draws, counted.plays];
}"""
HOUSES = ("table.throw_begun", "table.link_given")


@pytest.fixture(scope="module")
def state() -> Shown:
    """A table of Chicago in the middle of a round."""
    course = next(course for course in chicago.COURSES if course.wanted)
    return states_of(course)[0]


@pytest.fixture
def page(chrome: Browser, state: Shown) -> Iterator[Stage]:
    shown = Stage(chrome, "en")
    shown.resize(SCREENS[0])
    shown.open(state)
    shown.page.evaluate("told => gallery.show(told)", told(state))
    shown.page.evaluate(COUNTED)
    yield shown
    shown.close()
    assert shown.faults == []


def test_the_houses_own_entries_of_a_throw_draw_nothing_and_an_entry_of_the_game_does(
    page: Stage, state: Shown
) -> None:
    """Each throw has three entries: its beginning, the link of a device, and the dice."""
    last = state.frames[-1]
    houses = [{**last, "seq": 43 + i, "events": [{"type": kind, "data": {}}]} for i, kind in enumerate(HOUSES)]
    assert page.page.evaluate(HEARD, houses) == [0, 0]
    games = {**last, "seq": 45, "events": [{"type": "hidden"}]}
    assert page.page.evaluate(HEARD, [games]) == [1, 1]


@pytest.mark.parametrize("what", ["view", "choices", "clocks"])
def test_an_entry_of_the_house_that_changes_what_is_shown_is_drawn(page: Stage, state: Shown, what: str) -> None:
    changes: dict[str, dict[str, Any]] = {
        "view": {"view": {**state.frames[-1]["view"], "waiting_for": []}},
        "choices": {"choices": []},
        "clocks": {"clocks": {"0": 3_000}},
    }
    entry = {**state.frames[-1], "seq": 43, "events": [{"type": HOUSES[0], "data": {}}], **changes[what]}
    assert page.page.evaluate(HEARD, [entry]) == [1, 0]
