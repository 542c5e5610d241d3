"""Members: the night of an address, and the asking player as one of its members."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from games.models import Night, Player
from games.services.nights import membership
from games.web.identity import need_player


def find_night(public_id: str) -> Night:
    """Return a night; raises Http404."""
    return get_object_or_404(Night.objects.select_related("host"), public_id=public_id)


def need_inside(request: HttpRequest, night: Night) -> Player:
    """Return the asking player, a member of the night; raises Illegal `not_inside`, `removed`."""
    player = need_player(request)
    membership.check_inside(night, player)
    return player
