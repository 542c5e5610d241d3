"""How many taps it takes from the front door to a move; typing a code or a name is none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
COUNT = 'addEventListener("click", (event) => { if (event.isTrusted) tapped(); }, true);'


def counted(one: Person) -> list[None]:
    """Return the list that grows with each tap of a person from now on."""
    taps: list[None] = []
    one.context.expose_binding("tapped", lambda _source: taps.append(None))
    one.context.add_init_script(COUNT)
    return taps


def throw(one: Person) -> None:
    """Throw the dice, and read it in the log."""
    one.page.locator(f".ct-go{evening.READY}").click()
    expect(one.page.locator("#log")).to_contain_text(f"{one.name} throws")


def test_a_guest_sits_at_a_table_after_two_taps_has_thrown_after_four_and_plays_to_its_end(person: MakePerson) -> None:
    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday", by_hand=True)
    code = host.page.locator(".room-code").first.inner_text()
    evening.open_table(host, "classic", pause_between="0", rounds="1")
    taps, page = counted(guest), guest.page
    page.goto(guest.url)
    page.get_by_label("Room code").fill(code)
    guest.tap("Join")
    page.locator("#nickname").fill(guest.name)
    guest.tap("Join")
    expect(page.get_by_role("button", name="I accept")).to_be_visible()
    assert len(taps) <= 2
    guest.accept_the_rules()
    host.accept_the_rules()
    host.tap("Start the game")
    expect(page.locator("chicago-table")).to_be_visible()
    rng = random.Random(1)
    while page.locator(f".ct-go{evening.READY}").count() == 0:
        evening.act(host, rng)
        page.wait_for_timeout(100)
    throw(guest)
    assert len(taps) <= 4
    evening.play_on([host, guest], rng)
    for one in (host, guest):
        expect(one.page.locator(".ct-outcome")).to_be_visible()


def test_a_stranger_throws_against_the_computer_after_two_taps(person: MakePerson) -> None:
    one = person("Kari")
    taps = counted(one)
    one.page.goto(one.url)
    one.tap("Chicago")
    one.page.wait_for_url(re.compile(r"/table/"))
    one.page.locator(f".ct-go{evening.READY}").click()
    expect(one.page.locator("#log")).to_contain_text(" throws ")
    assert len(taps) <= 2
