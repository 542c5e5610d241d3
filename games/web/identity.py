"""Who is asking: a guest is a browser session that points to a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.kernel.contract import Illegal
from games.models import Player

SESSION_KEY = "player_id"


class PlayerMiddleware:
    """Sets `request.player` to the session's Player, or None."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Find the player, then go on."""
        request.player = find_player(request)  # type: ignore[attr-defined]
        return self.get_response(request)


def find_player(request: HttpRequest) -> Player | None:
    """Return the player of the request's session; no query without a session cookie."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    player_id = request.session.get(SESSION_KEY)
    return Player.objects.filter(pk=player_id).first() if player_id else None


def player_of(request: HttpRequest) -> Player | None:
    """Return the request's player, or None for a browser that has not joined anything."""
    return cast("Player | None", getattr(request, "player", None))


def need_player(request: HttpRequest) -> Player:
    """Return the request's player; raises Illegal `not_inside` for nobody."""
    player = player_of(request)
    if player is None:
        raise Illegal("not_inside")
    return player


def become(request: HttpRequest, player: Player) -> None:
    """Make this browser the player's, under a new session key: the old one may be known."""
    request.session.cycle_key()
    request.session[SESSION_KEY] = player.pk
    request.player = player  # type: ignore[attr-defined]
