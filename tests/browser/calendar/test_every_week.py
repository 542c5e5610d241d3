"""Every week by tapping, on phones, in German: a series with a season and its poster, a guest who answers by link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.pages.test_accounts import PASSWORD, send
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
MOST_TAPS = 8


def check_page(page: Page) -> None:
    """Check that a page fits on the phone, and that axe finds nothing serious on it."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.day(parts=17, turn=5)
def test_every_thursday_with_a_season_is_eight_taps_to_the_poster_and_a_guest_answers_by_link(
    person: MakePerson,
) -> None:
    olga = person("Olga", locale="de-DE")
    send(olga, "/account/signup/", re.compile("anlegen"), username="olga-every-week", password1=PASSWORD)
    page = olga.page
    page.goto(olga.url + "/series/")
    taps = [
        lambda: olga.tap(re.compile("Neue Reihe"), "link"),
        lambda: page.locator("#series-name").fill("Jeden Donnerstag"),
        lambda: page.locator("#series-weekday").select_option("3"),
        lambda: page.locator("#series-counts").select_option("chouette:points"),
        lambda: olga.tap("Reihe anlegen"),
        lambda: olga.tap(re.compile("Aushang"), "link"),
    ]
    # The link in the foot of every page, and the button that prints.
    assert len(taps) + 2 <= MOST_TAPS
    for tap in taps[:5]:
        tap()
    check_page(page)
    link = page.locator("#series-link").input_value()
    page.get_by_text("Für Programme").click()
    olga.tap(re.compile("Webhooks"), "link")
    check_page(page)
    page.go_back()
    taps[5]()
    expect(page.locator(".poster .qr")).to_be_visible()
    check_page(page)

    anna = person("Anna", locale="de-DE", dark=True)
    anna.page.goto(link)
    anna.page.locator(".date-card").first.click()
    anna.page.get_by_label("Dein Name").fill("Anna")
    check_page(anna.page)
    anna.tap("Ja")
    expect(anna.page.get_by_role("heading", name="1 kommt")).to_be_visible()
    anna.tap("Nein")
    expect(anna.page.get_by_role("heading", name="0 kommen")).to_be_visible()
    own = anna.page.locator("#own-link").input_value()

    laptop = person("Anna", locale="de-DE")
    laptop.page.goto(own)
    laptop.tap("Vielleicht")
    expect(laptop.page.get_by_role("heading", name="Vielleicht")).to_be_visible()
