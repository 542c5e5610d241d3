"""A substitute's page, and one that comes back, tell of the people who sat there then."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def play_until_thrown(host: Person, guest: Person) -> None:
    """Let the two play until the log of the host tells of a throw of the guest's."""
    rng, log = random.Random(1), host.page.locator("#log")
    for _ in range(200):
        if f"{guest.name} throws" in log.inner_text():
            return
        if not any(evening.act(one, rng) for one in (host, guest)):
            host.page.wait_for_timeout(100)
    raise AssertionError(log.inner_text())


def test_the_log_names_who_sat_there_then_after_a_reload_and_after_a_sleep(person: MakePerson) -> None:
    host, kari, nils, ola = (person(name) for name in ("Hanna", "Kari", "Nils", "Ola"))
    host.host_a_night("Thursday")
    link = host.link("j")
    table = evening.open_table(host, "classic", pause_between="0")
    kari.join(link)
    evening.start(host, [kari])
    for one in (nils, ola):
        one.join(link)
    ola.page.goto(table)
    expect(ola.page.locator("chicago-table")).to_be_visible()
    ola.sleep()
    play_until_thrown(host, kari)
    table_id = table.rstrip("/").rsplit("/", 1)[-1]
    seats = host.ask(f"tables/{table_id}/")["table"]["seats"]
    (hers,) = (one for one in seats if one["name"] == "Kari")
    args = {"seat": hers["seat"], "sitter": hers["player"], "player": nils.ask("me/")["player"]["id"]}
    host.ask(f"tables/{table_id}/commands/", id="c-then-1", name="table.substitute", args=args)
    ola.wake()
    host.page.reload()
    for one in (host, ola):
        log = one.page.locator("#log")
        expect(log).to_contain_text("Nils takes the seat of Kari.")
        expect(log).to_contain_text("Kari throws")
        expect(log).not_to_contain_text("Nils throws")
