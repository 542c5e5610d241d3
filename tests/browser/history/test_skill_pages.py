"""Pages on how well one played: axe finds nothing serious, they fit 360 px, keys suffice, all is translated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from chouette.analysis import engines
from tests.browser import english, tables, whole
from tests.browser.history import graded_evening
from tests.browser.pages.test_pages import NARROW, seen_by_axe
from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.chouette.analysis.files import SHORT
from tests.conftest import require
from tests.languages import TRANSLATED
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
FILE = {"name": "Vereinsmeisterschaft im Goldenen Lamm.mat", "mimeType": "text/plain", "buffer": SHORT.encode()}
NO_FILE = {**FILE, "name": "Brief.mat", "buffer": b"Lieber Opa"}
MISTAKE = re.compile(r"^.+ (zog .+ mit [1-6]-[1-6]: .+ wäre um|doppelte|nahm an|passte|sagte).* 0,\d{3}")
"""A mistake in words, a play's or a cube's."""


class Evening:
    """A graded evening with its host, whose night is open."""

    def __init__(self, server: Server, host: Person) -> None:
        self.server, self.host = server, host
        host.host_a_night("Donnerstag im Goldenen Lamm")
        self.night, self.screen = tables.night_of(host), host.link("tv")
        self.table = graded_evening.at(server, self.night)

    def go(self, path: str) -> Page:
        """Let the host look at a page."""
        answer = self.host.page.goto(self.host.url + path)
        assert answer is not None and answer.ok, path
        return self.host.page

    def replay(self) -> Page:
        """Show the replay at the game's first mistake."""
        page = self.go(f"/table/{self.table}/replay/")
        page.locator("#replay-mistake").click()
        expect(page).to_have_url(re.compile(r"\?at=[1-9]\d*"))
        return page

    def bring(self, file: dict[str, object]) -> None:
        """Bring in a match file on its page."""
        self.go("/me/matches/").locator("#match-file").set_input_files(files=[file])  # type: ignore[list-item]
        self.host.page.locator("main form[enctype] button").click()


def choose(page: Page) -> None:
    """Take the first way of an exercise."""
    page.locator("#ways input[type=radio]").first.check()
    page.locator("#ways button").click()


def pages(evening: Evening, screen: Person) -> Iterator[tuple[str, Page]]:
    """Walk through all that says how well somebody played, and yield (name, page) at each place."""
    yield "replay", evening.replay()
    evening.host.page.locator("[role=tab][data-tab=log]").click()
    expect(evening.host.page.locator("#replay-worst li").first).to_be_visible()
    yield "replay, mistakes", evening.host.page
    yield "my play", opened(evening.go("/me/play/"))
    yield "quiz, asked", evening.go("/me/quiz/")
    choose(evening.host.page)
    expect(evening.host.page.locator("#verdict")).to_be_visible()
    yield "quiz, answered", evening.host.page
    yield "match files, none", evening.go("/me/matches/")
    evening.bring(NO_FILE)
    expect(evening.host.page.get_by_role("alert")).to_be_visible()
    # The browser says itself that it was answered with a refusal.
    assert all("status of 400" in fault for fault in evening.host.faults)
    evening.host.faults.clear()
    yield "match files, refused", evening.host.page
    evening.bring(FILE)
    expect(evening.host.page.get_by_role("heading", name="Kari – Per")).to_be_visible()
    yield "match file, waiting", evening.host.page
    graded_evening.graded_files(evening.server)
    evening.host.page.reload()
    expect(evening.host.page.locator("#result table").first).to_be_visible()
    yield "match file, graded", opened(evening.host.page)
    yield "match files, one", evening.go("/me/matches/")
    yield "position, asked", evening.go(f"/night/{evening.night}/results/")
    screen.page.goto(evening.screen)
    yield "screen, asked", screen.page
    choose(evening.host.page)
    expect(evening.host.page.locator("#position .engine-says")).to_be_visible()
    yield "position, answered", evening.host.page


def opened(page: Page) -> Page:
    """Open everything on a page that opens by a tap."""
    page.locator("main details").evaluate_all("(all) => all.forEach((each) => (each.open = true))")
    return page


BLANK = """() => [...document.querySelectorAll("svg.die")].filter((die) => {
  const fill = (name) => getComputedStyle(die.querySelector(name)).fill;
  return fill(".die-face") === fill(".die-pip");
}).length"""
"""The number of dice on a page whose pips nobody sees."""


