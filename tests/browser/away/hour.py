"""An hour without the house: `python -m tests.browser.away.hour --seed 1 --engine chromium`.

A chouette of five on a real board and a Chicago of five for mats go on while the house is killed and started again
and again. What people then tell on their devices, in two tabs, with a clock that jumps, with no room on the disk, with
tabs that are thrown away, is handed over, also into a house that is killed meanwhile. In the end both tables are held
against evenings that were never broken: each game once, and points, Box, line, carried double and mats the same.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()

from games.kernel.contract import JsonObject
from tests.browser.away.devices import KEPT, ChromiumDevice, Device, EngineDevice, Tab
from tests.browser.away.evenings import RESULT, Act, Chicago, Chouette, Evening, Played
from tests.browser.gallery.stage import browser_of
from tests.conftest import CHROMIUM
from tests.engines.engines import engine as of_name
from tests.engines.page import LOOKS_AGAIN, EngineError
from tests.server import Server, collected_static

HOUR = 3600.0
SHEET, HANDED = "#played", "#hand-over"
KEEP, ENTRY, LIST = f"{SHEET} .played-entry .button.go.big", ".played-form > [data-field={}]", f"{SHEET} .played-list"
HAND_OVER = f"{HANDED}[open] .sheet-answers .button.go"
STRIP, OFFERED, WAITING = "#strip", "#banners [data-name=hand-over] button", "#banners [data-name=waiting-lists] button"
LISTS = "#waiting-lists"
WAYS = ("house", "device", "both")
"""What the host may keep where the house has gone on, too, in the order of the buttons."""
ENDED = "round_ended"
STEPS = ("1", "2", "4", "8", "16", "32", "64", "128", "256")
LOST_AFTER, BACK_WITHIN = 6.0, 12.0
"""Seconds until a page says that its house is away, and until it has asked again whether it is there."""
HEARD_WITHIN = 60.0
"""Seconds in which what is seen hears a tap."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long the hour is: entries that are told, times that the house is killed, mats of the Chicago."""

    entries: int = 400
    kills: int = 12
    mats: int = 60
    conflicts: float = 0.15
    """How often a table goes on at the house before its list is handed over: of 1."""


@dataclass
class Figures:
    """What has happened in an hour, for those who read it."""

    told: int = 0
    rounds: int = 0
    by_acts: int = 0
    kills: int = 0
    killed_handing_over: int = 0
    handed_over: int = 0
    at_once: int = 0
    reloads: int = 0
    thrown_away: int = 0
    jumps: int = 0
    full: int = 0
    corrected: int = 0
    dropped: int = 0
    refused: int = 0
    """Games that the rules refuse after what has come at the house."""
    conflicts: dict[str, int] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)


class Place:
    """A table as one device has it, in one tab or two, and the evening that is played there."""

    def __init__(self, device: Device, url: str, evening: Any) -> None:
        self.device, self.url, self.evening = device, url, evening
        self.id = url.rstrip("/").rsplit("/", 1)[1]
        self.tabs: list[Tab] = []
        self.told: list[JsonObject] = []
        """All that was told without the house, in its order."""
        self.pending = 0
        """How much of it the device still has."""
        self.before = evening
        """The evening as the house has it while it is away, but for what is under way there."""
        self.under_way: tuple[Act, ...] = ()
        """What is left of the game that is under way there."""

    @property
    def game(self) -> str:
        """The game's id."""
        return str(self.evening.name)

    def open_tab(self) -> None:
        """Open the table in one more tab."""
        self.tabs.append(self.device.open_tab())
        self.tabs[-1].come(self.url, self.game)

    def view(self) -> Any:
        """Return what spectators are told by the house."""
        return self.tabs[0].ask(f"tables/{self.id}/")["state"]["view"]


