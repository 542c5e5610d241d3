"""A page that refreshes itself takes nothing out of its reader's hands: focus, text, folds, selection, place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import ElementHandle, Locator, Page, expect

from tests.browser import evening
from tests.browser.calendar.test_season_pages import season_of
from tests.browser.payments.scene import note_game, open_evening
from tests.browser.people import LAPTOP, PHONE, Person
from tests.browser.tournament_night.guests import Guest

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300), pytest.mark.day(parts=17, turn=14)]

MakePerson = Callable[..., Person]
Match = dict[str, Any]
NAMES = ("Kari", "Nils", "Ola", "Per", "Uli", "Siv")
HEARD = """() => {
  window.heard = [];
  const watch = new MutationObserver((all) => {
    for (const { target, addedNodes } of all) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest("[role=status], [aria-live]");
      const added = [...addedNodes].map((node) => node.textContent);
      if (region) window.heard.push(target.nodeType === 3 ? target.data : added.join(" "));
      for (const node of addedNodes) {
        if (node.nodeType !== 1) continue;
        const inside = [node, ...node.querySelectorAll("*")];
        const whole = inside.filter((each) => each.matches("[role=status], [aria-live]"));
        window.heard.push(...whole.map((each) => each.textContent));
      }
    }
  });
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes what comes into live regions, and live regions that come anew: a screen reader may say all of that."""
SAID = "() => window.heard.map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean)"


def refreshed(page: Page, act: Callable[[], object]) -> None:
    """Let somebody act and wait until the page has its new parts."""
    with page.expect_response(lambda answer: "/live/" in answer.url and answer.status == 200):
        act()
    # A request that goes out later has its answer later: the one above has been read by then.
    page.evaluate("() => fetch(location.href).then((answer) => answer.text())")


def a_cup(host: Person, entered: int) -> tuple[str, dict[str, Guest]]:
    """Make a tournament on boards without the house, with some guests in it; the host directs it, and looks at it."""
    host.host_a_night("Club night")
    night, link = host.page.url, host.link("j")
    guests = {name: Guest(host.url, name) for name in NAMES}
    for guest in guests.values():
        guest.join(link)
    host.page.goto(f"{night}tournament/new/")
    host.page.locator("[name=medium][value=none]").check()
    host.page.locator("#options-form button.go").click()
    host.page.wait_for_url(re.compile(r"/tournament/\w+/$"))
    tournament = host.page.url.rstrip("/").rpartition("/")[2]
    for name in NAMES[:entered]:
        guests[name].act(tournament, "come_in", mark="-")
    expect(host.page.locator("#t-people li")).to_have_count(entered)
    return tournament, guests


def act(person: Person, tournament: str, name: str, **args: object) -> None:
    """Carry out an act in a browser's name, without its page."""
    person.ask(f"v1/tournaments/{tournament}/acts/", act=name, args=args)


def begin(host: Person, tournament: str, matches: int) -> list[Match]:
    """Begin it with its first matches; return them."""
    now = host.ask(f"v1/tournaments/{tournament}/")
    while len(now["matches"]) < matches:
        act(host, tournament, "confirm", seen=now["entries"], minute=now["minute"])
        now = host.ask(f"v1/tournaments/{tournament}/")
    expect(host.page.locator("#t-running li")).to_have_count(matches)
    return list(now["matches"])


def has_focus(page: Page, element: ElementHandle) -> bool:
    """Tell whether an element that a test holds is still in the page and has the focus."""
    return bool(page.evaluate("(each) => each.isConnected && document.activeElement === each", element))


def held(locator: Locator) -> ElementHandle:
    """Give an element the focus by the keyboard's way, and hold it."""
    locator.focus()
    found = locator.element_handle()
    assert found is not None
    return found


