"""
A button that has moved is deaf where it was not before; by a scroll it has not moved: the finger has moved it.
What a sheet has covered is deaf for a moment once the sheet has closed.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import Stage
from tests.browser.gallery.states import states_of
from tests.browser.taps import later, stop_clock

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SHORT = 10
MOVED, SCROLLED = 18, 60
BUILD = """async () => {
  const { StrayTaps } = await import("games/kit/stray_taps.js");
  const root = document.createElement("div");
  root.innerHTML = `<div id="above" style="height: 200px"></div><button style="height: 48px">x</button>
    <div style="height: 2000px"></div>`;
  root.setAttribute("style", "position: fixed; inset: 0; overflow: auto; z-index: 9999; background: white");
  document.body.append(root);
  new StrayTaps(root);
  window.heard = 0;
  root.querySelector("button").onclick = () => { window.heard += 1; };
  // Its first look comes with the next frame.
  for (let n = 0; n < 2; n += 1) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
MOVE = "(px) => { const { style } = window.above; style.height = `${parseInt(style.height) + px}px`; }"
COVER = """() => {
  const sheet = document.createElement("dialog");
  sheet.setAttribute("style", "inset: 0; width: 100vw; height: 100vh; z-index: 10000");
  document.body.append(sheet);
  sheet.showModal();
  window.uncover = () => sheet.close();
}"""
UNCOVER = "() => window.uncover()"
SCROLL = "(px) => { window.above.parentElement.scrollTop += px; }"


@pytest.fixture
def page(chrome: Browser) -> Any:
    """A page with one button in what can be scrolled, that has been there for long, and a clock that stands still."""
    stage = Stage(chrome, "en")
    stage.open(next(iter(states_of(COURSES[0]))))
    stop_clock(stage.page)
    stage.page.evaluate(BUILD)
    later(stage.page)
    yield stage.page
    stage.close()


def heard_at(page: Page, down: float) -> Any:
    """Press so far below the button's upper edge; return how often it has heard."""
    box = page.locator("#above + button").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + down)
    return page.evaluate("() => window.heard")


def test_a_button_that_has_moved_hears_only_where_it_stood_before(page: Page) -> None:
    page.evaluate(MOVE, MOVED)
    later(page, SHORT)
    assert heard_at(page, 48 - MOVED / 2) == 0
    assert heard_at(page, 10) == 1
    later(page)
    assert heard_at(page, 48 - MOVED / 2) == 2


def test_a_button_that_has_moved_and_was_scrolled_hears_as_if_it_was_not_scrolled(page: Page) -> None:
    page.evaluate(MOVE, MOVED)
    later(page, SHORT)
    page.evaluate(SCROLL, SCROLLED)
    assert heard_at(page, 48 - MOVED / 2) == 0
    assert heard_at(page, 10) == 1


def test_a_button_that_sticks_to_the_edge_of_what_is_scrolled_hears_where_it_stays(page: Page) -> None:
    page.evaluate("() => Object.assign(window.above.nextElementSibling.style, { position: 'sticky', top: '0' })")
    page.evaluate(SCROLL, 400)
    later(page)
    page.evaluate("() => { window.above.nextElementSibling.style.height = '60px'; }")
    later(page, SHORT)
    page.evaluate(SCROLL, SCROLLED)
    assert heard_at(page, 10) == 1


def test_a_button_below_a_sheet_that_has_closed_is_deaf_for_a_moment_to_a_finger_and_to_enter(page: Page) -> None:
    page.locator("#above + button").focus()
    page.evaluate(COVER)
    later(page)
    assert heard_at(page, 10) == 0
    page.evaluate(UNCOVER)
    later(page, SHORT)
    assert heard_at(page, 10) == 0
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.heard") == 0
    later(page)
    expect(page.locator("#above + button")).not_to_have_attribute("data-deaf", "")
    assert heard_at(page, 10) == 1
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.heard") == 2
