"""A chouette on a real board: four with phones and a big screen; line, cubes, answers and sheet are on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chouette import chouettes
from tests.browser.chouette.boards import MakePerson
from tests.browser.chouette.wood import press, view
from tests.browser.people import Person
from tests.browser.table.test_one_device import alone

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MOST_TAPS = 8
ANSWERS = """count => { const { view, choices, canAct } = document.querySelector('chouette-table').now ?? {};
  return canAct && choices.some((c) => c.name === 'answer') && view.game.answered.length === count; }"""


DOUBLED = "count => document.querySelector('chouette-table').now?.view.game.batch.length === count"
COUNT = "addEventListener('click', (e) => { window.taps = (window.taps ?? 0) + e.isTrusted }, true)"


def waits(one: Person, name: str) -> None:
    """Wait until a choice is open."""
    one.page.wait_for_function(
        "n => document.querySelector('chouette-table').now?.choices.some((c) => c.name === n)", arg=name
    )


def seated(person: MakePerson, names: list[str], **changes: str) -> tuple[list[Person], str]:
    """Seat people with phones at a real board; return them in the order of the line, and the big screen's address."""
    host, *guests = everybody = [person(name) for name in names]
    host.host_a_night("Thursday")
    link, screen = host.link("j"), host.link("tv")
    chouettes.open_table(host, "wood", **changes)
    expect(host.page.locator("#lobby-bots")).to_contain_text("real one")
    expect(host.page.locator("#lobby-bots button")).to_have_count(0)
    for guest in guests:
        guest.join(link)
    chouettes.start(host, guests)
    for one in everybody:
        expect(one.page.locator("chouette-table .bt-wood")).to_be_visible()
        one.page.evaluate(COUNT)
    return chouettes.line(everybody), screen


def taps(people: list[Person]) -> int:
    """Return how often all of them have tapped."""
    return sum(one.page.evaluate("window.taps ?? 0") for one in people)


@pytest.mark.day(parts=17, turn=11)
def test_an_evening_of_four_at_a_real_board_with_a_big_screen(person: MakePerson) -> None:
    """One double to all, one drop and a plain win: eight taps in sum; then joining, withdrawing, taking back."""
    people, screen = seated(person, ["Anna", "Bert", "Carla", "Dirk"])
    box, captain, third, fourth = people
    tv = person("TV", screen=(1920, 1080))
    tv.page.goto(screen)
    expect(tv.page.locator("chouette-table .bt-wood-row")).to_have_count(3)

    press(captain, "The game begins")
    press(box, "Double all")
    expect(tv.page.locator("#turn-text")).to_contain_text("Take or drop?")
    press(captain, chouettes.TAKE)
    press(third, "Drop")
    press(fourth, chouettes.TAKE)
    waits(captain, "result")
    press(captain, "The game is over")
    captain.page.locator("[data-act='ends team 1']").click()
    waits(box, "answer_result")
    press(box, "That is right")
    for one in people:
        expect(one.page.locator("chouette-table .bt-d-panel[data-kind='result']")).to_be_visible()
    assert taps(people) <= MOST_TAPS
    assert sorted(view(box)["totals"]) == [-3, -1, 2, 2]
    expect(tv.page.locator(".bt-tv-games")).to_contain_text("1.")

    box, captain, third, fourth = chouettes.line(people)
    press(box, "The game begins")
    waits(third, "double")
    press(captain, "Double to 2")
    waits(box, "answer_batch")
    third.page.wait_for_function("() => document.querySelector('chouette-table').now.view.game.stage === 'answers'")
    press(third, "Double to 2")
    captain.page.wait_for_function(DOUBLED, arg=2)
    press(third, "Withdraw")
    captain.page.wait_for_function(DOUBLED, arg=1)
    press(captain, "Withdraw")
    waits(captain, "double")
    press(captain, "Take back")
    waits(box, "answer_batch")
    press(box, chouettes.TAKE)
    waits(box, "result")
    expect(tv.page.locator(".bt-wood-row .bt-cube", has_text="2")).to_have_count(1)
    press(box, "The game is over")
    box.page.locator("[data-act='ends box 2']").click()
    press(captain, "Not so")
    waits(box, "result")
    host = next(one for one in people if one.name == "Anna")
    host.page.wait_for_function("document.querySelector('chouette-table').now.view.game.stage === 'wood'")
    press(host, "The game is over")
    host.page.locator("[data-act='ends box 1']").click()
    if host in (box, captain):
        press(captain if host is box else box, "That is right")
    for one in people:
        expect(one.page.locator("chouette-table .bt-d-panel[data-kind='result']")).to_be_visible()
    assert sum(view(box)["totals"]) == 0
    assert len(view(box)["sheet"]) == 2
    assert not any(one.faults for one in (*people, tv))


