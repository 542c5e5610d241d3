"""Chicago on phones in German: a round in which low counts, somebody leaves, somebody joins."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import evening
from tests.browser.people import LAPTOP, TV, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

LOOSE_MODULES = True

MakePerson = Callable[..., Person]
CAN = """name => {
    const table = document.querySelector("chicago-table");
    return table.canAct && table.choices.some((c) => c.name === name);
}"""
SEND = """([name, args]) => {
    const table = document.querySelector("chicago-table");
    const choice = table.choices.find((c) => c.name === name);
    const told = args ?? choice.options[0];
    table.dispatchEvent(new CustomEvent("command", { detail: { name, args: told, basis: choice.basis } }));
}"""
# What of a table an act changes, and who comes or goes does not.
SEEN = """(() => {
    const { round, turn, cup, history } = document.querySelector("chicago-table").view;
    return JSON.stringify([round, turn, cup, history]);
})()"""
# What the table says of a state that the rules might tell, before the house tells it the true one again.
SAYS = """async ([changes, press, hint]) => {
    const table = document.querySelector("chicago-table");
    const view = { ...table.view, ...changes, options: { ...table.view.options, ...(changes.options ?? {}) } };
    // What the house still sends does not show over what is tried here.
    table.update = () => {};
    const { update } = customElements.get("chicago-table").prototype;
    update.call(table, { view, choices: changes.choices ?? [], seats: table.seats, canAct: true });
    await new Promise((shown) => requestAnimationFrame(() => setTimeout(() => setTimeout(shown))));
    if (press) table.querySelector(press).click();
    if (hint) table.showHint(hint);
    const parts = ["said", "need", "rule", "phase", "highlow", "go", "turn", "advice"];
    return Object.fromEntries(parts.map((part) => [part, table.querySelector(`.ct-${part}`).textContent]));
}"""


def shot(one: Person, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        one.page.wait_for_timeout(600)
        one.page.screenshot(path=f"{folder}/{name}.png")


def view(one: Person) -> Any:
    return one.page.evaluate("document.querySelector('chicago-table').view")


def send(people: list[Person], seats: dict[int, Person], name: str, args: Any = None) -> None:
    """Let whoever is on turn do something, and wait until all have seen it."""
    one = seats[view(people[0])["turn"]]
    one.page.wait_for_function(CAN, arg=name)
    # The log is no witness: it is filled with what was before, too.
    before = one.page.evaluate(SEEN)
    one.page.evaluate(SEND, [name, args])
    one.page.wait_for_function(f"before => {SEEN} !== before", arg=before)
    after = one.page.evaluate(SEEN)
    for other in people:
        other.page.wait_for_function(f"after => {SEEN} === after", arg=after)


@pytest.mark.day(parts=17, turn=1)
def test_a_round_in_which_low_counts_then_somebody_leaves_and_somebody_joins(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Freitag")
    link, tv_link = host.link("j"), host.link("tv")
    evening.open_table(host, "classic")
    people = [host, *(person(name, locale="de-DE") for name in ("Kari", "Uli"))]
    for one in people[1:]:
        one.join(link)
        one.page.get_by_role("button", name=re.compile("Ich nehme an|annehme|los", re.I)).first.click()
    host.accept_the_rules()
    host.tap("Start the game")
    for one in people:
        expect(one.page.locator(".ct-seat[data-me]")).to_have_count(1)
    tv = person("TV", screen=TV, locale="de-DE")
    tv.page.goto(tv_link)
    seats = {evening.seat_of(one): one for one in people}
    phone = people[1]

    send(people, seats, "throw")
    first = view(host)["turn"]
    send(people, seats, "stand", {"ones": 1, "sixes": 6, "high": False})
    said = phone.page.locator(".ct-said")
    expect(said).to_have_text(re.compile(r"^\d+ auf eins ist am besten, niedrig zählt$"))
    expect(tv.page.locator(".ct-said")).to_have_text(re.compile(r"am besten, niedrig zählt$"))
    expect(phone.page.locator(".ct-rule")).to_contain_text("niedrig zählt")
    for one in (phone, tv):
        words = one.page.locator("body").inner_text()
        assert "gewinnt" not in words and "tief" not in words.split()
    expect(people[2].page.locator(".ct-stands").first).to_contain_text("Am besten")
    shot(phone, "1-low")

    # Whoever leaves takes their result with them: the next one starts.
    host.page.locator("#open-menu").click()
    panel = host.page.locator(".host-seat").nth(first)
    panel.locator("summary").click()
    panel.get_by_role("button", name="Out of the game").click()
    host.page.locator("#confirm-yes").click()
    left = seats.pop(first)
    stay = [one for one in people if one is not left]
    for one in stay:
        expect(one.page.locator(".ct-said")).not_to_contain_text(re.compile("niedrig|low counts"))
    assert view(stay[0])["beat"] is None and view(stay[0])["throws_allowed"] is None
    shot(phone, "2-left")

    # A newcomer comes in, and who left comes back: from the next round on.
    send(stay, seats, "throw")
    nora = person("Nora", locale="de-DE")
    nora.join(link)
    nora.page.get_by_role("button", name="Mitspielen").click()
    expect(nora.page.locator(".ct-seat[data-status=coming]")).to_have_count(1)
    left.page.get_by_role("button", name=re.compile("Mitspielen|Join the table")).click()
    expect(nora.page.locator(".ct-seat[data-status=coming]")).to_have_count(2)
    shot(nora, "3-newcomer")
    send(stay, seats, "stand", {"ones": 100, "sixes": 60, "high": True})
    send(stay, seats, "throw")
    for one in (nora, left):
        expect(one.page.locator(".ct-seat[data-status=coming]")).to_have_count(0)
    assert view(nora)["order"][-2:] == [3, first]
    shot(nora, "4-joined")
    assert not [one.faults for one in (*people, nora, tv) if one.faults]


RESULT = {"round": 1, "seat": 0, "dice": [5, 4, 2], "value": 11, "throws": 2, "chick": False, "fish": True}


@pytest.mark.day(parts=17, turn=1)
def test_what_the_table_says_is_true(person: MakePerson) -> None:
    """Fish by their sum, the high to beat, forced sixes, the button's count, names of things."""
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Friday")
    link = host.link("j")
    evening.open_table(host, "bavarian")
    kari = person("Kari", locale="de-DE")
    kari.join(link)
    kari.page.get_by_role("button", name=re.compile("Ich nehme an|annehme|los", re.I)).first.click()
    host.accept_the_rules()
    host.tap("Start the game")
    for one in (host, kari):
        expect(one.page.locator(".ct-seat[data-me]")).to_have_count(1)
    page = kari.page
    page.wait_for_function("() => document.querySelector('chicago-table')?.view?.turn >= 0")
    other = {"turn": 0 if evening.seat_of(kari) else 1, "waiting": []}

    def says(changes: dict[str, Any], press: str = "", hint: Any = None) -> dict[str, str]:
        return page.evaluate(SAYS, [changes, press, hint])

    shown = says({"high": RESULT, "low": RESULT, "beat": RESULT, "options": {"fish": "by_sum"}, **other})
    assert "Fish 11 auf zwei" in shown["highlow"] and "Fish 11 auf zwei" in shown["need"]

    high = {**RESULT, "dice": [1, 2, 3], "value": 105, "fish": False}
    shown = says({"phase": "playing_off", "for_high": True, "high": high, "beat": high, **other})
    assert "muss überbieten, was hoch ist: 105 auf zwei" in shown["need"]
    assert "nur wer hoch ist, wird einen Bierfilz los" in shown["rule"] and "Runterspielen" in shown["phase"]
    with_idle = {"phase": "over", "options": {"rounds": 6}, **other}
    assert " von 6" not in says(with_idle)["phase"], "a game for mats has no number of rounds"

    cup = {"laid": [4], "rolled": [6, 6], "throws": 2, "in_cup": 0}
    mine = {"cup": cup, "turn": evening.seat_of(kari), "throws_left": 1}
    lays = [{"lay": lay, "turn": turn} for turn in (False, True) for lay in ([], [4])] + [
        {"lay": [4, 6], "turn": False}
    ]
    throw = {"name": "throw", "seat": 0, "basis": 1, "required": True, "seconds": None, "options": lays}
    may_return = {**mine, "choices": [throw], "options": {"free_return": "third"}}
    assert "Nochmal einen" in says(may_return, ".ct-turn")["go"], "a one and the 4 stay"

    chance = {"num": 1, "den": 2, "decimal": 0.5}
    advice = {"name": "throw", "args": {"lay": [], "turn": False}, "aim": "high_not_low", "chance": chance}
    assert "die Mitte zwischen der Chance" in says({**mine, "choices": [throw]}, "", advice)["advice"]

    said = """async ([event, options]) => {
        const { lineOf } = await import("games/kit/page/sentences.js");
        const table = document.querySelector("chicago-table");
        return lineOf(event, table.seats, { ...table.view.options, ...options });
    }"""

    def told(kind: str, options: dict[str, Any] | None = None, **data: Any) -> str:
        return page.evaluate(said, [{"type": kind, "data": {"seat": 0, **data}}, options or {}])

    assert told("sixes_turned", forced=True) == "Hanna dreht drei Sechser zu zwei Einsern um."
    removed = {"count": 1, "to_stock": True}
    assert told("mats_removed", **removed) == "1 Bierfilz von Hanna kommt zurück in den Stapel."
    assert (
        told("mats_removed", {"playing_off": "give"}, **removed) == "1 Bierdeckel von Hanna kommt zurück in den Stapel."
    )
    push_up = {"forfeits": True, "forfeit_name": "ein Liegestütz"}
    assert told("forfeit_taken", push_up, count=3) == "Hanna bekommt: 3 × ein Liegestütz."
    leaving = told("forfeit_taken", push_up, count=3, reason="leaving")
    assert leaving == "Gehen kostet: 3 × ein Liegestütz.", "somebody else may sit there by now"
    assert told("forfeit_taken", {"forfeit_name": "a point"}, count=1) == "Hanna bekommt: ein Punkt."


@pytest.mark.day(parts=17, turn=1)
def test_a_seat_that_is_offered_is_read_whole_on_every_phone(person: MakePerson) -> None:
    host, watcher = person("Hanna", screen=LAPTOP), person("Nora", locale="de-DE")
    set_up(host, "chicago", "bavarian", (), ("Kari", "Uli"))
    table = host.page.url
    host.page.go_back()
    watcher.come_in(host.link("j"))
    watcher.page.goto(table)
    offer = watcher.page.locator("#join-bar")
    expect(offer).to_be_visible()
    for width, height in ((390, 844), (360, 640), (844, 390)):
        watcher.page.set_viewport_size({"width": width, "height": height})
        for part in offer.locator("p, button").all():
            expect(part).to_be_in_viewport(ratio=1)
        expect(watcher.page.locator(".ct-last")).to_be_hidden()
