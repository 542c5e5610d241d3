"""A director goes on without the house: results are noted on the device, and entered once when it is back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.people import LAPTOP, Person
from tests.browser.tables import night_of

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
LOST = 15_000
"""Milliseconds in which a page has found out that its house is away, or back."""


@dataclass
class Cup:
    """A round robin of four whose first two matches are played; the host and Kari direct it."""

    host: Person
    kari: Person
    id: str

    def now(self) -> Any:
        return self.host.ask(f"tournaments/{self.id}/")

    def act(self, by: Person, act: str, **args: object) -> None:
        by.ask(f"tournaments/{self.id}/acts/", act=act, args=args)

    def matches(self) -> list[Any]:
        return [each for each in self.now()["matches"] if each["round"] in (1, None)][:2]

    def results(self) -> int:
        """Return how many matches are decided."""
        return sum(each["status"] == "done" for each in self.now()["matches"])

    def show(self, director: Person) -> Page:
        director.page.goto(f"{director.url}/tournament/{self.id}/")
        expect(director.page.locator("#t-running")).to_be_visible()
        director.page.wait_for_load_state("load")
        return director.page


@pytest.fixture
def cup(person: MakePerson) -> Cup:
    host, kari = person("Hanna", screen=LAPTOP), person("Kari")
    host.host_a_night("Club night")
    night, link = night_of(host), host.link("j")
    players = [person(name) for name in ("Uli", "Bruno", "Anna", "Otto")]
    for one in (kari, *players):
        one.come_in(link)
    made = host.ask(f"nights/{night}/tournaments/", name="Cup", game="chouette", kind="round_robin", length=7)
    found = Cup(host, kari, made["id"])
    ids = {one.name: one.ask("me/")["player"]["id"] for one in (kari, *players)}
    found.act(host, "name_director", player=ids.pop("Kari"))
    found.act(host, "enter", players=[*ids.values()])
    for _step in range(2):
        now = found.now()
        found.act(host, "confirm", seen=now["entries"], minute=now["minute"])
    return found


def tell(page: Page, match: Any, winner: int, points: int | None = None) -> None:
    """Say in a match's form who has won, as a director does."""
    form = page.locator(f"#result-{match['id']}")
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    if points is not None:
        form.get_by_role("textbox").fill(str(points))
    form.locator(f"button[value='{match['people'][winner]}']").click()
    expect(form).not_to_have_attribute("open", re.compile(""))


def panel(page: Page) -> Locator:
    return page.locator("#t-noted")


def come_back(person: Person) -> None:
    person.context.set_offline(False)
    expect(person.page.locator("#t-noted-enter")).to_be_visible(timeout=LOST)


def test_results_noted_without_the_house_are_entered_when_it_is_back(cup: Cup) -> None:
    page, (first, second) = cup.show(cup.host), cup.matches()
    before = page.locator("#t-standing").inner_text()
    cup.host.context.set_offline(True)
    expect(panel(page)).to_contain_text("The house is out of reach", timeout=LOST)
    expect(page.locator("#reach")).to_contain_text("Out of reach since", timeout=LOST)
    form = page.locator(f"#result-{first['id']}")
    form.locator("summary").click()
    form.get_by_role("textbox").fill("9")
    form.get_by_role("button").first.click()
    expect(panel(page)).to_contain_text("The loser has at most 6 points.")
    tell(page, first, 0, 3)
    tell(page, second, 0)
    tell(page, second, 1)  # a mistake, told anew
    expect(panel(page).locator("li")).to_have_count(2)
    expect(panel(page).locator("li").first).to_contain_text(re.compile(r"\w+ – \w+: \w+ won 7:3"))
    expect(page.locator(".t-noted-badge")).to_have_count(2)
    assert page.locator("#t-standing").inner_text() == before
    come_back(cup.host)
    page.locator("#t-noted-enter").click()
    expect(panel(page)).to_contain_text("All results are entered.")
    found = {each["id"]: each for each in cup.now()["matches"]}
    assert (found[first["id"]]["winner"], found[first["id"]]["score"]) == (first["people"][0], [7, 3])
    assert (found[second["id"]]["winner"], found[second["id"]]["score"]) == (second["people"][1], None)
    expect(page.locator("#t-standing tbody tr").first).to_contain_text(re.compile(r"1\s*0"))


