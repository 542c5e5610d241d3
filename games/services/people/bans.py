"""Bans of players: from every night, present and future."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import audit, holds, publication
from games.services.nights import former_hosts, membership


@transaction.atomic
def ban(player: Player, by: AbstractBaseUser, reason: str = "") -> None:
    """Ban a player: remove the player from every open night and seat, and refuse all future ones.

    The audit keeps the reason. A night hosted by the player goes to the member with a phone that joined first,
    or is closed if there is none. The player's results stay. Raises `gone_player`, `already_banned`, and
    `no_reason_given` for a reason that is longer than a line.
    """
    reason = audit.reason(reason) if reason else ""
    (player,), _nights = holds.everywhere(player)
    if player.banned_at is not None:
        raise Illegal("already_banned")
    remove_from_nights(player, by)
    player.banned_at = datetime.now(UTC)
    player.save(update_fields=["banned_at"])
    audit.note("player_banned", by, player.nickname, player=player.pk, reason=reason)
    transaction.on_commit(partial(publication.publish, publication.PlayerChanged(player.pk)))


def remove_from_nights(player: Player, by: AbstractBaseUser | None) -> None:
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


@transaction.atomic
def lift(player: Player, by: AbstractBaseUser) -> None:
    """Lift a ban; nights from which the player was removed stay closed to the player. Raises `not_banned`."""
    player = holds.person(player)
    if player.banned_at is None:
        raise Illegal("not_banned")
    player.banned_at = None
    player.save(update_fields=["banned_at"])
    audit.note("ban_lifted", by, player.nickname, player=player.pk)
