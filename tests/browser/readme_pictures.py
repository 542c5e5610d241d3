"""Pictures of README.md and the pages for hosts: `python -m tests.browser.readme_pictures [NAME …]` → docs/pictures.

Tables are states that the bots' own play came to, shown without a server (tests/browser/gallery); the other
pages are those of a house that is opened for it, with an evening that was played at once.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import django
from playwright.sync_api import Browser, Page

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from games import plugin  # noqa: E402
from games.kernel.contract import Choice, Command  # noqa: E402
from tests.browser.gallery.stage import Screen, Stage, browser_of  # noqa: E402
from tests.browser.gallery.states import Course, Look, Wanted, states_of  # noqa: E402
from tests.browser.pages.test_house_rules import log_in  # noqa: E402
from tests.browser.people import LAPTOP, Person  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402
from tests.server import Server  # noqa: E402

FOLDER = Path("docs/pictures")
QUALITY = 82
PHONE, TV = Screen("phone", 390, 844), Screen("TV", 1280, 720, is_tv=True)
NIGHT = "Thursday at the Ox"
EVENING = """
from tests.conftest import answer, choices_at, opening, starting
from games.services.nights import membership
from games.services.people import players
people = [players.new_guest(name) for name in ("Anna", "Bruno", "Carla", "Dieter")]
night = membership.host_night(people[0], "Thursday at the Ox")
people = iter(people[1:])
players.new_guest = lambda name: next(people)
open_table = opening(night, night.host)
table = starting(open_table, night.host)("chicago", "classic", seats=4, rounds=8)
while (required := [one for one in choices_at(table) if one.required]):
    answer(table, required[0], option=table.seq % len(required[0].options))
print(night.public_id, night.token("join"))
"""

AUTUMN = """
from datetime import time, timedelta
from games.models.night import today
from games.services.calendar import all_series
from games.services.calendar.all_series import SeriesDraft
from tests.seasons.world import account, draft, evening, guests
from games.services.seasons import seasons
anna, people, day = account("Anna"), guests("Bruno", "Carla", "Dieter", "Eva"), today()
weeks = [day - timedelta(weeks=week) for week in (4, 3, 2, 1)]
points_of = ((6, -2, 1, -5, 0), (-3, 4, 2, -1, -2), (2, 1, -4, 3, -2), (5, -3, 0, 2, -4))
for week, points in zip(weeks, points_of, strict=True):
    evening(anna, week, dict(zip([anna, *people], points, strict=True)))
days = {"first_day": weeks[0], "last_day": day + timedelta(weeks=8)}
season = seasons.create(anna, draft(name="Autumn at the Ox", **days), "points")
first = day + timedelta(weeks=1)
club = SeriesDraft("Club evening", day.weekday(), time(19, 30), first_day=first, place="The Ox", size=6)
print(season.public_id, all_series.create(anna, club).key)
"""
"""A season and a series of the account anna, whose password is x."""
TOURNAMENT = """
from tests.tournaments.world import Evening
evening = Evening("Anna", "Bruno", "Carla", "Dieter", "Eva", "Fritz", kind="swiss")
reading = evening.begin()
for match in reading.state["matches"][:2]:
    evening.do(evening.host, "result", match=match["id"], winner=match["players"][0], points=1)
print(evening.tournament.public_id, evening.night.public_id, evening.night.token("join"))
"""


def by_bots(look: Look, choices: list[Choice], rng: random.Random) -> Command:
    """Return what the game's strongest bot does in the first place that the game waits for."""
    seat = next(one.seat for one in choices if one.required)
    game = plugin.game("chouette" if "line" in look.view else "chicago")
    bots, level = game.bots, list(game.offered_levels)[-1]
    assert bots is not None
    own = [one for one in look.choices(seat) if one.required]
    name, args = bots.choose(look.rules.view(look.state, seat), own, level, rng.randrange(2**31))
    return Command(name, seat, args, next(one.opened_at for one in own if one.name == name))


def in_the_middle(look: Look) -> tuple[int] | None:
    """Find a play to choose among many, some rolls after a double was taken."""
    seat = look.asked("move")
    choice = look.choice(seat, "move")
    cubes = [cube for cube in look.game.get("cubes", ()) if cube["value"] > 1]
    is_so = choice is not None and len(choice.options) > 12 and len(cubes) >= 2
    return (seat,) if is_so and seat is not None else None


def a_one_thrown(look: Look) -> tuple[int] | None:
    """Find a throw with a one and throws left, in a later round."""
    view = look.view
    is_so = view["round"] > 2 and 1 in view["cup"]["rolled"] and view["throws_left"] and len(view["waiting"]) > 1
    return (view["turn"],) if is_so and view["turn"] is not None else None


