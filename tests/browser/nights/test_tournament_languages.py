"""A knock-out in every language but English, with long names: entry, bracket, a dispute, a correction, the end, paper.

On each page axe finds nothing serious, no sentence is English, none scrolls sideways at 360 px, and no mark lies on a
button.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import english, whole
from tests.browser.pages.test_pages import NARROW, seen_by_axe
from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.browser.tournament_night.guests import Guest
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(900)]

MakePerson = Callable[..., Person]
LOCALES = [("de", "de-DE"), ("nb", "nb-NO"), ("fr", "fr-CH"), ("it", "it-CH")]
NAMES = ("Annegret-Wilhelmine", "Ingebjørg Kristiansen", "Max von Traunstein")
ON_BUTTONS = """() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((el) => el.checkVisibility());
  const found = [];
  for (const mark of shown(".badge, .muted, strong")) {
    const one = mark.getBoundingClientRect();
    for (const button of shown(".button, button, summary")) {
      const other = button.getBoundingClientRect();
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 2 && down > 2 && !button.contains(mark) && !mark.contains(button)) {
        found.push(`${mark.textContent.trim()} on ${button.textContent.trim()}`);
      }
    }
  }
  return found;
}"""
"""The marks and texts of a page that lie on a button that they are no part of."""


def act(person: Person, tournament: str, name: str, **args: object) -> dict[str, object]:
    """Carry out an act in a browser's name."""
    found: dict[str, object] = person.ask(f"v1/tournaments/{tournament}/acts/", act=name, args=args)
    return found


def walk(host: Person, kari: Person, screen: Person) -> Iterator[tuple[str, Page]]:
    """Walk through a knock-out of four and yield (name, page) at each place of interest."""
    host.host_a_night("Clubabend")
    night, link, tv = host.page.url, host.link("j"), host.link("tv")
    kari.join(link)
    for name in NAMES[1:]:
        Guest(host.url, name).join(link)
    screen.page.goto(tv)
    host.page.goto(f"{night}tournament/new/?kind=knockout")
    host.page.locator("[name=medium][value=none]").check()
    host.page.locator("#options-form button.go").click()
    host.page.wait_for_url(re.compile(r"/tournament/\w+/$"))
    address = host.page.url
    tournament = address.rstrip("/").rpartition("/")[2]
    yield "nobody in it, director", host.page
    host.page.locator("#t-enter button.go").click()
    expect(host.page.locator("#t-people li")).to_have_count(4)
    kari.page.goto(address)
    yield "entered, player", kari.page
    yield from _played(host, kari, screen, tournament)
    for path in ("print/", "draws/"):
        kari.page.goto(address + path)
        yield path, kari.page
    for each in host.ask(f"v1/tournaments/{tournament}/")["matches"]:
        if each["status"] == "running":
            act(host, tournament, "result", match=each["id"], winner=each["people"][0])
    act(host, tournament, "finish")
    for person in (host, kari):
        person.page.goto(address)
        expect(person.page.locator("#t-standing tbody tr")).to_have_count(4)
        yield f"over, {person.name}", person.page


def _played(host: Person, kari: Person, screen: Person, tournament: str) -> Iterator[tuple[str, Page]]:
    """Play the first round: one match is in dispute, the other is corrected."""

    def state() -> dict[str, list[dict[str, str]]]:
        found: dict[str, list[dict[str, str]]] = host.ask(f"v1/tournaments/{tournament}/")
        return found

    while len(state()["matches"]) < 2:
        now = host.ask(f"v1/tournaments/{tournament}/")
        act(host, tournament, "confirm", seen=now["entries"], minute=now["minute"])
    keys = {each["player"]["name"]: each["key"] for each in host.ask(f"v1/tournaments/{tournament}/")["people"]}
    mine = next(each for each in state()["matches"] if keys[kari.name] in each["people"])
    other = next(each for each in state()["matches"] if each is not mine and each["id"] != mine["id"])
    act(kari, tournament, "tell", match=mine["id"], winner=mine["people"][0])
    expect(kari.page.locator("#t-own form.t-tell p.muted")).to_have_count(2)
    expect(screen.page.locator(".tv-pairs li")).to_have_count(2)
    yield "one has told, player", kari.page
    yield "called, TV", screen.page
    for winner in other["people"]:
        act(host, tournament, "result" if winner == other["people"][0] else "correct", match=other["id"], winner=winner)
    expect(host.page.locator("#t-done .count")).to_have_text("1")
    yield "bracket, director", host.page
    host.page.goto(f"{host.page.url}?match={mine['id']}")
    yield "one match, director", host.page
    host.page.goto(host.page.url.partition("?")[0])
    host.page.locator("#t-running summary").first.click()
    yield "a result, director", host.page


def faults(name: str, page: Page, number: int, language: str) -> Iterator[str]:
    """Yield what is wrong with a page, in the width that it has and at 360 px."""
    yield from (f"{name}: {fault}" for fault in seen_by_axe(page, number))
    yield from (f"{name}: English: {text}" for text in english.english(english.texts_of(page), language))
    size = page.viewport_size
    assert size is not None
    if (size["width"], size["height"]) != TV:
        page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
        if whole.overflow(page) > 0:
            yield f"{name}: {whole.overflow(page)} px too wide at 360 px"
        yield from (f"{name} at 360 px: {fault}" for fault in page.evaluate(ON_BUTTONS))
        page.set_viewport_size(size)
    yield from (f"{name}: {fault}" for fault in page.evaluate(ON_BUTTONS))


@pytest.mark.parametrize(("language", "locale"), share_of_day(LOCALES, 2, every=17))
@pytest.mark.day(parts=17, turn=14)
def test_a_knock_out_is_shown_whole_in_another_language(person: MakePerson, language: str, locale: str) -> None:
    host = person("Hanna", screen=LAPTOP, locale=locale)
    kari = person(NAMES[0], locale=locale, dark=True, screen=PHONE)
    screen = person("TV", screen=TV, locale=locale)
    pages = enumerate(walk(host, kari, screen))
    assert [fault for number, (name, page) in pages for fault in faults(name, page, number, language)] == []


def test_a_mark_on_a_button_is_found(person: MakePerson) -> None:
    one = person("Kari")
    one.page.set_content("<button>Result</button><span class=badge style='margin-left: -3em'>late</span>")
    assert one.page.evaluate(ON_BUTTONS) == ["late on Result"]
    one.page.set_content("<button>Result</button> <span class=badge>late</span>")
    assert one.page.evaluate(ON_BUTTONS) == []


@pytest.mark.day(parts=17, turn=7)
def test_a_director_starts_decides_and_corrects_with_the_keyboard_alone(person: MakePerson) -> None:
    host, kari = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Club night")
    kari.join(host.link("j"))
    page = host.page
    page.goto(f"{page.url}tournament/new/")
    page.locator("[name=medium][value=none]").check()
    page.locator("#options-form button.go").click()
    for what in ("#t-enter button.go", "#t-proposals button.go", "#t-proposals button.go"):
        page.locator(what).focus()
        with page.expect_response(re.compile("/do/")):
            page.keyboard.press("Enter")
    page.locator("#t-running summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#t-done .count")).to_have_text("1")
    winner = page.locator("#t-standing tbody th").first.inner_text()
    page.locator("#t-done > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    loser = page.locator("#t-focus").get_by_role("button", name=re.compile(f"^(?!{winner}).* won$"))
    loser.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#t-standing tbody th").first).not_to_have_text(winner)
    assert kari.faults == host.faults == []