class Hour:
    """One hour with its chances, which are those of a seed."""

    def __init__(self, server: Server, device: Callable[[str], Device], seed: int, plan: Plan) -> None:
        self.server, self.rng, self.plan, self.figures = server, random.Random(seed), plan, Figures()
        self.ids = itertools.count()
        self.host, self.kari = device("Hanna"), device("Kari")
        self.devices = [self.host, self.kari]
        self.left = HOUR
        chouette, chicago = Chouette(self.rng), Chicago(self.rng, plan.mats)
        self.desk = self.host.open_tab()
        """The host's page of the night, where what needs a right of theirs is asked."""
        night = self.desk.host_a_night("Thursday")
        link = self.desk.link("j")
        self.places = [self._seated(night, self.host, self.desk, chouette, "Bo Cy Dag Eva")]
        # Whoever comes while a table waits is given a seat there.
        guest = self.kari.open_tab()
        guest.join(link)
        guest.page.wait_for("() => /(night|table)/.test(location.pathname)")
        # The night's page would lead to a table by itself.
        guest.open(f"{server.url}/")
        self.places.append(self._seated(night, self.kari, guest, chicago, "Ada Ben Cleo Dora"))
        self.kari.close_tab(guest)
        for place in self.places:
            place.evening.begin(place.view())

    def _seated(self, night: str, device: Device, tab: Tab, evening: Any, others: str) -> Place:
        """Open a table for a device's person and four without a phone, and begin."""
        asked = {"game": evening.name, "preset": evening.preset, "options": evening.rules}
        own_night = night.rstrip("/").rsplit("/", 1)[1]
        table = f"tables/{self.desk.ask(f'nights/{own_night}/tables/', **asked)['id']}/"
        tab.ask(f"{table}seats/", accept=True, mark=tab.ask(f"{table}rules/")["mark"])
        for name in others.split():
            self.desk.ask(f"{table}seats/", person=name)
        begun = self.desk.ask(f"{table}start/", id=f"begin-{evening.name}")
        place = Place(device, self.server.url + begun["table"]["url"], evening)
        place.open_tab()
        return place

    # While the house is there.

    def play_at_house(self) -> None:
        """Play a game or a round by acts, as on any evening."""
        for place in self.places:
            if self.rng.random() < 0.5 and self._may_act(place, place.evening):
                self.act(place, place.evening.play().acts)
                self.figures.by_acts += 1

    @staticmethod
    def _may_act(place: Place, evening: Evening) -> bool:
        """Tell whether the house waits for the same seat: of equals a die of its own may have named another one."""
        if evening.is_over:
            return False
        return place.game == "chouette" or place.view()["turn"] == evening.table.turn

    def act(self, place: Place, acts: tuple[Act, ...]) -> None:
        """Carry out acts at the house: the host enters for all."""
        path = f"tables/{place.id}/"
        for act in acts:
            sent: JsonObject = {"id": f"act-{next(self.ids)}", "name": act.name, "args": act.args}
            if act.name != RESULT:
                seen = self.desk.ask(f"{path}?seat={act.seat}" if act.seat or place.game == "chicago" else path)
                choice = next(one for one in seen["state"]["choices"] if one["name"] == act.name)
                sent |= {"seat": act.seat, "basis": choice["basis"]}
            self.desk.ask(f"{path}commands/", **sent)

    # Without the house.

    def kill(self) -> None:
        """Kill the house."""
        self.server.stop(signal.SIGKILL)
        self.figures.kills += 1

    def lose(self) -> None:
        """Kill the house, and wait until each page offers to go on; a game may be under way then."""
        for place in self.places:
            place.before, place.under_way = place.evening.fork(), ()
        begun = [(place, self._begun(place)) for place in self.places]
        self.kill()
        self.pass_time(LOST_AFTER)
        for place in self.places:
            for tab in place.tabs:
                tab.see(".played-notice")
        for place, played in begun:
            if played:
                self.tell(place, played)

    def _begun(self, place: Place) -> Played | None:
        """Begin a game at the house, and return it whole; None for none."""
        if self.rng.random() < 0.5 or not self._may_act(place, place.evening):
            return None
        played: Played = place.evening.play()
        cut = self.rng.choice([0, *played.cuts])
        self.act(place, played.acts[:cut])
        if cut:
            place.before, place.under_way = place.evening.fork(), played.acts[cut:]
        # What the page was told last is what it goes on from.
        for tab in place.tabs:
            tab.page.wait_for(_UP_TO_DATE, f"/api/tables/{place.id}/", f"{place.game}-table")
        return without_sitters(played) if cut else played

    def pass_time(self, seconds: float) -> None:
        """Let time pass on all devices."""
        self.left -= seconds
        for device in self.devices:
            device.pass_time(seconds)

    def tell(self, place: Place, played: Played) -> None:
        """Tell a game or a round by taps in one of the tabs; now and then with a mishap."""
        tab, rng = self.rng.choice(place.tabs), self.rng
        if rng.random() < 0.05:
            place.device.set_back(rng.choice([-7200, 7200, -86400, 3600 * 5]))
            self.figures.jumps += 1
        self._open_entry(tab, place)
        told, is_chouette = played.told, place.game == "chouette"
        if is_chouette:
            enter_game(tab, told)
        else:
            enter_part(tab, f"{SHEET} .played-form > ", told)
        if rng.random() < 0.05:
            self._without_room(tab, place)
        tab.tap(KEEP)
        tab.see(f"{LIST}:not([hidden])")
        self.figures.told += 1
        self.figures.rounds += not is_chouette
        place.told.append(told)
        place.pending += 1
        if rng.random() < 0.05:
            self._tell_otherwise(tab, place)
        self.pass_time(self.pace)

    def _open_entry(self, tab: Tab, place: Place) -> None:
        if not tab.sees(SHEET):
            tab.tap(".played-notice button")
            tab.see(SHEET)
        if not tab.sees(f"{SHEET} .played-entry:not([hidden])"):
            tab.page.wait_for(_LISTED, place.pending)
            tab.tap(f"{LIST} .button.go.big")

    def _without_room(self, tab: Tab, place: Place) -> None:
        """Keep a game while the disk is full: it is said, and what was entered stays."""
        place.device.fill_up(is_full=True)
        tab.tap(KEEP)
        tab.see(f"{SHEET} .played-fault", "no room left")
        place.device.fill_up(is_full=False)
        self.figures.full += 1

    def _tell_otherwise(self, tab: Tab, place: Place) -> None:
        """Open the last game again and keep it as it was; of rounds, take the last one back and tell it again."""
        if place.game == "chouette":
            tab.tap(f"{LIST} li:last-child button")
            tab.tap(KEEP)
        else:
            if not tab.sees(f"{LIST} .played-ends button:not(.go)"):
                return
            tab.tap(f"{LIST} .played-ends button:not(.go)")
            tab.page.wait_for(_LISTED, place.pending - 1)
            tab.tap(f"{LIST} .button.go.big")
            enter_part(tab, f"{SHEET} .played-form > ", place.told[-1])
            tab.tap(KEEP)
        tab.see(f"{LIST}:not([hidden])")
        tab.page.wait_for(_LISTED, place.pending)
        self.figures.corrected += 1

    @property
    def pace(self) -> float:
        """Seconds that a game takes, so that the hour has all of them."""
        return self.left / max(1, self.plan.entries - self.figures.told + 1) / 2

    # Back again.

    def throw_away(self) -> None:
        """Let phones throw tabs away: in the worst case all of a table."""
        for place in self.places:
            for tab in self.rng.sample(place.tabs, self.rng.choice([0, 0, 1, len(place.tabs)])):
                place.device.close_tab(tab)
                place.tabs.remove(tab)
                self.figures.thrown_away += 1

    def come_back(self) -> None:
        """Start the house; tabs that were thrown away are opened again, some others are loaded anew."""
        self.server.start()
        self.pass_time(BACK_WITHIN)
        for place in self.places:
            for tab in place.tabs:
                tab.see_no_more(".played-notice")
                if self.rng.random() < 0.2:
                    tab.reload(place.game)
                    self.figures.reloads += 1
            for _tab in range(self.rng.choice([1, 2]) - len(place.tabs)):
                place.open_tab()

    def hand_over(self, *, conflict: bool) -> None:
        """Hand all lists over, in any order, by one tab or by two at once, also into a house that is killed.

        Now and then, or with `conflict` at one table for certain, the house goes on before.
        """
        for place in self.rng.sample(self.places, len(self.places)):
            if not place.pending:
                continue
            if (conflict or self.rng.random() < self.plan.conflicts) and (way := self._go_on_at_house(place)):
                conflict = False
                self.figures.conflicts[way] = self.figures.conflicts.get(way, 0) + 1
                self._choose(place, way)
            else:
                self._hand_over(place)
            self.figures.handed_over += 1
            place.pending = 0

    def _hand_over(self, place: Place) -> None:
        tabs = self.rng.sample(place.tabs, self.rng.randint(1, len(place.tabs)))
        for tab in tabs:
            self._show_list(tab)
        tabs[0].tap(HAND_OVER)
        for tab in tabs[1:]:
            # Where the first tab was quick its list is gone from here, and nothing is left to be tapped.
            tab.tap_if_there(HAND_OVER)
        self.figures.at_once += len(tabs) > 1
        if self.rng.random() < 0.3:
            time.sleep(self.rng.random() * 0.3)
            self.kill()
            self.figures.killed_handing_over += 1
            self.pass_time(LOST_AFTER)
            self.server.start()
            self.pass_time(BACK_WITHIN)
            self._hand_over_again(place, tabs[0])
        tabs[0].page.wait_for(NOTHING_KEPT)

    def _show_list(self, tab: Tab) -> None:
        """Close the form, and open what is to be handed over where it has not come by itself."""
        if tab.sees(SHEET):
            tab.tap(f"{SHEET} .icon-button")
        tab.page.wait_for(_IS_OFFERED, f"{HANDED}[open], {OFFERED}")
        # It may come by itself while the strip is tapped.
        until = time.monotonic() + HEARD_WITHIN
        for css in (STRIP, OFFERED):
            while not tab.sees(f"{HANDED}[open]") and not tab.tap_if_there(css):
                assert time.monotonic() < until, f"{css} hears no tap"
                self.wait()
        tab.see(HAND_OVER)

    @staticmethod
    def wait() -> None:
        """Wait a moment, as long as a person does before they look again."""
        time.sleep(LOOKS_AGAIN)

    def _hand_over_again(self, place: Place, tab: Tab) -> None:
        """Hand over what a house has not got that was killed meanwhile."""
        until = time.monotonic() + 120
        while tab.kept():
            assert time.monotonic() < until, (place.game, tab.page.evaluate("() => document.body.innerText")[:3000])
            # What is there is tapped, until the house that has started has it all.
            for css in (HAND_OVER, OFFERED, STRIP):
                if tab.tap_if_there(css):
                    break
            self.pass_time(2)
            time.sleep(1)

    # Both have gone on.

    def _go_on_at_house(self, place: Place) -> str:
        """Go on at the house before a list is handed over; return what the host will keep, "" for no conflict."""
        at_house, acts, rng = place.before, place.under_way, self.rng
        if not acts:
            if not self._may_act(place, at_house):
                return ""
            at_house = at_house.fork()
            acts = at_house.play().acts
        way = rng.choice(WAYS)
        if place.game == "chicago" and way == "device":
            # A round that has ended is not taken back, an act is.
            acts = acts[:1] if len(acts) > 1 else ()
        if not acts or at_house.is_over:
            return ""
        self.act(place, acts)
        (kept,) = place.tabs[0].kept()
        games = [one["game"] for one in kept["games"]]
        if way != "device":
            # The host's own list goes on after a game that was refused, that of anybody else ends there.
            sift = filter if place.device is self.host else itertools.takewhile
            taken = list(sift(at_house.take, games)) if way == "both" else []
            before = place.told[: len(place.told) - place.pending]
            place.told = before + [part for one in taken for part in one.get("rounds", [one])]
            place.evening = at_house
            self.figures.dropped += len(games) - len(taken)
            self.figures.refused += len(games) - len(taken) if way == "both" else 0
        return way

    def _choose(self, place: Place, way: str) -> None:
        """Hand a list over that is in conflict, and let the host choose; games that the rules refuse are dropped."""
        tab = place.tabs[0]
        self._show_list(tab)
        if place.device is not self.host:
            # The list of anybody else waits until the host has chosen.
            tab.tap(HAND_OVER)
            tab.see(f"{HANDED} .played-since")
            self._answer(place, way)
            tab.page.wait_for(_IS_SETTLED, f"{HANDED}[open] .sheet-answers .danger")
            if tab.kept():
                tab.tap(f"{HANDED}[open] .sheet-answers .danger")
                tab.page.wait_for(NOTHING_KEPT)
        # What was refused is dropped, and the rest handed over again, after what is at the house.
        offered = [f"{HANDED} li .button.danger", button_of(HANDED, way), HAND_OVER]
        until = time.monotonic() + 120
        while tab.kept():
            shown = tab.page.evaluate(_SHOWN, HANDED)
            assert time.monotonic() < until, (place.game, shown)
            # The first that is seen, though it may not hear yet: handing over what is refused changes nothing.
            if (css := next(filter(tab.sees, offered), "")) and tab.tap_if_there(css):
                tab.page.wait_for(f"(css, before) => ({_SHOWN})(css) !== before", HANDED, shown)
            else:
                self.wait()

    def _answer(self, place: Place, way: str) -> None:
        """Let the host take a list that waits, and choose; where a game of it is refused, the rest is not taken."""
        tab = self.host.open_tab()
        tab.come(place.url, place.game)
        tab.page.wait_for(_IS_OFFERED, WAITING)
        tab.tap(STRIP)
        tab.tap(WAITING)
        tab.tap(f"{LISTS} .sheet-answers .button.go")
        tab.tap(button_of(LISTS, way))
        tab.page.wait_for("(css) => !document.querySelector(`${css}[open]:not(:has(li .error))`)", LISTS)
        if tab.sees(LISTS):
            tab.tap(f"{LISTS} .sheet-answers .danger")
            tab.page.wait_for("(css) => !document.querySelector(`${css}[open]`)", LISTS)
        self.host.close_tab(tab)

    # The whole.

    def play(self) -> Figures:
        """Play the hour, and hold it against evenings without a break."""
        try:
            self._play()
        except (AssertionError, EngineError):
            for number, tab in enumerate(tab for place in self.places for tab in place.tabs):
                tab.picture(f"failed-{number}")
            raise
        return self.figures

    def _play(self) -> None:
        kills = self.plan.kills
        conflict = self.rng.randrange(kills)
        for number in range(kills):
            self.play_at_house()
            self.lose()
            share = (self.plan.entries - self.figures.told) // (kills - number)
            for place, played in self._next_ones(share):
                self.tell(place, played)
            self.throw_away()
            self.come_back()
            self.hand_over(conflict=number == conflict)
            self.hold()
            if os.environ.get("SHOTS"):
                print(self.figures, flush=True)
        faults = [fault for device in self.devices for fault in device.faults()]
        assert faults == [], faults

    def _next_ones(self, count: int) -> Iterator[tuple[Place, Played]]:
        """Play so many games and rounds, in any order of the tables."""
        for _number in range(count):
            going_on = [place for place in self.places if not place.evening.is_over]
            place = self.rng.choice(going_on)
            yield place, place.evening.play()

    def hold(self) -> None:
        """Hold both tables against evenings that were never broken: nothing is lost, and nothing doubled."""
        for place in self.places:
            found, wanted = place.evening.standing(place.view()), place.evening.now()
            wrong = {name: (found[name], value) for name, value in wanted.items() if found[name] != value}
            assert wrong == {}, (place.game, wrong)
            entries = self.desk.ask(f"tables/{place.id}/events/?after=0")["entries"]
            while len(entries) % 200 == 0 and entries:
                more = self.desk.ask(f"tables/{place.id}/events/?after={entries[-1]['seq']}")["entries"]
                if not more:
                    break
                entries += more
            heads = [one["events"][0] for one in entries if one["events"][0]["type"] == "table.handed_over"]
            self.figures.entries[place.game] = len(heads)
            told = [event for one in entries for event in one["events"] if event["type"] == "round_told"]
            assert len(heads if place.game == "chouette" else told) == len(place.told), place.game
            ended = [event["data"] for one in entries for event in one["events"] if event["type"] == ENDED]
            own = [event.data for one in place.evening.table.log for event in one.events if event.type == ENDED]
            assert [one["low"] for one in ended] == [one["low"] for one in own]


