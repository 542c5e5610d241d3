"""A game that ships no element of its own is played with the kit's, on a phone, a laptop and a TV."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from games import plugin
from tests.browser import evening
from tests.browser.chouette.boards import tv_link
from tests.browser.people import LAPTOP, PHONE, TV, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
FITS = """() => {
    const page = document.documentElement;
    return [page.scrollWidth <= innerWidth, page.scrollHeight <= innerHeight];
}"""


def seated(person: MakePerson, preset: str) -> tuple[Person, Person]:
    """Seat a host at a laptop and a guest at a phone at a table of the dummy game, and start it."""
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=PHONE)
    host.host_a_night("Thursday")
    link, night = host.link("j"), host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game=dummygame&preset={preset}")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    guest.join(link)
    for one in (host, guest):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, guest):
        expect(one.page.locator("stammtisch-table .kit")).to_be_visible()
    return host, guest


def play_to_the_end(people: Sequence[Person]) -> None:
    """Let everybody press the first button of what is required of them until the game is over."""
    for _ in range(400):
        if all(one.page.locator(".kit-result").is_visible() for one in people):
            return
        for one in people:
            evening._press(one.page.locator(f".kit-actions .go{evening.READY}"))
        people[0].page.wait_for_timeout(evening.LOOKS_AGAIN_MS)
    raise AssertionError("the game does not end")


def test_a_game_without_an_element_is_played_with_the_kit(person: MakePerson) -> None:
    game = plugin.game("dummygame")
    assert (game.element, game.has_element) == ("stammtisch-table", False)
    host, guest = seated(person, game.options.presets[0].id)
    screen = person("TV", screen=TV)
    screen.page.goto(tv_link(host))
    expect(screen.page.locator("stammtisch-table .kit-seat")).to_have_count(2)
    expect(screen.page.locator(".kit-actions")).to_be_hidden()
    for one in (host, guest, screen):
        assert one.page.evaluate(FITS) == [True, True]
        expect(one.page.locator(".kit-name").first).to_have_text("Hanna")
    expect(host.page.locator(".kit-seat[data-turn][data-me]")).to_have_count(1)
    bids = guest.page.locator(".kit-actions .go")
    expect(bids.first).to_have_text(re.compile(r"^Bid \d+$"))
    expect(guest.page.locator("#turn-text")).to_have_text("Your turn: bid")
    expect(guest.page.locator(".kit-question")).to_have_text("What do you bid?")
    expect(screen.page.locator("#turn-text")).to_have_text("Bids: waiting for Hanna and Kari")
    bids.first.click()
    expect(guest.page.get_by_role("button", name="Take back")).to_be_visible()
    # The keyboard's number presses the button of that number.
    host.page.keyboard.press("1")
    expect(host.page.locator("#log")).to_contain_text("Kari has bid.")
    play_to_the_end((host, guest))
    expect(guest.page.locator(".kit-result")).to_contain_text("The game is over")
