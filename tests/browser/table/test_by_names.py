"""Whole games by keyboard, found by nothing but the roles and names that a screen reader tells."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.chouette.boards import seated, xgid
from tests.browser.people import LAPTOP, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
LAST_CHECKERS = {2: 1, 1: 2, 23: -1, 24: -2}
ACTS = 60


def press(target: Locator) -> bool:
    """Press Enter on what is there and hears; tell whether it was still there: what has no choice confirms itself."""
    if target.count() == 0:
        return False
    try:
        expect(target.first).not_to_have_attribute("data-deaf", "", timeout=1500)
        target.first.press("Enter", timeout=1500)
    except (AssertionError, TimeoutError):  # the table moved on between the look and the key
        return False
    return True


def backgammon_act(page: Page) -> bool:
    """Do one thing that is asked of this person; tell whether there was anything."""
    cells = page.get_by_role("gridcell", name=re.compile(r", can move$"))
    if press(page.get_by_role("button", name="Confirm", exact=True, disabled=False)):
        return True
    if press(cells):
        return press(page.get_by_role("gridcell", name=re.compile(r", target$"))) or True
    # What a Team suggests ("No double yet.") moves nothing on.
    return press(page.get_by_role("button", name=re.compile("^(Begin the game|Roll|No double$)")))


def chicago_act(page: Page) -> bool:
    """Stand where that is possible, else throw."""
    stand = page.get_by_role("button", name=re.compile("^Stand with"))
    if press(stand.and_(page.get_by_role("button", disabled=False))):
        return True
    go = page.get_by_role("button", name=re.compile("^Throw"), disabled=False)
    return press(go)


def play(people: list[Person], act: Callable[[Page], bool], over: Callable[[Page], Locator]) -> None:
    """Let the people act in turn until the end is there to be read."""
    for _ in range(ACTS * 3):
        if over(people[0].page).count():
            return
        if not any(act(one.page) for one in people):
            people[0].page.wait_for_timeout(200)
    raise AssertionError(people[0].page.locator("body").aria_snapshot())


def test_a_chouette_is_played_to_its_end_by_names_and_keys(person: MakePerson) -> None:
    people = seated(person, xgid(LAST_CHECKERS, "65"), "Hanna Kari Uli", "german")
    beaten = re.compile(r"^(The Team beats|\w+ and \w+ beat) \w+ in the Box")
    play(people, backgammon_act, lambda page: page.get_by_role("tabpanel").get_by_text(beaten))


@pytest.mark.day(parts=17, turn=13)
def test_a_play_is_typed_and_one_that_is_none_is_refused_aloud(person: MakePerson) -> None:
    people = seated(person, xgid(LAST_CHECKERS, "21"))
    begin = people[0].page.get_by_role("button", name="Begin the game")
    expect(begin.or_(people[0].page.get_by_text(re.compile("[Ww]aiting for")).first)).to_be_visible()
    mover = people[0] if begin.count() else people[1]
    assert press(mover.page.get_by_role("button", name="Begin the game"))
    typing = mover.page.get_by_role("button", name="Type a play")
    expect(typing).to_be_visible()
    assert press(typing)
    field = mover.page.get_by_role("textbox", name=re.compile("^Your play"))
    expect(field).to_be_focused()
    field.fill("24/1")
    field.press("Enter")
    refused = mover.page.locator("#toasts .error")
    expect(refused).not_to_be_empty()
    expect(mover.page.locator("#polite")).to_contain_text(refused.inner_text())
    field.fill("2/off 1/off")
    field.press("Enter")
    expect(people[0].page.get_by_role("log").get_by_text("plays 2/off 1/off")).to_have_count(1)


@pytest.mark.day(parts=17, turn=12)
def test_chicago_is_played_to_its_end_by_names_and_keys(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=LAPTOP)
    set_up(host, "chicago", "classic", [guest], rounds=1)
    play([host, guest], chicago_act, lambda page: page.get_by_role("region", name="Result"))
