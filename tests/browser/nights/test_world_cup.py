"""A World-Cup Chouette, pressed: its director at a laptop, a player with a phone, three people without one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.nights.test_tournament_controls import faults
from tests.browser.people import LAPTOP, PHONE, Person
from tests.browser.tables import night_of

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=17)
def test_a_world_cup_chouette_from_its_form_over_a_session_to_the_last_one(person: MakePerson) -> None:
    host, kari = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Club night")
    night = night_of(host)
    kari.join(host.link("j"))
    spare = f"tables/{host.ask(f'nights/{night}/tables/', game='chouette', preset='german')['id']}/"
    for name in ("Ada", "Bo", "Cem"):
        host.ask(f"{spare}seats/", person=name)
    host.open_more()
    host.tap("New tournament", "link")
    host.page.get_by_text("More formats").click()
    host.tap("World-Cup Chouette", "link")
    page = host.page
    page.locator("#t-minutes").select_option("30")
    page.locator("#t-table-rules").select_option("preset-german")
    assert faults(page, 0, LAPTOP) == []
    host.tap("Make the tournament")
    expect(page.locator("h1 + .muted")).to_have_text("World-Cup Chouette, bank of 20 points, sessions of 30 minutes")
    for name in ("Kari", "Ada", "Bo", "Cem"):
        page.locator("#t-enter").get_by_role("button", name=name).click()
        expect(page.locator("#t-people")).to_contain_text(name)
    kari.page.goto(page.url)
    kari.page.locator("#t-own").get_by_role("button", name="Accept the rules").click()
    expect(kari.page.locator("#t-own").get_by_role("button", name="Accept the rules")).to_have_count(0)

    host.tap("Confirm all")
    expect(page.locator("#t-proposals")).to_contain_text("Draw the next session")
    host.tap(re.compile("^(Confirm all|Now)$"))
    expect(page.locator("#t-running")).to_contain_text("Session 1")
    expect(kari.page.locator("#t-own")).to_contain_text("Your bank: 20")
    assert faults(kari.page, 1, PHONE) + faults(page, 2, LAPTOP) == []
    table = page.locator("#t-running a.badge").get_attribute("href") or ""
    key = table.rstrip("/").rsplit("/", 1)[-1]
    expect(kari.page.get_by_role("link", name=re.compile("To table"))).to_have_attribute("href", table)
    host.ask(f"tables/{key}/commands/", name="table.close", args={}, id="close")

    expect(page.locator("#t-finished")).to_contain_text("Session 1")
    expect(page.locator("#t-standing tbody tr").first).to_contain_text("20")
    kari.page.locator("#t-own").get_by_role("button", name="I agree: the next session is the last one").click()
    expect(kari.page.locator("#t-own")).to_contain_text("Kari agrees that the next session is the last one.")
    page.locator("#t-agree > summary").click()
    for name in ("Ada", "Bo", "Cem"):
        page.locator("#t-agree").get_by_role("button", name=re.compile(f"^{name} agrees")).click()
        expect(page.locator("#t-agree")).to_contain_text(f"{name} agrees that")
    expect(page.locator("#t-proposals")).to_contain_text("Draw the last session: the largest bank wins")
    host.tap("Confirm all")
    expect(page.locator("#t-running")).to_contain_text("Last session")
    expect(kari.page.get_by_role("link", name=re.compile("To table"))).to_be_visible()
    assert faults(page, 3, LAPTOP) == []
    for one in (host, kari):
        assert one.faults == []