def test_where_another_result_stands_meanwhile_the_director_chooses(cup: Cup) -> None:
    page, (first, second) = cup.show(cup.host), cup.matches()
    cup.host.context.set_offline(True)
    expect(panel(page)).to_be_visible(timeout=LOST)
    tell(page, first, 0, 3)
    tell(page, second, 0, 2)
    expect(panel(page).locator("li")).to_have_count(2)
    for match in (first, second):
        cup.act(cup.kari, "result", match=match["id"], winner=match["people"][1], points=5)
    come_back(cup.host)
    page.locator("#t-noted-enter").click()
    expect(panel(page).get_by_text("The house has")).to_have_count(2)
    # What was shown is corrected before the director has chosen: it is shown again, and nothing is written.
    cup.act(cup.kari, "correct", match=first["id"], winner=first["people"][1], points=6)
    page.get_by_role("button", name="Enter this one instead").first.click()
    expect(panel(page)).to_contain_text("6:7")
    assert {each["id"]: each["score"] for each in cup.now()["matches"]}[first["id"]] == [6, 7]
    page.get_by_role("button", name="Enter this one instead").first.click()
    expect(panel(page).locator("li")).to_have_count(1)
    page.get_by_role("button", name="The house's counts").click()
    expect(panel(page).locator("li")).to_have_count(0)
    scores = {each["id"]: each["score"] for each in cup.now()["matches"]}
    assert (scores[first["id"]], scores[second["id"]]) == ([7, 3], [5, 7])
    cup.host.faults.clear()  # a refusal has the status 409


def test_two_tabs_have_one_list_and_enter_each_result_once(cup: Cup) -> None:
    page, (first, _second) = cup.show(cup.host), cup.matches()
    other = cup.host.context.new_page()
    other.goto(page.url)
    expect(other.locator("#t-running")).to_be_visible()
    other.wait_for_load_state("load")
    cup.host.context.set_offline(True)
    expect(panel(page)).to_be_visible(timeout=LOST)
    tell(page, first, 1, 4)
    expect(panel(other).locator("li")).to_have_count(1)
    entries = cup.kari.ask(f"tournaments/{cup.id}/")["entries"]
    cup.host.context.set_offline(False)
    for each in (page, other):
        expect(each.locator("#t-noted-enter")).to_be_visible(timeout=LOST)
    for each in (page, other):
        each.locator("#t-noted-enter").dispatch_event("click")
    for each in (page, other):
        expect(panel(each).locator("li")).to_have_count(0)
    assert cup.now()["entries"] == entries + 1


def test_the_list_outlives_its_page_and_a_page_with_one_asks_before_it_is_left(cup: Cup) -> None:
    page, (first, _second) = cup.show(cup.host), cup.matches()
    cup.host.context.set_offline(True)
    expect(panel(page)).to_be_visible(timeout=LOST)
    tell(page, first, 0)
    expect(panel(page).locator("li")).to_have_count(1)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    expect(panel(page).locator("li")).to_have_count(1)
    assert asked == ["beforeunload"]
    cup.host.context.set_offline(False)
    again = cup.host.context.new_page()
    again.goto(page.url)
    expect(panel(again).locator("li")).to_have_count(1)
    again.locator("#t-noted-enter").click()
    expect(panel(again)).to_contain_text("All results are entered.")
    assert cup.results() == 1


def test_who_has_lost_the_right_is_told_so_and_keeps_the_list(cup: Cup) -> None:
    page, (first, second) = cup.show(cup.kari), cup.matches()
    cup.kari.context.set_offline(True)
    expect(panel(page)).to_be_visible(timeout=LOST)
    tell(page, first, 0)
    tell(page, second, 0)
    expect(panel(page).locator("li")).to_have_count(2)
    cup.act(cup.host, "void", match=second["id"])
    cup.act(cup.host, "dismiss_director", player=_kari(cup))
    come_back(cup.kari)
    page.locator("#t-noted-enter").click()
    expect(panel(page).locator("li").first).to_contain_text("director")
    cup.kari.faults.clear()  # a refusal has the status 403
    expect(panel(page).locator("li").last).to_contain_text("does not count any more")
    assert cup.results() == 0
    panel(page).get_by_text("As text").click()
    expect(panel(page).get_by_role("textbox")).to_have_value(re.compile(r"\d\d:\d\d \w+ – \w+: \w+ won"))


def _kari(cup: Cup) -> int:
    people = cup.host.ask(f"nights/{cup.now()['night']}/people/")["results"]
    return next(each["player"]["id"] for each in people if each["player"]["name"] == "Kari")
