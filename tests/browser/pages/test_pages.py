"""Every page of a night: accessible, inside the screen, in both themes, light enough."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import evening, whole
from tests.browser.chouette import chouettes
from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
NARROW = {"width": 360, "height": 740}
TARGET_PX = 44
SMALL_FIELDS = """[...document.querySelectorAll("input, select, textarea")].filter((one) =>
  !/^(checkbox|radio|hidden|range|file|submit)$/.test(one.type) && parseFloat(getComputedStyle(one).fontSize) < 16
).map((one) => one.outerHTML.slice(0, 90))"""
"""Fields for whose sake Safari zooms in."""


def pages_of_a_night(host: Person, guest: Person, screen: Person) -> Iterator[tuple[str, Page]]:
    """Walk through an evening and yield (name, page) at each place of interest."""
    guest.page.goto(guest.url)
    yield "home", guest.page
    host.host_a_night("Thursday")
    night = host.page.url
    yield "night, host", host.page
    link, tv_link = host.link("j"), host.link("tv")
    host.page.goto(f"{night}tables/new/?game=chicago&preset=bavarian")
    yield "new table", host.page
    host.page.goto(night)
    table = evening.open_table(host, "classic", rounds="1")
    screen.page.goto(tv_link)
    yield "tv, before the start", screen.page
    guest.page.goto(link)
    yield "join", guest.page
    guest.join(link)
    yield "waiting room, guest", guest.page
    yield "waiting room, host", host.page
    evening.start(host, [guest])
    yield "table, guest", guest.page
    yield "table, host", host.page
    expect(screen.page.locator("chicago-table")).to_be_visible()
    yield "tv, playing", screen.page
    host.tap("Menu")
    yield "host's menu", host.page
    host.page.keyboard.press("Escape")
    evening.play_on([host, guest], random.Random(3))
    expect(guest.page.locator(".ct-outcome")).to_be_visible()
    yield "table, over", guest.page
    for path in (f"{night}", f"{night}results/", f"{table}dice/"):
        guest.page.goto(path)
        yield path.rsplit("/", 2)[-2] or "night", guest.page
    guest.page.goto(f"{night}results/")
    guest.page.get_by_role("link", name="Kari").first.click()
    yield "player", guest.page
    guest.page.goto(f"{table}replay/")
    expect(guest.page.locator("chicago-table")).to_be_visible()
    yield "replay", guest.page
    for path in (
        "rules/",
        "rules/chicago/",
        "rules/chouette/",
        "me/",
        "leaders/",
        "players/",
    ):
        guest.page.goto(guest.url.rstrip("/") + f"/{path}")
        yield path, guest.page
    host.page.goto(f"{night}results/")
    host.tap("Correct", role="link")
    yield "correction", host.page
    host.page.goto(night)
    chouettes.open_table(host, "money")
    guest.page.goto(host.page.url)
    chouettes.start(host, [guest])
    for one in (host, guest):
        yield "backgammon", one.page


def seen_by_axe(page: Page, number: int) -> list[str]:
    """Return what axe finds serious on a page in the light, or in the dark: the next time the other one."""
    found = []
    for scheme in share_of_day(("light", "dark"), 2, number, every=17):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(250)
        for violation in Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:160] for node in violation["nodes"][:3]]
                found.append(f"{scheme}: {violation['id']} {nodes}")
    return found


@pytest.mark.day(parts=17, turn=14)
def test_axe_finds_nothing_serious_on_any_page_none_scrolls_sideways_and_no_field_zooms_it_in(
    person: MakePerson,
) -> None:
    host, guest, screen = person("Hanna", screen=LAPTOP), person("Kari"), person("TV", screen=TV)
    found: list[str] = []
    for number, (name, page) in enumerate(pages_of_a_night(host, guest, screen)):
        found += [f"{name}, {fault}" for fault in seen_by_axe(page, number)]
        found += [f"{name}: below 16 px: {field}" for field in page.evaluate(SMALL_FIELDS)]
        if page is guest.page:
            page.set_viewport_size(NARROW)
            if (wide := whole.overflow(page)) > 0:
                found.append(f"{name}: {wide} px too wide at 360 px")
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert found == []


@pytest.mark.day(parts=17, turn=7)
def test_the_whole_table_is_on_a_phone_without_scrolling_and_its_targets_are_large(
    person: MakePerson,
) -> None:
    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "bavarian")
    guest.join(link)
    for one in (host, guest):
        one.accept_the_rules()
    host.tap("Start the game")
    expect(guest.page.locator("chicago-table")).to_be_visible()
    evening.play_on([host, guest], random.Random(5), acts=3)
    for one in (host, guest):
        too_high = one.page.evaluate("document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight")
        assert too_high <= 0, f"{one.name} has to scroll {too_high} px"
        small = one.page.evaluate(
            """least => [...document.querySelectorAll("button, a")]
                .filter(e => e.checkVisibility({visibilityProperty: true}))
                .map(e => [e.getAttribute("aria-label") || e.innerText, e.getBoundingClientRect()])
                .filter(([, r]) => r.width > 1 && (r.width < least || r.height < least))
                .map(([text, r]) => `${text}: ${r.width} x ${r.height}`)""",
            TARGET_PX,
        )
        assert small == [], one.name


@pytest.mark.day(parts=17, turn=16)
def test_a_turn_is_played_with_the_keyboard_alone(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=LAPTOP)
    host.host_a_night("Thursday")
    link = host.link("j")
    evening.open_table(host, "classic", rounds="1")
    guest.join(link)
    evening.start(host, [guest])
    go, stand = f"button.ct-go{evening.READY}", f".ct-stand{evening.READY}"
    first = next(one for _ in range(400) for one in (host, guest) if _has(one, go) or _pause(one))
    first.page.keyboard.press("t")
    expect(first.page.locator(f"{stand}, .ct-outcome:visible").first).to_be_visible()
    if evening.is_over(first):
        return  # three ones: the round, the only one, ends at once
    first.page.keyboard.press("s")
    expect(first.page.locator(".ct-stand")).to_be_hidden()
    second = guest if first is host else host
    expect(second.page.locator(go)).to_be_visible()
    for _ in range(60):
        second.page.keyboard.press("Tab")
        if second.page.evaluate("document.activeElement.matches('.ct-go')"):
            break
    second.page.keyboard.press("Enter")
    expect(second.page.locator(".ct-outcome")).to_be_visible()


def _has(one: Person, selector: str) -> bool:
    return one.page.locator(selector).count() > 0


def _pause(one: Person) -> bool:
    one.page.wait_for_timeout(50)
    return False
