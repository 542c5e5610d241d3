"""A person's own data, as JSON."""

from __future__ import annotations

from datetime import UTC, datetime

from games.kernel.contract import JsonObject
from games.models import Player
from games.services import personal_registry

FORMAT = 1


def collect(player: Player) -> JsonObject:
    """Return all stored data of a player, and of the player's account if there is one, room by room.

    It contains no other people's names. Times are ISO 8601 in UTC.
    """
    found: JsonObject = {"format": FORMAT, "made_at": personal_registry.time_text(datetime.now(UTC))}
    for room in personal_registry.rooms():
        found |= room.own(player)
    return found
