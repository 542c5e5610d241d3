"""Splitting a table for many and joining two, pressed on the night's page by a host with a laptop and with a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.test_real_board_night import leave
from tests.browser.chouette.wood import RealBoard, view
from tests.browser.nights.test_tournament_controls import faults
from tests.browser.people import LAPTOP, PHONE, Person
from tests.browser.tables import night_of, set_up
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


@pytest.mark.day(parts=17, turn=8)
@pytest.mark.parametrize("screen", share_of_day([LAPTOP, PHONE], 2, every=17))
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
        expect(host.page.locator("article", has_text="Table 2").locator("li", has_text=name)).to_be_visible()
        expect(host.page.locator("article", has_text="Table 1").locator("li", has_text=name)).to_have_count(0)
    host.page.goto(table)
    for name in names:
        expect(host.page.locator(".bt-mate .bt-name", has_text=name)).to_have_count(0)
    assert host.faults == []


def second_table(host: Person, night: str, names: tuple[str, ...], **rules: object) -> str:
    """Open and begin a table of people without a phone at the host's night; return its address."""
    opened = host.ask(f"nights/{night}/tables/", game="chouette", preset="wood", options=rules)
    for name in names:
        host.ask(f"tables/{opened['id']}/seats/", person=name)
    begun = host.ask(f"tables/{opened['id']}/start/", id="begin-second")
    return host.url + str(begun["table"]["url"])


def down_to_two(host: Person) -> None:
    """Let three play a game at the board whose page the host has open; then the last one leaves."""
    board = RealBoard(dict.fromkeys(range(3), host))
    board.enter(0, "The game begins")
    board.ends(1, 0, "team", 1)
    leave(board, 2)


@pytest.mark.day(parts=17, turn=4)
@pytest.mark.parametrize("screen", share_of_day([LAPTOP, PHONE], 2, every=17))
def test_two_chouettes_that_people_have_left_are_joined_by_a_tap_and_play_on_as_one(
    person: MakePerson, screen: tuple[int, int]
) -> None:
    host = person("Hanna", screen=screen)
    set_up(host, "chouette", "wood", (), ("Ada", "Bo"), line_order="by_hand")
    first = host.page.url
    host.page.go_back()
    night = host.page.url
    second = second_table(host, night_of(host), ("Cem", "Dag", "Eva"), line_order="by_hand")
    form = host.page.locator("form[id^=join-]")
    for table in (first, second):
        host.page.goto(night)
        expect(form).to_have_count(0)
        host.page.goto(table)
        down_to_two(host)
    host.page.goto(night)
    expect(form).to_contain_text("Join tables 1 and 2?")
    expect(form).to_contain_text("Cem and Dag go to table 1")
    assert faults(host.page, 0, screen) == []
    form.get_by_role("button", name="Join them").click()
    expect(form).to_have_count(0)
    for name in ("Hanna", "Ada", "Cem", "Dag"):
        expect(host.page.locator("article", has_text="Table 1").locator("li", has_text=name)).to_be_visible()
    host.page.goto(first)
    expect(host.page.locator("chouette-table")).to_be_visible()
    shown = view(host)
    assert len(shown["line"]) == 4 and sum(shown["totals"]) == 0
    board = RealBoard(dict.fromkeys(shown["line"], host))
    board.enter(shown["line"][1], "The game begins")
    assert host.faults == []
