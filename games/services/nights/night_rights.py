"""The rights at a night: its host, and the members that are in."""

from __future__ import annotations

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player


def check_host(night: Night, player: Player | None) -> None:
    """Raise `not_host` unless the player is the night's host."""
    if player is None or night.host_id != player.pk:
        raise Illegal("not_host")


def is_inside(night: Night, player: Player | None) -> bool:
    """Tell whether a player is in at a night."""
    if player is None:
        return False
    return night.memberships.filter(player=player, status=Membership.Status.IN).exists()


def member(night: Night, player: Player) -> Membership:
    """Return a player's membership of a night; raises Illegal `removed`, `not_inside`."""
    found = night.memberships.filter(player=player).first()
    if found is None:
        raise Illegal("not_inside")
    if found.status == Membership.Status.KICKED:
        raise Illegal("removed")
    return found


def check_inside(night: Night, player: Player) -> Membership:
    """Return the membership of a player that is in at a night; raises Illegal `removed`, `not_inside`."""
    found = member(night, player)
    if found.status != Membership.Status.IN:
        raise Illegal("not_inside")
    return found
