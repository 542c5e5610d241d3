"""A tournament night of 24 on one core: `python -m tests.bench.bench_night [--people 24] [--minutes 240]`.

With `--real-time 15` a quarter of an hour of such a night in real time, as on a small computer (below).

The house is `manage.py serve` with a false clock, held to the first core by `taskset -c 0`; browsers and script have
the others. The night is that of tests/browser/tournament_night: a director's laptop, six phones, a big screen, three
late people, two leavers, a correction, a broken board, a break. Everybody else's phone is a socket that fetches its
page after each change, as a browser does.

Printed: the highest resident memory of the house's processes together (PSS: a page that two of them share counts once),
and how long the director's page takes when everybody fetches theirs, each beside its aim.

In real time the house is held to a quarter of a core and 320 MB (tests/bench/live/small_box.py; where that is not
allowed, nothing is measured). The night is taken up in its midst: the first match of each board is over after a part
of its time, so that results come as in the middle of an evening; three people come late; two tables of four play on
the house beside it. In the end every result that was said and every move that was acknowledged is looked for.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import django
from playwright.sync_api import Browser, sync_playwright
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.bench import bench_page  # noqa: E402
from tests.bench.bench_wifi import GAMES  # noqa: E402
from tests.bench.live.phones import Phones  # noqa: E402
from tests.bench.live.server import cpu_seconds  # noqa: E402
from tests.bench.live.small_box import NotAllowedError, small_box, used  # noqa: E402
from tests.browser.people import FLAGS, LAPTOP, TV, Person  # noqa: E402
from tests.browser.tournament_night import plans  # noqa: E402
from tests.browser.tournament_night.false_clock import SETTINGS, VARIABLE, FalseClock  # noqa: E402
from tests.browser.tournament_night.guests import Guest  # noqa: E402
from tests.browser.tournament_night.night import Match, TournamentNight  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402
from tests.faults.houses.checks import prove  # noqa: E402
from tests.faults.houses.houses import House  # noqa: E402
from tests.server import Server  # noqa: E402

MOST_MB, MOST_MS = 512, 500
SAMPLE_SECONDS, QUIET_SECONDS, MOST_QUIET_SECONDS = 0.2, 0.3, 20.0
BOARDS, LATE, PACE, PAGES = 12, 3, 4.0, 5
MOST_MB_SMALL, MOST_MS_SMALL, MOST_MS_MOVE, MOST_MS_TABLE = 320, 2000, 300, 1000
_MARK = re.compile(rb'data-mark="([^"]+)"')


class HouseOnOneCore(Server):
    """A house as `manage.py serve` opens it, on the first core; its memory is sampled."""

    begin: tuple[str, ...] = ()
    """What its command is begun with."""

    def __init__(self, data: Path, **environment: str) -> None:
        super().__init__(data, **environment)
        self.most_kb, self.shares = 0, ""

    def prepare(self) -> None:
        """Make the database, and collect the static files into the folder that the tests' settings name."""
        self.manage("prepare")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")

    def command(self) -> list[str]:
        """Return the command that serves."""
        python, *_rest = super().command()
        serve = [python, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        return [*self.begin, "taskset", "-c", "0", *serve]

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


def come_together(browser: Browser, url: str, phones: int) -> tuple[Person, Person, dict[str, Person]]:
    """Return a director's laptop, a screen, and phones by name."""
    found = {name: Person(browser, url, name) for name in plans.NAMES[:phones]}
    return Person(browser, url, "Hanna", screen=LAPTOP), Person(browser, url, "TV", screen=TV), found


def play(house: HouseOnOneCore, clock: FalseClock, given: plans.Plan, seed: int) -> None:
    """Play the night and print its figures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        director, screen, phones = come_together(browser, house.url, given.phones)
        night = TournamentNight(clock, director, screen, phones, length=given.length, seed=seed)
        crowd = Crowd(night, house)
        with sampled(house):
            plans.run(night, given, crowd.after_step)
        for name, value in plans.figures_of(night).items():
            print(f"{name}: {value}")
        plans.check(night)
        browser.close()
    tell_pages(crowd, MOST_MS)
    tell_memory(house, MOST_MB)


def tell_pages(crowd: Crowd, most: float) -> None:
    """Print how long the pages took."""
    taken = crowd.followers.pop("").taken
    phone = [each for one in crowd.followers.values() for each in one.taken]
    print(
        f"{len(taken)} fetches of the director's page, {len(phone)} of phones; {len(crowd.house.processes())} processes"
    )
    print(f"director's page: median {share(taken, 0.5):.0f} ms; phones: median {share(phone, 0.5):.0f} ms")
    print(f"phones: 95 of 100 within {share(phone, 0.95):.0f} ms")
    tell("director's page, 95 of 100 within, while all fetch theirs", share(taken, 0.95), "ms", most)


def tell_memory(house: HouseOnOneCore, most: float) -> None:
    """Print the memory of the house."""
    print(f"MB by process: {house.shares}")
    print("s of processor:", ", ".join(f"{_name(pid)} {cpu_seconds(pid):.0f}" for pid in house.processes()))
    tell("highest resident memory of the house's processes together", house.most_kb / 1024, "MB", most)


class RealClock:
    """The computer's clock, for a night in real time."""

    def now(self) -> datetime:
        """Return the time, in the zone of this computer."""
        return datetime.now().astimezone()

    def advance(self, seconds: float) -> None:
        """Let so much time pass."""
        time.sleep(seconds)

    def wait(self) -> None:
        """Wait until the house has done what is due now: it looks every second."""
        time.sleep(2.0)


class NightInRealTime(TournamentNight):
    """A night that is taken up in its midst; what was said of each match is kept."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.winners: dict[str, str] = {}

    def tell(self, name: str, match: Match, winner: str) -> None:
        """Say a result as one of the two, and keep it."""
        super().tell(name, match, winner)
        self.winners[match["id"]] = winner

    def _begin(self, match: Match) -> None:
        super()._begin(match)
        if len(self.ends) <= BOARDS:
            now = self.clock.now()
            self.ends[match["id"]] = now + self.rng.random() * (self.ends[match["id"]] - now)

    def lost(self) -> list[str]:
        """Return the matches whose two people have said who won and that have another result, or none."""
        found = {each["id"]: each.get("winner") for each in self.read()["matches"]}
        twice = [each for each, count in self.figures.told.items() if count > 1]
        return [f"{each}: {found.get(each)}" for each in twice if found.get(each) != self.winners[each]]


class SmallHouse(House):
    """A house of one process that is held to a small box."""

    kind = HouseOnOneCore


class TablesBeside:
    """Tables of four that play on the house beside the night, in a thread of their own."""

    def __init__(self, house: House) -> None:
        world = house.world("make", [{**game, "seats": 4} for game in GAMES])
        self.phones = Phones(house.urls, world, 1, pace=PACE, has_pad=True)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)
        self._thread.start()

    async def _play(self) -> None:
        async with self.phones:
            await asyncio.to_thread(self._is_over.wait)
            await self.phones.hush()

    def end(self) -> Phones:
        """End the play; return the phones, who have heard everything."""
        self._is_over.set()
        self._thread.join()
        return self.phones


def play_in_real_time(house: SmallHouse, server: HouseOnOneCore, minutes: float, seed: int) -> None:
    """Play a part of a night in real time and print its figures."""
    with sync_playwright() as playwright, sampled(server):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        director, screen, phones = come_together(browser, server.url, 6)
        night = NightInRealTime(RealClock(), director, screen, phones, length=3, seed=seed)
        crowd, beside = Crowd(night, server), TablesBeside(house)
        early, late = plans.NAMES[: 2 * BOARDS - LATE], plans.NAMES[2 * BOARDS - LATE : 2 * BOARDS]
        night.make(BOARDS, 240)
        night.come(*early)
        night.enter(*early)
        night.confirm()
        begin = night.minute
        coming = [(begin + minutes * (place + 1) / (LATE + 1), name) for place, name in enumerate(late)]
        while night.minute < begin + minutes:
            night.step(min([begin + minutes, *(minute for minute, _ in coming)]))
            if coming and coming[0][0] <= night.minute:
                night.come(coming[0][1])
                night.enter(coming.pop(0)[1])
                night.is_quiet = False
            crowd.after_step()
        night.clock.wait()
        print(f"{len(night.winners)} results in {minutes:g} minutes; load {os.getloadavg()}; lost: {night.lost()}")
        logs = prove(house, beside.end().players)
        tell_pages(crowd, MOST_MS_SMALL)
        waits = [move.seconds for move in beside.phones.moves(logs)]
        tell(f"{len(waits)} moves, 99 of 100 at the last phone within", share(waits, 0.99), "ms", MOST_MS_MOVE)
        tell_memory(server, MOST_MB_SMALL)
        tell_table_page(browser, server.url)
        browser.close()


def tell_table_page(browser: Browser, url: str) -> None:
    """Print how long a table's page takes until its board stands, cold, as bench_page has it."""
    host = Person(browser, url, "Hugo")
    host.host_a_night("Next door")
    address, board = bench_page.table_page(host, "chouette"), bench_page.PARTS["chouette"]["board"]
    cold = [bench_page.cold_and_warm(browser, host, address, board)[0].seconds for _ in range(PAGES)]
    tell("a table's page, cold: ms until its board stands, median", 1000 * median(cold), "ms", MOST_MS_TABLE)


def in_real_time(minutes: float, core: float, megabytes: int, seed: int) -> None:
    """Open a house in a small box and play there."""
    with tempfile.TemporaryDirectory(prefix="stammtisch-night-") as folder, small_box(core, megabytes) as begin:
        static = str(Path(folder) / "static")
        house = SmallHouse(Path(folder), DJANGO_SETTINGS_MODULE="tests.serving", COLLECTED_STATIC=static, ANALYSER="on")
        server = house.servers[0]
        assert isinstance(server, HouseOnOneCore)
        server.prepare()
        server.begin = tuple(begin)
        try:
            server.start()
            play_in_real_time(house, server, minutes, seed)
            assert server.process is not None
            print(f"{core:g} of a core, {megabytes} MB: {used(server.process.pid)}")
        finally:
            house.close()


def main() -> None:
    """Play a night as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--minutes", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real-time", type=float, default=0.0, help="minutes of a night in real time, in a small box")
    parser.add_argument("--core", type=float, default=0.25, help="the small box's share of a core")
    parser.add_argument("--megabytes", type=int, default=320, help="the small box's memory")
    asked = parser.parse_args()
    others = os.sched_getaffinity(0) - {0}
    if others:
        os.sched_setaffinity(0, others)
    if asked.real_time:
        try:
            in_real_time(asked.real_time, asked.core, asked.megabytes, asked.seed)
        except NotAllowedError as error:
            print(f"- a small box: left out, {error}")
        return
    with tempfile.TemporaryDirectory(prefix="stammtisch-night-") as folder:
        clock = FalseClock(Path(folder) / "clock")
        environment = {"DJANGO_SETTINGS_MODULE": SETTINGS, VARIABLE: str(clock.place), "ANALYSER": "on"}
        house = HouseOnOneCore(Path(folder), COLLECTED_STATIC=str(Path(folder) / "static"), **environment)
        house.prepare()
        house.start()
        try:
            play(house, clock, plans.plan(asked.people, asked.minutes, 3, late=3, leavers=2), asked.seed)
        finally:
            house.stop()


if __name__ == "__main__":
    main()
