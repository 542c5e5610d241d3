"""The pages of draws and tournaments: axe finds nothing serious, and none scrolls sideways at 360 px."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import whole
from tests.browser.pages.test_pages import NARROW, seen_by_axe
from tests.browser.people import LAPTOP, PHONE, TV, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def pages_of_a_tournament(host: Person, kari: Person, screen: Person) -> Iterator[tuple[str, Page]]:
    """Walk through a tournament and yield (name, page) at each place of interest."""
    host.host_a_night("Club night")
    night = host.page.url
    link, tv = host.link("j"), host.link("tv")
    kari.join(link)
    host.page.goto(f"{night}tables/draw/")
    yield "draw tables", host.page
    host.page.goto(night)
    host.open_more()
    host.tap("New tournament", "link")
    yield "new tournament", host.page
    host.page.get_by_label("on boards without the house").check()
    host.tap("Make the tournament")
    for name in ("Hanna", "Kari"):
        host.page.locator("#t-enter").get_by_role("button", name=name).click()
        expect(host.page.locator("#t-people")).to_contain_text(name)
    yield "entering, director", host.page
    kari.page.goto(host.page.url)
    yield "entering, player", kari.page
    host.tap("Confirm all")
    expect(host.page.locator("#t-proposals")).to_contain_text("Kari")
    yield "proposals, director", host.page
    screen.page.goto(tv)
    yield "ring, TV", screen.page
    host.page.get_by_role("button", name="Now").or_(host.page.get_by_role("button", name="Confirm all")).first.click()
    expect(kari.page.locator("#t-own")).to_contain_text("against Hanna")
    yield "next match, player", kari.page
    yield "running, director", host.page
    for path in ("print/", "draws/"):
        kari.page.goto(host.page.url + path)
        yield path, kari.page


@pytest.mark.day(parts=17, turn=8)
def test_axe_finds_nothing_serious_on_a_page_of_a_tournament_and_none_scrolls_sideways(person: MakePerson) -> None:
    host, kari, screen = person("Hanna", screen=LAPTOP), person("Kari"), person("TV", screen=TV)
    found: list[str] = []
    for number, (name, page) in enumerate(pages_of_a_tournament(host, kari, screen)):
        found += [f"{name}, {fault}" for fault in seen_by_axe(page, number)]
        if page is not screen.page:
            page.set_viewport_size(NARROW)
            found += [f"{name}: {whole.overflow(page)} px too wide at 360 px"] if whole.overflow(page) > 0 else []
            size = PHONE if page is kari.page else LAPTOP
            page.set_viewport_size({"width": size[0], "height": size[1]})
    assert found == []


@pytest.mark.day(parts=17, turn=1)
def test_two_who_play_say_their_result_with_the_keyboard_alone(person: MakePerson) -> None:
    host, kari, screen = person("Hanna", screen=LAPTOP), person("Kari"), person("TV", screen=TV)
    walk = pages_of_a_tournament(host, kari, screen)
    next(page for name, page in walk if name == "running, director")
    for one in (host, kari):
        one.page.locator("#t-own").get_by_role("button", name="Kari").focus()
        one.page.keyboard.press("Enter")
    expect(host.page.locator("#t-standing tbody tr").first).to_contain_text("Kari")
