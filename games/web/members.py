"""Members: the night of an address, and the asking player as one of its members."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.nights import night_rights
from games.web.identity import is_banned, need_player, player_of


def find_night(public_id: str) -> Night:
    """Return a night; raises Http404."""
    return get_object_or_404(Night.objects.select_related("host"), public_id=public_id)


def need_player_at_night(request: HttpRequest) -> Player:
    """Return the asking player for a page of a night; raises Illegal `not_inside` where there is none, `banned`."""
    if player_of(request) is None and not is_banned(request):
        raise Illegal("not_inside")
    return need_player(request)


def need_inside(request: HttpRequest, night: Night) -> Player:
    """Return the asking player, a member of the night; raises Illegal `not_inside`, `removed`, `banned`."""
    player = need_player_at_night(request)
    night_rights.check_inside(night, player)
    return player
