"""A night of 24 through browsers: a director's laptop, six phones, a TV, and a house whose time the test moves on.

Each phone speaks for its owner and for three people without one. Three come late, two leave, a board breaks, there is a
break, and a wrong result is corrected after later matches. Taps, waiting times and the forecast's error are printed.
"""

from __future__ import annotations

import json
import random
import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, TV, Person
from tests.server import Server, collected_static

# Only where no day leaves anything out: `make test-long`.
NEVER = 1_000_000
pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.day(parts=NEVER), pytest.mark.timeout(3600)]

NAMES, KEPT_EACH = ("Ada", "Bo", "Cy", "Dag", "Eva", "Fin"), 3
LATE_KEEPER = "Fin"
"""Whose three come late."""
LENGTH, MINUTES_A_POINT, SPREAD = 3, 8, 0.35
MINUTES, BOARDS = 240, 12
MOST_TAPS, MOST_OF_A_RESULT = 60, 2
AUTO_SECONDS = 21.0
"""Seconds after which the house has confirmed a pairing by itself."""
TICK = 1.3
"""Seconds of a round of the house's clock, in which it calls people to the boards."""
BRINGING = """
from games.models import Night
from games.services.nights import membership
night = Night.objects.get()
for keeper, names in {brought}.items():
    for name in names:
        membership.bring(night, night.memberships.get(player__nickname=keeper).player, name)
"""
"""Brings people without a phone, by their keepers' names."""


class FalseClock:
    """The house's time: the computer's, and so many seconds ahead of it."""

    def __init__(self, folder: Path) -> None:
        self._file, self.ahead = folder / "seconds-ahead", 0.0

    def move_on(self, seconds: float) -> None:
        """Move the house's time on."""
        self.ahead += max(0.0, seconds)
        half = self._file.with_suffix(".half")
        half.write_text(str(self.ahead))
        half.replace(self._file)


@pytest.fixture
def clock_and_server(tmp_path: Path) -> Iterator[tuple[FalseClock, Server]]:
    """A house whose time a test moves on."""
    static = {"COLLECTED_STATIC": str(collected_static())}
    server = Server(tmp_path, DJANGO_SETTINGS_MODULE="tests.browser.nights.false_clock", **static)
    server.migrate()
    server.start()
    yield FalseClock(tmp_path), server
    server.stop()
    assert "Traceback" not in server.output()


@dataclass
class Evening:
    """The night as its people see it, with the taps of the director and of players."""

    server: Server
    host: Person
    phones: dict[str, Person]
    clock: FalseClock
    path: str = ""
    taps: int = 0
    results: list[int] = field(default_factory=list)
    ends: dict[str, datetime] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """Return the tournament as the API tells it."""
        found: dict[str, Any] = self.host.ask(self.path)
        return found

    def tap(self, css: str) -> None:
        """Tap as the director, and wait until the page has the answer."""
        self.taps += 1
        with self.host.page.expect_response(re.compile("/do/")):
            self.host.page.locator(css).first.click()

    def unfold(self, css: str) -> None:
        """Unfold a part of the director's page: a tap, too."""
        self.taps += 1
        self.host.page.locator(css).first.click()

    def say(self, match: dict[str, Any], winner: str, names: dict[str, str]) -> None:
        """Let the two of a match, or their keepers, tap who has won."""
        css = f'#t-own form:has(input[name="match"][value="{match["id"]}"]) button[value="{winner}"]'
        keepers = {names[key].split(" ")[0] for key in match["people"]}
        for keeper in sorted(keepers):
            page = self.phones[keeper].page
            with page.expect_response(re.compile("/do/tell/")):
                page.locator(css).click()
        self.results.append(len(keepers))


def lasting(rng: random.Random) -> timedelta:
    """Return how long a match lasts."""
    shape = 1 / SPREAD**2
    return timedelta(minutes=rng.gammavariate(shape, LENGTH * MINUTES_A_POINT / shape))


def waits(told: dict[str, Any]) -> dict[str, float]:
    """Return the minutes that each person has waited between two of their matches."""
    found: dict[str, float] = {}
    for person in told["people"]:
        own = [match for match in told["matches"] if person["key"] in match["people"] and match["ended_at"]]
        own.sort(key=lambda match: match["started_at"])
        gaps = [moment(b["started_at"]) - moment(a["ended_at"]) for a, b in pairwise(own)]
        found[person["key"]] = sum(gap.total_seconds() for gap in gaps) / 60
    return found


