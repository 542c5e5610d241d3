"""The backgammon board: every way to make a play."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.boards import (
    BAR,
    BEARING_OFF,
    ENTERING,
    OFF,
    START,
    TWO_BLOTS,
    MakePerson,
    cell,
    confirm,
    drag,
    holds,
    mover,
    now,
    played,
    seated,
    swap_dice,
    xgid,
)
from tests.browser.people import PHONE
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]


@pytest.mark.day(parts=17, turn=11)
def test_a_tap_plays_one_die_and_is_free_to_undo_until_confirm(person: MakePerson, server: Server) -> None:
    people = seated(person, xgid(START, "31"))
    one = mover(people)
    other = next(p for p in people if p is not one)
    expect(confirm(one)).to_be_disabled()
    # One tap plays the higher die, the next one the other.
    cell(one, 8).click()
    holds(one, 5, "1 light checker, yours")
    one.page.get_by_role("button", name="Undo").click()
    holds(one, 5, "empty")
    holds(one, 8, "3 light checkers")
    # A tap on the dice swaps them.
    swap_dice(one)
    cell(one, 6).click()
    holds(one, 5, "1 light checker")
    cell(one, 8).click()
    expect(one.page.locator(".bt-said")).to_have_text("8/5 6/5")
    holds(other, 20, "empty")
    confirm(one).click()
    played(people, "8/5 6/5")
    holds(other, 20, "2 light checkers, theirs")


@pytest.mark.day(parts=17, turn=4)
def test_a_far_target_takes_both_dice_and_asks_for_the_way_where_it_matters(person: MakePerson, server: Server) -> None:
    one = mover(seated(person, xgid(TWO_BLOTS, "43"), screen=PHONE))
    drag(one, 13, 6)
    ways = one.page.locator(".bt-ways button")
    expect(ways).to_have_text(["hit on 9", "hit on 10"])
    cell(one, 10).tap()
    expect(one.page.locator(".bt-said")).to_have_text("13/10*/6")
    one.page.get_by_role("button", name="Undo").tap()
    holds(one, 13, "3 light checkers")
    drag(one, 13, 6)
    ways.first.tap()
    expect(one.page.locator(".bt-said")).to_have_text("13/9*/6")
    holds(one, 10, "1 dark checker")
    holds(one, 26, "1 dark checker")
    confirm(one).tap()
    played([one], "13/9*/6")


@pytest.mark.day(parts=17, turn=16)
def test_checkers_are_dragged_to_a_point_and_off_the_board(person: MakePerson, server: Server) -> None:
    one = mover(seated(person, xgid(BEARING_OFF, "65")))
    cell(one, 6).drag_to(cell(one, 20))
    holds(one, 6, "3 light checkers")
    cell(one, 6).drag_to(cell(one, OFF))
    holds(one, OFF, "7 light checkers")
    cell(one, 6).drag_to(cell(one, 1))
    holds(one, 1, "2 light checkers")
    confirm(one).click()
    played([one], "6/1 6/off")


@pytest.mark.day(parts=17, turn=2)
def test_a_play_is_made_with_the_keyboard_alone(person: MakePerson, server: Server) -> None:
    one = mover(seated(person, xgid(START, "31")))
    keyboard, grid = one.page.keyboard, ".bt-cell:focus"
    one.page.locator("body").click(position={"x": 2, "y": 2})
    for _ in range(60):
        keyboard.press("Tab")
        if one.page.locator(grid).count():
            break
    expect(one.page.locator(grid)).to_have_attribute("data-place", "6")

    def walk(keys: str, place: int) -> None:
        for key in keys.split():
            keyboard.press(f"Arrow{key}")
        expect(one.page.locator(grid)).to_have_attribute("data-place", str(place))

    walk("Left Left Left", 8)
    keyboard.press("Enter")
    expect(cell(one, 8)).to_have_attribute("aria-selected", "true")
    keyboard.press("Escape")
    expect(cell(one, 8)).to_have_attribute("aria-selected", "false")
    keyboard.press("Enter")
    walk("Right Right Right Right", 5)
    keyboard.press("Enter")
    holds(one, 5, "1 light checker")
    keyboard.press("u")
    holds(one, 5, "empty")
    walk("Left", 6)
    keyboard.press("Enter")
    walk("Right", 5)
    keyboard.press("Enter")
    walk("Up Left Left Left Left Left Left Left Left Left Left Left Down Right", 11)
    walk("Right Right Right", 8)
    keyboard.press("Enter")
    keyboard.press("Enter")
    expect(confirm(one)).to_be_focused()
    keyboard.press("Enter")
    played([one], "8/5 6/5")


@pytest.mark.day(parts=17, turn=3)
def test_a_play_is_typed_and_a_wrong_one_is_refused_in_words(person: MakePerson, server: Server) -> None:
    one = mover(seated(person, xgid(ENTERING, "31")))
    holds(one, BAR, "1 light checker")
    one.page.get_by_role("button", name="Type a play").click()
    field = one.page.get_by_label("Your play, for example")
    refusals = one.page.locator(".toast.error")
    for wrong in ("13/7", "twelve"):
        field.fill(wrong)
        field.press("Enter")
        expect(refusals).to_have_count(1)
        refusals.evaluate_all("all => all.forEach((one) => one.remove())")
    assert now(one)["view"]["game"]["last_play"] is None
    field.fill("BAR/22 8/7")
    field.press("Enter")
    played([one], "bar/22 8/7")
