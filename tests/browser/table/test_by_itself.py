"""What is done by itself where nothing is to be decided: the roll where nobody can double, and bearing off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chouette.boards import xgid
from tests.browser.gallery.chouette import COURSES, stage
from tests.browser.gallery.stage import SCREENS, Stage
from tests.browser.gallery.states import Course, Shown, Wanted, states_of
from tests.browser.people import Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HOME = {6: 3, 5: 2, 4: 2, 3: 1, 1: 1, 20: -2, 22: -3, 24: -1}
IS_ASKED = "document.querySelector('chouette-table').now.choices.some(({ name }) => name === 'start_study')"
# Longer than what is done by itself takes.
AFTER_MS = 3_000


def rolled(name: str, roll: str) -> Shown:
    """Return the state of a game that begins in a bear-off with that roll."""
    start = {"start_position": xgid(HOME, roll)}
    return states_of(Course("chouette", 2, "money", (Wanted(name, stage("move")),), start))[0]


@pytest.fixture(scope="module")
def states() -> dict[str, Shown]:
    """A roll that no double can come before, and two rolls in the bear-off: with one best play, and with more."""
    four = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
    found = states_of(replace(four, wanted=tuple(one for one in four.wanted if one.name == "turn to roll")))
    return {one.name: one for one in (*found, rolled("one is best", "65"), rolled("many are as good", "21"))}


@pytest.fixture
def page(chrome: Browser) -> Iterator[Stage]:
    """A table's page on a phone whose player has switched nothing off."""
    shown = Stage(chrome, "en", by_itself=True)
    yield shown
    shown.close()
    assert shown.faults == []


def begin(page: Stage, state: Shown) -> None:
    """Show a state of a table; the page keeps the commands that the table gives."""
    page.open(state)
    page.resize(SCREENS[0])
    page.page.evaluate(
        """() => {
            window.sent = [];
            const keep = ({ detail: { name, args } }) => sent.push([name, args.play ?? ""]);
            document.querySelector("chouette-table").addEventListener("command", keep);
        }"""
    )
    page.show(state)


def sent(page: Stage) -> Any:
    """Return the commands that the table has given, as names and plays."""
    return page.page.evaluate("window.sent")


def wait_for_a_command(page: Stage) -> None:
    page.page.wait_for_function("window.sent.length > 0")


def of_keeper(state: Shown) -> Shown:
    """Return a state as a device is told it that several share."""
    frames = [{**one, "you": {**one["you"], "keeps": [3]}} if "you" in one else one for one in state.frames]
    return replace(state, frames=frames)


@pytest.mark.day(parts=17, turn=1)
def test_where_nobody_can_double_the_dice_roll_by_themselves_as_rolls_place_says(
    page: Stage, states: dict[str, Shown]
) -> None:
    begin(page, states["turn to roll"])
    roll = page.page.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_have_text(re.compile("^Rolls in [12] …"))
    assert sent(page) == []
    wait_for_a_command(page)
    assert sent(page) == [["roll", ""]]


@pytest.mark.day(parts=17, turn=11)
def test_what_is_done_by_itself_can_be_stopped_and_then_waits_for_the_player(
    page: Stage, states: dict[str, Shown]
) -> None:
    begin(page, states["turn to roll"])
    expect(page.page.get_by_text("Rolls in")).to_be_visible()
    page.page.keyboard.press("m")
    expect(page.page.get_by_role("button", name="Roll", exact=True)).to_have_text(re.compile("^Roll(R)?$"))

    begin(page, states["one is best"])
    expect(page.page.get_by_role("button", name="Undo")).to_be_visible()
    page.page.get_by_role("button", name="Undo").click()
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []


@pytest.mark.day(parts=17, turn=4)
def test_bearing_off_is_done_by_itself_where_one_play_is_the_best(page: Stage, states: dict[str, Shown]) -> None:
    begin(page, states["many are as good"])
    expect(page.page.get_by_role("button", name="Confirm")).to_have_text("Confirm")
    begin(page, states["one is best"])
    expect(page.page.locator(".bt-said")).to_have_text("6/off 5/off")
    expect(page.page.get_by_role("button", name="Confirm")).to_have_text(re.compile("^Plays in [12] …$"))
    wait_for_a_command(page)
    assert sent(page) == [["move", "6/off 5/off"]]


@pytest.mark.day(parts=17, turn=16)
def test_a_player_switches_it_off_and_a_shared_device_does_nothing_by_itself(
    page: Stage, states: dict[str, Shown]
) -> None:
    menu, roll = page.page.locator("#open-menu"), page.page.get_by_role("button", name="Roll", exact=True)
    wish = page.page.get_by_role("checkbox", name="Roll by itself where nobody can double")
    begin(page, of_keeper(states["turn to roll"]))
    expect(roll).to_have_text(re.compile("^Roll(R)?$"))
    menu.click()
    expect(wish).to_be_disabled()
    expect(page.page.get_by_text("A device that several share does nothing by itself.").first).to_be_visible()

    begin(page, states["turn to roll"])
    menu.click()
    wish.uncheck()
    page.page.locator("#menu [data-close]").click()
    begin(page, states["turn to roll"])
    page.page.wait_for_timeout(AFTER_MS)
    expect(roll).to_have_text(re.compile("^Roll(R)?$"))
    assert sent(page) == []


@pytest.mark.server
@pytest.mark.day(parts=17, turn=2)
def test_two_pages_of_one_player_roll_once_and_complain_of_nothing(person: Callable[..., Person]) -> None:
    host, guest = person("Hanna", by_itself=True), person("Kari", by_itself=True)
    start = xgid({1: 4, 24: -4}, "65")
    set_up(host, "chouette", "match", [guest], match_length=1, start_position=start)
    pages = [host.page, guest.page, guest.context.new_page(), host.context.new_page()]
    for again, one in zip(pages[2:], (guest, host), strict=True):
        again.goto(one.page.url)
    for page in pages:
        expect(page.locator("chouette-table .bt-dock")).to_be_visible()
        page.evaluate(
            """() => {
                window.toasts = [];
                const see = () => toasts.push(document.querySelector("#toasts .error")?.textContent);
                const all = { childList: true, subtree: true };
                new MutationObserver(see).observe(document.getElementById("toasts"), all);
            }"""
        )
    captain = host if host.page.evaluate(IS_ASKED) else guest
    captain.page.get_by_role("button", name="Begin the game").click()
    for page in pages:
        expect(page.get_by_text(re.compile("wins the match")).first).to_be_visible()
        assert page.evaluate("toasts.filter(Boolean)") == []
    told = host.page.evaluate("document.querySelector('chouette-table').now.view.game")
    assert told["last_play"]["play"] in ("1/off(2)", "1/off(4)"), "a double bears off four"