def moment(text: str) -> datetime:
    """Return a time of the API."""
    return datetime.fromisoformat(text)


def opened(host: Person, phones: dict[str, Person], screen: Person, server: Server) -> None:
    """Open the night with its people and its tournament."""
    host.host_a_night("Club night")
    link, tv = host.link("j"), host.link("tv")
    for phone in phones.values():
        phone.join(link)
    kept = {name: [f"{name} {number + 1}" for number in range(KEPT_EACH)] for name in phones if name != LATE_KEEPER}
    server.manage("shell", "-c", BRINGING.format(brought=kept))
    screen.page.goto(tv)
    host.tap("New tournament", "link")
    host.page.get_by_label("on boards without the house").check()
    host.page.locator("details.more > summary").last.click()
    host.page.locator("#t-boards").fill(str(BOARDS))
    host.page.locator("#t-length").select_option(str(LENGTH))
    host.tap("Make the tournament")


def test_a_night_of_24_through_browsers_needs_few_taps_and_nobody_waits_without_knowing(
    chrome: Browser, clock_and_server: tuple[FalseClock, Server]
) -> None:
    clock, server = clock_and_server
    host, screen = Person(chrome, server.url, "Hanna", screen=LAPTOP), Person(chrome, server.url, "TV", screen=TV)
    phones = {name: Person(chrome, server.url, name) for name in NAMES}
    try:
        opened(host, phones, screen, server)
        found = played(Evening(server, host, phones, clock), screen, random.Random(24))
    finally:
        for each in (host, screen, *phones.values()):
            each.close()
    assert found.taps <= MOST_TAPS
    assert max(found.results) <= MOST_OF_A_RESULT
    assert [each.faults for each in (host, screen, *phones.values()) if each.faults] == []


def entered(evening: Evening) -> None:
    """Enter everybody who is here but the host, and start; the phones look at the tournament."""
    page = evening.host.page
    evening.path = f"v1/tournaments/{page.url.rstrip('/').split('/')[-1]}/"
    evening.tap("#t-enter form:first-of-type button")
    expect(page.locator("#t-people li")).to_have_count(len(NAMES) * (1 + KEPT_EACH) - KEPT_EACH + 1)
    row = page.locator("#t-people li", has_text="Hanna")
    row.locator("details.menu > summary").click()
    evening.taps += 2
    with page.expect_response(re.compile("/do/withdraw/")):
        row.get_by_role("button", name="Goes home now").click()
    evening.tap("#t-proposals button.go")
    for phone in evening.phones.values():
        phone.page.goto(page.url)


def names_of(told: dict[str, Any]) -> dict[str, str]:
    """Return the names of the people by their keys."""
    return {person["key"]: person["player"]["name"] for person in told["people"]}


def played(evening: Evening, screen: Person, rng: random.Random) -> Evening:
    """Play the whole evening; return what it took."""
    entered(evening)
    began = moment(evening.told()["created_at"])
    acts = dict(incidents(evening))
    forecast: datetime | None = None
    while True:
        screen.page.wait_for_timeout(1000 * TICK)
        told = evening.told()
        if told["status"] == "finished":
            break
        running = {match["id"]: match for match in told["matches"] if match["status"] == "running"}
        for match_id in running.keys() - evening.ends.keys():
            evening.ends[match_id] = moment(running[match_id]["started_at"]) + lasting(rng)
        asked = [each for each in told["proposals"] if each.get("mode") == "ask"]
        if asked and told["minute"] > 30:
            evening.tap("#t-proposals button.go")
            continue
        minute = told["minute"]
        for due in [at for at in acts if at <= minute]:
            acts.pop(due)()
        if forecast is None and minute >= MINUTES // 2:
            forecast = moment(told["forecast_end"])
        over = sorted((evening.ends[key], key) for key in running)
        now = began + timedelta(minutes=minute)
        if over and over[0][0] <= now + timedelta(minutes=1):
            match = running[over[0][1]]
            evening.say(match, rng.choice(match["people"]), names_of(told))
            continue
        evening.clock.move_on(to_next(told, now, over[0][0] if over else None))
    report(evening, told, forecast)
    called = evening.host.page.request.get(evening.host.page.url + "draws/").text()
    assert "are not what was drawn" not in called
    assert acts == {}, "the night was over before its incidents"
    return evening


