"""Modules that few decisions need: they come with the first such decision, and are asked for until they have come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import SCREENS, Stage
from tests.browser.gallery.states import Shown, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

# Without those of a real board, of which a page takes all that does not know its table's view yet, as this one.
RARE = re.compile(r"/chouette/dock/(answers|offers)\.js$")
ORDINARY = ("cube window", "play to choose", "waiting for a play")
# The page's pause before it asks again, and some room for it.
AGAIN_MS = 10_000


@pytest.fixture(scope="module")
def states() -> dict[str, Shown]:
    four = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
    shown = (*ORDINARY, "answer asked", "resignation offered", "opening half rolled")
    wanted = tuple(one for one in four.wanted if one.name in shown)
    return {one.name: one for one in states_of(replace(four, wanted=wanted))}


@pytest.fixture
def page(chrome: Browser) -> Iterator[Stage]:
    shown = Stage(chrome, "en", by_itself=True)
    shown.resize(SCREENS[1])
    yield shown
    shown.close()
    assert shown.faults == []


def asked_of(page: Stage) -> list[str]:
    """Return the list of the rare modules that a page asks for from now on."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if found := RARE.search(request.url):
            asked.append(found[1])

    page.page.on("request", note)
    return asked


def losing_the_first(page: Stage, module: str) -> list[str]:
    """Lose the first file of a module on its way; return the list of the addresses that are asked for from now on."""
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) < 2:
            route.abort()
        else:
            route.fallback()

    page.page.route(re.compile(rf"/chouette/dock/{module}\.js$"), lose)
    return asked


def test_doubling_is_fetched_with_a_games_first_play_until_it_has_come(page: Stage, states: dict[str, Shown]) -> None:
    asked = losing_the_first(page, "cube_decisions")
    # The decisions at a real board, which this page takes as well, would bring it along.
    at_real_board = re.compile(r"/chouette/dock/wood_decisions\.js$")
    page.page.route(at_real_board, lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.open(states["opening half rolled"])
    page.page.wait_for_timeout(500)
    assert asked == [], "a game that has not begun needs none of it"
    page.show(states["play to choose"])
    while not asked:  # before anybody can double or roll
        page.page.wait_for_timeout(50)
    page.show(states["cube window"])
    expect(page.page.locator(".bt-dock .bt-d-title").first).not_to_be_empty()
    expect(page.page.locator(".bt-dock [data-act]", has_text="Double to")).to_be_visible(timeout=AGAIN_MS)
    assert len(asked) == 2, "once more after it was lost"


def test_ordinary_turns_ask_for_none_of_them(page: Stage, states: dict[str, Shown]) -> None:
    asked = asked_of(page)
    page.open(states[ORDINARY[0]])
    for name in ORDINARY:
        page.show(states[name])
        page.page.wait_for_timeout(500)
    assert asked == []


@pytest.mark.parametrize(
    ("name", "module", "button"), [("answer asked", "answers", "Take"), ("resignation offered", "offers", "Accept")]
)
def test_a_decision_whose_module_does_not_come_is_there_as_soon_as_it_does(
    page: Stage, states: dict[str, Shown], name: str, module: str, button: str
) -> None:
    asked = asked_of(page)
    losing_the_first(page, module)
    page.open(states[ORDINARY[0]])
    page.show(states[name])
    act = page.page.locator(".bt-dock [data-act]", has_text=button)
    expect(page.page.locator(".bt-dock .bt-d-title").first).not_to_be_empty()
    expect(act.first).to_be_visible(timeout=AGAIN_MS)
    assert asked == [module, module], "once more after it was lost, and no other one"
    page.page.evaluate(
        """() => {
            window.sent = [];
            const keep = ({ detail }) => sent.push(detail.name);
            document.querySelector("chouette-table").addEventListener("command", keep);
        }"""
    )
    page.page.wait_for_timeout(1200)  # what has just come is deaf for a moment
    act.first.tap()
    assert page.page.evaluate("window.sent") == [{"answers": "answer", "offers": "answer_resignation"}[module]]
