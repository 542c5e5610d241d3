"""A night of Chicago by clicking: host, two phones and a TV."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import LAPTOP, TV, Person
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]


def test_a_bavarian_game_to_the_last_mat_with_a_sleeping_phone_and_a_server_restart(
    person: MakePerson, server: Server
) -> None:
    rng = random.Random(7)
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday", by_hand=True)
    guest_link, tv_link = host.link("j"), host.link("tv")
    evening.open_table(host, "bavarian", mats="fixed", mats_fixed="2")
    tv = person("TV", screen=TV)
    tv.page.goto(tv_link)
    expect(tv.page.get_by_text("Scan and play along")).to_be_visible()
    kari, uli = person("Kari"), person("Uli", dark=True)
    for guest in (kari, uli):
        guest.join(guest_link, by_hand=True)
        assert "/table/" in guest.page.url, "one table with room: seated at once"
    evening.start(host, [kari, uli])
    expect(tv.page.locator("chicago-table")).to_be_visible()
    everybody = [host, kari, uli]

    # Few throws: a Chick would make the one safe who is to be waited for.
    evening.play_on(everybody, rng, acts=2)

    # One phone sleeps, of which no throw is under way; the others play as far as they can; it wakes and is current.
    sleeper, awake = (kari, uli) if evening.waited_for(host) == [evening.seat_of(uli)] else (uli, kari)
    sleeper.sleep()
    evening.play_until_waiting_for(evening.seat_of(sleeper), [host, awake], rng)
    sleeper.wake()
    expect(sleeper.page.locator(".ct-go")).to_be_enabled()
    evening.play_on(everybody, rng, acts=6)

    # The server is restarted in the middle of the game, and everybody comes back by themselves.
    server.stop()
    expect(kari.page.locator("#banners")).to_contain_text(re.compile("offline|connect|line", re.I))
    server.start()
    evening.play_on(everybody, rng)

    for one in (host, kari, uli, tv):
        expect(one.page.locator(".ct-outcome")).to_be_visible()
        expect(one.page.locator(".ct-outcome h2")).to_contain_text("pays")
    loser = host.page.locator(".ct-outcome h2").inner_text()
    assert any(name in loser for name in ("Hanna", "Kari", "Uli"))

    host.page.goto(re.sub(r"/j/([a-z0-9]+)/.*", r"/night/\1/results/", guest_link))
    expect(host.page.get_by_role("main")).to_contain_text("Kari")
    kari.tap("Play again")
    old = uli.page.url
    expect(kari.page).not_to_have_url(old)
    expect(kari.page.get_by_text("Uli").first).to_be_visible()
    # The others are led there.
    expect(uli.page).to_have_url(kari.page.url)
    expect(uli.page.get_by_text("Hanna").first).to_be_visible()
    expect(tv.page.get_by_text("Scan and play along")).to_be_visible()


@pytest.mark.parametrize("preset", share_of_day(["classic", "tschigg", "forfeits"], 3))
def test_a_game_of_every_other_preset_by_clicking(person: MakePerson, server: Server, preset: str) -> None:
    rng = random.Random(preset)
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Friday", by_hand=True)
    link = host.link("j")
    changes = {"rounds": "2"} if preset != "tschigg" else {}
    evening.open_table(host, preset, **changes)
    # There are twice as many mats as players, less one, and they go to and fro.
    guests = [person(name) for name in ("Kari", "Uli")[: 1 if preset == "tschigg" else 2]]
    for guest in guests:
        guest.join(link, by_hand=True)
    evening.start(host, guests)
    evening.play_on([host, *guests], rng)
    for one in (host, *guests):
        expect(one.page.locator(".ct-outcome")).to_be_visible()
