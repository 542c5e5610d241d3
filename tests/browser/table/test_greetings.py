"""Whoever waits: what stands in their dock, and greetings by one tap that fly to the seat and the big screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.chouette.boards import START, xgid
from tests.browser.gallery import chicago, chouette, laws
from tests.browser.gallery.stage import SCREENS, Stage
from tests.browser.gallery.states import Course, Shown, states_of
from tests.browser.people import TV, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FLOWN = """() => {
    window.flown = [];
    const isOne = (node) => node instanceof Element && node.matches(".greeting");
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            flown.push(...[...addedNodes].filter(isOne).map((node) => node.textContent));
    }).observe(document.body, { childList: true });
}"""
"""Gather in `flown` the greetings that fly."""


def greetings_of(page: Page) -> Locator:
    return page.locator(".bt-d-greet, .ct-greets button")


def found(courses: Sequence[Course], seats: int, preset: str, *names: str) -> list[Shown]:
    """Return states in which somebody waits; the stage tells them the house's greetings."""
    course = next(one for one in courses if (one.seats, one.preset) == (seats, preset))
    return states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))


@pytest.fixture(scope="module")
def waiting() -> Shown:
    return found(chouette.COURSES, 4, "club", "waiting for a play")[0]


@pytest.fixture
def stage(chrome: Browser) -> Iterator[Stage]:
    shown = Stage(chrome, "en")
    yield shown
    shown.close()
    assert shown.faults == []


def test_who_waits_reads_their_stakes_and_the_race_and_may_greet_but_not_in_a_tournament(
    stage: Stage, waiting: Shown
) -> None:
    stage.open(waiting)
    stage.resize(SCREENS[0])
    stage.show(waiting)
    dock = stage.page.locator(".bt-dock")
    expect(dock).to_contain_text(re.compile(r"cubes?( at \d+)?: ±\d+.*· pips \d+, "))
    expect(greetings_of(stage.page)).to_have_text(["Well played!", "Ouch!", "Cheers!"])
    for button in greetings_of(stage.page).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44

    stage._site.html = stage._site.html.replace('"tournament": false', '"tournament": true')
    stage.page.reload()
    stage.page.wait_for_function("window.gallery?.isReady()")
    stage.show(waiting)
    expect(dock).to_contain_text("pips")
    expect(greetings_of(stage.page)).to_have_count(0)


def test_the_card_of_whoever_waits_keeps_the_laws_of_the_table(chrome: Browser) -> None:
    names = ("waiting for a play", "window waits", "member watches", "sealed answers", "out of the game")
    states = [
        *found(chouette.COURSES, 4, "club", *names),
        *found(chicago.COURSES, 6, "classic", "another throws"),
        *found(chicago.COURSES, 12, "bavarian", "another throws"),
    ]
    screens = [screen for screen in SCREENS if screen.name in ("phone", "small phone", "lying phone")]
    assert laws.faults(chrome, states, screens) == []


def test_who_waits_in_chicago_greets_by_one_tap_and_who_throws_does_not(stage: Stage) -> None:
    waits, throws = found(chicago.COURSES, 6, "classic", "another throws", "thrown once")[::-1]
    assert waits.name == "another throws"
    stage.open(waits)
    for screen in SCREENS[:3]:
        stage.resize(screen)
        stage.show(waits)
        expect(greetings_of(stage.page)).to_have_text(["Well played!", "Ouch!", "Cheers!"])
        for button in greetings_of(stage.page).all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
    stage.show(throws)
    expect(greetings_of(stage.page).first).to_be_hidden()


@pytest.mark.server
def test_a_greeting_flies_to_its_seat_on_every_page_once_in_five_seconds_and_can_be_switched_off(
    person: Callable[..., Person],
) -> None:
    people = [person(name) for name in ("Hanna", "Kari", "Uli")]
    screen = person("TV", screen=TV)
    screen.page.goto(set_up(people[0], "chouette", "german", people[1:], start_position=xgid(START, "52")))
    waits, *others = sorted(people, key=lambda one: one.page.locator(".bt-d-do.go").count())
    expect(greetings_of(waits.page)).to_have_count(3)
    off, on = others
    off.tap("Menu")
    off.page.get_by_role("checkbox", name="Greetings at the seats").uncheck()
    off.page.locator("#menu [data-close]").click()
    again = waits.context.new_page()
    again.goto(waits.page.url)
    expect(greetings_of(again)).to_have_count(3)
    for page in (waits.page, again, on.page, off.page, screen.page):
        page.evaluate(FLOWN)

    waits.page.get_by_role("button", name="Cheers!").first.click()
    for page in (waits.page, on.page, screen.page):
        page.wait_for_function("() => window.flown.includes('Cheers!')")
    expect(off.page.locator("#chat")).to_contain_text("Cheers!")
    assert off.page.evaluate("window.flown") == []
    assert off.page.locator("#toasts").inner_text() == ""
    for button in greetings_of(waits.page).all():
        expect(button).to_have_attribute("aria-disabled", "true")
    again.get_by_role("button", name="Ouch!").first.click()
    expect(again.locator("#toasts .error")).to_contain_text("Wait a moment")
    assert "Ouch!" not in on.page.evaluate("window.flown")
    expect(greetings_of(waits.page).first).not_to_have_attribute("aria-disabled", "true")
    assert all(one.faults == [] for one in (*people, screen))


@pytest.mark.server
def test_greetings_fly_in_chicago_from_the_dock_and_from_the_chat(person: Callable[..., Person]) -> None:
    people = [person(name) for name in ("Hanna", "Kari")]
    set_up(people[0], "chicago", "classic", people[1:])
    throws, waits = sorted(people, key=lambda one: not one.page.locator(".ct-go:visible").count())
    expect(greetings_of(waits.page)).to_have_count(3)
    for one in people:
        one.page.evaluate(FLOWN)
    greetings_of(waits.page).get_by_text("Cheers!").click()
    throws.page.wait_for_function("() => window.flown.includes('Cheers!')")
    throws.page.locator("#open-side").click()
    throws.page.locator("#chat-greetings button").nth(1).click()
    for one in people:
        one.page.wait_for_function("() => window.flown.includes('Ouch!')")
    assert all(one.faults == [] for one in people)
