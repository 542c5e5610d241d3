"""The Box answers by tapping seats, and time that runs out is drawn (tests/browser/gallery)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import SCREENS, Stage
from tests.browser.gallery.states import Shown, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FOUR = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))


@pytest.fixture(scope="module")
def states() -> dict[str, Shown]:
    """The states of a chouette of four, by name."""
    return {state.name: state for state in states_of(FOUR)}


@pytest.fixture
def stage(chrome: Browser, states: dict[str, Shown]) -> Iterator[Stage]:
    """The table's page on a phone."""
    stage = Stage(chrome, "en")
    stage.open(states["ring"])
    stage.resize(SCREENS[0])
    yield stage
    stage.close()
    assert stage.faults == []


def sent(page: Page) -> list[object]:
    """Return the arguments of the commands that the table has given since it was asked first."""
    found: list[object] = page.evaluate(
        """() => {
            if (!window.sent) {
                window.sent = [];
                document.querySelector("chouette-table").addEventListener("command", (e) => sent.push(e.detail.args));
            }
            return window.sent;
        }"""
    )
    return found


@pytest.mark.day(parts=17)
def test_the_box_answers_by_tapping_seats_and_sends_the_sum(stage: Stage, states: dict[str, Shown]) -> None:
    page = stage.page
    stage.show(states["doubled, 3 cubes"])
    sent(page)
    taps = page.locator(".bt-mate-tap:visible")
    expect(taps).to_have_count(3)
    expect(taps.first).to_have_accessible_name("Double of Bruno: not answered yet")
    for tap in taps.all():
        tap.click()
    expect(taps.first).to_have_accessible_name("Double of Bruno: Take")
    taps.first.click()
    expect(taps.first).to_have_text(re.compile(r"^Drop −\d+$"))
    expect(page.locator(".bt-dock")).to_contain_text("House rule: ")
    taps.first.click()
    expect(taps.first).to_have_text("Beaver")
    page.get_by_role("button", name="Send: take 3 (beaver 1), drop 0").click()
    assert [(len(args["take"]), len(args["beaver"])) for args in sent(page)] == [(3, 1)]  # type: ignore[index]


@pytest.mark.day(parts=17, turn=9)
def test_no_seat_can_be_tapped_where_nothing_is_answered(stage: Stage, states: dict[str, Shown]) -> None:
    for name in ("doubled, 3 cubes", "play to choose", "answer asked"):
        stage.show(states[name])
        expect(stage.page.locator(".bt-mate-tap:visible")).to_have_count(3 if name.startswith("doubled") else 0)


@pytest.mark.day(parts=17, turn=10)
@pytest.mark.parametrize("name", ["ring", "between games"])
def test_the_time_to_double_and_the_pause_are_drawn_as_they_run_out(
    stage: Stage, states: dict[str, Shown], name: str
) -> None:
    line = stage.page.locator(".bt-countdown")
    stage.show(states["play to choose"])
    expect(line).to_be_hidden()
    stage.show(states[name])
    expect(line).to_be_visible()
    ends = line.locator("span").evaluate("el => el.getAnimations().map((motion) => motion.effect.getTiming().duration)")
    assert len(ends) == 1 and 0 < ends[0] <= 41_000
