"""A table that is set up without looking at its pages: opened, its people seated, the game begun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import expect

from tests.browser.people import Person


def set_up(
    host: Person,
    game: str,
    preset: str,
    guests: Sequence[Person] = (),
    without_phone: Sequence[str] = (),
    **rules: object,
) -> str:
    """Open a table at a new night, seat guests and people without a phone, begin; return the big screen's address.

    They sit in the order: host, guests, those without a phone. All of them look at the table.
    """
    host.host_a_night("Thursday")
    night, link, screen = night_of(host), host.link("j"), host.link("tv")
    table = f"tables/{host.ask(f'nights/{night}/tables/', game=game, preset=preset, options=rules)['id']}/"
    for one in (host, *guests):
        if one is not host:
            one.come_in(link)
        one.ask(f"{table}seats/", accept=True, mark=host.ask(f"{table}rules/")["mark"])
    for name in without_phone:
        host.ask(f"{table}seats/", person=name)
    begun = host.ask(f"{table}start/", id="begin")
    for one in (host, *guests):
        one.page.goto(one.url + begun["table"]["url"])
        expect(one.page.locator(f"{game}-table")).to_be_visible()
    return screen


def night_of(host: Person) -> str:
    """Return the public id of the night whose page the host looks at."""
    found = re.search(r"/night/([a-z0-9]+)/", host.page.url)
    assert found, host.page.url
    return found.group(1)
