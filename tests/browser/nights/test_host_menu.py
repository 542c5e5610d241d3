"""The menu at the table: what it offers whom, and what it asks before."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import LAPTOP, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def playing(person: MakePerson, preset: str) -> tuple[Person, Person]:
    """Return a host at a laptop and a guest at a phone who play."""
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    set_up(host, "chicago", preset, [guest])
    return host, guest


@pytest.mark.day(parts=17, turn=9)
def test_the_host_s_menu_says_what_it_cannot_do_and_asks_before_what_it_does(
    person: MakePerson,
) -> None:
    host, _ = playing(person, "bavarian")

    host.tap("Menu")
    menu = host.page.locator("#menu")
    close = menu.get_by_role("button", name="Close the table")
    expect(close).to_be_disabled()
    expect(close).to_have_accessible_description("An open-ended game can only be closed between two rounds.")
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


def place_of_breaking_off(host: Person) -> list[float]:
    """Return the button's box, found and measured in one task of the page: the panel may be drawn anew at any time."""
    box: list[float] = host.page.locator("#menu-host").evaluate(
        """panel => {
          const button = [...panel.querySelectorAll("button")].find((each) => each.textContent.trim() === "Break off");
          const { x, y, width, height } = button.getBoundingClientRect();
          return [x, y, width, height];
        }"""
    )
    return box


@pytest.mark.day(parts=17, turn=10)
def test_no_button_of_the_menu_moves_when_a_part_of_it_comes_late(person: MakePerson) -> None:
    host, _ = playing(person, "bavarian")

    def late(route: Route) -> None:
        host.page.wait_for_timeout(1500)
        route.continue_()

    host.page.route(re.compile(r"/wishes[.\w]*\.js"), late)
    host.tap("Menu")
    button = host.page.locator("#menu-host").get_by_role("button", name="Break off")
    button.wait_for()
    first = place_of_breaking_off(host)
    host.page.locator("#menu-wishes > *").first.wait_for()
    host.page.wait_for_timeout(200)
    expect(button).to_be_visible()
    assert place_of_breaking_off(host) == first


@pytest.mark.day(parts=17, turn=16)
def test_the_night_is_handed_over_and_somebody_turned_away_only_after_a_question(
    person: MakePerson,
) -> None:
    host, guest, stranger = person("Hanna"), person("Kari"), person("Uli")
    host.host_a_night("Thursday")
    guest.join(host.link("j"))
    people = host.page.locator("#night-people")
    people.get_by_label("What to do with Kari").click()
    people.get_by_text("Make host", exact=True).click()
    expect(people).to_contain_text("only Kari can hand it back")
    expect(people.get_by_role("button", name="Yes, make host")).to_be_visible()
    host.page.reload()
    host.open_more()
    host.page.get_by_text("Who may come in", exact=True).click()
    host.page.get_by_label("I let everybody in by hand").check()
    host.page.locator("form[action$='/admission/']").get_by_role("button", name="Save").click()
    stranger.join(host.link("j"))
    people.get_by_text("Not tonight", exact=True).click()
    expect(people).to_contain_text("Uli can't come in tonight")
    expect(stranger.page.locator("body")).to_contain_text("You are at the door")
    people.get_by_role("button", name="Yes, not tonight").click()
    expect(people.locator(".waiting")).to_have_count(0)
    expect(stranger.page.locator("body")).to_contain_text("shown you the door")
    # The browser reports that answer itself; nothing else may have gone wrong.
    assert all("403" in fault for fault in stranger.faults)
    stranger.faults.clear()


@pytest.mark.day(parts=17, turn=2)
def test_keys_are_offered_where_there_is_a_keyboard_and_not_to_fingers_alone(
    person: MakePerson,
) -> None:
    host, guest = playing(person, "classic")
    for one in (host, guest):
        one.tap("Menu")
        expect(one.page.get_by_label("Sound").last).to_be_visible()
    expect(host.page.get_by_label("Keyboard shortcuts")).to_be_visible()
    expect(guest.page.get_by_label("Keyboard shortcuts")).to_be_hidden()


@pytest.mark.day(parts=17, turn=3)
def test_a_host_at_the_table_is_told_who_waits_at_the_door_and_lets_them_in(person: MakePerson) -> None:
    host, guest = playing(person, "classic")
    table, stranger = host.page.url, person("Uli")
    host.tap("Menu")
    host.tap("To the night", "link")
    host.open_more()
    host.page.get_by_text("Who may come in", exact=True).click()
    host.page.get_by_label("I let everybody in by hand").check()
    host.page.locator("form[action$='/admission/']").get_by_role("button", name="Save").click()
    link = host.link("j")
    host.page.goto(table)
    badge, notice = host.page.locator("#at-door"), host.page.locator("#banners")
    expect(badge).to_be_hidden()
    stranger.join(link)
    expect(badge).to_have_text("1")
    expect(badge).to_have_attribute("aria-label", "Uli waits at the door.")
    expect(notice).to_contain_text("Uli waits at the door.")
    # What is put off is still said by the badge and in the menu.
    host.read_the_notices()
    host.tap("Later")
    expect(notice).not_to_contain_text("Uli")
    expect(badge).to_be_visible()
    badge.click()
    expect(host.page.locator("#menu-door")).to_contain_text("Uli waits at the door.")
    host.page.reload()
    host.read_the_notices()
    host.tap("Let in")
    expect(badge).to_be_hidden()
    expect(notice).not_to_contain_text("Uli")
    expect(stranger.page.locator("body")).not_to_contain_text("You are at the door")
    expect(guest.page.locator("#at-door")).to_be_hidden()
