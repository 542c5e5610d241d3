"""A spreadsheet by tapping, on a phone, in German: forty rows with two unknown names, and undone."""

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
ROWS = "\n".join(
    ["Datum;Name;Punkte"]
    + [
        f"{1 + day}.10.2026;{name};{points * (day + 1)},5"
        for day in range(10)
        for name, points in (("Olga", 3), ("Anna", -1), ("Opa Karl", -2), ("Jürgen", 0))
    ]
)
MOST_STEPS = 6


@pytest.mark.day(parts=17, turn=8)
def test_forty_rows_with_two_unknown_names_are_six_steps_and_undone_in_one_act(person: MakePerson) -> None:
    olga = person("Olga", locale="de-DE")
    send(olga, "/account/signup/", re.compile("anlegen"), username="olga-list", password1=PASSWORD)
    page = olga.page
    assert page.viewport_size == {"width": 390, "height": 844}
    olga.host_a_night("Donnerstag")
    anna = person("Anna", locale="de-DE")
    anna.join(olga.link("j"))
    page.goto(olga.url + "/seasons/new/")
    page.locator("#season-name").fill("Herbst")
    page.locator("#season-first").fill("2026-09-01")
    page.locator("#season-counts").select_option("chouette:points")
    olga.tap("Saison anlegen")

    def choose() -> None:
        page.locator("#sheet-file").set_input_files(
            {"name": "herbst.csv", "mimeType": "text/csv", "buffer": ROWS.encode("cp1252")}
        )

    def decide() -> None:
        unknown = page.locator("section .sheet-names select")
        expect(unknown).to_have_count(2)
        for index in range(2):
            unknown.nth(index).select_option("text")

    steps = [
        lambda: olga.tap("Aus einer Liste", "link"),
        choose,
        lambda: olga.tap("Liste lesen"),
        lambda: olga.tap("Weiter"),
        decide,
        lambda: olga.tap("Liste übernehmen"),
    ]
    assert len(steps) <= MOST_STEPS
    page.goto(page.url + "sheet/")
    large = {"name": "gross.csv", "mimeType": "text/csv", "buffer": b"x;1\n" * 2_500_000}
    page.locator("#sheet-file").set_input_files(large)
    olga.tap("Liste lesen")
    expect(page.get_by_text("höchstens 1 MiB")).to_be_visible()
    # The browser tells of that status on its console, as it should.
    assert "413" in olga.faults.pop()
    page.goto(page.url.partition("sheet/")[0])
    for step in steps:
        step()
        check_page(page)
    standing = page.locator("#season-standing")
    expect(standing).to_contain_text("Jürgen")
    expect(standing).to_contain_text("170")
    anna.page.goto(olga.url + "/seasons/")
    expect(anna.page.get_by_text("in einer Liste der Saison")).to_be_visible()
    check_page(anna.page)
    anna.tap("Ja")
    olga.open_more()
    page.locator("[id^=sheet-] summary").click()
    olga.tap("Ja, Liste zurücknehmen")
    expect(page.locator("#season-standing")).not_to_contain_text("Opa Karl")
