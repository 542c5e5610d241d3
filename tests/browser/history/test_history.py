"""From the admin's house rules to a guest's own history: filtered, replayed, told in words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import evening
from tests.browser.pages.test_accounts import PASSWORD, send
from tests.browser.pages.test_house_rules import log_in, unfold
from tests.browser.people import LAPTOP, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
RULES = "Silver Calf"
COVERED = """() => [...document.querySelectorAll(".ct-die")].filter((die) => {
  const { left, top, width, height } = die.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return width && !die.parentElement.contains(over);
}).map((die) => die.outerHTML.slice(0, 80))"""
"""The dice over whose middle something lies."""


def write_rules_of_two_rounds(admin: Person, server: Server) -> None:
    """Let the admin write down rules of two rounds, and return to the list of rules."""
    log_in(admin, server, "/house-rules/")
    admin.page.goto(f"{server.url}/house-rules/new/chicago/?preset=classic")
    unfold(admin.page)
    admin.page.locator("#o-rounds").fill("2")
    admin.page.get_by_label("Name of the rules").fill(RULES)
    admin.tap("Save the rules")
    expect(admin.page.get_by_role("heading", name=RULES, exact=True)).to_be_visible()


def play_by_the_rules(host: Person, guest: Person) -> str:
    """Let host and guest play a table of these rules to the end; return its address."""
    host.host_a_night("Thursday", by_hand=True)
    link = host.link("j")
    host.page.goto(f"{host.page.url}tables/new/?game=chicago")
    host.tap(re.compile(RULES), "link")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    guest.join(link, by_hand=True)
    evening.start(host, [guest])
    evening.play_on([host, guest], random.Random(3))
    return host.page.url


def keep_the_history(guest: Person) -> None:
    """Make an account from the guest's own page, which asks whether it was them."""
    guest.page.goto(guest.url + "/me/")
    guest.tap("Create an account", "link")
    send(guest, "/account/signup/", "Create the account", username="kari-of-history", password1=PASSWORD)
    expect(guest.page.get_by_role("heading", name="Were you Kari?")).to_be_visible()
    guest.tap("Yes, that was me")
    expect(guest.page.get_by_text("this history is kept by your account")).to_be_visible()


def filter_the_history(one: Person) -> None:
    """Look for games that one has not played, then for those that one has."""
    one.page.goto(one.url + "/me/")
    one.tap("Your results", "link")
    expect(one.page.get_by_role("table").last).to_contain_text(f"Chicago · {RULES}")
    one.page.get_by_text("Filter").click()
    one.page.get_by_label("Game").select_option(label="Backgammon")
    one.tap("Show")
    expect(one.page.get_by_text("No result fits these filters.")).to_be_visible()
    one.page.get_by_label("Game").select_option(label="Chicago")
    one.page.get_by_label("Against").select_option(label="Hanna")
    one.tap("Show")
    expect(one.page.get_by_role("table").last).to_contain_text(RULES)


def replay_it(page: Page) -> None:
    """Go through the replay by keys; a link leads to its moment."""
    expect(page.locator("chicago-table")).to_be_visible()
    count = page.locator("#replay-count")
    expect(count).to_have_text(re.compile(r"^1 / \d+$"))
    # The round has begun, and the first throw is thrown: that it was asked for before, nothing says or shows.
    for _ in range(2):
        step = count.inner_text()
        page.keyboard.press("ArrowRight")
        expect(count).not_to_have_text(step)
    expect(page.locator("#replay-said")).not_to_be_empty()
    see_all_dice(page)
    page.keyboard.press("End")
    expect(page.locator(".ct-outcome")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    moment, told = page.url, count.inner_text()
    page.goto(page.url.split("?")[0])
    page.goto(moment)
    expect(count).to_have_text(told)


def see_all_dice(page: Page) -> None:
    """Go on step by step while the game is played: at each one, also where a round ends, all its dice are seen."""
    count = page.locator("#replay-count")
    while not page.locator(".ct-outcome").is_visible():
        step = count.inner_text()
        page.keyboard.press("ArrowRight")
        expect(count).not_to_have_text(step)
        if not page.locator(".ct-outcome").is_visible():
            assert page.evaluate(COVERED) == [], f"after step {step}"


@pytest.mark.day(parts=17, turn=5)
def test_an_evening_by_the_admins_rules_becomes_a_guests_own_history(person: MakePerson, server: Server) -> None:
    admin, host, guest = (
        person("bar", screen=LAPTOP),
        person("Hanna", screen=LAPTOP),
        person("Kari"),
    )
    write_rules_of_two_rounds(admin, server)
    play_by_the_rules(host, guest)
    keep_the_history(guest)
    filter_the_history(guest)
    guest.tap("Replay", "link")
    replay_it(guest.page)

    # The admin reads the same in the log, in words, the codes beside them.
    admin.page.goto(f"{server.url}/admin/games/logentry/")
    lines = admin.page.locator(".events li", has=admin.page.locator(".words"))
    expect(lines.filter(has_text="The game begins.").first).to_contain_text("table.started")
    expect(lines.filter(has_text=re.compile("Kari .*throw")).first).to_be_visible()
