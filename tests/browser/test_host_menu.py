"""The menu at the table: what it offers whom, and what it asks before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import LAPTOP, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def playing(person: MakePerson, preset: str) -> tuple[Person, Person]:
    """Return a host at a laptop and a guest at a phone who play."""
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, preset)
    guest.join(link)
    evening.start(host, [guest])
    return host, guest


def test_the_host_s_menu_says_what_it_cannot_do_and_asks_before_what_it_does(
    person: MakePerson,
) -> None:
    host, _ = playing(person, "bavarian")

    host.tap("Menu")
    menu = host.page.locator("#menu")
    close = menu.get_by_role("button", name="Close the table")
    expect(close).to_be_disabled()
    expect(close).to_have_accessible_description(
        "An open-ended game can only be closed between two rounds."
    )
    expect(menu.get_by_role("button", name="Break off")).to_be_enabled()

    kari = menu.locator("details.host-seat", has_text="Kari")
    kari.locator("summary").click()
    for act, effect in (
        ("Free the seat", "waits for somebody else"),
        ("Out of the game", "nobody else gets the seat"),
    ):
        kari.get_by_role("button", name=act).click()
        ask = host.page.locator("#confirm")
        expect(ask).to_contain_text(effect)
        ask.get_by_role("button", name="Cancel").click()
        host.tap("Menu")
        if not kari.evaluate("el => el.open"):
            kari.locator("summary").click()


def test_keys_are_offered_where_there_is_a_keyboard_and_not_to_fingers_alone(
    person: MakePerson,
) -> None:
    host, guest = playing(person, "classic")
    for one in (host, guest):
        one.tap("Menu")
        expect(one.page.get_by_label("Sound").last).to_be_visible()
    expect(host.page.get_by_label("Keyboard shortcuts")).to_be_visible()
    expect(guest.page.get_by_label("Keyboard shortcuts")).to_be_hidden()
