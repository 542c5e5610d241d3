"""The next season on pages: the question to the organisers of one that ends, and to those who were counted in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.models import Player, Season
from games.services.calendar import next_season, nights_between
from games.services.seasons import entrants, rights, season_nights


def asked_context(player: Player | None) -> dict[str, Any]:
    """Return the seasons that ask a player: as their organiser for the next one, as an entrant whether again."""
    return {"ending_seasons": next_season.asked_of(player), "asked_seasons": entrants.asked_of(player)}


def shown(seasons: Iterable[Season], player: Player | None) -> list[dict[str, Any]]:
    """Return seasons as a page names them to a reader: a link for who may read, the questions to who is asked.

    Organisers are asked whether the next one begins, those who were counted in before whether they are again.
    """
    return [
        {
            "season": each,
            "may_read": may_read(each, player),
            "is_asked": player is not None and entrants.is_asked(each, player),
            "ends": rights.is_organiser(each, player) and next_season.is_asked(each),
        }
        for each in seasons
    ]


def may_read(season: Season, player: Player | None) -> bool:
    """Tell whether the page of a season is shown to a player."""
    nights = [placed.night for placed in season_nights.nights_of(season)] if player is not None else []
    return rights.reader_of(season, player, nights).may_read


def context_of(season: Season, player: Player | None) -> dict[str, Any]:
    """Return what a season's page says of the next one, and of nights between the two."""
    following = next_season.of(season)
    organises = player is not None and rights.is_organiser(season, player)
    return {
        "following": shown([] if following is None else [following], player),
        "ends": organises and next_season.is_asked(season),
        "between": nights_between.of(season, player) if player is not None and organises else [],
    }
