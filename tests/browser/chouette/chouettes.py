"""A session of backgammon at the browser: seats by role, buttons to press, plays by typing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, expect

from chouette.board.gnubg_id import position_id
from chouette.board.position import Position
from tests.browser.people import Person

TAKE = "^Take(?! back)"
"""The label of a take; "Take back" may stand in the dock before the double has come."""
READY = ":visible:not([aria-disabled=true]):not([disabled]):not([data-deaf])"


def bearing_off(checkers: int) -> Position:
    """Return a position of the side on roll: so many of its checkers left, on its last point.

    The other side has all 15 on its way and is past all contact: whatever is thrown, it
    bears none off in time and loses a gammon, and is never in the winner's home.
    """
    points = [0] * 26
    points[1] = checkers
    for point, count in ((7, 5), (8, 5), (9, 5)):
        points[point] = -count
    return tuple(points)


def open_table(host: Person, preset: str, **changes: str) -> None:
    """Open a table of backgammon from the night's page."""
    night = host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game=chouette&preset={preset}")
    set_rules(host, **changes)
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))


def set_rules(host: Person, **changes: str) -> None:
    """Change house rules in the form of a new table."""
    for name, value in changes.items():
        field = host.page.locator(f"[name='o-{name}']").first
        field.evaluate("el => { for (let d = el; d; d = d.parentElement) if (d.open === false) d.open = true }")
        if field.evaluate("el => el.tagName") == "SELECT":
            field.select_option(value)
        elif field.get_attribute("type") == "radio":
            # Its words lie over it.
            radio = host.page.locator(f"[name='o-{name}'][value='{value}']")
            host.page.locator("label", has=radio).click()
            expect(radio).to_be_checked()
        elif field.get_attribute("type") == "checkbox":
            field.set_checked(value == "on")
        else:
            field.fill(value)


def start(host: Person, guests: Sequence[Person]) -> None:
    """Everybody accepts the rules card and the host starts."""
    for one in (host, *guests):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, *guests):
        expect(one.page.locator("chouette-table .bt-dock")).to_be_visible()


def start_from(checkers: int) -> dict[str, str]:
    """Return the house rules of a table whose games begin with that bear-off."""
    return {"start_position": position_id(bearing_off(checkers)), "grace_seconds": "0", "pause_between": "0"}


def now(person: Person) -> dict[str, Any]:
    """Return what this person's table was told last, as soon as it is told anything."""
    told = person.page.wait_for_function(
        "() => { const n = document.querySelector('chouette-table')?.now;"
        " return n && { view: n.view, me: n.me, choices: n.choices }; }"
    )
    found: dict[str, Any] = told.json_value()
    return found


def by_seat(people: Sequence[Person]) -> dict[int, Person]:
    """Return the people by their seats; a page is told of its own seat just after the others."""
    for one in people:
        one.page.wait_for_function("() => Number.isInteger(document.querySelector('chouette-table')?.now?.me)")
    return {now(one)["me"]: one for one in people}


def line(people: Sequence[Person]) -> list[Person]:
    """Return the people in the line of the game: Box, Captain, next, …"""
    seats = by_seat(people)
    return [seats[seat] for seat in now(people[0])["view"]["line"]]


def dock(person: Person) -> Locator:
    """Return the place where the decisions are."""
    return person.page.locator(".bt-dock")


def can(person: Person, name: str) -> Locator:
    """Return the button of a decision, while it can be pressed."""
    return dock(person).locator(f"button{READY}").filter(has_text=re.compile(name)).first


def press(person: Person, name: str) -> None:
    """Press the button of a decision as soon as it is there."""
    can(person, name).click()


def wait_for_stage(person: Person, *stages: str) -> None:
    """Wait until a game runs and has come to one of these stages."""
    person.page.wait_for_function(
        "stages => { const v = document.querySelector('chouette-table')?.now?.view;"
        " return v?.phase === 'playing' && stages.includes(v.game?.stage); }",
        arg=list(stages),
    )


def play(person: Person) -> None:
    """Type the first legal play into the field, and confirm it."""
    person.page.wait_for_function(
        "() => { const n = document.querySelector('chouette-table').now;"
        " return n.canAct && n.choices.some((c) => c.name === 'move'); }"
    )
    options = next(c for c in now(person)["choices"] if c["name"] == "move")["options"]
    if len(options) > 1:
        field = person.page.locator(".bt-field")
        if not field.is_visible():
            person.page.get_by_role("button", name="Type a play").click()
        field.fill(options[0]["play"])
        field.press("Enter")
    if person.page.locator(".bt-confirm:visible:not([disabled])").count():
        person.page.locator(f".bt-confirm{READY}").click()
    person.page.wait_for_function(
        "() => !document.querySelector('chouette-table').now.choices.some((c) => c.name === 'move')"
    )


def totals(person: Person) -> dict[str, int]:
    """Return the running totals of the score sheet by name."""
    told = now(person)["view"]
    names: dict[str, str] = person.page.evaluate(
        "() => Object.fromEntries(document.querySelector('chouette-table').now.seats.map((s) => [s.seat, s.name]))"
    )
    return {names[str(seat)]: total for seat, total in enumerate(told["totals"])}
