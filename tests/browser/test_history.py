"""A regular looks back: filters the history and replays a game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.browser.test_accounts import play_a_round_against_a_bot

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]


def open_my_results(one: Person) -> None:
    """Go to one's own page by way of one's name."""
    one.page.goto(one.url + "/me/")
    one.tap("Your results", "link")


def test_a_regular_filters_the_history_and_replays_a_game(person: MakePerson) -> None:
    kari = person("Kari")
    kari.host_a_night("Thursday")
    play_a_round_against_a_bot(kari)
    open_my_results(kari)
    results = kari.page.get_by_role("table").last
    expect(results).to_contain_text("Chicago")
    kari.page.get_by_text("Filter").click()
    kari.page.get_by_label("Game").select_option(label="Backgammon")
    kari.tap("Show")
    expect(kari.page.get_by_text("No result fits these filters.")).to_be_visible()
    kari.page.get_by_label("Game").select_option(label="Chicago")
    kari.tap("Show")
    kari.tap("Replay", "link")

    page = kari.page
    expect(page.locator("chicago-table")).to_be_visible()
    count = page.locator("#replay-count")
    expect(count).to_have_text(re.compile(r"^1 / \d+$"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(re.compile(r"^3 / "))
    expect(page.locator("#replay-words")).not_to_be_empty()
    page.keyboard.press("End")
    expect(page.locator(".ct-outcome")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    moment = page.url
    told = count.inner_text()
    page.goto(page.url.split("?")[0])
    page.goto(moment)
    expect(count).to_have_text(told)
