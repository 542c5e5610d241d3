"""The backgammon board at the browser: study positions, its cells, whose play it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.evening import LOOKS_AGAIN_MS
from tests.browser.people import LAPTOP, Person
from tests.browser.tables import set_up
from tests.frames import listed

MakePerson = Callable[..., Person]
OFF, BAR = 0, 25
LETTERS = "-ABCDEFGHIJKLMNO"

START = {24: 2, 13: 5, 8: 3, 6: 5, 1: -2, 12: -5, 17: -3, 19: -5}
TWO_BLOTS = {24: 2, 13: 3, 8: 3, 6: 5, 5: 2, 10: -1, 9: -1, 1: -2, 12: -4, 17: -3, 19: -4}
ONE_PLAY = {24: 1, 6: 5, 5: 4, 4: 3, 3: 2, 18: -2, 20: -3, 22: -2, 12: -2, 13: -2, 1: -2, 2: -2}
NO_PLAY = {BAR: 1, 6: 5, 5: 4, 4: 3, 3: 2, 1: -2, 19: -3, **dict.fromkeys(range(20, 25), -2)}
ENTERING = {BAR: 1, 13: 4, 8: 3, 6: 5, 5: 2, 1: -2, 12: -5, 17: -3, 19: -5}
BEARING_OFF = {6: 3, 5: 2, 4: 2, 3: 1, 1: 1, 20: -2, 22: -3, 24: -1}


def xgid(points: dict[int, int], roll: str) -> str:
    """Return a study position: the Captain's checkers positive, who has rolled `roll`."""
    counts = [points.get(i, 0) for i in range(26)]
    text = "".join(LETTERS[n] if n >= 0 else LETTERS[-n].lower() for n in counts)
    return f"XGID={text}:0:0:1:{roll}:0:0:0:0:10"


def seated(
    person: MakePerson, position: str, names: str = "Hanna Kari", preset: str = "money", **how: Any
) -> list[Person]:
    """Seat people at a table that starts from a position; the first one hosts it."""
    host, *guests = (person(name, **{"screen": LAPTOP, **how}) for name in names.split())
    set_up(host, "chouette", preset, guests, start_position=position)
    return [host, *guests]


def now(one: Person) -> Any:
    """Return what the table's element was told last."""
    return one.page.evaluate("document.querySelector('chouette-table').now ?? null")


def send(one: Person, name: str, args: Any) -> None:
    """Answer an open choice as the element would."""
    one.page.evaluate(
        """([name, args]) => {
            const table = document.querySelector("chouette-table");
            const basis = table.now.choices.find((choice) => choice.name === name).basis;
            table.dispatchEvent(new CustomEvent("command", { detail: { name, args, basis } }));
        }""",
        [name, args],
    )


def mover(people: Sequence[Person]) -> Person:
    """Let everybody roll and hold the cube, until somebody has a play to make and all see it."""
    for _ in range(300):
        for one in people:
            table = now(one) or {"choices": [], "canAct": False}
            names = {choice["name"]: choice for choice in table["choices"]}
            if "move" in names:
                all_see(people)
                return one
            due = [name for name in names if names[name]["required"]]
            if table["canAct"] and due:
                name = "roll" if "roll" in due else due[0]
                send(one, name, listed(names[name])[-1])
        people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)
    raise AssertionError("nobody comes to move")


def all_see(people: Sequence[Person]) -> None:
    """Wait until all pages show that somebody has a play to make."""
    for one in people:
        one.page.wait_for_function("() => document.querySelector('chouette-table').now?.view.game?.stage === 'move'")


def cell(one: Person, place: int) -> Locator:
    return one.page.locator(f".bt-cell[data-place='{place}']")


def holds(one: Person, place: int, text: str) -> None:
    """Expect a place of the board to be described like this."""
    expect(cell(one, place)).to_have_attribute("aria-label", re.compile(text))


def confirm(one: Person) -> Locator:
    return one.page.locator(".bt-confirm")


def drag(one: Person, place: int, target: int) -> None:
    """Drag the checker at a place to another one."""
    cell(one, place).drag_to(cell(one, target))


def swap_dice(one: Person) -> None:
    """Tap the dice of the side at the bottom: they lie in the middle of its right half."""
    board = one.page.locator(".bt-fit").bounding_box()
    assert board
    one.page.mouse.click(board["x"] + board["width"] * 0.713, board["y"] + board["height"] / 2)


def told(one: Person, play: str) -> None:
    """Wait until the page is told that this is the last play."""
    last = "document.querySelector('chouette-table').now.view.game.last_play?.play"
    one.page.wait_for_function(f"play => {last} === play", arg=play)


def played(people: Sequence[Person], play: str) -> None:
    """Expect everybody to be shown this as the last play, in words and as arrows."""
    for one in people:
        told(one, play)
        expect(one.page.locator(".bt-said")).to_contain_text(play)
        expect(one.page.locator(".bt-arrows.is-last").first).to_be_attached()


def tv_link(host: Person) -> str:
    """Return the big screen's link, from the night's page in a page of its own."""
    return night_link(host, "tv")


def night_link(host: Person, kind: str) -> str:
    """Return the link for guests (`j`) or for the big screen (`tv`), from the night's page in a page of its own."""
    night = host.page.locator("a[href^='/night/']").first.get_attribute("href")
    html = host.context.request.get(f"{host.url}{night}").text()
    found = re.search(rf"http[^\"'\s<]*/{kind}/[a-z0-9]+/[a-z0-9]+/", html)
    assert found
    return found.group(0)
