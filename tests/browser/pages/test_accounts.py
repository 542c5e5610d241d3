"""Accounts by clicking: a guest plays, keeps the history, and finds it on another phone."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import LAPTOP, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
PASSWORD = "drei-wuerfel-im-becher"


def send(one: Person, path: str, button: str, **fields: str) -> None:
    """Fill in a form of the account pages and send it."""
    one.page.goto(one.url + path)
    for field, value in fields.items():
        one.page.locator(f"#id_{field}").fill(value)
    one.page.locator("main form").get_by_role("button", name=button).click()


def see_results(one: Person) -> None:
    """Look at one's own results: there is a game of Chicago."""
    one.page.goto(one.url + "/me/")
    one.tap("Your results", "link")
    expect(one.page.locator("table").last).to_contain_text("Chicago")


def play_a_round_against_a_bot(one: Person) -> None:
    """Open a table of one round, add a bot, and play it to the end."""
    evening.open_table(one, "classic", rounds="1")
    one.open_more()
    one.page.locator("#lobby-bots button").first.click()
    evening.start(one, [])
    evening.play_on([one], random.Random(3))


@pytest.mark.day(parts=17, turn=11)
def test_a_guest_plays_keeps_the_history_and_finds_it_on_another_phone(person: MakePerson) -> None:
    kari = person("Kari")
    kari.host_a_night("Thursday", by_hand=True)
    play_a_round_against_a_bot(kari)
    see_results(kari)

    kari.page.goto(kari.url + "/me/")
    kari.tap("Create an account", "link")
    send(kari, "/account/signup/", "Create the account", username="kari", password1=PASSWORD)
    expect(kari.page.get_by_role("heading", name="Were you Kari?")).to_be_visible()
    kari.tap("Yes, that was me")
    expect(kari.page.get_by_text("this history is kept by your account")).to_be_visible()
    see_results(kari)

    kari.page.goto(kari.url + "/me/")
    kari.tap("Log out", "link")
    kari.tap("Log out")
    expect(kari.page.get_by_text("You are logged out.")).to_be_visible()
    kari.page.goto(kari.url + "/me/")
    expect(kari.page.get_by_role("link", name="Your results")).to_have_count(0)

    other = person("Kari", screen=LAPTOP, dark=True)
    send(other, "/account/login/", "Log in", login="kari", password=PASSWORD)
    see_results(other)


@pytest.mark.day(parts=17, turn=4)
def test_the_host_confirms_who_the_guest_on_the_other_phone_was(person: MakePerson) -> None:
    host, phone, laptop = person("Hanna", screen=LAPTOP), person("Uli"), person("Ulrike")
    host.host_a_night("Thursday", by_hand=True)
    link = host.link("j")
    phone.join(link, by_hand=True)
    send(laptop, "/account/signup/", "Create the account", username="ulrike", password1=PASSWORD)
    laptop.join(link, by_hand=True)
    laptop.tap("I was here before, as a guest", "link")
    laptop.page.get_by_role("button", name="Uli").click()
    expect(laptop.page.get_by_text("The host is asked whether you were Uli")).to_be_visible()
    host.tap("Yes, I saw it")
    expect(host.page.get_by_text("Uli and Ulrike are one person")).to_be_visible()
    expect(laptop.page.locator("#night-people")).not_to_contain_text("Uli ")
    expect(phone.page.get_by_text("This is not open to you")).to_be_visible()
    assert all("403" in fault for fault in phone.faults), "that phone has to log in now"
    phone.faults.clear()


@pytest.mark.day(parts=17, turn=16)
def test_the_pages_of_accounts_are_accessible_and_fit_a_small_phone(person: MakePerson) -> None:
    one = person("Kari", screen=(360, 640))
    one.host_a_night("Thursday", by_hand=True)
    paths = ["/account/signup/", "/account/login/", "/account/password/reset/", "/me/data/"]
    check_pages(one, paths)
    send(one, "/account/signup/", "Create the account", username="karin", password1=PASSWORD)
    check_pages(one, ["/account/claim/"])
    one.tap("Yes, that was me")
    own = ["email", "devices", "password", "logout"]
    check_pages(one, [*(f"/account/{name}/" for name in own), "/me/data/", "/me/"])


def check_pages(one: Person, paths: list[str]) -> None:
    """Run axe, and look for anything wider than the page."""
    for path in paths:
        one.page.goto(one.url + path)
        found = Axe().run(one.page).response["violations"]
        bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
        assert bad == [], (path, bad)
        wide = one.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, path


@pytest.mark.day(parts=17, turn=2)
def test_my_data_come_as_a_file_and_go_with_the_name(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Quirinus")
    host.host_a_night("Thursday", by_hand=True)
    guest.join(host.link("j"), by_hand=True)
    guest.page.goto(guest.url + "/me/")
    guest.open_more()
    guest.tap(re.compile("Your data"), "link")
    with guest.page.expect_download() as download:
        guest.tap("Download my data")
    data = json.loads(download.value.path().read_text())
    assert data["player"]["nickname"] == "Quirinus"
    guest.page.get_by_label("Yes, delete all of it").check()
    guest.tap("Delete my data")
    expect(guest.page.get_by_text("Your data are deleted")).to_be_visible()
    expect(host.page.locator("#night-people")).not_to_contain_text("Quirinus")
    expect(host.page.locator("#night-feed")).not_to_contain_text("Quirinus")


@pytest.mark.day(parts=17, turn=3)
def test_who_was_deleted_is_told_in_the_readers_language(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Quirinus")
    host.host_a_night("Thursday", by_hand=True)
    link = host.link("j")
    table = evening.open_table(host, "classic", rounds="1")
    guest.join(link, by_hand=True)
    evening.start(host, [guest])
    evening.play_on([host, guest], random.Random(4))
    guest.page.goto(guest.url + "/me/data/")
    guest.page.get_by_label("Yes, delete all of it").check()
    guest.tap("Delete my data")
    expect(guest.page.get_by_text("Your data are deleted")).to_be_visible()

    language = {"name": "django_language", "value": "de", "url": host.url}
    host.context.add_cookies([language])  # type: ignore[list-item]
    for page in (table, f"{table}replay/"):
        host.page.goto(page)
        shown = host.page.locator("chicago-table")
        expect(shown).to_contain_text("Gelöschte Person")
        expect(shown).not_to_contain_text("Deleted player")
        expect(shown).not_to_contain_text("Quirinus")
