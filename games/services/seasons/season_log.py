"""A season's log: the acts of its organisers, in words that stand beside the services which write them."""

from __future__ import annotations

from typing import Any

from games.models import Player, Season, SeasonEvent
from games.services.acts import Log

LOG = Log("season")


def note(season: Season, event_type: str, by: Player | None, **data: Any) -> None:
    """Write a line, of a type that has words, to a season's log; `data` must not name people."""
    LOG.check(event_type)
    SeasonEvent.objects.create(season=season, type=event_type, by=by, data=data)