PHONE = (390, 844)
THROWN = """count => { const { view, choices, canAct } = document.querySelector('chouette-table')?.now ?? {};
  return canAct && choices.some((c) => c.name === 'order_die')
    && view.order.flatMap((block) => block.rolls).length === count; }"""


@pytest.mark.day(parts=17, turn=4)
def test_a_scorekeepers_phone_enters_a_game_for_four_in_at_most_eight_taps(person: MakePerson) -> None:
    """All throw for the line; then one double to all, one drop and a plain win, all on one device."""
    host = alone(person, "chouette", "wood", "Kari", "Bo", "Eva", screen=PHONE, line_order="typed")
    for count, face in enumerate((3, 5, 2, 6)):
        host.page.wait_for_function(THROWN, arg=count)
        expect(host.page.locator(".bt-mate[data-role='box']")).to_have_count(0)
        host.page.locator(f".kit-faces [data-face='{face}']").click()
        host.page.locator(".kit-faces button.go").click()
    waits(host, "begin_game")
    assert view(host)["line"] == [3, 1, 0, 2]
    host.page.evaluate(COUNT)
    press(host, "The game begins")
    waits(host, "result")
    box = view(host)["game"]["box"]
    if chouettes.now(host)["me"] != box:
        host.page.locator(f".keeping [data-seat='{box}']").click()
    waits(host, "offer")
    press(host, "Double all")
    answers = [chouettes.TAKE, "Drop", chouettes.TAKE]
    for count, word in enumerate(answers):
        host.page.wait_for_function(ANSWERS, arg=count)
        press(host, word)
    waits(host, "result")
    press(host, "The game is over")
    host.page.locator("[data-act='ends team 1']").click()
    expect(host.page.locator("chouette-table .bt-d-panel[data-kind='result']")).to_be_visible()
    assert taps([host]) <= MOST_TAPS
    assert sorted(view(host)["totals"]) == [-3, -1, 2, 2]
    assert len(view(host)["sheet"]) == 1
    expect(host.page.locator("dialog.hand")).to_be_hidden()
    assert host.faults == []


@pytest.mark.day(parts=17, turn=16)
def test_a_single_cube_is_seen_once(person: MakePerson) -> None:
    people, _ = seated(person, ["Anna", "Bert", "Carla"], cubes="single")
    press(people[0], "The game begins")
    expect(people[0].page.locator(".bt-wood-row .bt-cube:visible")).to_have_count(1)


@pytest.mark.day(parts=17, turn=2)
def test_the_scorekeeper_enters_for_people_who_have_phones_and_goes_back_to_the_own_seat(person: MakePerson) -> None:
    people, _ = seated(person, ["Anna", "Bert", "Carla"])
    host = next(one for one in people if one.name == "Anna")
    box, captain = people[0], people[1]
    press(captain, "The game begins")
    waits(host, "double" if host is not box else "offer")
    other = next(one for one in people[1:] if one is not host)
    host.page.locator("#open-menu").click()
    host.page.locator("#menu-entering button", has_text=other.name).click()
    expect(host.page.locator("#banners")).to_contain_text(f"You enter for {other.name}.")
    seat = other.page.evaluate("() => document.querySelector('chouette-table').now.me")
    host.page.wait_for_function("seat => document.querySelector('chouette-table').now?.me === seat", arg=seat)
    waits(host, "double")
    press(host, "Double to 2")
    waits(other, "withdraw_double")
    expect(other.page.locator("body")).to_contain_text("Anna entered this for you.")
    expect(other.page.locator("#log")).to_contain_text("Entered by Anna:")
    host.read_the_notices()
    host.page.get_by_role("button", name="Back to my own seat").click()
    expect(host.page.locator("#banners")).not_to_contain_text("You enter for")
    host.page.wait_for_function("() => document.querySelector('chouette-table').now?.view.me")
    expect(host.page.locator("#log")).to_contain_text("Entered by Anna:")
    assert not any(one.faults for one in people)