def to_next(told: dict[str, Any], now: datetime, end: datetime | None) -> float:
    """Return the seconds until something happens: the house confirms a pairing, a wait is over, or a match."""
    if any("entries" in each for each in told["proposals"]):
        return AUTO_SECONDS
    untils = [each["wait"]["until"] for each in told["proposals"] if each["wait"]["until"] is not None]
    found = [60.0 * (until - told["minute"]) for until in untils]
    found += [] if end is None else [(end - now).total_seconds()]
    return max(AUTO_SECONDS, min(found, default=60.0))


def incidents(evening: Evening) -> Iterator[tuple[int, Callable[[], None]]]:
    """Yield the minutes of the incidents of the night, with what the director or a player taps."""
    for number in range(KEPT_EACH):
        yield 20 + 8 * number, partial(comes_late, evening, f"{LATE_KEEPER} {number + 1}")
    yield 62, lambda: goes_home(evening, "Ada")
    yield 75, lambda: goes_home(evening, "Bo")
    yield 90, lambda: board(evening, "board_out")
    yield 120, lambda: rest(evening)
    yield 160, lambda: corrected(evening)


def comes_late(evening: Evening, name: str) -> None:
    """Let a keeper bring somebody who has come late, and the director enter them."""
    evening.server.manage("shell", "-c", BRINGING.format(brought={LATE_KEEPER: [name]}))
    more = evening.host.page.locator("#t-enter-more")
    expect(more).to_be_attached()
    if more.get_attribute("open") is None:
        evening.unfold("#t-enter-more > summary")
    evening.tap(f'#t-enter .t-enter button:has-text("{name}")')


def goes_home(evening: Evening, name: str) -> None:
    """Let a player tap that they go home."""
    page = evening.phones[name].page
    page.locator("#t-leave > summary").click()
    with page.expect_response(re.compile("/do/leave/")):
        page.locator('#t-leave button[value="after"]').click()


def board(evening: Evening, act: str) -> None:
    """Say that a board is broken."""
    evening.unfold('.t-tools summary:has-text("Boards")')
    evening.unfold(".t-tools details[open] button.danger")
    evening.host.page.wait_for_load_state()
    expect(evening.host.page.get_by_text("Saved.")).to_be_visible()


def rest(evening: Evening) -> None:
    """Plan a break."""
    evening.unfold('.t-tools summary:has-text("A break")')
    evening.unfold(".t-tools details[open] button.button")
    expect(evening.host.page.get_by_text("Saved.")).to_be_visible()


def corrected(evening: Evening) -> None:
    """Correct the earliest result that the page shows, whose people have played on since."""
    page = evening.host.page
    address = page.url.split("?")[0]
    done = next(match for match in evening.told()["matches"] if match["status"] == "done")
    loser = next(key for key in done["people"] if key != done["winner"])
    evening.taps += 2
    page.goto(f"{address}?match={done['id']}")
    evening.tap(f'#t-focus button[name="winner"][value="{loser}"]')
    page.goto(address)


def report(evening: Evening, told: dict[str, Any], forecast: datetime | None) -> None:
    """Print what the night took."""
    ended = max(moment(match["ended_at"]) for match in told["matches"] if match["ended_at"])
    waited = waits(told)
    plays = {person["key"]: person["wins"] + person["losses"] for person in told["people"]}
    figures = {
        "matches": len(told["matches"]),
        "matches of a person, mean": round(statistics.mean(plays.values()), 1),
        "director's taps": evening.taps,
        "players' taps of a result, most": max(evening.results),
        "minutes waited by a person, mean": round(statistics.mean(waited.values()), 1),
        "minutes waited by a person, most": round(max(waited.values()), 1),
        "error of the forecast at half-time, minutes": forecast and round((ended - forecast).total_seconds() / 60),
        "end after minutes": round((ended - moment(told["created_at"])).total_seconds() / 60),
    }
    print(json.dumps(figures, indent=1))