_SHOWN = "(css) => document.querySelector(`${css}[open]`)?.innerText ?? ''"
_IS_OFFERED = "(css) => document.querySelector(css) !== null"
_IS_SETTLED = f"""async (css) => {{
  const isKept = (await ({KEPT})()).some(({{ games }}) => games.length);
  return !isKept || [...document.querySelectorAll(css)].some((one) => !one.closest("[disabled], [data-deaf]"));
}}"""
"""Nothing is kept any more, or there is what can be tapped."""
NOTHING_KEPT = f"async () => !(await ({KEPT})()).some(({{ games }}) => games.length)"
_SAYS = "(css, text) => document.querySelector(css)?.textContent === text"
_UP_TO_DATE = """async (address, name) => {
  const of = ({ phase, game, seats, turn }) => JSON.stringify([phase, game?.cubes, seats, turn]);
  return of((await (await fetch(address)).json()).state.view) === of(document.querySelector(name).now.view);
}"""
_LISTED = """(count) => {
  const [list] = document.querySelectorAll("#played .played-list:not([hidden]) .played-games");
  const lines = [...(list?.querySelectorAll("li") ?? [])]
    .map((one) => one.querySelectorAll("p:not(.played-moved)").length);
  return list && (count === lines.length || count === lines.reduce((sum, n) => sum + n, 0));
}"""