@pytest.mark.day(parts=17, turn=13)
@pytest.mark.parametrize("language", share_of_day(TRANSLATED, 2, every=17))
def test_axe_finds_nothing_serious_none_scrolls_sideways_and_all_is_translated(
    person: MakePerson, server: Server, language: str
) -> None:
    require(engines.installed(), "an engine")
    evening = Evening(server, person("Hanna", locale=language))
    screen = person("TV", screen=TV, locale=language)
    found: list[str] = []
    for number, (name, page) in enumerate(pages(evening, screen)):
        found += [f"{name}, {fault}" for fault in seen_by_axe(page, number)]
        found += [f"{name}: dice without pips"] if page.evaluate(BLANK) else []
        found += [f"{name}: English: {text}" for text in english.english(english.texts_of(page), language)]
        if page is screen.page:
            continue
        for size in ({"width": LAPTOP[0], "height": LAPTOP[1]}, NARROW, {"width": PHONE[0], "height": PHONE[1]}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            found += (
                [f"{name}: {whole.overflow(page)} px too wide at {size['width']} px"]
                if whole.overflow(page) > 0
                else []
            )
    assert found == []


@pytest.mark.day(parts=17, turn=5)
def test_a_mistake_is_a_lesson_before_its_choice_on_phones_and_laptop(person: MakePerson, server: Server) -> None:
    evening = Evening(server, person("Hanna", locale="de-DE"))
    page = evening.go(f"/table/{evening.table}/replay/")
    following, title = page.locator("#replay-mistake"), page.locator("#turn-text")
    expect(title).to_have_text(re.compile(r"^Schritt 1 von \d+$"))
    for width, height in ((390, 844), (360, 640), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        kinds: set[bool] = set()
        for _mistake in range(12):
            following.click()
            expect(title).to_have_text(re.compile(r"^Fehler \d+ von \d+$"))
            card = page.locator("#replay-choice")
            expect(card).to_have_text(re.compile(r"^\S.*\s· besser .+\s· −0,\d{3}$"))
            assert 1 < page.locator("#replay-ways li").count() <= 4
            expect(page.locator("#replay-ways [data-mark=best]")).to_have_count(1)
            expect(page.locator("#replay-ways [data-mark=chosen]")).to_have_count(1)
            kinds.add(is_play := page.evaluate(THROWN))
            expect(page.locator(".bt-arrows.is-played")).to_have_count(int(is_play))
            expect(page.locator(".bt-arrows.is-better")).to_have_count(int(is_play))
            for shown in (following, card, title):
                box = shown.bounding_box()
                assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
                assert box["y"] >= 0 and box["y"] + box["height"] <= height
            assert page.evaluate(UNCUT), title.inner_text()
        assert kinds == {True, False}, "there were mistakes of both kinds: plays after a roll, cubes before one"
    page.locator("#replay-info").press("Enter")
    expect(page.locator("#replay-made")).to_have_text(re.compile(r"^planted, 0-ply .*Formel 1"))
    expect(page.locator("#replay-ways")).to_be_hidden()


THROWN = "() => document.querySelector('chouette-table').now.view.game.dice.length > 0"
UNCUT = "() => { const it = document.getElementById('turn-text'); return it.scrollHeight <= it.clientHeight + 1 }"


@pytest.mark.day(parts=17, turn=12)
def test_mistakes_are_found_answered_and_heard_with_the_keyboard_alone(person: MakePerson, server: Server) -> None:
    evening = Evening(server, person("Hanna", screen=LAPTOP, locale="de-DE"))
    page = evening.go(f"/table/{evening.table}/replay/")
    told = page.locator("#replay-said")
    expect(told).to_have_attribute("aria-live", "polite")
    expect(page.locator("#replay-mistake")).to_be_visible()
    page.locator("#replay-mistake").focus()
    page.keyboard.press("Enter")
    expect(told).to_have_text(MISTAKE)
    expect(page.locator("#replay-graph")).to_have_attribute("aria-label", re.compile("^Equity von .* nach jedem Zug$"))
    page.get_by_role("tab", name="Verlauf").press("Enter")
    worst = page.locator("#replay-worst button").first
    worst.focus()
    page.keyboard.press("Enter")
    expect(worst).to_have_attribute("aria-current", "step")
    expect(told).to_contain_text(worst.inner_text())

    page = evening.go("/me/quiz/")
    page.locator("#ways input[type=radio]").first.focus()
    page.keyboard.press("ArrowDown")
    page.locator("#ways button").press("Enter")
    expect(page.locator("#verdict")).to_have_attribute("role", "status")
    expect(page.get_by_role("group", name="Was ein Analyseprogramm sagt").get_by_role("table")).to_be_visible()

    page = evening.go(f"/night/{evening.night}/results/")
    page.locator("#ways input[type=radio]").first.focus()
    page.keyboard.press("Space")
    page.locator("#ways button").press("Enter")
    expect(page.locator("#position .is-mine .mark").first).to_have_text("deine Wahl")
