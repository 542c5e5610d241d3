"""Figures of a season's people: points per game, and ratings of its matches. They are computed each time."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Match, ResultLine, Season
from games.services.history import figures
from games.services.history.figures import PersonFigures
from games.services.seasons.played import values_of
from games.services.seasons.season_nights import Placed


def of(season: Season, placed: Sequence[Placed]) -> list[PersonFigures]:
    """Return the figures of everybody with a game or a match that counts in a season, by rating, then by games."""
    nights = [each.night.pk for each in placed]
    lines = ResultLine.objects.filter(
        result__table__night__in=nights, result__game_id=season.game_id, result__unit=season.unit
    )
    matches = Match.objects.filter(table__night__in=nights, table__game_id=season.game_id)
    if season.presets:
        lines = lines.filter(result__preset__in=season.presets)
        matches = matches.filter(table__preset__in=season.presets)
    if season.media:
        lines = lines.filter(result__medium__in=season.media)
    if values_of(season)["who"] == "entrants":
        entrants = season.entrants.values("player")
        lines, matches = lines.filter(player__in=entrants), matches.filter(winner__in=entrants, loser__in=entrants)
    return figures.of_people(lines, matches)
