"""The pages that anybody may ask for: ms of the server's processor each, without a session, as they are served.

`python -m tests.bench.bench_strangers` starts a house of its own with collected static files, in which nights were
held: their links, the standing of a season and the dates of a series are asked for as well. The aim is 10 ms. A big
screen is the house's own, and loads its page once.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from django.urls import reverse  # noqa: E402

from games import plugin  # noqa: E402
from tests.bench.bench_page import house  # noqa: E402
from tests.bench.live.server import cpu_seconds  # noqa: E402
from tests.server import ROOT, Server  # noqa: E402

# A process tells its time by hundredths of a second.
TIMES, WARM, MOST_MS = 40, 5, 10
FILL = "--fill"


def main() -> None:
    """Print the mean of each page."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), "tests.serving") as server:
        print(f"{'pages for strangers: ms of processor':44} {'mean':>7} {'aim':>5}")
        means: list[float] = []
        for name, address in [*filled(server), *addresses()]:
            means.append(mean(server, address))
            print(f"{name:44} {means[-1]:7.1f} {MOST_MS:5}", flush=True)
        is_met = max(means) <= MOST_MS
        print(f"- pages for strangers, most: {max(means):.1f} (≤ {MOST_MS}: {'met' if is_met else 'not met'})")


def mean(server: Server, address: str) -> float:
    """Return the milliseconds that the server works for a page."""
    ask(server, address, WARM)
    assert server.process is not None
    before = cpu_seconds(server.process.pid)
    ask(server, address, TIMES)
    return 1000 * (cpu_seconds(server.process.pid) - before) / TIMES


def addresses() -> Iterator[tuple[str, str]]:
    """Yield the pages that need no session and no night, with their names."""
    names = ("home", "manifest", "jsi18n", "account_login", "account_signup", "account_reset_password", "me")
    for name in (*names, "rules_index", "rule_sets", "house_dice", "series_list", "api_docs"):
        yield name, reverse(name)
    for game_id in plugin.all_games():
        for name in ("rules", "jsi18n"):
            yield f"{name} {game_id}", reverse(name, args=[game_id])
    yield "study chouette", reverse("study", args=["chouette"])


def filled(server: Server) -> list[tuple[str, str]]:
    """Fill the house and return the pages that its links lead to, with their names."""
    command = [sys.executable, "-m", "tests.bench.bench_strangers", FILL]
    done = subprocess.run(command, cwd=ROOT, env=server.environment, check=True, capture_output=True, text=True)
    return [(name, address) for name, address in json.loads(done.stdout)]


def fill() -> None:
    """Write nights with games, a season and a series to the database; print the addresses of their links as JSON."""
    from games.services.calendar import all_series
    from games.services.nights import membership
    from games.services.people import players
    from games.services.seasons import entrants
    from games.services.sharing import links
    from tests.calendar.conftest import draft
    from tests.seasons import world

    olga, guests = world.account("Olga"), [players.new_guest(name) for name in ("Ben", "Cleo", "Dora")]
    season = world.make(olga)
    for day in world.THURSDAYS:
        night = world.night_of(olga, day, *guests)
        for turn in range(3):
            winner, *others = olga, *guests
            world.play(night, {winner: 3 + turn, **dict.fromkeys(others, -1), others[turn]: -1 - turn})
    entrants.open_entry(season, olga)
    links.open_season(season, olga)
    links.open_night(night, olga)
    club = all_series.create(olga, draft())
    today = membership.host_night(olga, "Tonight")
    season.refresh_from_db()
    shared = [links.of_night(night), links.of_season(season)]
    date = club.dates.all()[0]
    names: dict[str, list[object]] = {
        "join_link": [today.public_id, today.token("join")],
        "season_entry": [season.public_id, season.entry_key],
        "series": [club.key],
        "series_poster": [club.key],
        "series_date": [club.key, date.planned],
        "series_feed": [club.feed_key],
    }
    found = [(name, reverse(name, args=args)) for name, args in names.items()]
    for kind, link in zip(("night", "season"), shared, strict=True):
        assert link is not None
        found += [(f"{name} {kind}", reverse(name, args=[link.key])) for name in ("shared", "shared_picture")]
    json.dump(found, sys.stdout)


def ask(server: Server, address: str, times: int) -> None:
    """Ask for a page so many times over one connection."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    for _ in range(times):
        line.request("GET", address, headers={"Accept-Language": "de"})
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200, f"{address}: {answer.status}"
    line.close()


if __name__ == "__main__":
    fill() if FILL in sys.argv else main()
