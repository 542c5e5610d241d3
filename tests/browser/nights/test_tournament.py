"""A small tournament: its director at a laptop, two players with phones, and the big screen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import LAPTOP, TV, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=17, turn=7)
def test_a_small_tournament_from_its_making_to_its_end(person: MakePerson) -> None:
    host, kari, uli, screen = person("Hanna", screen=LAPTOP), person("Kari"), person("Uli"), person("TV", screen=TV)
    host.host_a_night("Club night")
    link, tv = host.link("j"), host.link("tv")
    for guest in (kari, uli):
        guest.join(link)
    screen.page.goto(tv)
    host.open_more()
    host.tap("New tournament", "link")
    host.page.get_by_label("on boards without the house").check()
    host.tap("Make the tournament")

    for name in ("Kari", "Uli"):
        host.page.locator("#t-enter").get_by_role("button", name=name).click()
        expect(host.page.locator("#t-people")).to_contain_text(name)
    kari.page.goto(host.page.url)
    uli.page.goto(host.page.url)
    expect(kari.page.get_by_text("The director starts it in a moment.")).to_be_visible()
    expect(host.page.get_by_text("Start the tournament")).to_be_visible()
    host.tap("Confirm all")
    expect(host.page.locator("#t-proposals")).to_contain_text(re.compile(r"(Kari – Uli|Uli – Kari)"))
    host.tap(re.compile("^(Confirm all|Now)$"))

    for guest, other in ((kari, "Uli"), (uli, "Kari")):
        expect(guest.page.locator("#t-own")).to_contain_text(f"against {other}")
    expect(screen.page.locator(".tv-pairs")).to_contain_text(re.compile(r"(Kari – Uli|Uli – Kari)"))
    kari.page.locator("#t-own").get_by_role("button", name="Kari").click()
    expect(uli.page.locator("#t-own")).to_contain_text("Kari says: Kari has won.")
    uli.page.locator("#t-own").get_by_role("button", name="Kari").click()
    expect(host.page.locator("#t-standing tbody tr").first).to_contain_text(re.compile(r"1\s*Kari\s*1\s*0"))
    expect(screen.page.locator(".tv-places li").first).to_contain_text("Kari")

    host.page.get_by_text("End the tournament").click()
    host.tap("End it")
    expect(kari.page.locator("#t-own")).to_contain_text("Your place: 1")
    expect(screen.page.locator(".tv-tournament")).to_contain_text("The tournament is over.")
    expect(screen.page.locator("[data-match]")).to_have_count(0)
    kari.tap("Check the draws", "link")
    expect(kari.page.locator("main")).to_contain_text(re.compile(r"\d entr(y was|ies were) drawn again"))
    for each in (host, kari, uli, screen):
        assert each.faults == []