def without_sitters(played: Played) -> Played:
    """Return a game that was begun at the house: who sits it out is known there."""
    if "seats" not in played.told:
        return played
    seats = {seat: part for seat, part in played.told["seats"].items() if "sits_out" not in part}
    return replace(played, told={**played.told, "seats": seats})


def enter_game(tab: Tab, told: JsonObject) -> None:
    """Tell a game of the chouette by taps."""
    enter_part(tab, f"{SHEET} .played-form > ", told["game"])
    for seat, part in told["seats"].items():
        member = f"{SHEET} .played-member[data-seat='{seat}']"
        first = {name: value for name, value in part.items() if name == "cube"}
        enter_part(tab, f"{member} > ", first)
        if more := {name: value for name, value in part.items() if name != "cube"}:
            tab.tap(f"{member} summary")
            enter_part(tab, f"{member} details > ", more)


def enter_part(tab: Tab, within: str, part: JsonObject) -> None:
    """Tell the fields of a part by taps, of which those that are chosen already take none."""
    for name, value in part.items():
        field = f"{within}[data-field={name}]"
        if name in ("cube", "ties"):
            step_to(
                tab, field, [*STEPS[: STEPS.index(value) + 1]] if name == "cube" else [*map(str, range(1, value + 1))]
            )
            continue
        for one in value if isinstance(value, list) else [value]:
            chip = f"{field} button[data-value='{one}']"
            if not tab.sees(f"{chip}[aria-pressed=true]"):
                tab.tap(chip)


