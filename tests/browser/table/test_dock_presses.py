"""Nothing dangerous appears under a finger: what has just come is deaf, and Double is never where Roll was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import SCREENS, Screen, Stage
from tests.browser.gallery.states import Look, Shown, Wanted, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FOUR = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
SMALL = [screen for screen in SCREENS if screen.name in ("phone", "small phone", "lying phone", "laptop")]
# A press is told as one of long before, when what it hits had just come, or of long after.
CLOCK = """(() => {
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp");
  window.later = 0;
  Object.defineProperty(Event.prototype, "timeStamp", { get() { return get.call(this) + window.later; } });
})()"""
FAR_MS = 10_000_000


def may_roll(look: Look) -> tuple[int | None] | None:
    """Find the Captain who may roll or double."""
    seat = look.asked("roll")
    is_so = look.game.get("stage") == "window" and seat is not None and look.choice(seat, "cube") is not None
    return (seat,) if is_so else None


def in_the_ring(look: Look) -> tuple[int | None] | None:
    """Find the ring as the Captain sees it who has rolled and may still double."""
    captain, window = look.game.get("captain"), look.game.get("window")
    is_so = look.view["phase"] == "playing" and window and window["ring"] and look.choice(captain, "cube")
    return (captain,) if is_so else None


WANTED = (
    *(Wanted("before the roll", may_roll), Wanted("after the roll", in_the_ring)),
    *(
        one
        for one in FOUR.wanted
        if one.name in ("doubled, 3 cubes", "settlement proposed", "turn to roll", "beavered")
    ),
)


@pytest.fixture(scope="module")
def states() -> dict[str, Shown]:
    """The states by name, each as whom it asks sees it."""
    return {state.name: state for state in states_of(replace(FOUR, wanted=WANTED))}


@pytest.fixture
def stage(chrome: Browser, states: dict[str, Shown]) -> Iterator[Stage]:
    """The table's page on a phone; the test says when it is pressed."""
    stage = Stage(chrome, "en")
    stage.context.add_init_script(CLOCK)
    stage.open(states["before the roll"])
    stage.resize(SCREENS[0])
    stage.page.evaluate(
        """() => {
            window.sent = [];
            document.querySelector("chouette-table").addEventListener("command", (e) => sent.push(e.detail.name));
        }"""
    )
    yield stage
    stage.close()
    assert stage.faults == []


def button(page: Page, name: str) -> Locator:
    return page.locator(".bt-dock").get_by_role("button", name=name)


def box_of(target: Locator) -> FloatRect:
    """Return where something stands."""
    expect(target).to_be_visible()
    box = target.bounding_box()
    assert box is not None
    return box


def tap(page: Page, box: FloatRect) -> None:
    """Tap the middle of a place, whatever is there."""
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def sent(page: Page) -> Any:
    """Return the names of the commands that the table has given."""
    return page.evaluate("window.sent")


def press_as(page: Page, later: int) -> None:
    """Let what is pressed from now on be pressed so many milliseconds later than it is."""
    page.evaluate("ms => { window.later = ms; }", later)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("after the roll", "Double to 2"),
        ("doubled, 3 cubes", "Drop all"),
        ("settlement proposed", "Accept"),
        ("beavered", "Accept"),
        ("turn to roll", "Roll"),
    ],
)
def test_a_tap_on_a_button_that_has_just_come_does_nothing(
    stage: Stage, states: dict[str, Shown], name: str, label: str
) -> None:
    stage.show(states["before the roll"])
    stage.show(states[name])
    found = button(stage.page, label).first
    press_as(stage.page, -FAR_MS)
    tap(stage.page, box_of(found))
    found.focus()
    stage.page.keyboard.press("Enter")
    assert sent(stage.page) == []

    press_as(stage.page, FAR_MS)
    found.click()
    assert len(sent(stage.page)) == 1


def test_a_second_tap_on_roll_doubles_nothing(stage: Stage, states: dict[str, Shown]) -> None:
    for screen in SMALL:
        stage.resize(screen)
        stage.show(states["before the roll"])
        roll = box_of(button(stage.page, "Roll"))
        stage.show(states["after the roll"])
        press_as(stage.page, FAR_MS)
        tap(stage.page, roll)
        assert sent(stage.page) == [], screen.name


@pytest.mark.parametrize("screen", SMALL, ids=lambda screen: screen.name)
def test_in_the_ring_rolls_place_counts_down_and_the_double_is_small_and_left(
    stage: Stage, states: dict[str, Shown], screen: Screen
) -> None:
    stage.resize(screen)
    stage.show(states["before the roll"])
    roll = box_of(button(stage.page, "Roll"))
    stage.show(states["after the roll"])
    place = stage.page.locator(".bt-dock").get_by_text("Rolls in 3 …")
    stands = box_of(place)
    assert [stands[side] for side in ("x", "y", "width", "height")] == pytest.approx(
        [roll[side] for side in ("x", "y", "width", "height")], abs=1
    )
    double = box_of(button(stage.page, "Double to 2"))
    assert double["x"] + double["width"] <= stands["x"] + 1 or double["y"] + double["height"] <= stands["y"] + 1
    assert double["width"] < roll["width"]


def test_what_costs_and_what_others_ask_is_deaf_for_longer(stage: Stage, states: dict[str, Shown]) -> None:
    for name, grave in (
        ("before the roll", ["Double to 2"]),
        ("doubled, 3 cubes", ["Drop all", "Take all"]),
        ("settlement proposed", ["Accept", "Refuse"]),
        ("beavered", ["Drop", "Accept"]),
    ):
        stage.show(states[name])
        for label in grave:
            found = button(stage.page, label).first
            assert found.evaluate("el => Boolean(el.closest('[data-grave]'))"), (name, label)
    stage.show(states["turn to roll"])
    expect(stage.page.locator(".bt-dock [data-grave]")).to_have_count(0)


def test_a_button_that_was_scrolled_is_heard_at_once(stage: Stage, states: dict[str, Shown]) -> None:
    stage.show(states["turn to roll"])
    roll = button(stage.page, "Roll").first
    before = box_of(roll)
    expect(stage.page.locator(".bt-dock [data-deaf]")).to_have_count(0)
    stage.page.evaluate(
        """() => new Promise((done) => {
            const around = document.querySelector("#game"), table = document.querySelector("chouette-table");
            table.style.cssText = `flex: none; block-size: ${table.offsetHeight}px`;
            around.style.cssText = `overflow: auto; block-size: ${around.offsetHeight}px`;
            around.append(Object.assign(document.createElement("div"), { style: "flex: none; block-size: 400px" }));
            around.scrollTop = 120;
            requestAnimationFrame(() => requestAnimationFrame(done));
        })"""
    )
    after = box_of(roll)
    assert abs(after["y"] - before["y"]) > 8
    tap(stage.page, after)
    assert sent(stage.page) == ["roll"]


def test_a_button_that_moves_a_little_hears_where_it_stood_all_the_time(stage: Stage, states: dict[str, Shown]) -> None:
    stage.show(states["turn to roll"])
    roll = button(stage.page, "Roll").first
    before = box_of(roll)
    expect(stage.page.locator(".bt-dock [data-deaf]")).to_have_count(0)
    roll.evaluate("el => { el.style.cssText = 'position: relative; inset-block-end: 16px'; }")
    after = box_of(roll)
    assert before["y"] - after["y"] == pytest.approx(16, abs=1)
    tap(stage.page, after)
    assert sent(stage.page) == ["roll"]
