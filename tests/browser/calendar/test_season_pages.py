"""The pages of a series and a season: axe finds nothing serious, none scrolls sideways at 360 px, keys suffice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser import whole
from tests.browser.pages.test_accounts import PASSWORD, send
from tests.browser.pages.test_pages import NARROW, seen_by_axe
from tests.browser.people import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
FIRST = date.today() - timedelta(weeks=9)
DAYS = [f"{day.day}.{day.month}.{day.year}" for day in (FIRST + timedelta(weeks=week) for week in range(8))]
NAMES = ("Annegret Schwarzenberger-Lohmann", "Bert", "Carla", "Dora", "Emil", "Opa Karl")
ROWS = "\n".join(
    [";".join(("Name", *DAYS))]
    + [";".join((name, *(str((n * 3 + k * 5) % 11 - 5) for k in range(len(DAYS))))) for n, name in enumerate(NAMES)]
)

SLIDE_FAULTS = """(high) => {
    const slide = [...document.querySelectorAll(".tv-slide")].find((el) => el.innerText.startsWith("Herbst"));
    const faults = [];
    for (const el of slide.querySelectorAll("h2, li, li span, li b")) {
        const box = el.getBoundingClientRect();
        if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).display !== "inline")
            faults.push(`${el.innerText} is cut`);
        if (box.bottom > innerHeight || box.right > innerWidth) faults.push(`${el.innerText} is outside`);
        if (parseFloat(getComputedStyle(el).fontSize) < 0.03 * high) faults.push(`${el.innerText} is small`);
    }
    const running = document.getAnimations().filter((one) => slide.contains(one.effect?.target));
    return running.length ? [...faults, "the slide moves"] : faults;
}"""


def series_of(olga: Person, user: str) -> str:
    """Sign up and make a series with a season by tapping; return the series' address."""
    send(olga, "/account/signup/", re.compile("anlegen"), username=user, password1=PASSWORD)
    page = olga.page
    page.goto(olga.url + "/series/new/")
    page.locator("#series-name").fill("Jeden Donnerstag im Goldenen Lamm")
    page.locator("#series-weekday").select_option("3")
    page.locator("#series-counts").select_option("chouette:points")
    olga.tap("Reihe anlegen")
    return page.url


def take_rows_in(olga: Person) -> None:
    """Take eight nights of six people into the season of the page, from a spreadsheet."""
    page = olga.page
    olga.open_more()
    olga.tap("Aus einer Liste", "link")
    page.locator("#sheet-pasted").fill(ROWS)
    olga.tap("Liste lesen")
    olga.tap("Weiter")
    for chosen in page.locator("section .sheet-names select").all():
        chosen.select_option("text")
    olga.tap("Liste übernehmen")


def season_of(olga: Person, user: str) -> str:
    """Sign up and make a season with a standing by tapping; return its address."""
    send(olga, "/account/signup/", re.compile("anlegen"), username=user, password1=PASSWORD)
    page = olga.page
    page.goto(olga.url + "/seasons/new/")
    page.locator("#season-name").fill("Herbst")
    page.locator("#season-first").fill(FIRST.isoformat())
    page.locator("#season-counts").select_option("chouette:points")
    olga.tap("Saison anlegen")
    address = page.url
    take_rows_in(olga)
    page.goto(address)
    expect(page.locator(".ranking li")).to_have_count(len(NAMES))
    return address


def pages(olga: Person, anna: Person) -> Iterator[tuple[str, Page]]:
    """Walk through a series and a season, and yield (name, page) at each place of interest."""
    page = olga.page
    page.goto(season_of(olga, "olga-pages"))
    yield "season, organiser", page
    page.locator("#season-nights-table > summary").click()
    yield "season, what each night gave", page
    for name in ("rules/", "edit/", "figures/", "sheet/"):
        address = page.url
        answer = page.goto(address + name)
        assert answer is not None and answer.ok, name
        yield f"season, {name}", page
        page.goto(address)
    olga.page.goto(olga.url + "/seasons/")
    yield "seasons", page
    page.goto(olga.url + "/series/new/")
    yield "new series", page
    page.locator("#series-name").fill("Jeden Donnerstag im Goldenen Lamm")
    page.locator("#series-weekday").select_option("3")
    page.locator("#series-counts").select_option("chouette:points")
    olga.tap("Reihe anlegen")
    yield "series, organiser", page
    link = page.url
    anna.page.goto(link)
    yield "series, stranger", anna.page
    anna.page.locator(".date-card").first.click()
    yield "date, stranger", anna.page


