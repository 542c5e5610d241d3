"""Years of game nights, made at once: results without logs, for lists and the bench."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import islice

from games import plugin
from games.models import Membership, Night, Player, Result, ResultLine, Table, Venue
from games.services.history import tallies

START = datetime(2020, 1, 1, 20, tzinfo=UTC)
SEATS, TABLES_A_NIGHT, RESULTS_A_TABLE = 4, 5, 10


def players(count: int) -> list[Player]:
    """Make players with names that sort like people's."""
    rng = random.Random(count)
    letters = "abcdefghijklmnoprstuv"
    names = ("".join(rng.choice(letters) for _ in range(6)).title() for _ in range(count))
    return Player.objects.bulk_create([Player(nickname=n) for n in names], batch_size=500)


def years(results: int, people: list[Player], seed: int = 1) -> list[Result]:
    """Make `results` results of four seats each among `people`, at two venues.

    Each player has about 4 × results / players of them: the same at 1,000 results among 100
    players and at 100,000 among 10,000.
    """
    rng = random.Random(seed)
    venues = [Venue.objects.get_or_create(name=name)[0] for name in ("Zum Anker", "Ølhallen")]
    tables = _tables(rng, people, venues, -(-results // RESULTS_A_TABLE))
    made = [_result(table, number) for table in tables for number in range(RESULTS_A_TABLE)]
    rows = Result.objects.bulk_create(made[:results], batch_size=500)
    lines: list[ResultLine] = []
    seated: dict[int, list[Player]] = {}
    for row in rows:
        sitting = seated.setdefault(row.table_id, rng.sample(people, SEATS))
        lines += _lines(rng, row, sitting)
    _attend(tables, seated)
    ResultLine.objects.bulk_create(lines, batch_size=500)
    tallies.rebuild()
    return rows


def _attend(tables: list[Table], seated: dict[int, list[Player]]) -> None:
    """Let those who sat at tables be in at their nights."""
    pairs = {(table.night_id, player.pk) for table in tables for player in seated.get(table.pk, ())}
    rows = [Membership(night_id=night_id, player_id=player_id) for night_id, player_id in sorted(pairs)]
    Membership.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def _tables(rng: random.Random, people: list[Player], venues: list[Venue], count: int) -> list[Table]:
    nights = Night.objects.bulk_create(
        [
            Night(name=f"Night {i}", host=people[0], code=None, venue=rng.choice(venues))
            for i in range(-(-count // TABLES_A_NIGHT))
        ],
        batch_size=500,
    )
    Membership.objects.bulk_create([Membership(night=n, player=people[0]) for n in nights], batch_size=500)
    tables = [
        Table(
            night=nights[i // TABLES_A_NIGHT],
            number=1 + i % TABLES_A_NIGHT,
            game_id="chouette",
            preset="german",
            status=Table.Status.FINISHED,
        )
        for i in range(count)
    ]
    return Table.objects.bulk_create(tables, batch_size=500)


def _result(table: Table, number: int) -> Result:
    at = START + timedelta(days=table.pk % 2000, minutes=12 * number)
    return Result(
        table=table,
        number=number + 1,
        seq=number + 1,
        game_id="chouette",
        preset="german",
        reason="single",
        unit="points",
        finished_at=at,
    )


def _lines(rng: random.Random, result: Result, sitting: list[Player]) -> list[ResultLine]:
    points = [rng.choice((-2, -1, 1, 2)) for _ in range(SEATS - 1)]
    points.insert(0, -sum(points))
    return [
        ResultLine(
            result=result,
            seat=seat,
            player=player,
            name=player.nickname,
            points=points[seat],
            rank=1 + sum(other > points[seat] for other in points),
            stats={
                "played": 1,
                "won": int(points[seat] > 0),
                "as_box": int(seat == 0),
                "as_captain": int(seat == 1),
                "as_member": int(seat > 1),
                "gammons": 0,
                "luck": rng.randint(-20, 20),
            },
        )
        for seat, player in enumerate(sitting)
    ]


def long_night(results: int, people: list[Player], a_table: int = 500) -> Night:
    """Make one night of so many results, all of them among the same four people."""
    rng = random.Random(results)
    night = Night.objects.create(name=f"A night of {results}", host=people[0])
    Membership.objects.bulk_create([Membership(night=night, player=player) for player in people])
    options = plugin.game("chouette").options.values("german")
    tables = Table.objects.bulk_create(
        Table(
            night=night,
            number=1 + i,
            game_id="chouette",
            preset="german",
            options=options,
            status=Table.Status.FINISHED,
        )
        for i in range(-(-results // a_table))
    )
    rows = [_result(tables[i // a_table], i % a_table) for i in range(results)]
    made = Result.objects.bulk_create(rows, batch_size=500)
    lines = (line for row in made for line in _lines(rng, row, people[:SEATS]))
    while chunk := list(islice(lines, 5000)):
        ResultLine.objects.bulk_create(chunk, batch_size=500)
    tallies.rebuild([player.pk for player in people])
    return night