COURSES = {
    "chouette": Course("chouette", 4, "club", (Wanted("play", in_the_middle),), picks=by_bots, seed=5),
    "chicago": Course("chicago", 4, "bavarian", (Wanted("throw", a_one_thrown),), picks=by_bots, seed=3),
}


def keep(page: Page, name: str) -> None:
    """Write what a page shows as docs/pictures/<name>.webp."""
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    session.detach()
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))


def table_pictures(browser: Browser, wanted: Callable[[str], bool]) -> None:
    """Draw Chicago and the chouette on a phone, and the chouette on a TV."""
    for name, game, screen in (
        ("chicago-phone", "chicago", PHONE),
        ("chouette-phone", "chouette", PHONE),
        ("chouette-tv", "chouette", TV),
    ):
        if not wanted(name):
            continue
        (state,) = states_of(COURSES[game])
        stage = Stage(browser, "en")
        stage.resize(screen)
        stage.open(state, is_tv=screen.is_tv)
        stage.show(state, is_tv=screen.is_tv)
        stage.page.evaluate("document.fonts.ready")
        stage.page.wait_for_timeout(300)
        keep(stage.page, name)
        stage.close()


def house_pictures(browser: Browser, wanted: Callable[[str], bool], folder: Path) -> None:
    """Draw joining, results and the house rules in the admin, in a house of their own."""
    server = Server(folder)
    server.migrate()
    night, token = server.manage("shell", "-v", "0", "-c", EVENING).split()[-2:]
    server.start()
    host, guest = (Person(browser, server.url, name) for name in ("Hanna", "Kari"))
    admin = Person(browser, server.url, "bar", screen=LAPTOP)
    if wanted("join"):
        host.host_a_night(NIGHT)
        guest.page.goto(host.link("j"))
        guest.page.locator("#nickname").fill("Kari")
        keep(guest.page, "join")
    if wanted("results"):
        guest.join(f"{server.url}/j/{night}/{token}/")
        guest.page.goto(f"{server.url}/night/{night}/results/")
        keep(guest.page, "results")
    if wanted("house-rules"):
        log_in(admin, server, "/admin/games/houserules/")
        admin.tap(re.compile("add house rules", re.I), role="link")
        admin.tap(re.compile("^Chicago"), role="link")
        admin.tap(re.compile("^Bavarian"), role="link")
        admin.page.get_by_label("Name of the rules").fill("Golden Lamb")
        keep(admin.page, "house-rules")
    for one in (host, guest, admin):
        one.close()
    server.stop()


def host_pictures(browser: Browser, wanted: Callable[[str], bool], folder: Path) -> None:
    """Draw a season, a series and a tournament, in a house of their own."""
    folder.mkdir()
    server = Server(folder)
    server.migrate()
    season, series = server.manage("shell", "-v", "0", "-c", AUTUMN).split()[-2:]
    tournament, night, token = server.manage("shell", "-v", "0", "-c", TOURNAMENT).split()[-3:]
    server.start()
    anna, kari = (Person(browser, server.url, name) for name in ("Anna", "Kari"))
    anna.page.goto(f"{server.url}/account/login/?next=/season/{season}/")
    anna.page.locator("#id_login").fill("anna")
    anna.page.locator("#id_password").fill("x")
    anna.tap(re.compile("log in", re.I))
    anna.page.wait_for_url(f"**/season/{season}/")
    if wanted("season"):
        anna.page.reload()
        keep(anna.page, "season")
    if wanted("series"):
        anna.page.goto(f"{server.url}/series/{series}/")
        keep(anna.page, "series")
    if wanted("tournament"):
        kari.join(f"{server.url}/j/{night}/{token}/")
        kari.page.goto(f"{server.url}/tournament/{tournament}/")
        keep(kari.page, "tournament")
    for one in (anna, kari):
        one.close()
    server.stop()


def main() -> None:
    """Draw all pictures, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.readme_pictures", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these pictures")
    names = parser.parse_args().names
    with tempfile.TemporaryDirectory() as folder, browser_of(CHROMIUM) as browser:
        wanted = lambda name: not names or name in names  # noqa: E731
        table_pictures(browser, wanted)
        if any(wanted(name) for name in ("join", "results", "house-rules")):
            house_pictures(browser, wanted, Path(folder))
        if any(wanted(name) for name in ("season", "series", "tournament")):
            host_pictures(browser, wanted, Path(folder) / "hosts")
    for file in sorted(FOLDER.glob("*.webp")):
        print(f"{file} {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
