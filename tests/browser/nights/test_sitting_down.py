"""From the night's page to a seat: whoever sits down gets there, whatever else happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser import evening
from tests.browser.people import LAPTOP, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
SLOW_MS = 1500


def test_whoever_takes_a_seat_gets_to_the_table_also_while_the_night_s_page_is_drawn_anew(
    person: MakePerson,
) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Thursday", by_hand=True)
    guest.join(host.link("j"), by_hand=True)
    table = evening.open_table(host, "classic")
    page = guest.page
    seat = page.get_by_role("button", name="Take a seat")
    expect(seat).to_be_visible()

    def slowly(route: Route) -> None:
        # Meanwhile the page asks for its parts, and is told to load itself again: so it is for
        # a browser whose key has just been changed for a new one.
        page.wait_for_timeout(SLOW_MS)
        route.continue_()

    page.route("**/night/*/live/*", lambda r: r.fulfill(status=204, headers={"HX-Refresh": "true"}))
    page.route(f"{table}", slowly)
    seat.click()
    page.wait_for_url(table)
    expect(page.get_by_role("button", name="I accept")).to_be_visible()
