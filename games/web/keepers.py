"""Who keeps house rules, as a browser shows it: the staff's user, a host's player, or both."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.services.house_rules import Keeper
from games.web.identity import player_of

PERMISSION = "games.change_houserules"


def keeper_of(request: HttpRequest) -> Keeper:
    """Return the request's keeper; one that may keep nothing for a mere guest."""
    user: Any = request.user
    is_house = user.is_active and user.is_staff and user.has_perm(PERMISSION)
    return Keeper(player=player_of(request), user=user if is_house else None)


def is_keeper(keeper: Keeper) -> bool:
    """Tell whether a keeper may make sets: the house, and who has ever been a host."""
    return keeper.is_house or (keeper.player is not None and keeper.player.hosted.exists())
