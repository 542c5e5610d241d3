"""A leaver settles by tapping, on phones, in German; the sheet adds up to zero, and payments are ticked by both."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.calendar.test_every_week import check_page
from tests.browser.payments.scene import open_evening
from tests.browser.people import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=17, turn=7)
def test_a_leaver_settles_with_one_who_takes_it_over_and_both_tick_it(person: MakePerson) -> None:
    (hanna, anna, ben, kari), night = open_evening(person, locale="de-DE")
    page = ben.page
    assert page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}
    page.goto(night)
    ben.tap("Wer wem was schuldet", "link")
    expect(page.get_by_text("Du schuldest 0,60 EUR.")).to_be_visible()
    check_page(page)
    page.get_by_label("Wer übernimmt das?").select_option(label="Anna")
    ben.tap("Abrechnung vorschlagen")
    expect(page.get_by_text("Ben geht und schuldet 0,60 EUR.")).to_be_visible()
    check_page(page)

    kari.page.goto(night + "owed/")
    expect(kari.page.get_by_role("button", name="Zustimmen")).to_have_count(0)
    anna.page.goto(night + "owed/")
    check_page(anna.page)
    anna.tap("Zustimmen")
    # Ben's page hears of it by itself.
    expect(page.get_by_text("Ben zahlt an Anna")).to_be_visible()
    ben.tap("Ich habe bezahlt")
    expect(page.get_by_role("button", name="Rückgängig")).to_be_visible()
    ben.tap("Rückgängig")
    ben.tap("Ich habe bezahlt")
    expect(anna.page.get_by_text("bezahlt", exact=True)).to_be_visible()
    anna.tap("Ich habe es bekommen")
    expect(page.get_by_text("1 Zahlung ist erledigt")).to_be_visible()
    expect(page.get_by_text("Bei dir ist nichts abzurechnen.")).to_be_visible()
    check_page(page)

    page.locator("#sheet-EUR summary").click()
    cells = [row.split("\t") for row in page.locator("#sheet-EUR table").inner_text().splitlines() if "\t" in row]
    columns = list(zip(*[row[1:] for row in cells[1:-1]], strict=True))
    for column in columns:
        assert sum(round(float(text.replace("−", "-").replace(",", ".")) * 100) for text in column) == 0
    assert next(row for row in cells if row[0] == "Ben")[-1] == "0,00"
    check_page(page)

    anna.page.goto(night + "owed/")
    expect(anna.page.get_by_text(re.compile("Anna zahlt an Hanna")).first).to_be_visible()
    hanna.page.goto(night + "owed/")
    hanna.page.get_by_label("Name auf dem Konto").fill("Hanna Wirtin")
    hanna.page.get_by_label("IBAN").fill("DE89 3704 0044 0532 0130 00")
    hanna.tap("Für diesen Abend hinterlegen")
    anna.page.locator(".bank summary").first.click()
    expect(anna.page.locator(".bank svg.qr").first).to_be_visible()
    expect(anna.page.get_by_text("DE89 3704 0044 0532 0130 00").first).to_be_visible()
    check_page(anna.page)
    page.reload()
    expect(page.get_by_text("DE89")).to_have_count(0)
    assert [each.faults for each in (hanna, anna, ben, kari)] == [[], [], [], []]
