"""How history grows: each page with 1,000 results of 100 players, and with 100,000 of 10,000."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player, ResultLine, Venue
from tests import years

SMALL, LARGE = (1_000, 100), (100_000, 10_000)
TIMES = 15
FIRST = 5


def addresses(player: Player) -> dict[str, str]:
    """Return the pages to be asked for, by what they are."""
    venue = Venue.objects.earliest("pk")
    rival = ResultLine.objects.filter(result__lines__player=player).exclude(player=player)[0]
    filtered = f"venue={venue.pk}&since=2022-01-01"
    return {
        "a player's page": f"/player/{player.pk}/",
        "  filtered by opponent": f"/player/{player.pk}/?opponent={rival.player_id}",
        "  filtered by venue, from a date": f"/player/{player.pk}/?{filtered}",
        "leaderboard, everywhere": "/leaders/",
        "leaderboard of a venue": f"/leaders/?venue={venue.public_id}",
        "leaderboard, a page in the middle": "/leaders/?order=played&page=2",
        "players by name": "/players/",
        "  whose names begin with": f"/players/?q={player.nickname[:3]}",
        "API: nights": "/api/nights/",
        "API: results": "/api/results/",
        "  of a player": f"/api/results/?player={player.pk}",
        "  of a venue, from a date": f"/api/results/?venue={venue.public_id}&since=2020-02-01",
        "API: a player's results": f"/api/players/{player.pk}/results/",
        "API: leaderboard": "/api/leaderboards/?game=chouette",
    }


def measured(size: tuple[int, int]) -> dict[str, tuple[float, int]]:
    """Return for each page the median of its milliseconds, and its queries."""
    results, count = size
    people = years.players(count)
    years.years(results, people)
    client = Client()
    session = client.session
    session["player_id"] = people[0].pk
    session.save()
    return {name: timed(client, path) for name, path in addresses(people[1]).items()}


def timed(client: Client, path: str) -> tuple[float, int]:
    """Return the median milliseconds of a page, and how many queries it takes."""
    spent = []
    cache.clear()  # a minute's limit of heavy pages counts for each page alone
    for _ in range(TIMES):
        start = perf_counter()
        answer = client.get(path)
        spent.append(1000 * (perf_counter() - start))
        assert answer.status_code == 200, path
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return median(spent[FIRST:]), len(queries)


def main() -> None:
    """Print the table."""
    call_command("flush", interactive=False, verbosity=0)
    small = measured(SMALL)
    call_command("flush", interactive=False, verbosity=0)
    large = measured(LARGE)
    call_command("flush", interactive=False, verbosity=0)
    print(f"{'history: ms at 1,000 and at 100,000 results':44} {'ms':>7} {'ms':>7} ratio queries")
    for name, (before, queries) in small.items():
        after, more = large[name]
        print(f"{name:44} {before:7.1f} {after:7.1f} {after / before:5.2f} {max(queries, more)}")
