"""An evening of Chicago at the browser: sitting down, and playing until it is over."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence

from playwright.sync_api import Locator, expect

from tests.browser.chouette.chouettes import READY, set_rules
from tests.browser.people import Person

ANSWERS = (*(f"chicago-table button:text-is('{name}')" for name in ("Refill", "Not guilty")), ".ct-answers button")
THINGS_TO_DO = ",".join(f"{button}{READY}" for button in (*ANSWERS, ".ct-stand", ".ct-go"))
LOOKS_AGAIN_MS = 100
"""A look at a page takes as much of the processor as some milliseconds of the game."""


def open_table(host: Person, preset: str, **changes: str) -> str:
    """Open a table of Chicago from the night's page, and return its address."""
    night = host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game=chicago&preset={preset}")
    set_rules(host, **changes)
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    return host.page.url


def start(host: Person, guests: Sequence[Person]) -> None:
    """Everybody accepts the rules card and the host starts."""
    for one in (host, *guests):
        one.accept_the_rules()
    host.tap("Start the game")
    for one in (host, *guests):
        expect(one.page.locator("chicago-table")).to_be_visible()


def act(person: Person, rng: random.Random) -> bool:
    """Do one thing that the page offers this person now; tell whether there was anything."""
    page = person.page
    if page.locator(THINGS_TO_DO).count() == 0:
        return False
    if any(_press(page.locator(f"{button}{READY}")) for button in ANSWERS):
        return True
    go, stand = page.locator(f".ct-go{READY}"), page.locator(f".ct-stand{READY}")
    if stand.count() and (go.count() == 0 or rng.random() < 0.6):
        return _press(stand)
    if go.count():
        _lay_out_ones(person)
        return _press(go)
    return False


def _lay_out_ones(person: Person) -> None:
    """Tap the ones on the felt, as anybody would."""
    ones = person.page.locator(f".ct-die[data-look=free][aria-label*='shows one']{READY}")
    for _ in range(min(2, ones.count())):
        _press(ones)


def _press(button: Locator) -> bool:
    """Press a button if it is (still) there; others may be quicker."""
    if button.count() == 0:
        return False
    try:
        button.first.click(timeout=1500)
    except Exception:  # the table moved on between the look and the tap
        return False
    return True


def is_over(person: Person) -> bool:
    """Tell whether this person's page shows the end of the game."""
    return person.page.locator(".ct-outcome:visible").count() > 0


def play_on(people: Sequence[Person], rng: random.Random, *, acts: int = 10_000, seconds: float = 90) -> int:
    """Let the people play by clicking until it is over, or `acts` things are done.

    It stands still when nobody has found anything to do for `seconds`.
    """
    done, last = 0, time.monotonic()
    while done < acts and not is_over(people[0]):
        assert time.monotonic() - last < seconds, "the game stands still"
        moved = sum(act(person, rng) for person in people)
        if moved:
            done, last = done + moved, time.monotonic()
        else:
            people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)
    return done


def seat_of(person: Person) -> int:
    """Return where somebody sits."""
    return int(person.page.evaluate("document.querySelector('chicago-table').seat"))


def waited_for(person: Person) -> list[int]:
    """Return the seats that the table waits for, as this person's page was told."""
    seats: list[int] = person.page.evaluate("document.querySelector('chicago-table').status.waitingFor")
    return seats


def play_until_waiting_for(seat: int, people: Sequence[Person], rng: random.Random) -> None:
    """Let the others play until the table waits for this seat alone, or it is over."""
    while not is_over(people[0]):
        if waited_for(people[0]) == [seat]:
            return
        if not any(act(person, rng) for person in people):
            people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)
