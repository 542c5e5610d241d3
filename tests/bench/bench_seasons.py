"""Seasons: the pages of one with 200 nights and 100,000 results."""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import cycle

from django.core.management import call_command
from django.test import Client

from games.kernel.seasons.options import SEASON_RULES
from games.models import Membership, Night, Player, Result, ResultLine, Season, SeasonVersion, Table
from games.services.history import night_tallies
from tests import years
from tests.bench.bench_history import timed

NIGHTS, RESULTS_A_NIGHT, PEOPLE, A_NIGHT = 200, 500, 60, 24
FIRST = date(2022, 1, 6)


def main() -> None:
    """Print the milliseconds of each page under each preset."""
    call_command("flush", interactive=False, verbosity=0)
    people = years.players(PEOPLE)
    season = _season(people)
    client = Client()
    session = client.session
    session["player_id"] = people[0].pk
    session.save()
    print(f"{'seasons: ms with 200 nights, 100,000 results':44} {'ms':>7} queries")
    for preset in SEASON_RULES.presets:
        season.preset, season.options = preset.id, SEASON_RULES.values(preset.id)
        season.save()
        for name, path in (("", ""), ("live parts", "live/"), ("file", "standing.csv")):
            spent, queries = timed(client, f"/season/{season.public_id}/{path}")
            print(f"{preset.id + ' ' + (name or 'page'):44} {spent:7.1f} {queries:7}")
        spent, queries = timed(client, f"/api/seasons/{season.public_id}/")
        print(f"{preset.id + ' API':44} {spent:7.1f} {queries:7}")
    call_command("flush", interactive=False, verbosity=0)


def _season(people: list[Player]) -> Season:
    """Make the season, a night a week, and its results of two seats each."""
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
        _results(rng, table, rng.sample(people, A_NIGHT))
    night_tallies.rebuild()
    values = SEASON_RULES.values("points")
    season = Season.objects.create(
        name="Years", organiser=host, first_day=days[0], last_day=days[-1], game_id="chouette", unit="points",
        preset="points", options=values,
    )  # fmt: skip
    SeasonVersion.objects.create(season=season, version=1, preset="points", options=values)
    return season


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
