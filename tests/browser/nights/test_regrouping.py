"""Splitting a table for many, pressed on the night's page by a host with a laptop and with a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.nights.test_tournament_controls import faults
from tests.browser.people import LAPTOP, PHONE, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=12, turn=3)
@pytest.mark.parametrize("screen", [LAPTOP, PHONE])
def test_a_full_chouette_is_split_by_a_tap_and_who_is_ticked_plays_on_at_the_new_table(
    person: MakePerson, screen: tuple[int, int]
) -> None:
    host, waits = person("Hanna", screen=screen), person("Uli")
    set_up(host, "chouette", "german", (), ("Ada", "Bo", "Cem", "Dag", "Eva"))
    table = host.page.url
    host.page.go_back()
    night = host.page.url
    waits.join(host.link("j"))
    host.page.goto(night)
    form = host.page.locator("form[id^=split-]")
    expect(form).to_contain_text("Split table 1?")
    expect(form).to_contain_text("1 person waits for a seat.")
    goes = form.get_by_role("checkbox", checked=True)
    expect(goes).to_have_count(3)
    expect(waits.page.locator("form[id^=split-]")).to_have_count(0)
    assert faults(host.page, 0, screen) == []
    names = [row.inner_text() for row in form.locator("label:has(:checked)").all()]
    form.get_by_role("button", name="Split it").click()
    expect(form).to_have_count(0)
    for name in names:
        expect(host.page.locator("article", has_text="Table 2").get_by_role("listitem", name=name)).to_be_visible()
        expect(host.page.locator("article", has_text="Table 1").get_by_role("listitem", name=name)).to_have_count(0)
    host.page.goto(table)
    for name in names:
        expect(host.page.locator(".bt-mate .bt-name", has_text=name)).to_have_count(0)
    assert host.faults == []
