"""A whole evening in another browser's engine: a laptop, three phones and a television; a chouette and a Chicago."""

from __future__ import annotations

import time

import pytest

from tests.browser.chouette.chouettes import TAKE, start_from
from tests.browser.people import LAPTOP, PHONE, TV
from tests.engines.engines import PLAYING, Engine
from tests.engines.page import LOOKS_AGAIN
from tests.engines.people import Guest, at_their_screens
from tests.server import Server

pytestmark = [pytest.mark.long, pytest.mark.server, pytest.mark.timeout(900)]

DOCK, SHEET = ".bt-dock button", "dialog[open] button"
BACK_WITHIN = 120.0
"""Seconds until all are at a house that was started anew: after each try in vain Firefox waits longer by itself."""
CELL = "[role=gridcell]"
CONFIRM = ".bt-confirm:not([disabled])"
OF_CHICAGO = (
    ("chicago-table button", "^(Refill|Not guilty)$"),
    *((css, "") for css in (".ct-answers button", ".ct-stand", ".ct-go")),
)


@pytest.mark.parametrize("engine", PLAYING, ids=lambda one: one.name)
def test_an_evening(engine: Engine, house: Server) -> None:
    screens = {"Hanna": LAPTOP, "Kari": PHONE, "Uli": PHONE, "Bo": PHONE, "TV": TV}
    with at_their_screens(engine, house.url, **screens) as (*people, tv):
        night = come_together(people, tv)
        chouette(house, people, tv)
        chicago(night, people, tv)


def come_together(people: list[Guest], tv: Guest) -> str:
    """Open a night and a table of backgammon on it, come in and sit down; return the night's address."""
    host, *guests = people
    night, link = host.host_a_night("Thursday"), host.link("j")
    tv.open(host.link("tv"))
    tv.see(".room-code")
    host.open_table(night, "chouette", "german", **start_from(7))
    for guest in guests:
        guest.join(link)
    sit_down(people, tv, "chouette")
    return night


def sit_down(people: list[Guest], tv: Guest, game: str) -> None:
    """Everybody accepts the house rules, the host begins."""
    for one in people:
        one.tap("#accept")
    # The host's page hears of them one after the other, and may take those who are ready for all.
    ready = "document.querySelectorAll('#lobby-seats .good-text').length"
    people[0].page.wait_for(f"() => {ready} === {len(people)}")
    people[0].tap("#start")
    for one in (*people, tv):
        one.at_the_table(game)


def chouette(house: Server, people: list[Guest], tv: Guest) -> None:
    """One game with a double that is taken, a play that is taken back, a drop, a resignation and a settlement."""
    seats = {one.now["me"]: one for one in people}
    box, captain, second, third = (seats[seat] for seat in people[0].now["view"]["line"])
    captain.press(DOCK, "^Begin the game")
    captain.press(DOCK, "^Double to 2")
    box.press(DOCK, TAKE)
    captain.press(DOCK, "^Roll")

    # A phone sleeps while the others go on, and wakes to what is there then.
    third.sleep()
    play(captain)
    captain.press(DOCK, "^Take back")
    box.press(DOCK, "^Accept")
    play(captain)
    third.wake()
    same_board(captain, [*people, tv])

    # The house is started anew while a phone sleeps; all come back by themselves.
    third.sleep()
    house.stop()
    for one in (box, captain, second):
        one.see("#strip", "onnect")
    house.start()
    third.wake()
    for one in people:
        one.page.wait_for("() => document.getElementById('strip').hidden", seconds=BACK_WITHIN)
    box.press(DOCK, "^Double all")
    for one in (*people, tv):
        one.picture("doubled")
    captain.press(DOCK, TAKE)
    second.press(DOCK, "^Drop")
    third.press(DOCK, TAKE)
    box.press(DOCK, "^Roll")
    play(box)

    captain.tap(DOCK, "^More")
    captain.tap(SHEET, "^Resign")
    captain.tap(SHEET, "^1× Single game")
    captain.press(SHEET, "^Yes, resign")
    box.press(DOCK, "^Accept")
    box.tap(DOCK, "^More")
    box.tap(SHEET, "^Settle a cube")
    box.fill("dialog[open] [name=who]", "-1")
    box.fill("dialog[open] [name=points]", "1")
    box.press(SHEET, "^Propose")
    third.press(DOCK, "^Accept")
    for one in people:
        one.see(".bt-d-panel", "Game 1 is over")
        one.picture("settled")
    same_board(third, [*people, tv])
    gained = {captain: -4, second: -1, third: 1, box: 4}
    seen = people[0].now
    assert {seats[seat]: points for seat, points in enumerate(seen["view"]["totals"])} == gained


def play(mover: Guest) -> None:
    """Play by tapping checkers, and where they go, until the play can be confirmed."""
    mover.see(".bt-confirm")
    while not mover.sees(CONFIRM):
        mover.touch(CELL, ", target$" if mover.sees(CELL, ", target$") else ", can move$")
    mover.press(CONFIRM)


def same_board(mover: Guest, others: list[Guest]) -> None:
    """Wait until others are shown the game that a mover's page shows."""
    seen = "(({ sheet, game, totals }) => JSON.stringify([sheet.length, game?.points, game?.stage, totals]))"
    script = f"() => {seen}(document.querySelector('chouette-table').now.view)"
    shown = mover.page.evaluate(script)
    for one in others:
        one.page.wait_for(f"(shown) => ({script})() === shown", shown)


def chicago(night: str, people: list[Guest], tv: Guest) -> None:
    """The host closes the table and opens one of Chicago, which is played to its end; the results are there."""
    host, *guests = people
    host.tap("#open-menu")
    host.tap("#menu button", "^Close the table$")
    host.tap("#confirm-yes")
    for one in people:
        one.see("#after a", "Results")
    host.open_table(night, "chicago", "classic", rounds="1", pause_between="0")
    for guest in guests:
        guest.open(night)
        guest.tap("form[action$='/sit/'] button")
    sit_down(people, tv, "chicago")
    seats = {one.now["me"]: one for one in people}
    while not tv.sees(".ct-outcome"):
        waited = host.page.evaluate("() => document.querySelector('chicago-table').status.waitingFor")
        if not any(act(seats[seat]) for seat in waited):
            time.sleep(LOOKS_AGAIN)
    for one in (*people, tv):
        one.see(".ct-outcome h2")
        one.picture("outcome")
    host.open(f"{night}results/")
    for guest in people:
        host.see("main", guest.name)


def act(one: Guest) -> bool:
    """Do one thing that the table of Chicago offers somebody now; tell whether there was anything."""
    return any(one.press_if_there(css, words) for css, words in OF_CHICAGO)
