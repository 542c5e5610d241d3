"""Seasons for tests: people, nights of given days, and games with given points."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.models import User

from games.kernel.contract import Outcome
from games.kernel.standings import ranking
from games.models import Night, Player, Result, ResultLine, Season
from games.services.history import results
from games.services.nights import membership
from games.services.people import accounts, players
from games.services.seasons import played, seasons, standing_cache
from games.services.seasons.frozen import SeasonStanding
from games.services.seasons.seasons import SeasonDraft
from games.services.tables import setup

FIRST = date(2026, 10, 1)
THURSDAYS = [FIRST + timedelta(weeks=week) for week in range(12)]


def account(name: str) -> Player:
    """Make a player with an account."""
    return accounts.own_player(User.objects.create_user(name.lower(), password="x"), name)


def draft(**fields: object) -> SeasonDraft:
    """Return a season of the autumn, in backgammon's points."""
    base = {"name": "Autumn", "first_day": FIRST, "last_day": THURSDAYS[-1], "game_id": "chouette", "unit": "points"}
    return SeasonDraft(**{**base, **fields})


def make(organiser: Player, preset: str = "points", **fields: object) -> Season:
    """Make a season."""
    return seasons.create(organiser, draft(**fields), preset)


def set_rules(season: Season, by: Player, **changes: object) -> None:
    """Change rules of a season."""
    seasons.set_rules(season, by, season.preset, {**played.values_of(season), **changes}, season.version)


def night_of(host: Player, day: date, *guests: Player, close: bool = True) -> Night:
    """Hold a night on a day, with guests, over by default."""
    night = membership.host_night(host, f"Night of {day}")
    for guest in guests:
        membership.join(night, guest)
    Night.objects.filter(pk=night.pk).update(day=day)
    night.refresh_from_db()
    if close:
        membership.close(night, host)
    return night


def play(night: Night, points: Mapping[Player, int], preset: str = "german", game: str = "chouette") -> Result:
    """Play a game at a night with these points."""
    people = list(points)
    status, code = night.status, night.code
    Night.objects.filter(pk=night.pk).update(status=Night.Status.OPEN)
    night.refresh_from_db()
    table = setup.open_table(night, night.host, game, preset, {})
    Night.objects.filter(pk=night.pk).update(status=status, code=code)
    night.refresh_from_db()
    by_seat = {seat: points[player] for seat, player in enumerate(people)}
    ranks = ranking({seat: -n for seat, n in by_seat.items()})
    outcome = Outcome("end", by_seat, ranks, stats={seat: {} for seat in by_seat})
    given = results.PastGameEntry(night.host, [ResultLine.Consent.GIVEN] * len(people))
    return results.enter(table, outcome, people, given, datetime.now(UTC))


def evening(host: Player, day: date, points: Mapping[Player, int], **more: object) -> Night:
    """Hold a night on a day with one game."""
    night = night_of(host, day, *(player for player in points if player.pk != host.pk))
    play(night, points, **more)
    return night


def guests(*names: str) -> list[Player]:
    """Make guests."""
    return [players.new_guest(name) for name in names]


def totals(season: Season) -> dict[str, str]:
    """Return the totals of a season's table by name, those without a place as ""."""
    season.refresh_from_db()
    table = standing_cache.season_standing(season)
    return {name_of(row.player): row.total for row in table.rows}


def name_of(player_id: int) -> str:
    """Return a player's nickname."""
    return Player.objects.get(pk=player_id).nickname


def standing_of(season: Season) -> SeasonStanding:
    """Return a season's table, read again."""
    season.refresh_from_db()
    return standing_cache.season_standing(season)
