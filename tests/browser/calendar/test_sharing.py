"""Results for outsiders by tapping, in German: a link, its text, picture and sheet of paper, and closed again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.calendar.test_every_week import check_page
from tests.browser.pages.test_accounts import PASSWORD, send
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
PEOPLE = 40
ROWS = "Name;1.10.2026\n" + "\n".join(f"Gast {n};{n - PEOPLE // 2}" for n in range(PEOPLE))
GONE = 410


@pytest.mark.day(parts=17, turn=10)
def test_a_standing_of_forty_is_one_page_for_outsiders_and_gone_when_the_link_is_closed(person: MakePerson) -> None:
    olga = person("Olga", locale="de-DE")
    send(olga, "/account/signup/", re.compile("anlegen"), username="olga-shares", password1=PASSWORD)
    page = olga.page
    page.goto(olga.url + "/seasons/new/")
    page.locator("#season-name").fill("Herbst")
    page.locator("#season-first").fill("2026-09-01")
    page.locator("#season-counts").select_option("chouette:points")
    olga.tap("Saison anlegen")
    season = page.url
    olga.tap("Aus einer Liste", "link")
    page.locator("#sheet-pasted").fill(ROWS)
    olga.tap("Liste lesen")
    olga.tap("Weiter")
    for chosen in page.locator("section .sheet-names select").all():
        chosen.select_option("text")
    olga.tap("Liste übernehmen")

    page.goto(season)
    olga.open_more()
    olga.tap("Link erstellen")
    link = page.locator("#share-link").input_value()
    check_page(page)
    out = person("Fremd", locale="de-DE", dark=True)
    out.page.goto(link)
    check_page(out.page)
    expect(out.page.locator(".ranking").get_by_text("ein Gast")).to_have_count(PEOPLE)
    assert "Gast 7" not in out.page.content()
    assert len(re.findall(rb"/Type /Page\b(?!s)", out.page.pdf(format="A4"))) == 1
    with out.page.expect_download() as picture:
        out.tap("Als Bild", "link")
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")

    page.goto(season)
    olga.open_more()
    olga.tap("Link schließen")
    answer = out.page.goto(link)
    assert answer is not None and answer.status == GONE
    # The browser tells of that status on its console, as it should.
    assert str(GONE) in out.faults.pop()
