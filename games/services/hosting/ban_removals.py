"""Banned players at nights: they are removed from every open one."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser

from games.models import Membership, Night, Player
from games.services.nights import former_hosts, membership


def remove(player: Player, by: AbstractBaseUser | None) -> None:
    """Remove a player, held everywhere, from every open night and seat."""
    open_nights = Night.objects.exclude(status=Night.Status.CLOSED)
    for night in open_nights.filter(memberships__player=player):
        _remove_from_night(night, player, by)


def _remove_from_night(night: Night, player: Player, by: AbstractBaseUser | None) -> None:
    """Remove a player from an open night, after making another member with a phone its host if needed."""
    former_hosts.forget([player.pk], [night])
    if night.host_id == player.pk:
        others = night.memberships.filter(status=Membership.Status.IN, keeper=None).exclude(player=player)
        heir = others.first()
        if heir is None:
            former_hosts.forget(former_hosts.ids(night), [night])
            membership.close(night, player, by)
            night.memberships.filter(player=player).update(status=Membership.Status.KICKED)
            return
        membership.give_host(night, player, heir.player_id, by)
    membership.remove(night, night.host, player.pk, by)
