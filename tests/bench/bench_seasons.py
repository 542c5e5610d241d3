"""Seasons: the pages of one with 200 nights, 100,000 results and 2,400 matches, right after a result and once more.

The pages: the season's with the newest nights and with all of them, its printed page, which is the second, its live
parts, its file, its API, the page for outsiders with its text, its picture, and the slide of a big screen. The aim is
100 ms of processor each, right after a result too, when nothing of the standing can be taken from the cache.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import cycle
from statistics import median
from time import process_time

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel.seasons.options import SEASON_RULES
from games.models import (
    Match,
    Membership,
    Night,
    NightTally,
    Player,
    Result,
    ResultLine,
    Season,
    SeasonVersion,
    ShareLink,
    Table,
)
from games.services.history import night_tallies
from tests import years
from tests.bench.live.report import aim_line

NIGHTS, RESULTS_A_NIGHT, PEOPLE, A_NIGHT = 200, 500, 60, 24
FIRST = date(2022, 1, 6)
TIMES, MOST_MS = 9, 100


def main() -> None:
    """Print the milliseconds of each page under each preset."""
    call_command("flush", interactive=False, verbosity=0)
    people = years.players(PEOPLE)
    season, newest = _season(people)
    share = ShareLink.objects.create(season=season)
    client = Client()
    session = client.session
    session["player_id"] = people[0].pk
    session.save()
    heading = "seasons: ms of processor, 200 nights, 100,000 results"
    print(f"{heading:54} {'after a result':>14} {'again':>7} {'aim':>5} queries")
    slowest = 0.0
    for preset in SEASON_RULES.presets:
        season.preset, season.options = preset.id, SEASON_RULES.values(preset.id)
        season.save()
        for name, address in _addresses(season, share, newest).items():
            first, again, queries = _timed(client, address, f"player-{people[0].pk}")
            print(f"{preset.id + ' ' + name:54} {first:14.1f} {again:7.1f} {MOST_MS:5} {queries:7}", flush=True)
            slowest = max(slowest, first, again)
    print("- " + aim_line("season of 100,000 results, slowest page, ms", f"≤ {MOST_MS}", -slowest, -MOST_MS))
    call_command("flush", interactive=False, verbosity=0)


def _addresses(season: Season, share: ShareLink, newest: Night) -> dict[str, str]:
    """Return the addresses that show the standing, by what they are called; the printed page is that of all nights."""
    page = reverse("season", args=[season.public_id])
    return {
        "page": page,
        "all nights, printed": f"{page}?nights=all",
        "live parts": reverse("season_live", args=[season.public_id]),
        "file": reverse("season_csv", args=[season.public_id]),
        "API": reverse("api_season", args=[season.public_id]),
        "for outsiders, with text": reverse("shared", args=[share.key]),
        "picture": reverse("shared_picture", args=[share.key]),
        "slide of the big screen": reverse("tv", args=[newest.public_id, newest.token("tv")]),
    }


def _timed(client: Client, address: str, counted_by: str) -> tuple[float, float, int]:
    """Return the median milliseconds of an address after a result of the newest night, and again, and its queries."""
    rows = NightTally.objects.order_by("-night_id", "player")[:2]
    newest = rows[0].night
    first, again = [], []
    for _ in range(TIMES):
        NightTally.objects.filter(pk__in=[row.pk for row in rows]).update(points=F("points") + 1)
        for spent in (first, again):
            cache.delete_many([f"limit:{name}:{counted_by}" for name in ("asker", "heavy", "export")])
            if spent is first:
                # A screen shows a standing for some seconds before it looks again.
                cache.delete_many([f"season-places-{newest.pk}-{code}" for code, _ in settings.LANGUAGES])
            start = process_time()
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert b"".join(answer), address
            spent.append(1000 * (process_time() - start))
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return median(first[1:]), median(again[1:]), len(queries)


def _season(people: list[Player]) -> tuple[Season, Night]:
    """Return the season, a night a week, with its results of two seats each, and its newest night, which goes on."""
    rng = random.Random(3)
    host = people[0]
    days = [FIRST + timedelta(weeks=week) for week in range(NIGHTS)]
    nights = Night.objects.bulk_create(
        [Night(name=f"Night {day}", host=host, opened_by=host, code=None, day=day, status="closed") for day in days]
    )
    tables = Table.objects.bulk_create(
        [Table(night=night, number=1, game_id="chouette", preset="money", status="finished") for night in nights]
    )
    for table in tables:
        present = rng.sample(people, A_NIGHT)
        _results(rng, table, present)
        _matches(rng, table.night, present)
    night_tallies.rebuild()
    values = SEASON_RULES.values("points")
    season = Season.objects.create(
        name="Years", organiser=host, first_day=days[0], last_day=days[-1], game_id="chouette", unit="points",
        preset="points", options=values,
    )  # fmt: skip
    SeasonVersion.objects.create(season=season, version=1, preset="points", options=values)
    Night.objects.filter(pk=nights[-1].pk).update(status="open")
    return season, Night.objects.get(pk=nights[-1].pk)


def _matches(rng: random.Random, night: Night, present: list[Player]) -> None:
    """Let everybody play one match, at a table of their own."""
    rows = Table.objects.bulk_create(
        [
            Table(night=night, number=2 + n, game_id="chouette", preset="match", status="finished")
            for n in range(A_NIGHT // 2)
        ]
    )
    both = rng.sample(present, A_NIGHT)
    Match.objects.bulk_create(
        [
            Match(table=table, seq=1, winner=both[2 * n], loser=both[2 * n + 1], length=5, winner_score=5,
                  loser_score=rng.randrange(5), finished_at=years.START)
            for n, table in enumerate(rows)
        ]
    )  # fmt: skip


def _results(rng: random.Random, table: Table, present: list[Player]) -> None:
    members = [Membership(night_id=table.night_id, player=player) for player in present]
    Membership.objects.bulk_create(members, ignore_conflicts=True)
    rows = Result.objects.bulk_create(
        [
            Result(
                table=table, number=n, seq=n + 1, game_id="chouette", preset="money", reason="end", unit="points",
                finished_at=years.START,
            )
            for n in range(RESULTS_A_NIGHT)
        ],
        batch_size=500,
    )  # fmt: skip
    lines, seated = [], cycle(present)
    for row in rows:
        points = rng.choice((1, 2, 4, 8))
        for seat, share in enumerate((points, -points)):
            player = next(seated)
            lines.append(
                ResultLine(result=row, seat=seat, player=player, name=player.nickname, points=share, rank=1 + seat)
            )
    ResultLine.objects.bulk_create(lines, batch_size=500)
