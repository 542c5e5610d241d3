"""A browser's nickname, and the guest that it becomes: at a night's door, in practice, by a season's own link."""

from __future__ import annotations

from urllib.parse import unquote

from django.http import HttpRequest
from django.utils.translation import get_language

from games.kernel.contract import Illegal
from games.models import Player
from games.services import rate_limit
from games.services.people import accounts, players
from games.web.identity import account_of, become, is_banned, player_of
from games.web.rate_limit import subject, subject_of_address

DRAFT = "nickname"
"""The key of a name that is being typed, in the session and as a cookie."""
NOT_MINE = "not_mine"
"""The key in the session of the dates, by their ids, that the front page shows on this device no more."""


def known_nickname(request: HttpRequest) -> str:
    """Return the name to prefill: the one typed before, or the player's."""
    player = player_of(request)
    if player is not None:
        return str(request.session.get(DRAFT, "")) or player.nickname
    user = account_of(request)
    return unquote(request.COOKIES.get(DRAFT, ""))[:96] or (players.name_for(user) if user is not None else "")


def guest(request: HttpRequest, nickname: str) -> Player:
    """Return the browser's player under this nickname; made now if there was none.

    Raises Illegal `banned`, for a bad nickname, and for too many requests.
    """
    player, user = player_of(request), account_of(request)
    if is_banned(request):
        raise Illegal("banned")
    if player is None and user is not None:
        player = accounts.own_player(user, nickname, get_language() or "")
    if player is None:
        address = subject_of_address(request)
        rate_limit.check("guest", address)
        made = players.new_guest(nickname, get_language() or "")
        rate_limit.note("guest", address)
        return made
    if players.clean_nickname(nickname) != player.nickname:
        rate_limit.spend("rename", subject(request))
    players.rename(player, nickname)
    return player


def become_for_good(request: HttpRequest, player: Player) -> None:
    """Bind the browser to the player; drop the stored draft of the nickname."""
    become(request, player)
    request.session.pop(DRAFT, None)
