"""The clock in the turn bar: the time left, after a cut line too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.people import LAPTOP, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]
LOOSE_MODULES = True

MakePerson = Callable[..., Person]

# What the module makes of a moment that the test sets.
_LEFT = """async () => {
  const { Clocks } = await import("games/kit/clocks.js");
  let now = 1000;
  const clocks = new Clocks(() => now);
  clocks.set({ 0: 20000, 1: 5000 });
  now += 4500;
  const cut = clocks.left(false), again = clocks.left(false), paused = clocks.left(true);
  clocks.set(undefined);
  now += 4500;
  return [cut, again, paused, clocks.left(false)];
}"""


def late(route: WebSocketRoute) -> None:
    """Tell of a table as its clocks stand 290 s later, from the second connection on."""
    server = route.connect_to_server()

    def on_message(message: str | bytes) -> None:
        frame = json.loads(message)
        if "clocks" in frame:
            frame["clocks"] = {seat: left - 290_000 for seat, left in frame["clocks"].items()}
        route.send(json.dumps(frame))

    server.on_message(on_message)


@pytest.mark.day(parts=17, turn=1)
def test_after_a_cut_line_the_clock_shows_what_the_server_says_now(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    set_up(host, "chicago", "bavarian", [guest], turn_seconds=300)
    assert guest.page.evaluate(_LEFT) == [
        {"0": 15_500, "1": 500},
        {"0": 15_500, "1": 500},
        {"0": 20_000, "1": 5_000},
        {"0": 11_000, "1": 0},
    ]
    shown = guest.page.locator("#turn-clock")
    expect(shown).to_have_text(re.compile(r"^\d:\d\d$"))
    guest.page.route_web_socket("**/ws/table/**", late)
    guest.context.set_offline(True)
    expect(guest.page.locator("html.is-offline")).to_have_count(1)
    guest.context.set_offline(False)
    expect(guest.page.locator("html.is-offline")).to_have_count(0)
    expect(shown).to_have_text(re.compile(r"^0:0\d$"))
    # Another look at who is here says nothing about the time, and gives none back.
    host.page.reload()
    expect(host.page.locator("chicago-table")).to_be_visible()
    assert re.fullmatch(r"0:0\d", shown.text_content() or "")


@pytest.mark.day(parts=17, turn=1)
def test_the_board_stands_before_the_line_does_and_nothing_can_be_tapped_until_then(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    set_up(host, "chicago", "classic", [guest])
    host.page.route_web_socket("**/ws/table/**", lambda line: None)
    host.page.reload()
    host.page.wait_for_function("document.querySelector('chicago-table')?.view?.seats.length === 2")
    expect(host.page.locator(".ct-table")).to_be_visible()
    assert host.page.evaluate("document.querySelector('chicago-table').canAct") is False
    host.context.set_offline(True)
    expect(host.page.locator("#banners")).to_contain_text("No connection")
