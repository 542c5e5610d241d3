"""The page of a tournament's director with 64 players: ms of processor, after each result and with nothing new.

The aim is 100 ms.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Night, Player, Tournament
from games.services.nights import membership
from games.services.people import players
from games.services.tournaments import acts, formats, log, tournaments
from tests.bench.live.report import aim_line

PEOPLE, TIMES, ROUNDS = 64, 15, 4
MOST_MS = 100


def main() -> None:
    """Print the milliseconds of the page, its parts and its API, each after a result, and the number of queries."""
    call_command("flush", interactive=False, verbosity=0)
    host, cup = begun()
    client = Client()
    session = client.session
    session["player_id"] = host.pk
    session.save()
    addresses = {name: reverse(name, args=[cup.public_id]) for name in ("tournament", "tournament_live")}
    addresses["api_tournament"] = reverse("api_tournament", args=[cup.public_id])
    print(f"{'director, 64 players: ms of processor':44} {'median':>7} {'most':>7} {'aim':>5} queries")
    slowest = 0.0
    for name, address in addresses.items():
        spent = [timed(client, address) for _ in range(TIMES)][1:]
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        print(f"{name:44} {median(spent):7.1f} {max(spent):7.1f} {MOST_MS:5} {len(queries):7}")
        slowest = max(slowest, median(spent))
    print("- " + aim_line(f"director's page, {PEOPLE} players, ms", f"≤ {MOST_MS}", -slowest, -MOST_MS))
    call_command("flush", interactive=False, verbosity=0)


def timed(client: Client, address: str) -> float:
    """Return the milliseconds of an address."""
    cache.clear()
    start = process_time()
    answer = client.get(address)
    assert answer.status_code == 200, address
    return 1000 * (process_time() - start)


def begun() -> tuple[Player, Tournament]:
    """Return host and tournament after some rounds of results, with matches under way and proposals."""
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Club night")
    Night.objects.filter(pk=night.pk).update(cap=500)
    night.refresh_from_db()
    guests = [players.new_guest(f"Guest {number}") for number in range(PEOPLE)]
    for guest in guests:
        membership.join(night, guest)
    draft = tournaments.TournamentDraft("Cup", "chouette", "", formats.ChosenFormat("open_end", 3, 240))
    cup = tournaments.make(night, host, draft)
    acts.carry_out(cup, host, "enter", {"players": [guest.pk for guest in guests]})
    for turn in range(ROUNDS):
        confirm(cup, host)
        running = [match for match in log.read(cup).state["matches"] if match["status"] == "running"]
        for match in running[: len(running) if turn < ROUNDS - 1 else PEOPLE // 4]:
            acts.carry_out(cup, host, "result", {"match": match["id"], "winner": match["players"][0], "points": 1})
    return host, cup


def confirm(cup: Tournament, host: Player) -> None:
    """Confirm all that is proposed."""
    reading = log.read(cup)
    if any("entries" in each for each in reading.proposals):
        acts.carry_out(cup, host, "confirm", {"seen": len(reading.log), "minute": reading.minute})


if __name__ == "__main__":
    main()
