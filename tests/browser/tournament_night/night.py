"""A tournament night: a director's laptop, phones, guests without a watched phone, a big screen, and a false clock.

The house pairs by itself; people play for times that the script draws, and say their results. The director is a browser
whose taps are counted.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Protocol

from playwright.sync_api import Locator, TimeoutError, expect

from tests.browser.people import Person
from tests.browser.tournament_night.guests import Guest

STEP_SECONDS, LONGEST_STEP_SECONDS = 30, 300
MINUTES_A_POINT, SPREAD = 8, 0.35
"""Durations of matches: gamma, with the mean for each point and the spread that the forecast is held to."""
ALONE = 0.1
"""The share of results that one side says and the other does not."""
ALONE_MINUTES = 3
"""The minutes after which the house takes the word of one, as the form proposes."""
TRIES, TRY_MS = 4, 8000
UNTIL_SECONDS = 45.0

Match = dict[str, Any]


class Clock(Protocol):
    """The clock of a night: one that the script moves (false_clock.py), or the computer's."""

    def now(self) -> datetime:
        """Return the house's time, in the zone of this computer."""

    def advance(self, seconds: float) -> None:
        """Let so much time pass, and wait until the house has done what is due then."""

    def wait(self) -> None:
        """Wait until the house has done what is due now."""


@dataclass
class Figures:
    """What a night has cost: the director's taps, those of players for each result, the forecast at half-time."""

    taps: int = 0
    told: Counter[str] = field(default_factory=Counter)
    forecast: datetime | None = None
    called: set[str] = field(default_factory=set)


