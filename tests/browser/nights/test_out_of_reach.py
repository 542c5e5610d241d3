"""A page whose house is out of reach: it says since when, stays readable, and asks before it is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
LOST = 15_000
"""Milliseconds in which a page has found out that its house is away, and says so."""
QUESTION = "The house is out of reach; this page would be lost."


def lose(person: Person) -> None:
    """Take the house out of a page's reach, and mark the page."""
    person.page.wait_for_load_state("load")
    person.page.evaluate("window.isTheSame = true")
    person.context.set_offline(True)


def is_the_same(page: Page) -> bool:
    """Tell whether a page is still the one that was marked."""
    return bool(page.evaluate("window.isTheSame === true"))


def test_a_table_stays_readable_and_asks_before_it_is_left(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=PHONE)
    set_up(host, "chicago", "classic", [guest])
    page = guest.page
    lose(guest)
    expect(page.locator("#strip")).to_contain_text("Out of reach since", timeout=LOST)
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("tabpanel", name="Log")).to_be_visible()
    page.locator("#open-menu").click()
    page.get_by_role("link", name="To the night").click()
    question = page.get_by_role("dialog", name=QUESTION)
    question.get_by_role("button", name="Stay here").click()
    expect(question).to_be_hidden()
    assert is_the_same(page)
    guest.context.set_offline(False)
    expect(page.locator("#strip")).to_be_hidden(timeout=LOST)
    page.get_by_role("link", name="To the night").click()
    page.wait_for_url("**/night/**")


def test_a_night_asks_before_a_form_is_sent_to_nobody(person: MakePerson) -> None:
    host = person("Hanna", screen=PHONE)
    host.host_a_night("Thursday")
    page = host.page
    lose(host)
    line = page.locator("#reach")
    expect(line).to_be_visible(timeout=LOST)
    expect(line).to_contain_text("Out of reach since")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    host.open_more()
    for leave in ("a[href$='/tables/new/']", "#rotate"):
        page.locator(leave).first.click()
        question = page.get_by_role("dialog", name=QUESTION)
        question.get_by_role("button", name="Stay here").click()
        assert is_the_same(page)
    host.context.set_offline(False)
    expect(line).to_be_hidden(timeout=LOST)


def test_a_big_screen_keeps_its_picture_and_goes_on_when_the_house_is_there(person: MakePerson) -> None:
    host, screen = person("Hanna", screen=LAPTOP), person("TV", screen=TV)
    host.host_a_night("Thursday")
    screen.page.goto(host.link("tv"))
    page = screen.page
    expect(page.locator(".tv-door")).to_be_visible()
    lose(screen)
    # The last that it heard was that another page is to be shown.
    page.route("**/live/**", lambda route: route.fulfill(status=204, headers={"HX-Refresh": "true"}))
    page.evaluate("document.body.dispatchEvent(new Event('changed'))")
    expect(page.locator("#reach")).to_be_visible(timeout=LOST)
    expect(page.locator("#reach")).to_contain_text("out of reach since")
    expect(page.locator(".tv-door")).to_be_visible()
    assert is_the_same(page)
    page.unroute("**/live/**")
    screen.context.set_offline(False)
    page.wait_for_function("() => window.isTheSame !== true", timeout=LOST)
    expect(page.locator(".tv-door")).to_be_visible()
    expect(page.locator("#reach")).to_be_hidden()
