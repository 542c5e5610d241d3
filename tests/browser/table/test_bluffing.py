"""A game whose dice are always hidden is played with the kit alone, and nobody sees dice under another's cup."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from games import plugin
from tests.browser import evening
from tests.browser.people import LAPTOP, PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def seated(person: MakePerson) -> tuple[Person, Person]:
    """Seat a host at a laptop and a guest at a phone, and start the game."""
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=PHONE)
    host.host_a_night("Thursday")
    link, night = host.link("j"), host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game=bluffing&preset=pub")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    guest.join(link)
    for one in (host, guest):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, guest):
        expect(one.page.locator("stammtisch-table .kit")).to_be_visible()
    return host, guest


def press(one: Person, name: str) -> None:
    """Press a button of the kit's bar."""
    button = one.page.locator(".kit-actions").get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    one.page.wait_for_timeout(700)  # a button that has just come takes no tap
    button.click()


def play_to_the_end(people: Sequence[Person]) -> None:
    """Let everybody press a button of what is asked until the game is over; cups are lifted, so that it ends."""
    for _ in range(600):
        if all(one.page.locator(".kit-result").is_visible() for one in people):
            return
        for one in people:
            bar = one.page.locator(".kit-actions")
            lift = bar.locator(f".go{evening.READY}", has_text="Lift the cup")
            evening._press(lift if lift.count() else bar.locator(f".go{evening.READY}"))
        people[0].page.wait_for_timeout(evening.LOOKS_AGAIN_MS)
    raise AssertionError("the game does not end")


HELD = """() => {
  const name = Object.keys(localStorage).find((one) => one.startsWith("stammtisch.dice."));
  const { record, faults } = JSON.parse(localStorage.getItem(name) ?? "{}");
  return record && [record.held.length, record.isOver, faults.length];
}"""
"""How many throws a page has still to check, whether it knows that the table has ended, the number of its alarms."""


def test_a_bluffing_game_is_played_with_the_kits_bar_alone(person: MakePerson) -> None:
    game = plugin.game("bluffing")
    assert (game.element, game.has_element) == ("stammtisch-table", False)
    host, guest = seated(person)
    expect(host.page.locator("#turn-text")).to_have_text("Your turn: throw")
    expect(guest.page.locator("#turn-text")).to_have_text("Hanna throws")
    press(host, "Throw")
    dice = host.page.locator(".kit-dice")
    expect(dice.locator(".kit-die")).to_have_count(2)
    assert re.fullmatch(r"[1-6], [1-6]", dice.get_attribute("aria-label") or "")
    expect(guest.page.locator(".kit-die")).to_have_count(0)
    expect(guest.page.locator("#log")).to_contain_text("Hanna throws.")
    host.page.locator(".kit-actions select").select_option(label="Say 42")
    press(host, "Say")
    expect(guest.page.locator(".kit-facts")).to_contain_text("42")
    expect(guest.page.locator("#turn-text")).to_have_text("Do you believe 42?")
    press(guest, "Believe")
    expect(guest.page.locator(".kit-die")).to_have_count(2)
    expect(host.page.locator(".kit-die")).to_have_count(0)
    expect(host.page.locator(".dice-level")).to_have_count(1)
    assert [one.page.evaluate(HELD)[0] > 0 for one in (host, guest)] == [True, True]
    play_to_the_end((host, guest))
    expect(guest.page.locator(".kit-result")).to_contain_text("The game is over")
    for one in (host, guest):
        one.page.wait_for_function(f"() => ({HELD})()?.[1] && ({HELD})()[0] === 0")
        assert one.page.evaluate(HELD) == [0, True, 0]
        expect(one.page.get_by_role("button", name="Save the proof")).to_have_count(0)
