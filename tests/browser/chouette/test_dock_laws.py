"""The laws of the dock with suggested plays, long names, and another tab in front (tests/browser/gallery)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.gallery import chouette, laws
from tests.browser.gallery.crowded import may_suggest, with_long_names, with_suggestions
from tests.browser.gallery.stage import SCREENS, Screen, Stage
from tests.browser.gallery.states import Shown, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BY_NAME = {screen.name: screen for screen in SCREENS}
PLAYED_ON = [BY_NAME[name] for name in ("phone", "small phone", "lying phone", "laptop")]
HELD = ("buttons meet", "text is cut", "main button is low", "main button moves", "small target", "board moves")


@cache
def plays(seats: int, *names: str) -> list[Shown]:
    """Return states of a chouette by their names."""
    course = next(one for one in chouette.COURSES if one.seats == seats and len(one.wanted) > 1)
    return states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))


def broken(browser: Browser, states: list[Shown], screen: Screen, style: str = "") -> list[str]:
    found = laws.faults(browser, states, [screen], style=style)
    return [str(fault) for fault in found if fault.law in HELD]


@pytest.mark.parametrize("screen", PLAYED_ON, ids=lambda one: one.name)
@pytest.mark.parametrize("seats", [4, 6])
def test_no_two_buttons_meet_with_one_to_eight_suggestions_and_the_longest_names(
    chrome: Browser, screen: Screen, seats: int
) -> None:
    own = plays(seats, "play to choose", "member watches", "after a time-out")
    states = [with_suggestions(one, count) for one in own if may_suggest(one) for count in (1, 2, 5, 8)]
    assert states
    assert broken(chrome, [*states, *map(with_long_names, states)], screen) == []


def test_suggestions_that_lie_on_confirm_break_the_law(chrome: Browser) -> None:
    """Planted: the row of suggestions where the main button is."""
    [state] = plays(4, "play to choose")
    style = ".bt-controls .bt-plays { grid-row: keys !important; }"
    found = broken(chrome, [with_suggestions(state, 3)], BY_NAME["phone"], style)
    assert any("buttons meet" in fault for fault in found), found


@pytest.mark.parametrize("screen", PLAYED_ON[:3], ids=lambda one: one.name)
def test_all_suggestions_can_be_reached_and_none_lies_on_another_button(chrome: Browser, screen: Screen) -> None:
    [state] = plays(6, "play to choose")
    stage = Stage(chrome)
    stage.resize(screen)
    shown = with_long_names(with_suggestions(state, 8))
    stage.open(shown)
    stage.show(shown)
    confirm = stage.page.locator(".bt-confirm")
    before = confirm.bounding_box()
    stage.page.locator(".bt-more").click()
    last = stage.page.locator(".bt-rest .bt-whole").last
    last.scroll_into_view_if_needed()
    assert stage.page.evaluate("parts => laws.meeting(parts)", laws.PARTS["chouette"]["board"]) == []
    play = last.locator("span").last.inner_text()
    last.click()
    expect(stage.page.locator(".bt-said")).to_contain_text(play)
    assert confirm.bounding_box() == before
    stage.close()


def test_a_laptop_shows_eight_suggestions_whole_in_the_teams_panel(chrome: Browser) -> None:
    [state] = plays(4, "play to choose")
    stage = Stage(chrome)
    stage.resize(BY_NAME["laptop"])
    shown = with_long_names(with_suggestions(state, 8))
    stage.open(shown)
    stage.show(shown)
    room = stage.page.locator(".bt-team-read").bounding_box()
    chips = [one.bounding_box() for one in stage.page.locator(".bt-team-play").all()]
    assert len(chips) == 8 and room
    assert all(chip and room["y"] <= chip["y"] and chip["y"] + chip["height"] <= room["y"] + room["height"]
               for chip in chips)  # fmt: skip
    stage.close()


@pytest.mark.parametrize("screen", PLAYED_ON[:3], ids=lambda one: one.name)
@pytest.mark.parametrize("tab", ["team", "sheet", "log"])
def test_confirm_stands_in_its_place_over_every_tab(chrome: Browser, screen: Screen, tab: str) -> None:
    [state] = plays(4, "forced play")
    stage = Stage(chrome)
    stage.resize(screen)
    stage.open(state)
    stage.show(state)
    page = stage.page
    confirm = page.locator(".bt-confirm")
    expect(confirm).to_be_enabled()
    before = confirm.bounding_box()
    page.locator(f".tabs [data-tab={tab}]").click()
    assert confirm.bounding_box() == before
    expect(page.locator(".tabs [data-tab=play]")).to_have_attribute("data-calls", "")
    assert page.evaluate("parts => laws.meeting(parts)", laws.PARTS["chouette"]["board"]) == []
    page.locator(".bt-grid").click(position={"x": 5, "y": 5})
    expect(page.locator(".tabs [data-tab=play]")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".tabs [data-calls]")).to_have_count(0)
    stage.close()


def test_ones_turn_comes_forward_but_never_over_what_is_being_written(chrome: Browser) -> None:
    waiting, turn = plays(4, "waiting for a play", "play to choose")[::-1]
    stage = Stage(chrome)
    stage.resize(BY_NAME["phone"])
    stage.open(waiting)
    stage.show(waiting)
    page = stage.page
    game = page.locator(".tabs [data-tab=play]")
    page.locator("#open-side").click()
    page.locator("#chat-text").fill("Gut gespielt, ")
    stage.show(turn)
    expect(game).to_have_attribute("aria-selected", "false")
    expect(game).to_have_attribute("data-calls", "")
    expect(page.locator(".kit-forward")).to_be_visible()
    page.locator("#chat-text").fill("")
    expect(game).to_have_attribute("aria-selected", "true")
    stage.show(waiting)
    page.locator("#open-side").click()
    stage.show(turn)
    expect(game).to_have_attribute("aria-selected", "true")
    stage.close()
