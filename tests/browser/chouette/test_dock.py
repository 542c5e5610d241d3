"""The dock of the backgammon table: doubles, answers and what is settled by consent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, expect

from chouette.board.gnubg_id import position_id
from tests.browser.chouette.chouettes import TAKE
from tests.browser.people import LAPTOP, Person
from tests.chouette.table import LONG_RACE

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
PHONES = ((390, 844), (360, 640))
TARGET_PX = 44


def seat_at_a_race(people: Sequence[Person], preset: str, **options: str) -> list[Person]:
    """Open a table whose games begin with a long race; return the people in the line's order."""
    host, *guests = people
    host.host_a_night("Thursday")
    link = host.link("j")
    host.page.goto(f"{host.page.url}tables/new/?game=chouette&preset={preset}")
    for name, value in {"start_position": position_id(LONG_RACE), **options}.items():
        field = host.page.locator(f"[name='o-{name}']").first
        field.evaluate("el => { for (let d = el; d; d = d.parentElement) d.open = true }")
        field.fill(value)
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    for guest in guests:
        guest.join(link)
    for one in people:
        one.accept_the_rules()
    host.tap("Start the game")
    for one in people:
        expect(dock(one)).to_be_visible()
    line = now(host)["view"]["line"]
    return sorted(people, key=lambda one: line.index(now(one)["me"]))


def now(person: Person) -> dict:
    """Return what the person's element was last told."""
    return person.page.evaluate(
        "() => { const { view, choices, me } = document.querySelector('chouette-table').now;"
        " return { view, me, choices }; }"
    )


def dock(person: Person) -> Locator:
    return person.page.locator(".bt-dock")


def button(person: Person, name: str) -> Locator:
    return dock(person).get_by_role("button", name=re.compile(name))


def press(person: Person, name: str) -> None:
    ready = button(person, name).and_(person.page.locator(":not([aria-disabled])"))
    ready.first.click()


def play_on(person: Person) -> None:
    """Make the first listed play, as the board would send it."""
    person.page.wait_for_function(
        "() => { const { canAct, choices } = document.querySelector('chouette-table').now;"
        " return canAct && choices.some((c) => c.name === 'move'); }"
    )
    person.page.evaluate(
        "() => { const table = document.querySelector('chouette-table');"
        " const { name, options, basis } = table.now.choices.find((c) => c.name === 'move');"
        " const detail = { name, args: options[0], basis };"
        " table.dispatchEvent(new CustomEvent('command', { detail, bubbles: true })); }"
    )


def answer(box: Person, takes: Sequence[bool]) -> None:
    """Choose take or drop in each doubler's seat, without sending it."""
    seats = box.page.locator(".bt-mate-tap:visible")
    expect(seats).to_have_count(len(takes))
    for seat, take in zip(seats.all(), takes, strict=True):
        while not re.search(r": Take$" if take else r": Drop −\d+$", seat.get_attribute("aria-label") or ""):
            seat.click()


def small_or_hidden(person: Person) -> list[str]:
    """Return the dock's buttons that are too small, or that lie outside of the screen."""
    return person.page.evaluate(
        """least => [...document.querySelectorAll(".bt-dock button")]
            .filter(b => b.checkVisibility())
            .map(b => [b.innerText, b.getBoundingClientRect()])
            .filter(([, r]) => r.width < least || r.height < least || r.bottom > innerHeight
                || r.right > innerWidth || r.left < 0)
            .map(([text, r]) => `${text}: ${JSON.stringify(r)}`)""",
        TARGET_PX,
    )


@pytest.mark.day(parts=17)
def test_the_box_answers_a_batch_as_the_house_rules_allow_and_is_told_why_not(
    person: MakePerson,
) -> None:
    people = [person(name) for name in ("Hanna", "Kari", "Uli", "Bo")]
    box, captain, second, third = seat_at_a_race(people, "german", grace_seconds="0")
    press(captain, "Begin the game")

    # The window: nobody is told who has spoken; one's own word is shown, and may be taken back.
    press(second, "Double to 2")
    expect(dock(second)).to_contain_text("You said: double.")
    expect(button(second, "Take it back")).to_be_visible()
    for one in (box, captain, third):
        assert now(one)["view"]["me"]["words"] == []
        expect(dock(one)).not_to_contain_text("said")
    press(third, "Double to 2")
    expect(button(captain, "^Roll")).to_be_visible()
    press(captain, "Double to 2")

    # By category: all initial doubles are taken, or none.
    expect(button(box, "Take all")).not_to_have_attribute("aria-disabled", "true")
    answer(box, [True, False, False])
    expect(dock(box)).to_contain_text("House rule: take all initial doubles or none")
    expect(button(box, "Send")).to_have_attribute("aria-disabled", "true")
    button(box, "Send").click(force=True)
    expect(button(box, "Drop all")).to_be_visible()
    answer(box, [True, True, True])
    expect(button(box, "Send: take 3, drop 0")).not_to_have_attribute("aria-disabled", "true")
    expect(dock(box)).not_to_contain_text("House rule")
    for width, height in PHONES:
        box.page.set_viewport_size({"width": width, "height": height})
        for name in ("Drop all", "Take all", "Send"):
            expect(button(box, name)).to_be_in_viewport(ratio=1)
    box.page.set_viewport_size({"width": 390, "height": 844})
    assert small_or_hidden(box) == []

    press(box, "Drop all")
    for one in people:
        expect(dock(one)).to_contain_text(f" beat {box.name} in the Box")
    expect(dock(box).locator(".bt-rank[data-me=yes]")).to_contain_text("you−3")
    expect(dock(box)).to_contain_text(f"{captain.name} has beaten the Box and takes its place.")
    assert now(box)["view"]["line"][0] == now(captain)["me"]