def test_a_director_keeps_focus_text_folds_and_place_while_others_act(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    tournament, guests = a_cup(host, entered=4)
    page = host.page
    button = held(page.locator("#t-enter-here"))
    refreshed(page, lambda: guests["Siv"].act(tournament, "come_in", mark="-"))
    assert has_focus(page, button)

    fee = held(page.locator("summary", has_text="Entry fee"))
    page.keyboard.press("Enter")
    page.locator("#t-fee").fill("250")
    first, second = begin(host, tournament, 2)
    expect(page.locator("#t-end")).to_be_visible()
    assert page.locator("#t-fee").input_value() == "250", "the page was loaded anew"
    fee.focus()
    page.keyboard.press("Enter")

    held(page.locator(f"#result-{second['id']} > summary"))
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("12")
    page.keyboard.press("Shift+ArrowLeft")
    page.evaluate("() => scrollTo(0, 60)")
    before = page.evaluate("() => scrollY")
    refreshed(page, lambda: act(host, tournament, "result", match=first["id"], winner=first["people"][0]))
    field = page.locator(f"#points-{second['id']}")
    expect(field).to_be_focused()
    assert field.evaluate("(each) => [each.value, each.selectionStart, each.selectionEnd]") == ["12", 1, 2]
    assert page.evaluate("() => scrollY") == before

    won = page.locator(f"#result-{second['id']} button").first
    winner = held(won)
    refreshed(page, lambda: guests["Siv"].act(tournament, "leave", when="after"))
    assert has_focus(page, winner)
    # The match of the focused button ends elsewhere: no button of another match gets the focus.
    refreshed(page, lambda: act(host, tournament, "result", match=second["id"], winner=second["people"][0]))
    assert page.evaluate("() => document.activeElement.localName") in ("section", "main")
    assert host.faults == []


def test_a_screen_reader_hears_of_a_guests_own_match_alone(person: MakePerson) -> None:
    host, kari = person("Hanna", screen=LAPTOP), person("Phone", screen=PHONE)
    tournament, guests = a_cup(host, entered=5)
    kari.context.add_cookies(guests["Kari"].browser_cookies())
    kari.page.goto(host.page.url)
    page = kari.page
    rules = held(page.locator("#t-leave > summary"))
    page.evaluate(HEARD)
    refreshed(page, lambda: guests["Siv"].act(tournament, "come_in", mark="-"))
    assert has_focus(page, rules)
    assert page.evaluate(SAID) == []
    matches = begin(host, tournament, 3)
    expect(page.locator("#t-own .t-versus")).to_be_visible()
    said = page.evaluate(SAID)
    assert len(said) <= 3, ("the call, the opponent, and the board with the time in the reader's zone", said)
    assert "you are called" in said[0]
    assert "against" in said[1]
    other = next(each for each in matches if not is_of(host, tournament, each, "Kari"))
    page.evaluate("() => { window.heard = []; }")
    refreshed(page, lambda: act(host, tournament, "result", match=other["id"], winner=other["people"][0]))
    assert page.evaluate(SAID) == []
    assert kari.faults == []


def is_of(host: Person, tournament: str, match: Match, name: str) -> bool:
    """Tell whether somebody plays a match."""
    people = host.ask(f"v1/tournaments/{tournament}/")["people"]
    return any(each["key"] in match["people"] and each["player"]["name"] == name for each in people)


def test_a_host_keeps_focus_and_half_typed_text_on_the_nights_page_and_in_the_waiting_room(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday")
    page, link = host.page, host.link("j")
    Guest(host.url, "Kari").join(link)
    expect(page.locator("details.menu > summary").first).to_be_visible()
    menu = held(page.locator("details.menu > summary").first)
    page.keyboard.press("Enter")
    refreshed(page, lambda: Guest(host.url, "Nils").join(link))
    assert has_focus(page, menu)
    opened = held(page.get_by_role("link", name="Open a table").first)
    refreshed(page, lambda: Guest(host.url, "Ola").join(link))
    assert has_focus(page, opened)

    late = Guest(host.url, "Per")
    late.join(link)
    table = evening.open_table(host, "classic")
    accept = held(page.get_by_role("button", name="I accept"))
    name = table.rstrip("/").rpartition("/")[2]
    refreshed(page, lambda: late.send(f"tables/{name}/seats/", accept=False))
    assert has_focus(page, accept)
    assert host.faults == []


def opened_fold(page: Page, fold: str) -> ElementHandle:
    """Open a closed fold by keys; return what has the focus then."""
    summary = held(page.locator(f"{fold} > summary"))
    assert page.locator(fold).get_attribute("open") is None
    page.keyboard.press("Enter")
    expect(page.locator(fold)).to_have_attribute("open", "")
    return summary


def selected(page: Page, locator: Locator) -> str:
    """Select an element's text; return it."""
    locator.evaluate("(each) => getSelection().selectAllChildren(each)")
    return str(page.evaluate("() => getSelection().toString()"))


def test_what_is_owed_and_a_half_typed_account_outlive_the_next_game(person: MakePerson) -> None:
    people, address = open_evening(person)
    hanna, ben = people[0], people[2]
    night = address.split("/night/")[1].strip("/")
    page = ben.page
    page.goto(address + "owed/")
    cells = page.locator("#sheet-EUR tbody tr", has_text="Ben").locator("td")
    before = opened_fold(page, "#sheet-EUR")
    expect(cells.last).to_contain_text("0.60")
    refreshed(page, lambda: note_game(people, night))
    expect(cells.last).to_contain_text("1.20")
    assert has_focus(page, before)
    expect(page.locator("#sheet-EUR")).to_have_attribute("open", "")
    kept = selected(page, page.locator("#sheet-EUR caption"))
    refreshed(page, lambda: note_game(people, night))
    expect(cells.last).to_contain_text("1.80")
    assert kept and page.evaluate("() => getSelection().toString()") == kept

    # Whoever gets money types bank details while the others play on.
    page = hanna.page
    page.goto(address + "owed/")
    page.locator("#account-name").fill("Hanna Landlady")
    page.locator("#iban").focus()
    page.keyboard.type("DE89 3704")
    page.keyboard.press("Shift+ArrowLeft")
    refreshed(page, lambda: note_game(people, night))
    expect(page.locator("#iban")).to_be_focused()
    typed = page.locator("#iban").evaluate("(each) => [each.value, each.selectionStart, each.selectionEnd]")
    assert typed == ["DE89 3704", 8, 9] and page.locator("#account-name").input_value() == "Hanna Landlady"
    assert [each.faults for each in people] == [[], [], [], []]


def test_a_season_that_is_read_while_its_night_goes_on_keeps_focus_fold_and_selection(person: MakePerson) -> None:
    olga = person("Hanna", locale="de-DE")
    season = season_of(olga, "hanna-reads")
    people, address = open_evening(lambda name: olga if name == "Hanna" else person(name))
    night = address.split("/night/")[1].strip("/")
    page = olga.page
    page.goto(season)
    mine = page.locator(".ranking li", has_text="Hanna")
    expect(mine.locator(".num")).to_have_text("7")
    focused = opened_fold(page, "#season-nights-table")
    kept = selected(page, page.locator("#season-standing-title"))
    refreshed(page, lambda: note_game(people, night))
    expect(mine.locator(".num")).to_have_text("14")
    assert has_focus(page, focused)
    expect(page.locator("#season-nights-table")).to_have_attribute("open", "")
    assert kept and page.evaluate("() => getSelection().toString()") == kept
    link = held(mine.locator("a"))
    refreshed(page, lambda: note_game(people, night))
    expect(mine.locator(".num")).to_have_text("21")
    assert has_focus(page, link)
    assert [each.faults for each in people] == [[], [], [], []]
