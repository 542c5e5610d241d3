"""Below the oldest browsers nobody sits down by mistake, and no table says "Just a moment" for ever."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import evening
from tests.browser.people import LAPTOP, Person, close_context
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
WITHOUT_CLIP = """(() => {
    const { supports } = CSS;
    CSS.supports = (...given) => given.join() !== "overflow,clip" && supports.apply(CSS, given);
})()"""
"""What Chromium 89 and Safari 15 lack."""
WITHOUT_MODULES = "delete HTMLScriptElement.prototype.noModule"
OLD_FIREFOX = """(() => {
    const { supports } = CSS;
    const lacks = { "-moz-orient,inline": true, "animation-composition,add": false };
    CSS.supports = (...given) => lacks[given.join()] ?? supports.apply(CSS, given);
})()"""
LATE = """(() => {
    const { setTimeout } = window;
    window.setTimeout = (act, ms) => setTimeout(act, ms === 10000 ? 50 : ms);
})()"""


def sees(page: Page) -> str | None:
    """Return what the page says of its browser."""
    return page.locator("html").get_attribute("data-plays")


@pytest.mark.parametrize("lacks", [WITHOUT_CLIP, WITHOUT_MODULES, OLD_FIREFOX])
def test_an_old_phone_joins_and_is_told_what_helps_and_takes_no_seat(person: MakePerson, lacks: str) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Thursday")
    link = host.link("j")
    table = evening.open_table(host, "classic")
    guest.context.add_init_script(lacks)
    page = guest.page
    page.goto(link)
    expect(page.get_by_text("This browser is too old to show a table.")).to_be_visible()
    guest.join(link, by_hand=True)
    assert "/night/" in page.url
    expect(page.get_by_text("the host gives you such a seat with one tap")).to_be_visible()
    expect(page.get_by_role("button", name="Take a seat")).to_be_hidden()
    page.goto(table)
    expect(page.get_by_text("This browser is too old to show a table.")).to_be_visible()
    expect(page.locator("#accept")).to_be_hidden()


def test_a_phone_without_script_is_told_so_and_takes_no_seat(person: MakePerson, chrome: Browser) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "classic")
    context = chrome.new_context(java_script_enabled=False, locale="de-DE")
    page = context.new_page()
    page.goto(link)
    expect(page.locator("noscript p")).to_contain_text("Dieser Browser führt keine Skripte aus")
    expect(page.locator("noscript p")).to_be_visible()
    page.locator("#nickname").fill("Uli")
    page.locator("#join-form button.go").click()
    page.wait_for_url(re.compile("/night/"))
    expect(page.locator("noscript p").first).to_contain_text("Die Leitung gibt dir so einen Platz")
    expect(page.locator(".needs-table").first).to_be_hidden()
    close_context(context)


def test_a_phone_of_today_sees_nothing_of_it(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "classic")
    guest.join(link, by_hand=True)
    assert "/table/" in guest.page.url
    assert sees(guest.page) == "yes"
    expect(guest.page.get_by_text("too old")).to_be_hidden()
    expect(guest.page.locator("#accept")).to_be_visible()
    assert guest.faults == []


def test_a_table_whose_modules_do_not_come_says_so_and_is_loaded_again(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    set_up(host, "chicago", "classic", [guest])
    table = guest.page.url
    page = guest.page
    page.add_init_script(LATE)
    page.route(re.compile(r"/shell/|/joined"), lambda route: route.abort())
    page.goto(table)
    again = page.get_by_role("link", name="Load again")
    expect(again).to_be_visible()
    page.unroute_all()
    again.click()
    expect(page.locator("#game")).not_to_have_attribute("aria-busy", "true")
    expect(again).to_be_hidden()
    guest.faults.clear()  # of the modules that did not come


def test_a_screen_below_the_oldest_browsers_shows_the_plain_one_by_itself(person: MakePerson, chrome: Browser) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday")
    link = host.link("tv")
    screen = person("TV", screen=(1280, 720))
    screen.page.goto(link)
    expect(screen.page.locator(".tv-main")).to_be_visible()
    assert sees(screen.page) == "yes"
    screen.context.add_init_script(WITHOUT_CLIP)
    screen.page.goto(link, wait_until="commit")
    screen.page.wait_for_url(re.compile("/plain/$"))
    expect(screen.page.get_by_role("heading", name="Come in and sit down")).to_be_visible()
    context = chrome.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link, wait_until="commit")
    page.wait_for_url(re.compile("/plain/$"))
    close_context(context)


def test_a_screen_whose_modules_do_not_come_is_loaded_again_once_and_then_shows_the_plain_one(
    person: MakePerson,
) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    link = set_up(host, "chicago", "classic", [guest])
    screen = person("TV", screen=(1280, 720))
    screen.page.add_init_script(LATE)
    screen.page.route(re.compile(r"/shell/|/joined"), lambda route: route.abort())
    screen.page.goto(link, wait_until="commit")
    screen.page.wait_for_url(re.compile("/plain/$"))
    expect(screen.page.locator(".picture svg")).to_be_visible()
    screen.faults.clear()  # of the modules that did not come
