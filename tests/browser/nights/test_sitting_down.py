"""From the night's page to a seat: whoever sits down gets there, whatever else happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser import evening
from tests.browser.chouette.boards import night_link
from tests.browser.people import LAPTOP, Person
from tests.browser.tables import set_up

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


ONCE = """() => {
    window.told = { sent: 0, both: 0 };
    const { send } = WebSocket.prototype, table = document.querySelector("chouette-table"), { update } = table;
    WebSocket.prototype.send = function (text) {
        if (String(text).includes("table.join")) told.sent += 1;
        return send.call(this, text);
    };
    const look = ({ seats }) => {
        const isIn = seats.some(({ name, gone }) => name === "Nora" && !gone);
        if (isIn && !document.getElementById("join-bar").hidden) told.both += 1;
    };
    table.update = (given) => { update.call(table, given); setTimeout(() => look(given)); };
    const join = document.getElementById("join");
    join.click();
    join.click();
}"""


@pytest.mark.day(parts=17, turn=9)
def test_whoever_joins_a_running_table_asks_once_and_is_not_asked_again_beside_her_name(person: MakePerson) -> None:
    host, kari, uli, newcomer = person("Hanna", screen=LAPTOP), person("Kari"), person("Uli"), person("Nora")
    set_up(host, "chouette", "german", [kari, uli])
    newcomer.come_in(night_link(host, "j"))
    newcomer.page.goto(host.page.url)
    expect(newcomer.page.locator("#join")).to_be_enabled()
    newcomer.page.evaluate(ONCE)
    expect(newcomer.page.locator("#join-bar")).to_be_hidden()
    expect(newcomer.page.locator(".bt-mate[data-me]")).to_be_visible()
    assert newcomer.page.evaluate("told") == {"sent": 1, "both": 0}
