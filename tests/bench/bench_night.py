"""A tournament night of 24 on one core: `python -m tests.bench.bench_night [--people 24] [--minutes 240]`.

The house is `manage.py serve` with a false clock, held to the first core by `taskset -c 0`; browsers and script have
the others. The night is that of tests/browser/tournament_night: a director's laptop, six phones, a big screen, three
late people, two leavers, a correction, a broken board, a break. Everybody else's phone is a socket that fetches its
page after each change, as a browser does.

Printed: the highest resident memory of the house's processes together (PSS: a page that two of them share counts once),
and how long the director's page takes when everybody fetches theirs, each beside its aim.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import django
from playwright.sync_api import sync_playwright
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.browser.people import FLAGS, LAPTOP, TV, Person
from tests.browser.tournament_night import plans
from tests.browser.tournament_night.false_clock import SETTINGS, VARIABLE, FalseClock
from tests.browser.tournament_night.guests import Guest
from tests.browser.tournament_night.night import TournamentNight
from tests.server import Server

MOST_MB, MOST_MS = 512, 500
SAMPLE_SECONDS, QUIET_SECONDS, MOST_QUIET_SECONDS = 0.2, 0.3, 20.0
_MARK = re.compile(rb'data-mark="([^"]+)"')


class HouseOnOneCore(Server):
    """A house as `manage.py serve` opens it, on the first core; its memory is sampled."""

    def __init__(self, data: Path, **environment: str) -> None:
        super().__init__(data, **environment)
        self.most_kb, self.shares = 0, ""

    def command(self) -> list[str]:
        """Return the command that serves."""
        python, *_rest = super().command()
        return ["taskset", "-c", "0", python, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(self.port)]

    def processes(self) -> list[int]:
        """Return the house's processes."""
        assert self.process is not None
        found = [self.process.pid]
        for pid in found:
            found += [
                int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in _text(path).split()
            ]
        return found

    def sample(self) -> None:
        """Sample the resident memory of all processes together; a page that several share counts once."""
        found = {pid: _resident_kb(pid) for pid in self.processes()}
        if sum(found.values()) > self.most_kb:
            self.most_kb = sum(found.values())
            self.shares = ", ".join(f"{_name(pid)} {kb // 1024}" for pid, kb in found.items())


def _resident_kb(pid: int) -> int:
    """Return a process's part of the resident memory (PSS) in kB; 0 for one that is gone."""
    rollup = _text(Path(f"/proc/{pid}/smaps_rollup"))
    return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def _name(pid: int) -> str:
    """Return what a process is, by its command."""
    words = _text(Path(f"/proc/{pid}/cmdline")).split("\0")
    return next((word for word in words if word in ("serve", "analyser")), Path(words[0]).name)


def _text(path: Path) -> str:
    """Return a file of /proc as text; empty once its process or thread is gone."""
    try:
        return path.read_text()
    except OSError:
        return ""


class Follower:
    """A phone that nobody looks at: after each change it fetches its page, and notes how long that takes."""

    def __init__(self, guest: Guest, night: str, address: str, *, is_whole: bool = False) -> None:
        self.guest, self.address, self.is_whole = guest, address, is_whole
        self.mark = ""
        self.taken: list[float] = []
        self.busy = threading.Event()
        self.rested_at = time.monotonic()
        self.room = f"ws://{urlsplit(guest.url).netloc}/ws/night/{night}/"
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        """Follow until the house ends."""
        headers = {"Cookie": self.guest.cookies()}
        with (
            suppress(ConnectionClosed),
            connect(self.room, origin=Origin(self.guest.url), additional_headers=headers) as line,
        ):
            for _news in line:
                self.busy.set()
                # Changes that came meanwhile are fetched together, as the page does.
                while _has_more(line):
                    pass
                self._fetch()
                self.rested_at = time.monotonic()
                self.busy.clear()

    def _fetch(self) -> None:
        begin = time.perf_counter()
        have = f"&have={self.mark}" if self.mark and not self.is_whole else ""
        page = self.guest.get(f"{self.address}{have}")
        self.taken.append(time.perf_counter() - begin)
        self.mark = next((found.decode() for found in _MARK.findall(page)), self.mark)