def step_to(tab: Tab, field: str, steps: list[str]) -> None:
    """Step a value up, looking at each step."""
    for step in steps:
        tab.tap(f"{field} .played-steps button:last-child")
        tab.page.wait_for(_SAYS, f"{field} output", step)


def button_of(sheet: str, way: str) -> str:
    """Return where the button is by which the host keeps what they choose."""
    return f"{sheet}[open] .played-way:nth-last-of-type({len(WAYS) - WAYS.index(way)}) button"


@contextmanager
def devices_of(engine: str, url: str) -> Iterator[Callable[[str], Device]]:
    """Give what makes a person's device in an engine; all are closed in the end."""
    made: list[Device] = []
    with ExitStack() as held:
        browser = held.enter_context(browser_of(CHROMIUM)) if engine == "chromium" else None

        def device(name: str) -> Device:
            made.append(ChromiumDevice(browser, url, name) if browser else EngineDevice(of_name(engine), url, name))
            return made[-1]

        yield device
        for one in made:
            one.close()


def main() -> None:
    """Play an hour, and print what has happened."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.away.hour", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="chromium", help="chromium, or one of `python -m tests.engines`")
    parser.add_argument("--entries", type=int, default=Plan().entries)
    parser.add_argument("--kills", type=int, default=Plan().kills)
    parser.add_argument("--conflicts", type=float, default=Plan().conflicts, help="their share of hand-overs: 0 to 1")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), COLLECTED_STATIC=str(collected_static()), IN_FRAMES="1")
        server.migrate()
        server.start()
        try:
            with devices_of(wanted.engine, server.url) as device:
                hour = Hour(server, device, wanted.seed, Plan(wanted.entries, wanted.kills, conflicts=wanted.conflicts))
                began = time.monotonic()
                print(hour.play(), f"in {time.monotonic() - began:.0f} s", flush=True)
        finally:
            server.stop()
        assert "Traceback" not in server.output(), server.output()[-3000:]
        print(server.manage("check_logs"))


if __name__ == "__main__":
    main()
