"""An evening on paper is a page; on a narrow phone nothing stands outside its box; times are the region's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
NARROW = {"width": 360, "height": 740}
OUTSIDE = """(box) => [...document.querySelectorAll(`${box} *`)].filter((one) => {
  const it = one.getBoundingClientRect(), around = one.closest(box), style = getComputedStyle(around);
  const end = around.getBoundingClientRect().right - parseFloat(style.paddingRight);
  return it.width && it.right > end + 1 && !one.closest("input");
}).map((one) => `${one.outerHTML.slice(0, 80)} ${one.getBoundingClientRect().right}`)"""
GAMES = 18


def test_an_evening_is_a_page_of_paper_and_fits_a_narrow_phone_in_the_regions_words(person: MakePerson) -> None:
    host = person("Hanna", locale="en-GB")
    host.host_a_night("Thursday at the Silver Calf")
    page, night = host.page, host.page.url.split("/night/")[1].strip("/")
    for name in ("Maximilian", "Kari", "Bruno"):
        person(name).join(host.link("j"))
    page.set_viewport_size(NARROW)
    page.reload()
    assert page.evaluate(OUTSIDE, "#door") == []
    ids = [
        one["player"] if isinstance(one["player"], int) else one["player"]["id"]
        for one in host.ask(f"nights/{night}/people/")["results"]
    ]
    for number in range(GAMES):
        lines = [{"player": one, "points": int(at == number % 4)} for at, one in enumerate(ids)]
        host.ask(f"nights/{night}/past-games/", game="chicago", preset="bavarian", lines=lines)
    page.goto(f"{host.url}/night/{night}/results/")
    expect(page.locator(".night-head time")).to_have_text(re.compile(r"^\d{1,2} [A-Z][a-z]+ \d{4}$"))
    expect(page.locator(".game-lines time").first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    sheet = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    page.goto(host.url)
    expect(page.locator("time").first).to_have_text(re.compile(r"^\d{1,2} [A-Z][a-z]+ \d{4}$"))
    assert host.faults == []


def test_a_reader_of_another_region_sees_its_way_of_writing(person: MakePerson) -> None:
    host = person("Hanna", locale="en-US")
    host.host_a_night("Thursday")
    expect(host.page.locator(".feed time").first).to_have_text(re.compile(r"^\d{1,2}:\d\d\s[AP]M$"))
    host.page.goto(host.url)
    expect(host.page.locator("time").first).to_have_text(re.compile(r"^[A-Z][a-z]+ \d{1,2}, \d{4}$"))


def test_the_points_of_a_players_page_fit_a_narrow_phone(person: MakePerson) -> None:
    host, guest = person("Hanna"), person("Maximilian an der Theke")
    host.host_a_night("Thursday at the Silver Calf of the old brewery")
    guest.join(host.link("j"))
    night = host.page.url.split("/night/")[1].strip("/")
    people = [one["player"]["id"] for one in host.ask(f"nights/{night}/people/")["results"]]
    lines = [{"player": one, "points": 1000 * at} for at, one in enumerate(people)]
    host.ask(f"nights/{night}/past-games/", game="chicago", preset="bavarian", lines=lines)
    page = guest.page
    page.set_viewport_size(NARROW)
    page.goto(f"{guest.url}/me/")
    guest.tap("Agree")
    page.goto(f"{guest.url}/me/")
    guest.tap("Your results", "link")
    expect(page.locator("td.points")).to_be_visible()
    assert page.evaluate(OUTSIDE, ".card.scroll-x") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
