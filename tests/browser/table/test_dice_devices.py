"""Phones that have a part in their table's dice: the level, a phone that sleeps, a house that does not ask."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.chouette.boards import MakePerson
from tests.browser.people import Person
from tests.browser.table.test_typed_dice import WAITS
from tests.seeds import day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

LOG = """async (url) => (await (await fetch(url)).json()).entries"""
SEND = """([name]) => {
  const table = document.querySelector("chicago-table"), choice = table.now.choices.find((one) => one.name === name);
  const detail = { name, args: choice.options[0], basis: choice.basis };
  table.dispatchEvent(new CustomEvent("command", { detail }));
}"""


def log_of(one: Person) -> list[Any]:
    """Return the log of the table that somebody is at."""
    table = re.findall(r"/table/([a-z0-9]+)/", one.page.url)[0]
    entries: list[Any] = one.page.evaluate(LOG, f"{one.url}/api/tables/{table}/events/")
    return entries


def throws_of(one: Person) -> list[Any]:
    return [entry["throw"] for entry in log_of(one) if "throw" in entry]


def until(one: Person, holds: Callable[[], Any]) -> Any:
    """Wait until something holds, and return it."""
    for _ in range(200):
        if found := holds():
            return found
        one.page.wait_for_timeout(150)
    raise AssertionError("it has not come")


def tips_of(one: Person) -> set[int]:
    told = [event for entry in log_of(one) for event in entry["events"] if event["type"] == "table.dice_tip"]
    return {event["data"]["seat"] for event in told}


def table_of_two(person: MakePerson, before: Callable[[Person], None] = lambda _: None) -> list[Person]:
    """Seat two people at a table of Chicago; `before` the guest opens any page. Their phones have told their chains."""
    host, guest = person("Hanna"), person("Kari")
    host.host_a_night("Thursday")
    link, night = host.link("j"), host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game=chicago&preset=classic")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    before(guest)
    guest.join(link)
    for one in (host, guest):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, guest):
        expect(one.page.locator("chicago-table")).to_be_visible()
    until(host, lambda: tips_of(host) == {0, 1})
    return [host, guest]


def thrower(people: list[Person]) -> Person:
    """Return who can throw now."""
    found: Person = until(people[0], lambda: next((one for one in people if one.page.evaluate(WAITS, "throw")), None))
    return found


def throw(one: Person, watching: Person) -> Any:
    """Throw, and return what the log says of the dice."""
    before = len(throws_of(watching))
    one.page.evaluate(SEND, ["throw"])
    return until(watching, lambda: throws_of(watching)[before:])[0]


def stand(one: Person) -> None:
    """Let somebody stand, if they may."""
    if one.page.evaluate(WAITS, "stand"):
        one.page.evaluate(SEND, ["stand"])
        one.page.wait_for_timeout(300)


def pass_on(people: list[Person], to: Person) -> None:
    """Play on until somebody has the cup."""
    for _ in range(20):
        if (one := thrower(people)) is to:
            return
        throw(one, one)
        stand(one)
    raise AssertionError("it is never their turn")


@pytest.mark.day(parts=17, turn=3)
def test_both_phones_have_a_part_and_one_that_sleeps_has_none(person: MakePerson) -> None:
    people = table_of_two(person)
    one = thrower(people)
    other = next(each for each in people if each is not one)
    found = throw(one, one)
    assert (found["level"], set(found["links"])) == ("A", {"0", "1"})
    for each in people:
        badge = each.page.locator(".dice-level")
        expect(badge).to_have_text("A")
        expect(badge).to_be_visible()
        assert badge.bounding_box()["width"] >= 24  # type: ignore[index]
    one.page.locator(".dice-level").click()
    expect(one.page.locator("#toasts")).to_contain_text("the phones of Hanna and Kari")
    expect(one.page.locator("#log .log-level").last).to_have_text("(level A)")
    one.page.reload()
    expect(one.page.locator(".dice-level")).to_have_text("A")

    other.sleep()
    pass_on([one], one)
    found = throw(one, one)
    assert (found["level"], len(found["links"])) == ("B", 1)
    expect(one.page.locator(".dice-level")).to_have_text("B")
    other.wake()
    until(other, lambda: other.page.evaluate("document.querySelector('chicago-table')?.now"))
    assert all(each.page.locator(".notice.stop[data-name='dice']").count() == 0 for each in people)
    assert one.faults == []


class Unasked:
    """Lets all through to a page but, once it is said so, what asks its device."""

    def __init__(self) -> None:
        self.is_left_out = False

    def __call__(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda frame: (self.is_left_out and "dice_ask" in str(frame)) or socket.send(frame))


@pytest.mark.day(parts=17, turn=6)
def test_a_house_that_does_not_ask_is_found_by_the_phone_that_it_left_out(person: MakePerson, tmp_path: Path) -> None:
    house = Unasked()
    people = table_of_two(person, lambda guest: guest.page.route_web_socket("**/ws/table/**", house))
    host, guest = people
    guest.page.wait_for_timeout(2500)  # who has just come may not be known to be here
    pass_on(people, host)
    house.is_left_out = True
    box = guest.page.locator(".ct-table").bounding_box()
    assert throw(host, host)["level"] == "B"
    alarm = guest.page.locator(".notice.stop[data-name='dice']")
    expect(alarm).to_contain_text("was not asked for throw")
    expect(guest.page.locator("#strip")).to_contain_text("was not asked for throw")
    assert guest.page.locator(".ct-table").bounding_box() == box, "an alarm moves no board"
    guest.read_the_notices()
    with guest.page.expect_download() as saved:
        alarm.get_by_role("button", name="Save the proof").click()
    saved.value.save_as(tmp_path / "proof.json")
    proof = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    assert (proof["protocol"], proof["faults"][-1]["code"]) == ("pnd1", "not_asked")
    assert proof["entries"][-1]["throw"]["level"] == "B"
    alarm.get_by_role("button", name="Close").click()
    expect(alarm).to_be_hidden()
    assert host.page.locator(".notice.stop[data-name='dice']").count() == 0


FAULTS = """([k]) => {
  const name = Object.keys(localStorage).find((one) => one.startsWith("stammtisch.dice."));
  const { record, faults } = JSON.parse(localStorage.getItem(name) ?? "{}");
  return record?.seq && record.k >= k && !record.begun
    && [faults.filter((one) => one.k === k).map(({ code }) => code)];
}"""
ROLLED = "() => document.querySelector('chicago-table').now.view.cup.rolled"
FORGET = """() => {
  for (const one of Object.keys(localStorage)) if (one.startsWith("stammtisch.dice.")) localStorage.removeItem(one);
}"""
COMMITTED = {"commitment": "11" * 32, "protocol": "pnd1", "length": 4096}
TYPED = {"type": "table.started", "data": {"options": {"dice": "typed"}}, "v": 1}
WAYS = ("open", "hidden", "private", "typed", "view", "true", "true")


class MadeUp:
    """Tells a page, of the next throw, another entry than the house wrote: in one of `WAYS`, and more at random."""

    def __init__(self) -> None:
        self.rng = random.Random(day())
        self.way = ""

    def __call__(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda frame: socket.send(self.told(str(frame))))

    def told(self, text: str) -> str:
        frame = json.loads(text)
        if not self.way or frame.get("type") != "entry" or "throw" not in frame:
            return text
        way, self.way = self.way, ""
        (thrown,) = (event for event in frame["events"] if event["type"] == "dice_thrown")
        dice = self.other(thrown["data"]["dice"])
        k = frame["throw"]["k"]
        held = {"type": "table.dice_committed", "data": {**COMMITTED, "first": k + 1, "held": k}, "v": 1}
        beside = self.rng.sample([{"type": "hidden"}, held], self.rng.randint(0, 2))
        if way != "true":
            frame["view"]["cup"]["rolled"] = dice
        if way not in ("true", "view"):
            thrown["data"]["dice"] = dice
        if way in ("hidden", "private"):
            frame["throw"]["server"], beside = None, [{"type": "hidden"}, held]
            thrown |= {"private": True} if way == "private" else {}
        if way == "typed":
            thrown["data"]["typed"], beside = True, [TYPED]
        frame["events"] += beside if way in ("open", "hidden", "private") else []
        frame["events"][:0] = beside if way == "typed" else []
        return json.dumps(frame)

    def other(self, dice: list[int]) -> list[int]:
        """Return dice that have not fallen, as many."""
        while sorted(made := [self.rng.randint(1, 6) for _ in dice]) == sorted(dice):
            pass
        return made


@pytest.mark.day(parts=17, turn=9)
def test_made_up_entries_around_a_throw_are_alarms_on_a_page(person: MakePerson) -> None:
    house = MadeUp()
    people = table_of_two(person, lambda guest: guest.page.route_web_socket("**/ws/table/**", house))
    host, guest = people
    for way in house.rng.sample(WAYS, len(WAYS)):
        guest.page.evaluate(FORGET)
        guest.page.reload()
        until(guest, lambda: guest.page.evaluate(FAULTS, [0]))
        pass_on(people, host)
        house.way = way
        found = throw(host, host)
        (codes,) = until(guest, lambda: guest.page.evaluate(FAULTS, [found["k"]]))  # noqa: B023
        entry = next(one for one in log_of(host) if one.get("throw", {}).get("k") == found["k"])
        fell = next(event["data"]["dice"] for event in entry["events"] if event["type"] == "dice_thrown")
        shown = guest.page.evaluate(ROLLED)
        is_lie = bool(shown) and shown != fell  # a throw that ends a turn is not shown any more
        assert (is_lie, bool(codes)) == ((way != "true",) * 2), (way, shown, fell, codes)
        alarm = guest.page.locator(".notice.stop[data-name='dice']")
        expect(alarm).to_have_count(int(bool(codes)))
        assert host.page.locator(".notice.stop[data-name='dice']").count() == 0
        stand(host)