@pytest.mark.day(parts=17, turn=9)
def test_answers_are_sealed_a_beaver_is_raccooned_and_consent_settles_the_rest(
    person: MakePerson,
) -> None:
    host = person("Hanna", screen=LAPTOP)
    people = [host, person("Kari", dark=True), person("Uli"), person("Bo")]
    box, captain, second, third = seat_at_a_race(people, "club", grace_seconds="0")
    press(captain, "Begin the game")
    press(captain, "^Roll")
    play_on(captain)

    # A play goes back only by consent.
    press(captain, "Take back")
    expect(captain.page.locator("#turn-text")).to_contain_text("Play asked back: waiting for")
    expect(dock(box)).to_contain_text(f"{captain.name} asks to take back")
    press(box, "Accept")
    expect(button(captain, "Confirm")).to_be_visible()
    play_on(captain)
    press(captain, "Take back")
    press(box, "Refuse")
    expect(button(captain, "Take back")).to_be_hidden()
    expect(dock(captain)).to_contain_text(f"{box.name} lets the play stand.")
    expect(dock(second)).not_to_contain_text("lets the play stand")
    assert now(captain)["view"]["game"]["stage"] == "offer"

    # The members answer for themselves, sealed until all are there.
    press(box, "Double all")
    press(captain, TAKE)
    expect(dock(captain)).to_contain_text("You take; sealed until all have answered.")
    expect(dock(third)).to_contain_text(f"Answered: {captain.name}. Still to answer: {second.name}.")
    for one in (box, second, third):
        assert "'takes':" not in str(now(one)["view"]), one.name
    press(second, "^Drop")
    press(third, "^Drop")

    # Who alone takes beavers or drops (club); the Box raccoons.
    expect(dock(captain)).to_contain_text("You alone have taken: beaver, or drop after all")
    press(captain, "^Beaver")
    expect(dock(box)).to_contain_text(f"{captain.name} beavers to 4")
    expect(second.page.locator("#turn-text")).to_contain_text(f"Beavers: waiting for {box.name}")
    press(box, "^Raccoon")
    expect(second.page.locator("#turn-text")).to_contain_text(f"Raccoons: waiting for {captain.name}")
    expect(dock(captain)).to_contain_text(f"{box.name} raccoons to 8")
    press(captain, "^Accept")
    press(box, "^Roll")
    play_on(box)

    # A resignation is confirmed, refused, and then raised.
    for level, points in (("Single game", 8), ("Gammon", 16)):
        press(captain, "More")
        press(captain, "^Resign")
        press(captain, level)
        expect(captain.page.locator("dialog.bt-d-more")).to_contain_text(f"It costs you {points} points.")
        press(captain, f"Yes, resign.*costs {points} points")
        expect(dock(box)).to_contain_text(f"you get {points} points")
        press(box, "Refuse")
    press(captain, "More")
    press(captain, "^Resign")
    sheet = captain.page.locator("dialog.bt-d-more")
    expect(sheet).to_contain_text("Less was refused")
    expect(sheet.get_by_role("button", name=re.compile("Gammon"))).to_be_hidden()
    expect(sheet.get_by_role("button", name=re.compile("3× Backgammon"))).to_be_visible()
    captain.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()

    # Box and member settle for what both agree on: any points.
    press(box, "More")
    expect(box.page.locator(".bt-fit")).to_be_in_viewport(ratio=0.95)
    press(box, "^Settle a cube")
    sheet = box.page.locator("dialog.bt-d-more")
    sheet.get_by_label("Who pays").select_option(label="I pay")
    sheet.get_by_label("Points").fill("29")
    press(box, "Propose.*you pay 29 points")
    expect(dock(captain)).to_contain_text(f"{box.name} proposes to settle: you get 29 points")
    expect(dock(box)).to_contain_text(f"You propose to {captain.name}: you pay 29 points.")
    press(captain, "Refuse")
    expect(dock(box)).to_contain_text(f"{captain.name} does not settle.")
    press(box, "More")
    press(box, "^Settle a cube")
    sheet.get_by_label("Points").fill("3")
    press(box, "Propose")
    expect(dock(captain)).to_contain_text("you get 3 points")
    press(captain, "Accept")
    for one in people:
        # One cube of three was won, so the headline names no winner, but what the Box has.
        expect(dock(one)).to_contain_text(f"Game 1 is over: {box.name} −1.")
    points = now(box)["view"]["last_game"]["points"]
    expected = {box: -1, captain: 3, second: -1, third: -1}
    assert {one: points[now(one)["me"]] for one in people} == expected

    # A correction is a new row with its reason and the name of who made it.
    form = host.page.locator("details", has_text="Correct the sheet")
    form.locator("summary").click()
    other = next(one for one in people if one is not host)
    form.get_by_label("You pay").select_option(label=other.name)
    form.get_by_label("Points").fill("2")
    form.get_by_label("Why").fill("Wrong cube")
    form.get_by_role("button").click()
    expect(host.page.locator(".bt-sheet")).to_contain_text("Wrong cube")
    row = now(host)["view"]["sheet"][-1]
    assert (row["reason"], row["by"]) == ("Wrong cube", now(host)["me"])
