"""Plans of tournament nights: who plays, how long, what happens when; and what must hold when a night is over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import inf

from playwright.sync_api import expect

from tests.browser.tournament_night import incidents
from tests.browser.tournament_night.incidents import Incident
from tests.browser.tournament_night.night import TournamentNight

NAMES = (
    "Kari", "Ole", "Uli", "Per", "Leo", "Anna", "Berit", "Claus", "Dina", "Emil", "Frida", "Georg",
    "Heidi", "Ivar", "Jens", "Klara", "Lars", "Mona", "Nils", "Olga", "Paul", "Rita", "Sven", "Tina",
)  # fmt: skip
MOST_TAPS, MOST_TOLD = 60, 2
LATEST_MINUTES = 90
"""Minutes after closing time at which a night that is not over is stuck."""


@dataclass(frozen=True)
class Plan:
    """A night: its people (the first `phones` of them with a watched phone), its minutes, and incidents by minute."""

    people: int
    phones: int
    minutes: int
    length: int
    incidents: tuple[tuple[float, Incident], ...]
    late: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names of those who are there from the beginning."""
        return [name for name in NAMES[: self.people] if name not in self.late]


def plan(people: int, minutes: int, length: int, late: int, leavers: int, phones: int = 6) -> Plan:
    """Return a plan with all incidents; the times go with the length of the night."""
    part = minutes / 240
    # The last phone and the last guests come late.
    names = (NAMES[phones - 1], *NAMES[people - late + 1 : people])
    events: list[tuple[float, Incident]] = [
        *((part * at, incidents.late(name)) for at, name in zip((12, 25, 40), names, strict=False)),
        (part * 60, incidents.board_breaks),
        (part * 75, incidents.goes_home(NAMES[2])),
        (part * 90, incidents.rest(5, 15)),
        (part * 120, incidents.is_corrected),
        (part * 150, incidents.board_is_mended),
    ]
    if leavers > 1:
        events.append((part * 140, incidents.is_sent_home))
    return Plan(people, phones, minutes, length, tuple(sorted(events, key=lambda each: each[0])), names)


def run(night: TournamentNight, given: Plan, after_step: Callable[[], None] = lambda: None) -> None:
    """Play a night to its end."""
    night.make(given.people // 2, given.minutes)
    night.come(*given.names)
    night.enter(*given.names)
    night.confirm()
    left, half_time = list(given.incidents), given.minutes / 2
    while night.state["status"] != "finished":
        assert night.minute < given.minutes + LATEST_MINUTES, f"the night does not end: {night.state['proposals']}"
        night.step(min([half_time, *(minute for minute, _ in left)]))
        if left and left[0][0] <= night.minute and left[0][1](night):
            left.pop(0)
            night.is_quiet = False
        if night.minute >= half_time:
            night.figures.forecast = datetime.fromisoformat(night.state["forecast_end"])
            half_time = inf
        if any(entry["type"] == "finish" for each in night.state["proposals"] for entry in each.get("entries", ())):
            night.confirm()
        after_step()
    assert not left, left


def check(night: TournamentNight) -> None:
    """Check what holds at the end of a night."""
    done = [each for each in night.state["matches"] if each["status"] == "done"]
    assert {each["status"] for each in night.state["matches"]} == {"done"}
    for one, other in combinations(done, 2):
        if one["started_at"] < other["ended_at"] and other["started_at"] < one["ended_at"]:
            assert not set(one["people"]) & set(other["people"]), (one, other)
    assert night.figures.called == {each["id"] for each in done}
    assert night.figures.taps <= MOST_TAPS
    assert max(night.figures.told.values()) <= MOST_TOLD
    for name, phone in night.phones.items():
        place = next(each["place"] for each in night.state["people"] if each["player"]["name"] == name)
        said = "You don't play just now" if name in night.gone else f"Your place: {place}"
        expect(phone.page.locator("#t-own")).to_contain_text(said)
    page = night.director.page
    page.get_by_role("link", name="Check the draws").click()
    expect(page.locator("main")).to_contain_text(re.compile(r"\d entr(y was|ies were) drawn again"))


def figures_of(night: TournamentNight) -> Mapping[str, str]:
    """Return what a night has cost, in words."""
    waits = sorted(night.waiting().values())
    played = [each for each in night.state["matches"] if each["status"] == "done"]
    end = max(datetime.fromisoformat(each["ended_at"]) for each in played)
    plays = sorted(sum(key in each["people"] for each in played) for key in night.names)
    assert night.figures.forecast is not None
    error = (end - night.figures.forecast).total_seconds() / 60
    return {
        "people": str(len(night.names)),
        "matches": f"{len(played)}, {plays[0]} to {plays[-1]} a player",
        "director's taps": f"{night.figures.taps} (at most {MOST_TAPS})",
        "players' taps for a result": f"{max(night.figures.told.values())} at most (at most {MOST_TOLD})",
        "minutes of waiting between matches, a player": f"mean {sum(waits) / len(waits):.1f}, longest {waits[-1]:.1f}",
        "the same by player": ", ".join(f"{name} {wait:.0f}" for name, wait in sorted(night.waiting().items())),
        "the end after the forecast of half-time": f"{error:+.0f} minutes",
        "minutes from the making to the end": f"{(end - night.begun_at).total_seconds() / 60:.0f}",
    }