def _has_more(line: ClientConnection) -> bool:
    """Take a message that waits; tell whether there was one."""
    try:
        line.recv(timeout=0)
    except TimeoutError:
        return False
    return True


class Crowd:
    """The followers of a night, the director's probe among them; who comes late follows from the next step on."""

    def __init__(self, night: TournamentNight, house: HouseOnOneCore) -> None:
        self.night, self.house = night, house
        self.followers: dict[str, Follower] = {}

    def after_step(self) -> None:
        """Let those follow who have come, and wait until all have fetched what is new, as in the minutes of a night."""
        path = f"/tournament/{self.night.tournament}/"
        room = self.night.link.split("/")[-3]
        if "" not in self.followers:
            director = Guest(self.house.url, "Hanna")
            director.take_cookies(self.night.director.context.cookies())
            self.followers[""] = Follower(director, room, path, is_whole=True)
        for name, guest in self.night.guests.items():
            if name not in self.followers:
                self.followers[name] = Follower(guest, room, f"{path}live/?status=running")
        until = time.monotonic() + MOST_QUIET_SECONDS
        while not self._is_quiet() and time.monotonic() < until:
            time.sleep(0.05)

    def _is_quiet(self) -> bool:
        now = time.monotonic()
        each = self.followers.values()
        return not any(one.busy.is_set() or now - one.rested_at < QUIET_SECONDS for one in each)


@contextmanager
def sampled(house: HouseOnOneCore) -> Iterator[None]:
    """Sample the house's memory all the time."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(SAMPLE_SECONDS):
            house.sample()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()


def tell(name: str, value: float, unit: str, most: float) -> None:
    """Print a figure beside its aim."""
    print(f"{name:64} {value:7.0f} {unit} (at most {most:.0f}: {'met' if value <= most else 'NOT MET'})", flush=True)


def share(taken: Sequence[float], part: float) -> float:
    """Return the milliseconds within which so large a part of the answers came."""
    return 1000 * sorted(taken)[min(len(taken) - 1, int(part * len(taken)))]


def play(house: HouseOnOneCore, clock: FalseClock, given: plans.Plan, seed: int) -> None:
    """Play the night and print its figures."""
    # Known once there are settings.
    from tests.conftest import CHROMIUM

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        phones = {name: Person(browser, house.url, name) for name in plans.NAMES[: given.phones]}
        director, screen = (
            Person(browser, house.url, name, screen=size) for name, size in (("Hanna", LAPTOP), ("TV", TV))
        )
        night = TournamentNight(clock, director, screen, phones, length=given.length, seed=seed)
        crowd = Crowd(night, house)
        with sampled(house):
            plans.run(night, given, crowd.after_step)
        for name, value in plans.figures_of(night).items():
            print(f"{name}: {value}")
        plans.check(night)
        browser.close()
    taken = crowd.followers.pop("").taken
    phone = [each for one in crowd.followers.values() for each in one.taken]
    print(f"{len(taken)} fetches of the director's page, {len(phone)} of phones; {len(house.processes())} processes")
    print(f"director's page: median {share(taken, 0.5):.0f} ms; phones: median {share(phone, 0.5):.0f} ms")
    print(f"phones: 95 of 100 within {share(phone, 0.95):.0f} ms")
    tell("director's page, 95 of 100 within, while all fetch theirs", share(taken, 0.95), "ms", MOST_MS)
    print(f"MB by process: {house.shares}")
    tell("highest resident memory of the house's processes together", house.most_kb / 1024, "MB", MOST_MB)


def main() -> None:
    """Play a night as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--minutes", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    others = os.sched_getaffinity(0) - {0}
    if others:
        os.sched_setaffinity(0, others)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    with tempfile.TemporaryDirectory(prefix="stammtisch-night-") as folder:
        clock = FalseClock(Path(folder) / "clock")
        environment = {"DJANGO_SETTINGS_MODULE": SETTINGS, VARIABLE: str(clock.place), "ANALYSER": "auto"}
        house = HouseOnOneCore(Path(folder), COLLECTED_STATIC=str(Path(folder) / "static"), **environment)
        house.manage("prepare")
        house.start()
        try:
            play(house, clock, plans.plan(asked.people, asked.minutes, 3, late=3, leavers=2), asked.seed)
        finally:
            house.stop()


if __name__ == "__main__":
    main()
