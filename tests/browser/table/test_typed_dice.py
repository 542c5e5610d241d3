"""Real dice at a phone: whoever threw taps the faces that fell; the log and the dice check say so."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chouette import chouettes
from tests.browser.chouette.boards import MakePerson
from tests.browser.people import Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

NOW = """() => { const n = document.querySelector('chouette-table, chicago-table')?.now;
  return n ? { view: n.view, me: n.me, choices: n.choices, canAct: n.canAct } : {}; }"""
KNOWS = "document.querySelector('chouette-table, chicago-table')?.now"
WAITS = """name => { const n = document.querySelector('chouette-table, chicago-table')?.now;
  return n?.canAct && n.choices.some((c) => c.name === name); }"""


# What was typed has come: there is a play to make, or none and the other side's turn.
THROWN = """() => { const n = document.querySelector('chouette-table').now;
  return n.canAct && !n.choices.some((c) => c.name === 'type_dice'); }"""


def now(one: Person) -> Any:
    return one.page.evaluate(NOW)


def table_of(person: MakePerson, game: str, preset: str, **options: str) -> list[Person]:
    """Seat two people with phones at a table with real dice."""
    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday")
    link, night = host.link("j"), host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game={game}&preset={preset}")
    for name, value in {"dice": "typed", **options}.items():
        real = host.page.locator(f"[name='o-{name}'][value='{value}']")
        real.evaluate("el => { for (let d = el; d; d = d.parentElement) if ('open' in d) d.open = true }")
        real.locator("xpath=ancestor::label").click()
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    guest.join(link)
    for one in (host, guest):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, guest):
        expect(one.page.locator(f"{game}-table")).to_be_visible()
        one.page.wait_for_function(KNOWS)
    return [host, guest]


def types(one: Person, name: str, *faces: int) -> None:
    """Tap the faces that fell, and send them."""
    one.page.wait_for_function(WAITS, arg=name)
    picker = one.page.locator(".kit-faces")
    for face in faces:
        picker.locator(f"[data-face='{face}']").click()
    picker.locator("button.go").click()


@pytest.mark.day(parts=17, turn=15)
def test_backgammon_is_played_with_real_dice_by_taps(person: MakePerson) -> None:
    people = table_of(person, "chouette", "money")
    line = {now(one)["me"]: one for one in people}
    box, captain = (line[seat] for seat in now(people[0])["view"]["line"])
    faces = box.page.locator(".kit-face")
    expect(faces).to_have_count(6)
    assert all(one.bounding_box()["width"] >= 44 for one in faces.all()), "one thumb is enough"
    types(box, "opening_roll", 3)
    types(captain, "opening_roll", 5)
    captain.page.wait_for_function(WAITS, arg="move")
    assert now(captain)["view"]["game"]["dice"] == [5, 3]
    expect(box.page.locator(".kit-faces")).to_be_hidden()


@pytest.mark.day(parts=17, turn=13)
def test_chicago_is_played_with_real_dice_and_the_dice_check_says_so(person: MakePerson) -> None:
    people = table_of(person, "chicago", "bavarian", entry="throws")
    seats = {now(one)["me"]: one for one in people}
    starter = seats[now(people[0])["view"]["turn"]]
    types(starter, "type_dice", 1, 6, 2)
    starter.page.wait_for_function(WAITS, arg="stand")
    assert now(starter)["view"]["cup"]["rolled"] == [1, 2, 6]
    starter.page.keyboard.press("t")
    types(starter, "type_dice", 4, 4)
    starter.page.wait_for_function(WAITS, arg="stand")
    assert now(starter)["view"]["cup"] == {"laid": [1], "rolled": [4, 4], "throws": 2, "in_cup": 0}
    starter.page.goto(starter.page.url + "dice/")
    expect(starter.page.locator("#typed")).to_contain_text("real dice")


@pytest.mark.day(parts=17, turn=12)
def test_a_money_game_with_real_dice_is_played_to_its_end(person: MakePerson) -> None:
    """One throws sixes alone and wins a doubled gammon; all is entered by taps, the plays in writing."""
    host, guest = person("Hanna"), person("Kari")
    set_up(host, "chouette", "money", [guest], dice="typed", pause_between=0)
    box, captain = chouettes.line([host, guest])
    types(box, "opening_roll", 3)
    types(captain, "opening_roll", 5)
    chouettes.play(captain)
    throws(box, 3, 2)
    chouettes.press(captain, "Double to 2")
    chouettes.press(box, chouettes.TAKE)
    plays = 0
    while True:
        types(captain, "type_dice", 6, 6)
        plays += 1
        if played(captain):
            break
        throws(box, 3, 2)
    assert plays > 5, "a whole game"
    for one in (box, captain):
        expect(chouettes.dock(one).locator(".bt-d-panel[data-kind='result']")).to_contain_text("gammon")
        assert now(one)["view"]["last_game"]["points"][now(captain)["me"]] == 4
        expect(one.page.locator("#log")).to_contain_text(f"{captain.name} types")
    assert chouettes.totals(box) == {captain.name: 4, box.name: -4}


def throws(one: Person, *faces: int) -> None:
    """Roll instead of doubling, tap what fell, and play it."""
    chouettes.press(one, "^Roll")
    types(one, "type_dice", *faces)
    played(one)


def played(one: Person) -> bool:
    """Play the first legal play; tell whether the game is over with it."""
    one.page.wait_for_function(THROWN)
    if any(choice["name"] == "move" for choice in now(one)["choices"]):
        chouettes.play(one)
    return bool(now(one)["view"]["last_game"])


def entered(one: Person, throws: int, result: str) -> int:
    """Enter what was announced, as it is tapped; return how many taps it took."""
    one.page.wait_for_function(WAITS, arg="enter_result")
    taps = 0
    count = one.page.locator(f".ct-counts [data-throws='{throws}']")
    if count.get_attribute("aria-pressed") == "false":
        count.click()
        taps += 1
    one.page.locator(f".ct-grid [data-result='{result}']").click()
    one.page.locator(".ct-enter").click()
    return taps + 2


@pytest.mark.day(parts=17, turn=14)
def test_chicago_with_cup_and_mats_takes_at_most_three_taps_a_turn(person: MakePerson) -> None:
    people = table_of(person, "chicago", "mats")
    seats = {now(one)["me"]: one for one in people}
    first = now(people[0])["view"]["turn"]
    starter, follower = seats[first], seats[1 - first]
    starter.page.wait_for_function(WAITS, arg="enter_result")
    assert all(b.bounding_box()["width"] >= 44 for b in starter.page.locator(".ct-grid button").all())
    assert entered(starter, 2, "sum 123") <= 3
    expect(follower.page.locator(".ct-said")).to_contain_text("123 in two are high")
    assert entered(follower, 2, "sum 204") <= 2, "the number of throws is the starter's"
    starter.page.wait_for_function(WAITS, arg="enter_result")
    assert now(starter)["view"]["seats"][first]["mats"] == 1

    follower.page.locator("[data-back]").click()
    follower.page.wait_for_function(WAITS, arg="enter_result")
    assert now(follower)["view"]["seats"][first]["mats"] == 0
    expect(starter.page.locator("#log")).to_contain_text("takes the turn back")
    entered(follower, 2, "fish 0")
    follower.page.wait_for_function(WAITS, arg="enter_result")
    assert now(follower)["view"]["seats"][1 - first]["mats"] == 1


@pytest.mark.day(parts=17, turn=7)
def test_the_starter_declares_before_the_result_and_the_host_takes_a_turn_back(person: MakePerson) -> None:
    host, guest = table_of(person, "chicago", "classic")
    seats = {now(one)["me"]: one for one in (host, guest)}
    first = now(host)["view"]["turn"]
    starter, follower = seats[first], seats[1 - first]
    starter.page.wait_for_function(WAITS, arg="enter_result")
    starter.page.locator(".ct-values").get_by_role("group", name="Sixes").get_by_text("6", exact=True).click()
    starter.page.wait_for_function(
        "() => document.querySelector('chicago-table').now.view.to_enter?.valuation.sixes === 6"
    )
    entered(starter, 1, "sum 111")
    follower.page.wait_for_function(WAITS, arg="enter_result")
    host.page.reload()
    host.page.wait_for_function("() => document.querySelector('chicago-table')?.now")
    host.tap("Menu")
    host.page.get_by_role("button", name=re.compile("^Take back")).click()
    host.page.locator("#confirm-yes").click()
    starter.page.wait_for_function(WAITS, arg="enter_result")
    assert now(starter)["view"]["turn"] == first and now(starter)["view"]["history"] == []


@pytest.mark.day(parts=17)
def test_the_host_enters_the_result_of_somebody_with_a_phone_and_goes_back(person: MakePerson) -> None:
    host, guest = table_of(person, "chicago", "mats")
    is_host_first = now(host)["view"]["turn"] == now(host)["me"]
    if is_host_first:
        entered(host, 2, "sum 123")
    guest.page.wait_for_function(WAITS, arg="enter_result")
    host.tap("Menu")
    host.page.locator("#menu-entering button", has_text=guest.name).click()
    expect(host.page.locator("#banners")).to_contain_text(f"You enter for {guest.name}.")
    assert now(guest)["me"] is not None
    host.page.wait_for_function(f"seat => {KNOWS}?.me === seat", arg=now(guest)["me"])
    entered(host, 2, "sum 204" if is_host_first else "sum 123")
    expect(guest.page.locator("body")).to_contain_text(f"{host.name} entered this for you.")
    expect(guest.page.locator("#log")).to_contain_text(f"Entered by {host.name}:")
    host.read_the_notices()
    host.page.get_by_role("button", name="Back to my own seat").click()
    expect(host.page.locator("#banners")).not_to_contain_text("You enter for")
    host.page.wait_for_function(WAITS, arg="enter_result")
    entered(host, 2, "fish 0" if is_host_first else "sum 204")
    result = "Fish" if is_host_first else "204"
    expect(guest.page.locator("#log")).to_contain_text(re.compile(f"{host.name}.*{result}"))
    assert not host.faults and not guest.faults