class TournamentNight:
    """A night under way. `phones` and `guests` are the people by name; the director does not play."""

    def __init__(
        self,
        clock: Clock,
        director: Person,
        screen: Person,
        phones: Mapping[str, Person],
        *,
        length: int,
        seed: int,
    ) -> None:
        self.clock, self.director, self.screen, self.length = clock, director, screen, length
        self.phones = dict(phones)
        self.guests: dict[str, Guest] = {}
        self.rng = random.Random(seed)
        self.ends: dict[str, datetime] = {}
        self.said: set[str] = set()
        self.is_quiet = False
        self.figures = Figures()
        self.tournament = ""
        self.state: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.gone: set[str] = set()
        self.boards_out: set[int] = set()
        self.breaks: list[tuple[datetime, datetime]] = []
        self.begun_at = clock.now()
        director.host_a_night("Club night")
        self.link = director.link("j")
        screen.page.goto(director.link("tv"))

    @property
    def minute(self) -> float:
        """The minutes since the night began."""
        return (self.clock.now() - self.begun_at).total_seconds() / 60

    # The director

    def tap(self, target: Locator) -> None:
        """Tap as the director; every tap counts, a number typed or chosen is one, too."""
        self.figures.taps += 1
        target.click()

    def type(self, target: Locator, text: str) -> None:
        """Type into a field, or choose in a list, as the director."""
        self.figures.taps += 1
        if target.evaluate("(el) => el.tagName") == "SELECT":
            target.select_option(text)
        else:
            target.fill(text)

    def make(self, boards: int, minutes: int) -> None:
        """Make an open end on boards; it closes so many minutes from now."""
        page = self.director.page
        self.tap(page.locator("#host-more > summary"))
        self.tap(page.get_by_role("link", name="New tournament"))
        self.tap(page.get_by_label("on boards without the house"))
        self.tap(page.locator("details.more > summary:visible").last)
        self.type(page.locator("#options-form [name=boards]"), str(boards))
        closes = page.locator("#options-form [name=closes]")
        usual = datetime.strptime(closes.input_value(), "%H:%M")
        self.type(closes, f"{usual + timedelta(minutes=minutes - 240):%H:%M}")
        self.type(page.locator("#options-form [name=length]"), str(self.length))
        self.tap(page.get_by_role("button", name="Make the tournament"))
        page.wait_for_url(re.compile("/tournament/"))
        self.tournament = page.url.rstrip("/").rpartition("/")[2]

    def confirm(self) -> None:
        """Confirm all that is proposed, once the page has it; tap again where the house was faster."""
        page = self.director.page
        for _ in range(TRIES):
            before = self.read()["entries"]
            expect(page.locator("#t-proposals [name=seen]")).to_have_value(str(before))
            with page.expect_response(re.compile("/do/confirm/")) as answer:
                self.tap(page.locator("#t-proposals").get_by_role("button", name=re.compile("^(Confirm all|Now)$")))
            assert answer.value.ok
            if self.read()["entries"] > before:
                return
        raise AssertionError(f"the director can't confirm: {page.inner_text('#t-proposals')}")

    def shows(self, target: Locator) -> bool:
        """Tell whether the director's page shows something, at once or in a moment."""
        try:
            target.wait_for(timeout=TRY_MS / 4)
        except TimeoutError:
            return False
        return True

    def until(self, holds: Callable[[], bool], why: str) -> None:
        """Wait until something holds."""
        deadline = time.monotonic() + UNTIL_SECONDS
        while not holds():
            assert time.monotonic() < deadline, f"not in {UNTIL_SECONDS} s: {why}"
            self.director.page.wait_for_timeout(50)

    # People

    def come(self, *names: str) -> None:
        """Let people come to the night by its link: with a watched phone those who have one, else as guests."""
        for name in names:
            if phone := self.phones.get(name):
                phone.join(self.link)
            else:
                self.guests[name] = Guest(self.director.url, name)
                self.guests[name].join(self.link)

    def note_gone(self, name: str) -> None:
        """Note that somebody goes home after the running match: they must be called no more."""
        self.until(lambda: self._status(name) in ("withdrawn", "playing"), f"{name} is going")
        self.gone.add(name)
        running = [each["id"] for each in self.running() if self.key(name) in each["people"]]
        assert set(running) <= self.ends.keys()

    def _status(self, name: str) -> str:
        return next(str(each["status"]) for each in self.read()["people"] if each["player"]["name"] == name)

    def enter(self, *names: str) -> None:
        """Let people come in themselves, each by a tap."""
        for name in names:
            if phone := self.phones.get(name):
                phone.page.goto(self.director.page.url)
                phone.page.locator("#t-own").get_by_role("button", name="I play").click()
                expect(phone.page.locator("#t-own")).to_contain_text(re.compile("You are in|Your next match"))
            else:
                self.guests[name].act(self.tournament, "come_in", mark="-")

    def tell(self, name: str, match: Match, winner: str) -> None:
        """Say a result as one of the two."""
        self.figures.told[match["id"]] += 1
        if name in self.guests:
            self.guests[name].act(self.tournament, "tell", match=match["id"], winner=winner)
            return
        page = self.phones[name].page
        button = page.locator("#t-own form.t-tell").get_by_role("button", name=self.names[winner], exact=True)
        for _ in range(TRIES):
            try:
                with page.expect_response(re.compile("/do/tell/"), timeout=TRY_MS) as answer:
                    button.click(timeout=TRY_MS)
                assert answer.value.ok, answer.value.text()
                return
            except TimeoutError:
                # The part with the button was replaced under the finger.
                if match["id"] not in {each["id"] for each in self.running()}:
                    return
        raise AssertionError(f"{name} can't say who has won {match['id']}: {page.inner_text('#t-own')}")

    # The evening

    def read(self) -> dict[str, Any]:
        """Read the tournament, as the director's browser may."""
        self.state = self.director.ask(f"v1/tournaments/{self.tournament}/")
        self.names = {each["key"]: each["player"]["name"] for each in self.state["people"]}
        return self.state

    def running(self) -> list[Match]:
        """Return the matches that are played."""
        return [each for each in self.read()["matches"] if each["status"] == "running"]

    def key(self, name: str) -> str:
        """Return the key of a person."""
        return next(key for key, each in self.names.items() if each == name)

    def step(self, until: float) -> None:
        """Let some time pass: the house calls people to boards, who sees it goes there, and who is ready says so.

        Half a minute passes while the house has something to do, else the time until somebody is ready, or until the
        house waits no longer, or until the minute that is given.
        """
        before = self.state["entries"]
        if not self.is_quiet:
            # The countdowns of what was said just now begin now, not with the next step.
            self.clock.wait()
        self.clock.advance(self._span(until))
        running = self.running()
        for match in running:
            if match["id"] not in self.ends:
                self._begin(match)
        now = self.clock.now()
        for match in [each for each in running if self.ends[each["id"]] <= now and each["id"] not in self.said]:
            self._end(match)
            before = -1
        self.is_quiet = self.state["entries"] == before

    def _span(self, until: float) -> float:
        """Return the seconds that the next step takes."""
        if not self.is_quiet or any("entries" in each for each in self.state["proposals"]):
            return STEP_SECONDS
        now = self.clock.now()
        ends = [self.ends[each["id"]] - now for each in self.state["matches"] if each["status"] == "running"]
        minutes = [each["wait"]["until"] for each in self.state["proposals"] if "wait" in each]
        waits = [timedelta(minutes=minute - self.state["minute"]) for minute in minutes if minute is not None]
        spans = [span.total_seconds() for span in (*ends, *waits)] + [60 * (until - self.minute), LONGEST_STEP_SECONDS]
        return max(STEP_SECONDS, min(spans))

    def _begin(self, match: Match) -> None:
        """Draw how long a match takes; the screen calls it, and the phones of its people name the opponent."""
        shape = 1 / SPREAD**2
        lasting = self.rng.gammavariate(shape, match["length"] * MINUTES_A_POINT / shape)
        self.ends[match["id"]] = self.clock.now() + timedelta(minutes=lasting)
        row = self.screen.page.locator(f'.tv-pairs .is-called[data-match="{self.tournament}-{match["id"]}"]')
        expect(row).to_be_visible()
        self.figures.called.add(match["id"])
        one, other = (self.names[key] for key in match["people"])
        assert not {one, other} & self.gone, f"{one} – {other}: gone home"
        assert match["board"] not in self.boards_out, f"board {match['board']} is broken"
        started = datetime.fromisoformat(match["started_at"])
        assert not any(start <= started < end for start, end in self.breaks), f"{match['id']} begins in a break"
        for name, against in ((one, other), (other, one)):
            if name in self.phones:
                expect(self.phones[name].page.locator("#t-own")).to_contain_text(re.compile(rf"against\s*{against}\b"))

    def _end(self, match: Match) -> None:
        """Let the two of a match say who has won; now and then only one does, and the house takes their word."""
        winner = self.rng.choice(match["people"])
        people = [self.names[key] for key in match["people"]]
        for name in people[: 1 if self.rng.random() < ALONE else 2]:
            self.tell(name, match, winner)
        # What one has said alone counts some minutes later.
        self.ends[match["id"]] = self.clock.now() + timedelta(minutes=ALONE_MINUTES)
        self.said.add(match["id"])

    # Figures

    def waiting(self) -> dict[str, float]:
        """Return the minutes that each has waited between matches, without breaks."""
        spans: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
        for match in self.state["matches"]:
            if match["status"] == "done":
                span = (datetime.fromisoformat(match["started_at"]), datetime.fromisoformat(match["ended_at"]))
                for key in match["people"]:
                    spans[self.names[key]].append(span)
        return {name: self._gaps(sorted(matches)) for name, matches in spans.items()}

    def _gaps(self, matches: list[tuple[datetime, datetime]]) -> float:
        """Return the minutes between matches, without breaks."""
        waits = [
            start - end - sum((_both((end, start), each) for each in self.breaks), timedelta())
            for (_, end), (start, _) in pairwise(matches)
        ]
        return sum(waits, timedelta()).total_seconds() / 60


def _both(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> timedelta:
    """Return how long two spans of time overlap."""
    return max(timedelta(), min(one[1], other[1]) - max(one[0], other[0]))
