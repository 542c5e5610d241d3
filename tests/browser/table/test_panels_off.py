"""Both games are played with their panels switched off: the kit's element alone, by the words of their choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Route, expect

from tests.browser import evening
from tests.browser.chouette import chouettes
from tests.browser.people import LAPTOP, PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]
LOOSE_MODULES = True  # the kit's element is no part of the joined modules of a game with its own

MakePerson = Callable[..., Person]
MOST_PRESSES = 200


def seated(person: MakePerson, names: Sequence[str]) -> list[Person]:
    """Seat a host at a laptop and guests at phones, none of whom gets the game's own element."""
    people = [person(name, screen=PHONE if at else LAPTOP) for at, name in enumerate(names)]
    for one in people:
        one.page.route(re.compile(r"/table/[a-z0-9]+/$"), without_panels)
    host, *guests = people
    host.host_a_night("Thursday")
    link = host.link("j")
    for guest in guests:
        guest.join(link)
    return people


def without_panels(route: Route) -> None:
    """Answer with the table's page, whose element is the kit's."""
    response = route.fetch()
    body = re.sub(r'"element":\s*"\w+-table"', '"element": "stammtisch-table"', response.text())
    body = re.sub(r'"module":\s*"\w+/table\.js"', '"module": "games/kit/stammtisch_table.js"', body)
    route.fulfill(response=response, body=body)


def start(people: Sequence[Person]) -> None:
    for one in people:
        one.accept_the_rules()
    people[0].tap("Start the game")
    people[0].page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    people[0].page.locator("#turnbar").wait_for()
    people[0].page.reload()  # what an answer leads on to is not asked for again, and comes as it is
    for one in people:
        expect(one.page.locator("stammtisch-table .kit")).to_be_visible()


def press_until(people: Sequence[Person], text: str | re.Pattern[str]) -> None:
    """Let whoever is asked press the main button, or the first one, until the log says this."""
    log = people[0].page.locator("#log")
    for _ in range(MOST_PRESSES):
        if re.search(text, log.inner_text()):
            return
        for one in people:
            if one.page.locator("#turnbar[data-kind=mine]").count():
                bar = one.page.locator(".kit-actions")
                main = bar.locator(f"button.go{evening.READY}")
                evening._press(main if main.count() else bar.locator(f"button{evening.READY}"))
        people[0].page.wait_for_timeout(40)
    raise AssertionError("the game stands still")


def test_a_round_of_chicago_is_played_with_the_kits_bar(person: MakePerson) -> None:
    people = seated(person, ["Hanna", "Kari"])
    host, guest = people
    evening.open_table(host, "bavarian")
    guest.page.goto(host.page.url)
    start(people)
    first, second = (host, guest) if host.page.locator("#turnbar[data-kind=mine]").count() else (guest, host)
    expect(first.page.locator("#turn-text")).to_have_text("Your turn: throw")
    expect(second.page.locator("#turn-text")).to_contain_text("has the cup")
    expect(first.page.locator(".kit-question")).to_have_text("You start the round")
    first.page.keyboard.press("t")
    expect(first.page.locator("#turn-text")).to_contain_text("Your turn: throw again")
    expect(first.page.locator(".kit-actions").get_by_role("button", name=re.compile("^Stand with"))).to_be_visible()
    expect(second.page.locator("#turn-text")).to_have_text(re.compile(r"throw 2 of 3$"))
    press_until(people, "Round 2")


def test_a_game_of_a_chouette_is_played_with_the_kits_bar(person: MakePerson) -> None:
    people = seated(person, ["Hanna", "Kari", "Siri"])
    host = people[0]
    chouettes.open_table(host, "club", **chouettes.start_from(2))
    for guest in people[1:]:
        guest.page.goto(host.page.url)
    start(people)
    press_until(people, r"rolls|begins|is Box")
    asked = {one.page.locator("#turn-text").inner_text() for one in people}
    assert all(asked), asked
    press_until(people, r"[Gg]ame 1")
    assert not [one.faults for one in people if one.faults]
