"""Bans of players: from every night, present and future."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Player
from games.services import audit, publication, row_locks
from games.services.publication import Occurrence

BANNED: Occurrence[Player, AbstractBaseUser | None] = Occurrence()
"""A player, held everywhere, is banned, by a user of the staff or as one who is merged with a banned player."""


@transaction.atomic
def ban(player: Player, by: AbstractBaseUser, reason: str = "") -> None:
    """Ban a player: remove the player from every open night and seat, and refuse all future ones.

    The audit keeps the reason. A night hosted by the player goes to the member with a phone that joined first,
    or is closed if there is none. The player's results stay. Raises `gone_player`, `already_banned`, and
    `no_reason_given` for a reason that is longer than a line.
    """
    reason = audit.reason(reason) if reason else ""
    (player,), _nights = row_locks.everywhere(player)
    if player.banned_at is not None:
        raise Illegal("already_banned")
    BANNED.tell(player, by)
    player.banned_at = datetime.now(UTC)
    player.save(update_fields=["banned_at"])
    audit.note("player_banned", by, player.nickname, player=player.pk, reason=reason)
    transaction.on_commit(partial(publication.publish, publication.PlayerChanged(player.pk)))


@transaction.atomic
def lift(player: Player, by: AbstractBaseUser) -> None:
    """Lift a ban; nights from which the player was removed stay closed to the player. Raises `not_banned`."""
    player = row_locks.person(player)
    if player.banned_at is None:
        raise Illegal("not_banned")
    player.banned_at = None
    player.save(update_fields=["banned_at"])
    audit.note("ban_lifted", by, player.nickname, player=player.pk)
