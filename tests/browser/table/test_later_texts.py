"""The texts that follow a table's board: what happens before they have come is told when they have, in their words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser import evening
from tests.browser.gallery.laws import PARTS
from tests.browser.people import Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
BOARD = PARTS["chicago"]["board"]
LATER = re.compile(r"/jsi18n/.*\.later$")
LISTEN = """() => {
    window.said = [];
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes)
            if (target.id === "polite" || target.id === "assertive")
                said.push(...[...addedNodes].map((node) => node.textContent));
    }).observe(document, { subtree: true, childList: true });
}"""
"""Gather in `said` what screen readers hear."""


def test_the_first_move_is_told_in_its_own_words_however_late_they_come(person: MakePerson, server: Server) -> None:
    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "classic")
    guest.join(link)
    evening.start(host, [guest])
    late, actor = (guest, host) if evening.waited_for(host) == [0] else (host, guest)

    held: list[Route] = []
    asked: list[str] = []

    def hold(route: Route) -> None:
        held.append(route)

    def note(request: Request) -> None:
        asked.append(request.url)

    url = late.page.url
    late.page.goto("about:blank")
    late.page.route(LATER, hold)
    late.page.on("request", note)
    late.page.add_init_script(f"({LISTEN})()")
    late.page.goto(url, wait_until="commit")
    expect(late.page.locator(BOARD)).to_be_visible()
    while not held:
        late.page.wait_for_timeout(50)

    assert evening.play_on([actor], random.Random(1), acts=1) == 1
    expect(actor.page.locator("#log li").first).to_be_attached()
    late.page.wait_for_timeout(1000)
    assert late.page.evaluate("said") == [], "nothing is told without its words"
    assert not any("/shell/dice/" in url for url in asked), "nor is a module loaded before its texts"

    (texts,) = held
    texts.continue_()
    line = re.compile(f"^{actor.name} ")
    expect(late.page.locator("#polite p", has_text=actor.name).first).to_be_attached()
    expect(late.page.locator("#log li", has_text=actor.name).last).to_be_attached()
    said = late.page.evaluate("said")
    assert [text for text in said if line.match(text)], said
    assert len(said) == len(set(said)), "each once"
    assert host.faults == guest.faults == []


def test_a_device_without_the_typefaces_gets_them_after_the_board_and_keeps_its_letters_meanwhile(
    person: MakePerson, server: Server
) -> None:
    host = person("Hanna")
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "classic")
    guest = person("Kari")
    guest.join(link)
    evening.start(host, [guest])
    letters = "getComputedStyle(document.body).fontFamily"
    assert guest.page.evaluate(letters).startswith('"Open Sans"'), "they came with the pages before"

    guest.context.clear_cookies(name="typefaces")
    guest.page.reload()
    expect(guest.page.locator(BOARD)).to_be_visible()
    while not any(cookie.get("name") == "typefaces" for cookie in guest.context.cookies()):
        guest.page.wait_for_timeout(50)
    assert "Open Sans" not in guest.page.evaluate(letters), "nothing moves under a finger"
    guest.page.reload()
    expect(guest.page.locator(BOARD)).to_be_visible()
    assert guest.page.evaluate(letters).startswith('"Open Sans"')
    assert guest.faults == []
