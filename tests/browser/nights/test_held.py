"""A tap counts although the page is drawn anew between touch and release."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import evening
from tests.browser.people import LAPTOP, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]


def press_and_release(person: Person, button: Locator, meanwhile: Callable[[], object]) -> None:
    """Hold a button down while somebody acts and the page is sent its new parts, then let it go."""
    page = person.page
    expect(button).to_be_enabled()
    button.scroll_into_view_if_needed()
    held, box = button.element_handle(), button.bounding_box()
    assert held is not None and box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with page.expect_response(lambda answer: "/live/" in answer.url and answer.status == 200):
        meanwhile()
    # A request that goes out later has its answer later: the one above has been read by then.
    page.evaluate("() => fetch(location.href).then((answer) => answer.text())")
    assert held.evaluate("(element) => element.isConnected"), "it was replaced under the pointer"
    page.mouse.up()


def test_a_tap_in_the_waiting_room_counts_although_somebody_comes_between_touch_and_release(
    person: MakePerson,
) -> None:
    host, guest, late = person("Hanna", screen=LAPTOP), person("Kari", screen=LAPTOP), person("Nils")
    host.host_a_night("Thursday")
    link = host.link("j")
    table = evening.open_table(host, "classic")
    guest.join(link)
    guest.page.goto(table)
    accept = guest.page.get_by_role("button", name="I accept")

    def come() -> None:
        late.join(link)
        late.ask(f"tables/{table.rstrip('/').rsplit('/', 1)[1]}/seats/", accept=False)

    press_and_release(guest, accept, come)
    expect(accept).to_be_hidden()
    seats = host.page.locator("#lobby-seats li.row")
    expect(seats.filter(has_text="Kari")).to_contain_text("ready")
    expect(seats.filter(has_text="Nils")).to_be_visible()

    host.open_more()
    bot = host.page.locator("#lobby-bots button").first
    press_and_release(host, bot, late.accept_the_rules)
    expect(seats.filter(has_text="plays by itself")).to_have_count(1)
    expect(seats.filter(has_text="Nils")).to_contain_text("ready")


def test_a_tap_on_the_nights_page_counts_although_somebody_comes_between_touch_and_release(
    person: MakePerson,
) -> None:
    host, page = (one := person("Hanna", screen=LAPTOP)), one.page
    host.host_a_night("Thursday")
    guests = [person(name) for name in ("Kari", "Nils", "Ola")]
    unlock = page.get_by_role("button", name="Unlock", exact=True)

    host.open_more()
    press_and_release(host, page.locator("#lock"), lambda: guests[0].join(host.link("j")))
    expect(unlock).to_be_visible()
    unlock.click()
    expect(page.locator("#lock")).to_be_visible()

    press_and_release(host, page.locator("#rotate"), lambda: guests[1].join(host.link("j")))
    expect(page.get_by_text("There is a new room code.").first).to_be_visible()

    opened = page.get_by_role("link", name="Open a table")
    press_and_release(host, opened.first, lambda: guests[2].join(host.link("j")))
    page.wait_for_url("**/tables/new/**")


def test_a_greeting_counts_although_the_line_comes_back_between_touch_and_release(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Thursday")
    guest.join(host.link("j"))
    table = evening.open_table(host, "classic")
    guest.page.goto(table)
    evening.start(host, [guest])
    host.page.locator("#open-side").click()
    greeting = host.page.locator("#chat-greetings button").first
    words, held, box = greeting.inner_text(), greeting.element_handle(), greeting.bounding_box()
    assert held is not None and box is not None
    host.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    host.page.mouse.down()
    host.sleep()
    guest.page.locator("#open-side").click()
    guest.page.locator("#chat-greetings button").nth(1).click()
    host.wake()
    expect(host.page.locator("#chat li")).to_have_count(1)
    assert held.evaluate("(element) => element.isConnected"), "it was replaced under the pointer"
    host.page.mouse.up()
    expect(guest.page.locator("#chat li").filter(has_text="Hanna")).to_contain_text(words)
