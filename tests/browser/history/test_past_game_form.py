"""The form of a past game: four people on a phone, live points, nothing that means nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.languages import TRANSLATED
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MOST_HEIGHT = 1200
MakePerson = Callable[..., Person]


@pytest.fixture
def host(person: MakePerson) -> Person:
    """The host of a night with three guests."""
    return hosting(person)


def hosting(person: MakePerson, locale: str = "en-GB") -> Person:
    """Return the host, before the form of a past game."""
    host = person("Hanna", locale=locale)
    host.host_a_night("Thursday")
    link = host.link("j")
    for name in ("Kari", "Bruno", "Anna"):
        person(name).join(link)
    host.page.goto(host.page.url + "past-game/?game=chouette")
    # A further game of the tests, which no house has, would take a second line.
    host.page.get_by_role("link", name="Bluffing Dice").evaluate("link => (link.closest('li') ?? link).remove()")
    return host


def test_a_chouette_of_four_people_fits_on_a_phone_and_tells_its_points(host: Person) -> None:
    page = host.page
    page.locator("[name=preset]").select_option("german")
    people = [page.locator(f"[name=who-{n}]").evaluate("one => one.selectedOptions[0].text.trim()") for n in range(4)]
    page.locator("[name=game-box]").select_option(label=people[0])
    page.locator("[name=game-winner]").select_option("team")
    page.locator("[name=game-level]").select_option("1")
    expect(page.locator("[name=name-1]")).to_be_hidden()
    expect(page.locator("[name=seat-winner-3]")).to_be_hidden()
    page.locator("[name=seat-cube-1]").select_option("4")
    expect(page.locator("#past-points-1")).to_have_text("4")
    page.locator("#past-seat-3 summary").click()
    page.locator("[name=seat-winner-3]").select_option("box")
    expect(page.locator("#past-points-0")).to_have_text("−4")
    assert [page.locator("[name=game-box] option").nth(n).inner_text() for n in range(1, 5)] == people
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    host.tap("Enter the game")
    expect(page.get_by_text("The game is in the sheet.")).to_be_visible()
    assert host.faults == []


@pytest.mark.parametrize("language", share_of_day(TRANSLATED, 2))
def test_the_form_with_the_fold_of_a_person_open_is_as_high_in_each_language(person: MakePerson, language: str) -> None:
    page = hosting(person, language).page
    page.locator("[name=preset]").select_option("german")
    page.locator("#past-seat-3 summary").click()
    expect(page.locator("[name=seat-winner-3]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_somebody_new_is_named_and_a_wrong_line_says_so(host: Person) -> None:
    page = host.page
    page.goto(page.url.replace("chouette", "chicago"))
    expect(page.locator("#past-unit")).to_have_text("Rounds paid")
    page.locator("[name=points-0]").fill("1")
    page.locator("[name=who-1]").select_option("new")
    page.locator("[name=name-1]").fill("Opa Karl")
    page.locator("[name=points-1]").fill("x")
    host.tap("Enter the game")
    expect(page.locator("#line-1-error")).to_be_visible()
    host.faults.clear()  # the page of a refused form has the status 400
    expect(page.locator("[name=name-1]")).to_have_value("Opa Karl")
    page.locator("[name=points-1]").fill("0")
    expect(page.locator("#past-points")).to_contain_text("1")
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_HEIGHT
    host.tap("Enter the game")
    expect(page.get_by_text("The game is in the sheet.")).to_be_visible()
