"""The controls of a tournament, pressed: fee, prizes, seeds, time limit, a second entry, results of one side, calls."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser import whole
from tests.browser.pages.test_pages import NARROW, seen_by_axe
from tests.browser.people import LAPTOP, PHONE, TV, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
SOUNDS = (
    "const begin = AudioScheduledSourceNode.prototype.start;"
    " AudioScheduledSourceNode.prototype.start = function (...when) {"
    " document.documentElement.dataset.sounded = '1'; return begin.apply(this, when); };"
)
"""Notes on a page that it has begun a tone."""


def faults(page: Page, number: int, size: tuple[int, int]) -> list[str]:
    """Return what axe finds serious on a page, and how far it scrolls sideways at 360 px."""
    found = seen_by_axe(page, number)
    page.set_viewport_size(NARROW)
    found += [f"{whole.overflow(page)} px too wide at 360 px"] if whole.overflow(page) > 0 else []
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return found


def made(host: Person, kind: str, *, at_tables: bool = False, **chosen: str) -> Page:
    """Make a tournament of a kind by its form, with settings by their fields' names; return its page."""
    host.open_more()
    host.tap("New tournament", "link")
    page = host.page
    if not page.get_by_role("link", name=kind).is_visible():
        page.locator("nav > details > summary").click()
    host.tap(kind, "link")
    for summary in page.locator("details.more > summary").all():
        summary.click()
    if not at_tables:
        page.get_by_label("on boards without the house").check()
    for name, value in chosen.items():
        field = page.locator(f"#options-form [name={name}]")
        if field.evaluate("(el) => el.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    host.tap("Make the tournament")
    expect(page.get_by_text("Not in it")).to_be_visible()
    return page


def entered(host: Person, *guests: Person) -> None:
    """Enter everybody who is here; the guests look at the tournament."""
    host.tap("Enter all who are here")
    expect(host.page.get_by_role("button", name="Enter all who are here")).to_have_count(0)
    for guest in guests:
        guest.page.goto(host.page.url)


def confirm_until(host: Person, matches: int) -> None:
    """Confirm what is proposed until so many matches are played."""
    rows = host.page.locator("#t-running li")
    for _ in range(4):
        button = host.page.locator("#t-proposals").get_by_role("button", name=re.compile("^(Confirm all|Now)$"))
        expect(button.or_(rows.nth(matches - 1)).first).to_be_visible()
        if rows.count() == matches:
            return
        before = host.page.locator("#t-proposals").inner_text()
        try:
            button.click(timeout=5_000)
        except TimeoutError:  # the house confirmed it by itself before the tap
            expect(button).to_have_count(0)
        expect(host.page.locator("#t-proposals")).not_to_have_text(before, use_inner_text=True)
    expect(rows).to_have_count(matches)


@pytest.mark.day(parts=17)
def test_fee_prizes_seeds_and_a_second_entry_are_set_by_taps_and_seen_by_all(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    kari, ole = person("Kari"), person("Ole", dark=True)
    host.host_a_night("Club night")
    link = host.link("j")
    for guest in (kari, ole):
        guest.join(link)
    page = made(host, "Knock-out", length="1", seeding="given", reentry_until="1", consolation="False")
    entered(host, kari, ole)

    page.locator(".t-tools summary", has_text="Entry fee").click()
    page.locator("#t-fee").fill("7")
    page.locator("#t-prizes").fill("12, 6")
    page.get_by_label("The start waits until all have paid").check()
    page.locator(".t-tools details[open]").get_by_role("button", name="Save").click()
    expect(page.locator("#t-pot")).to_contain_text(re.compile(r"0 of 3 have paid: 0\..*18 more than", re.DOTALL))
    host.tap("Confirm all")
    expect(page.get_by_text("Hanna, Kari and Ole")).to_be_visible()
    for left in range(3, 0, -1):
        expect(page.get_by_role("button", name="not paid")).to_have_count(left)
        host.tap("not paid")
    for one in (host, kari):
        expect(one.page.locator("#t-pot")).to_contain_text(re.compile(r"3 of 3 have paid: 21\..*3 left", re.DOTALL))
    expect(kari.page.get_by_role("button", name="paid")).to_have_count(0)

    page.locator("#t-seeds > summary").click()
    for name, seed in (("Hanna", "1"), ("Kari", "2"), ("Ole", "3")):
        page.locator("#t-seeds").get_by_label(name).fill(seed)
    page.locator("#t-seeds").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert faults(page, 0, LAPTOP) + faults(kari.page, 1, PHONE) == []
    confirm_until(host, 1)
    expect(page.locator("#t-running")).to_contain_text(re.compile("Kari – Ole|Ole – Kari"))

    # The loser of the first round enters once more by a tap, and is in the bracket again.
    for teller in (kari, ole):
        teller.page.locator("#t-own").get_by_role("button", name="Kari", exact=True).click()
    ole.page.locator("#t-own").get_by_role("button", name="Enter once more").click()
    expect(ole.page.get_by_role("button", name="Enter once more")).to_have_count(0)
    expect(page.locator("#t-people")).to_contain_text("Ole")
    assert faults(ole.page, 2, PHONE) == []


@pytest.mark.day(parts=17, turn=9)
def test_a_new_match_is_called_up_with_a_sound_and_two_who_disagree_are_decided_by_a_director(
    person: MakePerson,
) -> None:
    host, kari, uli, screen = person("Hanna", screen=LAPTOP), person("Kari"), person("Uli"), person("TV", screen=TV)
    host.host_a_night("Club night")
    link, tv = host.link("j"), host.link("tv")
    for guest in (kari, uli):
        guest.join(link)
    screen.page.add_init_script(SOUNDS)
    screen.page.goto(tv)
    screen.page.mouse.click(5, 5)
    page = made(host, "Two lives", batch="0", length="3", auto="ask")
    entered(host, kari, uli)
    page.locator("#t-people").get_by_label("What to do with Hanna").click()
    page.locator("#t-people").get_by_role("button", name="Goes home now").click()
    expect(page.locator("#t-people")).to_contain_text("Pausing or gone")
    confirm_until(host, 1)

    called = screen.page.locator(".tv-pairs .is-called")
    expect(called).to_have_text(re.compile(r"\s*(Kari – Uli|Uli – Kari)\s*"))
    expect(screen.page.locator("html")).to_have_attribute("data-sounded", "1")
    expect(kari.page.locator("#t-own")).to_contain_text(re.compile(r"against\s*Uli"))
    expect(kari.page.locator("#t-own")).to_contain_text("to 3 points")
    assert faults(kari.page, 3, PHONE) == []

    kari.page.locator("#t-own").get_by_role("button", name="Kari", exact=True).click()
    expect(uli.page.locator("#t-own")).to_contain_text("nothing for 3 minutes")
    uli.page.locator("#t-own").get_by_role("button", name="Uli", exact=True).click()
    for one in (kari, uli):
        expect(one.page.locator("#t-own")).to_contain_text("You say different results: a director decides.")
    expect(page.locator("#t-running")).to_contain_text("they say different results")
    page.locator("#t-running").get_by_text("Result", exact=True).click()
    points = page.locator("#t-running [name=points]")
    points.fill("2")
    # What a director is typing stays when news come in.
    kari.page.locator("#t-own").get_by_role("button", name="Uli", exact=True).focus()
    host.page.evaluate("document.body.dispatchEvent(new Event('changed'))")
    expect(points).to_have_value("2")
    page.locator("#t-running").get_by_role("button", name="Uli won").click()
    expect(page.locator("#t-standing tbody tr").first).to_contain_text(re.compile(r"1\s*Uli.*1\s*0", re.DOTALL))
    expect(kari.page.locator("#t-own")).to_contain_text("You are free since")
    assert faults(page, 4, LAPTOP) == []


@pytest.mark.day(parts=17, turn=10)
def test_a_time_limit_and_a_clock_of_the_tournament_stand_on_the_card_and_at_the_match_table(
    person: MakePerson,
) -> None:
    host, kari, uli = person("Hanna", screen=LAPTOP), person("Kari"), person("Uli")
    host.host_a_night("Club night")
    link = host.link("j")
    for guest in (kari, uli):
        guest.join(link)
    host.open_more()
    host.tap("New tournament", "link")
    page = host.page
    page.locator("details.t-time > summary").click()
    page.locator("#options-form [name=o-match_minutes]").fill("50")
    page.locator("#options-form label", has=page.locator("[name=o-clock][value=delay]")).click()
    host.tap("Make the tournament")
    for name in ("Kari", "Uli"):
        page.locator("#t-enter").get_by_role("button", name=name).click()
        expect(page.locator("#t-people")).to_contain_text(name)
    for guest in (kari, uli):
        guest.page.goto(page.url)
        expect(guest.page.locator("#t-card")).to_contain_text("50")
        guest.page.locator("#t-own").get_by_role("button", name="Accept the rules").click()
        expect(guest.page.locator("#t-own").get_by_role("button", name="Accept the rules")).to_have_count(0)
    confirm_until(host, 1)
    kari.page.locator("#t-own").get_by_role("link", name=re.compile("To table")).click()
    expect(kari.page.locator("main")).to_contain_text("50")
    assert kari.faults == []
