"""Nights of backgammon by clicking: a chouette of five, and a match through the Crawford game."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.chouette import chouettes
from tests.browser.chouette.chouettes import TAKE, can, dock, line, now, play, press, totals, wait_for_stage
from tests.browser.evening import LOOKS_AGAIN_MS
from tests.browser.people import LAPTOP, TV, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]


def test_a_chouette_of_several_games_with_a_newcomer_a_sleeper_and_a_restart(
    person: MakePerson, server: Server
) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday", by_hand=True)
    link, tv_link = host.link("j"), host.link("tv")
    chouettes.open_table(host, "german", beavers="on", **chouettes.start_from(7))
    tv = person("TV", screen=TV, dark=True)
    tv.page.goto(tv_link)
    guests = [person("Kari"), person("Uli", dark=True), person("Ole")]
    for guest in guests:
        guest.join(link, by_hand=True)
    people = [host, *guests]
    chouettes.start(host, guests)
    expect(tv.page.locator("chouette-table")).to_be_visible()
    box, captain, second, third = line(people)

    # Game 1. The Captain doubles alone and the Box drops: the next member stands in.
    press(captain, "Begin the game")
    press(captain, "Double to 2")
    press(box, "Drop")
    for one in (*people, tv):
        expect(one.page.locator(".bt-members")).to_contain_text("stand-in")
    press(second, "Roll")
    play(second)
    press(box, "Roll")
    play(box)

    # A later turn: another cube, which the Box beavers. The third member's stays in the middle.
    press(second, "Double to 2")
    press(box, "^Beaver")
    press(second, "(Accept|Play on)")
    press(second, "Roll")
    play(second)
    finish(people)

    # A gammon: 2 × 4 with the turned cube, 1 with the other (Jacoby); the Captain had won 1.
    for one in people:
        expect(dock(one)).to_contain_text(f" beat {box.name} in the Box")
        expect(dock(one)).to_contain_text(f"{captain.name} has beaten the Box and takes its place.")
    assert totals(host) == {box.name: -10, captain.name: 1, second.name: 8, third.name: 1}
    assert line(people) == [captain, second, third, box], "the Captain's result decides"

    # Somebody comes in by the same link, and plays from the next game on at the end of the line.
    newcomer = person("Nia")
    newcomer.join(link, by_hand=True)
    newcomer.page.locator("button:visible, a:visible").filter(has_text=re.compile("Join")).first.click()
    expect(newcomer.page.locator("chouette-table")).to_be_visible()
    people.append(newcomer)
    for one in people:
        expect(one.page.locator(".bt-members")).to_contain_text("Nia")
    box, captain, second, third, fourth = line(people)
    assert fourth is newcomer

    # Game 2. One phone sleeps while the others go on, and comes back by itself.
    press(captain, "Begin the game")
    third.sleep()
    press(captain, "Roll")
    third.wake()
    play(captain)

    # The server is started anew in the middle of the game.
    server.stop()
    expect(fourth.page.locator("#banners")).to_contain_text(re.compile("connection", re.I))
    server.start()
    press(box, "Double all")
    for one in (captain, second, third):
        press(one, TAKE)
    press(fourth, "^Drop")
    press(box, "Roll")
    play(box)
    finish(people)

    # The cubes were turned: the gammon counts double for those who took; the newcomer pays 1.
    for one in people:
        expect(dock(one)).to_contain_text(f" beat {box.name} in the Box")
    before = {box.name: 1, captain.name: 8, second.name: 1, third.name: -10, fourth.name: 0}
    gained = {box.name: -11, captain.name: 4, second.name: 4, third.name: 4, fourth.name: -1}
    assert totals(host) == {name: before[name] + gained[name] for name in before}
    assert sum(totals(host).values()) == 0
    assert line(people)[0] is captain
    for one in people:
        assert one.faults == []


def finish(people: list[Person]) -> None:
    """Let everybody play on, without doubles, until the game is over."""
    while now(people[0])["view"]["phase"] == "playing":
        for one in people:
            if any(choice["name"] == "move" for choice in now(one)["choices"]):
                play(one)
            press_if(one, "Roll")
        people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)


def press_if(person: Person, name: str) -> None:
    """Press a button if it is there now; the table may just have gone on."""
    if can(person, name).count():
        with contextlib.suppress(TimeoutError):
            can(person, name).click(timeout=1500)


@pytest.mark.day(parts=17, turn=11)
def test_a_match_to_five_through_the_crawford_game(person: MakePerson, server: Server) -> None:
    """The example of docs/rules-chouette.md §8: 2–0, 2–1, 4–1, Crawford 4–2, 4–4, 6–4."""
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", dark=True)
    host.host_a_night("Friday", by_hand=True)
    link = host.link("j")
    chouettes.open_table(host, "match", match_length="5", **chouettes.start_from(2))
    guest.join(link, by_hand=True)
    people = [host, guest]
    chouettes.start(host, [guest])
    loser, winner = line(people)
    seat = now(winner)["me"]

    def score() -> tuple[int, int]:
        told = now(host)["view"]["score"]
        return told[seat], told[1 - seat]

    def begin() -> None:
        press(winner, "Begin the game")
        for one in people:
            wait_for_stage(one, "window", "roll")

    def win() -> None:
        begin()
        press(winner, "Roll")
        play(winner)

    def resign() -> None:
        press(winner, "More")
        for name in ("Resign", "1× Single game", "Yes, resign"):
            winner.page.locator("dialog[open] button:visible").filter(has_text=name).click()
        press(loser, "Accept")

    win()
    expect(dock(host)).to_contain_text(f"{winner.name} wins game 1")
    assert score() == (2, 0), "a gammon without a turned cube counts 2: no Jacoby in a match"
    begin()
    resign()
    expect(dock(host)).to_contain_text(f"{loser.name} wins game 2")
    assert score() == (2, 1)
    win()
    expect(dock(host)).to_contain_text(f"{winner.name} wins game 3")
    assert score() == (4, 1)
    begin()
    assert now(host)["view"]["crawford"]
    for one in people:
        expect(one.page.locator("chouette-table")).to_contain_text("Crawford")
        expect(can(one, "Double")).to_have_count(0)
    resign()
    expect(dock(host)).to_contain_text(f"{loser.name} wins game 4")
    assert score() == (4, 2)
    begin()
    press(winner, "Double to 2")
    press(loser, TAKE)
    resign()
    expect(dock(host)).to_contain_text(f"{loser.name} wins game 5")
    assert score() == (4, 4)
    win()
    for one in people:
        expect(one.page.locator("#turnbar")).to_contain_text(re.compile("over|wins|won", re.I))
        assert one.faults == []
    assert score() == (6, 4)
