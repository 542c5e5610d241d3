"""One whole autumn, played by the simulator: twelve Thursdays, twenty people, and the standing that they end with."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

import pytest

from games import plugin
from games.kernel import replay, simulate
from games.models import Night, Player, ResultLine, Season
from games.services.history import corrections, figures
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.people import deletion, players
from games.services.seasons import entrants, season_nights, seasons, standing_cache
from games.services.sharing import links, results
from tests import seeds
from tests.seasons.world import FIRST, THURSDAYS, account, guests, make, play, set_rules
from tests.sheets.test_sheets import take

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.day(parts=12, turn=7)]

GAME, PRESET, SEATS = "chouette", "german", 5
MOST_ENTRIES = 400
"""The most commands of a table: an evening has so many that a few games end."""
STRUCK, FINAL = 4, 11
"""The Thursday that is taken out of the season, and the one that counts double."""
LAST_YEAR = "Name;Total\nOpa Karl;12\nOma Else;-12\n"


@dataclass
class Autumn:
    """The people of the autumn, and what was played, kept beside the house: the recount reads nothing of it."""

    olga: Player
    season: Season
    phones: list[Player]
    kept: list[Player] = field(default_factory=list)
    played: dict[date, dict[int, list[int]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    nights: list[Night] = field(default_factory=list)


def games(rng: random.Random) -> Iterator[dict[int, int]]:
    """Yield the points by seat of the games of a table where people play, leave and come back at random."""
    game = plugin.game(GAME)
    options = game.options.values(PRESET)
    for step in simulate.play(game.rules, options, SEATS, rng, limit=MOST_ENTRIES):
        for _event, outcome in replay.outcomes(game.rules, [step.entry]):
            seats = [seat for seat in outcome.points if seat < SEATS]
            if not outcome.is_correction and len(seats) == len(outcome.points) >= 2:
                yield dict(outcome.points)


def hold(autumn: Autumn, day: date, rng: random.Random) -> None:
    """Hold an evening with two tables: ten of the twenty come, people without a phone as the same people every week."""
    night = membership.host_night(autumn.olga, f"Thursday {day}")
    Night.objects.filter(pk=night.pk).update(day=day)
    night.refresh_from_db()
    if not autumn.kept:
        names = ("Opa Karl", "Oma Else", "Onkel Max", "Tante Ida")
        autumn.kept = [membership.bring(night, autumn.olga, name) for name in names]
    coming = rng.sample([*autumn.phones, *autumn.kept], 2 * SEATS)
    for person in coming:
        if person in autumn.phones:
            membership.join(night, person)
        elif not night.memberships.filter(player=person).exists():
            assert person in kept_seats.offered_regulars(night, autumn.olga)
            membership.bring(night, autumn.olga, "", person)
    for people in (coming[:SEATS], coming[SEATS:]):
        for points in games(rng):
            play(night, {people[seat]: n for seat, n in points.items()}, PRESET, GAME)
            for seat, n in points.items():
                autumn.played[day][people[seat].pk].append(n)
    membership.close(night, autumn.olga)
    autumn.nights.append(night)


@pytest.fixture
def autumn(db: None) -> Autumn:
    """An autumn that was played: a spreadsheet before it, one night struck, a final that counts double."""
    rng = random.Random(seeds.first_seed())
    olga = account("Olga")
    made = Autumn(olga, make(olga), guests(*(f"Guest {n}" for n in range(16))))
    hold(made, THURSDAYS[0], rng)
    karl, else_ = made.kept[:2]
    take(made.season, olga, LAST_YEAR, Opa_Karl=karl, Oma_Else=else_)
    for day in THURSDAYS[1:]:
        hold(made, day, rng)
    season_nights.detach(made.season, olga, made.nights[STRUCK])
    season_nights.weigh(made.season, olga, made.nights[FINAL], 2)
    made.season.refresh_from_db()
    return made


def recount(autumn: Autumn) -> dict[int, int]:
    """Return everybody's total from what was played."""
    found: dict[int, int] = defaultdict(int)
    for number, day in enumerate(THURSDAYS):
        for who, own in autumn.played[day].items():
            found[who] += sum(own) * (0 if number == STRUCK else 2 if number == FINAL else 1)
    karl, else_ = autumn.kept[:2]
    found[karl.pk] += 12
    found[else_.pk] -= 12
    return dict(found)


def totals(season: Season) -> dict[int, Fraction]:
    """Return the totals of the standing by player."""
    season.refresh_from_db()
    return {row.player: Fraction(row.total) for row in standing_cache.season_standing(season).rows}


def test_one_whole_autumn(autumn: Autumn) -> None:
    season, olga = autumn.season, autumn.olga
    assert {night.day for night in autumn.nights} == set(THURSDAYS) and len(autumn.phones) + len(autumn.kept) == 20
    assert all(len(autumn.played[day]) >= 2 for day in THURSDAYS), "games were played every week"
    everybody = {who for day in autumn.played.values() for who in day}
    struck = {who for number, day in enumerate(THURSDAYS) if number != STRUCK for who in autumn.played[day]}
    expected = {who: total for who, total in recount(autumn).items() if who in struck | {p.pk for p in autumn.kept[:2]}}
    assert totals(season) == expected
    assert sum(totals(season).values()) == 0, "every game and the spreadsheet add up to zero"

    # People without a phone are four players, not four a night.
    for person in autumn.kept:
        assert Player.objects.filter(nickname=person.nickname).count() == 1

    # By other rules, each against its own recount.
    set_rules(season, olga, worth="attendance", least_nights=3)
    standing = standing_cache.season_standing(season)
    for row in standing.rows:
        there = sum(row.player in autumn.played[day] for n, day in enumerate(THURSDAYS) if n != STRUCK)
        assert (row.nights, row.place is None) == (there, there < 3)
    set_rules(season, olga, worth="points", least_nights=1)
    assert totals(season) == expected

    # The figures are of the same games.
    means = figures.means(ResultLine.objects.filter(result__table__night__in=autumn.nights))
    for who in everybody:
        own = [points for day in THURSDAYS for points in autumn.played[day].get(who, ())]
        mean = means[who, GAME, "points"]
        assert (mean.n, mean.mean * mean.n) == (len(own), sum(own))

    # Somebody goes, a result is corrected, the season closes: points stay, the table adds up for outsiders.
    gone = autumn.phones[0]
    result = autumn.nights[FINAL].tables.first().results.first()
    seats = list(result.lines.order_by("seat"))
    corrections.correct(result, olga, {seats[0].seat: 3, seats[1].seat: -3}, "counted wrongly")
    for line, points in ((seats[0], 6), (seats[1], -6)):
        expected[line.player_id] = expected.get(line.player_id, 0) + points
    assert totals(season) == expected
    deletion.delete(gone)
    players.set_listed(autumn.phones[1], True)
    entrants.enter(season, autumn.phones[1])
    seasons.close(season, olga)
    season.refresh_from_db()
    links.open_season(season, olga)
    shared = results.of_season(season)
    assert {row.name for row in shared.rows} <= {"", autumn.phones[1].nickname}
    assert sum(Fraction(row.total) for row in shared.rows) == 0
    assert totals(season) == expected
    assert season.first_day == FIRST