@pytest.mark.day(parts=17, turn=15)
def test_axe_finds_nothing_serious_on_a_page_of_a_season_and_none_scrolls_sideways(person: MakePerson) -> None:
    olga, anna = person("Olga", locale="de-DE"), person("Anna", locale="de-DE", dark=True)
    found: list[str] = []
    for number, (name, page) in enumerate(pages(olga, anna)):
        found += [f"{name}, {fault}" for fault in seen_by_axe(page, number)]
        page.set_viewport_size(NARROW)
        found += [f"{name}: {whole.overflow(page)} px too wide at 360 px"] if whole.overflow(page) > 0 else []
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert found == []


@pytest.mark.day(parts=17, turn=14)
def test_a_standing_is_unfolded_and_entered_with_the_keyboard_alone(person: MakePerson) -> None:
    olga = person("Olga", locale="de-DE")
    season_of(olga, "olga-keys")
    page = olga.page
    sheet = page.locator("#season-nights-table")
    sheet.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("table")).to_be_visible()
    page.keyboard.press("Tab")
    expect(sheet.locator(".scroll-x")).to_be_focused()
    page.get_by_role("button", name="Ich mache mit", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Nicht mehr mitmachen")).to_be_visible()


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press Tab until an element that the selector finds has the focus, which is seen there."""
    for _press in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(css) => document.activeElement.matches(css)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none" or page.locator(f"{selector}:focus-visible").count() == 1
            return
    raise AssertionError(f"{selector} is not reached by Tab")


@pytest.mark.day(parts=17, turn=7)
def test_every_thursday_with_a_season_is_made_and_its_poster_reached_with_the_keyboard_alone(
    person: MakePerson,
) -> None:
    olga = person("Olga", locale="de-DE")
    send(olga, "/account/signup/", re.compile("anlegen"), username="olga-tabs", password1=PASSWORD)
    page = olga.page
    page.goto(olga.url + "/series/")
    tab_to(page, 'a[href$="/series/new/"]')
    page.keyboard.press("Enter")
    page.locator("#series-name").wait_for()
    if not page.evaluate('document.activeElement.id === "series-name"'):
        tab_to(page, "#series-name")
    page.keyboard.type("Jeden Donnerstag")
    tab_to(page, "#series-weekday")
    page.keyboard.type("Don")
    tab_to(page, "#series-counts")
    page.keyboard.type("Back")
    tab_to(page, 'form .button.go:not([type="button"])')
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Jeden Donnerstag", level=1)).to_be_visible()
    expect(page.get_by_text("Donnerstag, 19:30")).to_be_visible()
    tab_to(page, 'a[href$="/poster/"]')
    page.keyboard.press("Enter")
    expect(page.locator(".poster .qr")).to_be_visible()
    tab_to(page, "[data-print]")


@pytest.mark.day(parts=17)
def test_an_answer_for_a_date_is_given_with_the_keyboard_alone(person: MakePerson) -> None:
    olga, anna = person("Olga", locale="de-DE"), person("Anna", locale="de-DE")
    anna.page.goto(series_of(olga, "olga-dates"))
    anna.page.locator(".date-card").first.focus()
    anna.page.keyboard.press("Enter")
    anna.page.get_by_label("Dein Name").focus()
    anna.page.keyboard.type("Anna")
    anna.page.get_by_role("button", name="Ja").focus()
    anna.page.keyboard.press("Enter")
    expect(anna.page.get_by_role("heading", name="1 kommt")).to_be_visible()


@pytest.mark.day(parts=17, turn=9)
def test_the_big_screen_shows_the_season_whole_and_calmly(person: MakePerson) -> None:
    """A season's slide beside the door: nothing is cut, no line is small, nothing on it moves."""
    olga = person("Olga", locale="de-DE")
    season_of(olga, "olga-screen")
    olga.host_a_night("Donnerstag")
    screen = olga.page
    screen.goto(olga.link("tv"))
    for size in ((1920, 1080), (1280, 720)):
        screen.set_viewport_size({"width": size[0], "height": size[1]})
        expect(screen.locator('.tv-slide:has(h2:text-is("Herbst")) li')).to_have_count(5)
        assert screen.evaluate(SLIDE_FAULTS, size[1]) == []
