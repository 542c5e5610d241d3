"""Both games are played with their panels switched off: by the kit's element alone, from the words of their choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Route, expect

from tests.browser import evening
from tests.browser.chouette import chouettes
from tests.browser.people import LAPTOP, PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]
LOOSE_MODULES = True  # a game's own module is replaced

MakePerson = Callable[..., Person]
MOST_PRESSES = 400
ELEMENT = """
import {{ StammtischTable }} from "games/kit/stammtisch_table.js";
customElements.define("{game}-table", class extends StammtischTable {{}});
"""


def kit_instead(route: Route) -> None:
    """Answer with a module that makes the kit's element the game's, without any panel of the game."""
    found = re.search(r"/(chicago|chouette)/table\.", route.request.url)
    assert found
    route.fulfill(content_type="text/javascript", body=ELEMENT.format(game=found.group(1)))


def seated(person: MakePerson, names: Sequence[str]) -> list[Person]:
    """Return a host at a laptop and guests at phones, at a night, none of whom gets the games' own elements."""
    people = [person(name, screen=PHONE if at else LAPTOP) for at, name in enumerate(names)]
    for one in people:
        one.page.route(re.compile(r"/(chicago|chouette)/table\.[\w.]*js"), kit_instead)
    host, *guests = people
    host.host_a_night("Thursday")
    link = host.link("j")
    for guest in guests:
        guest.join(link)
    return people


def start(people: Sequence[Person], game: str) -> None:
    """Let everybody come to the host's table and accept its rules, and start the game under the kit's element."""
    host, *guests = people
    for guest in guests:
        guest.page.goto(host.page.url)
    for one in people:
        one.accept_the_rules()
    host.tap("Start the game")
    for one in people:
        expect(one.page.locator(f"{game}-table .kit-actions")).to_be_attached()


def press_until(people: Sequence[Person], text: str) -> None:
    """Let those who are asked press the main button, or the first one, until the log has a text."""
    log = people[0].page.locator("#log")
    for _ in range(MOST_PRESSES):
        if re.search(text, log.inner_text()):
            return
        for one in people:
            if one.page.locator("#turnbar[data-kind=mine]").count():
                bar = one.page.locator(".kit-actions")
                main = bar.locator(f"button.go{evening.READY}")
                evening._press(main if main.count() else bar.locator(f"button{evening.READY}"))
        people[0].page.wait_for_timeout(evening.LOOKS_AGAIN_MS)
    raise AssertionError("the game stands still")


@pytest.mark.day(parts=17, turn=5)
def test_a_round_of_chicago_is_played_with_the_kits_bar(person: MakePerson) -> None:
    host, guest = people = seated(person, ["Hanna", "Kari"])
    evening.open_table(host, "bavarian")
    start(people, "chicago")
    first, second = (host, guest) if host.page.locator("#turnbar[data-kind=mine]").count() else (guest, host)
    expect(first.page.locator("#turn-text")).to_have_text("Your turn: throw")
    expect(second.page.locator("#turn-text")).to_contain_text("has the cup")
    expect(first.page.locator(".kit-question")).to_have_text("You start the round")
    expect(first.page.locator(f".kit-actions button.go{evening.READY}")).to_have_count(1)
    press_until(people, "Round 2")
    assert [one.faults for one in people] == [[], []]


@pytest.mark.day(parts=17, turn=5)
def test_a_game_of_a_chouette_is_played_with_the_kits_bar(person: MakePerson) -> None:
    host, *_guests = people = seated(person, ["Hanna", "Kari", "Siri"])
    chouettes.open_table(host, "club", **chouettes.start_from(2))
    start(people, "chouette")
    for one in people:
        assert one.page.locator("#turn-text").inner_text()
    press_until(people, r"[Gg]ame 1")
    assert [one.faults for one in people] == [[], [], []]
