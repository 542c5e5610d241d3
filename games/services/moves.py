"""A guest who goes on, on another phone: a number that the host approves, and works once."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

from django.db import transaction

from games.kernel.contract import Illegal
from games.models import DeviceMove, Membership, Night, Player
from games.services.lobby import check_host, tell

MOVE_MINUTES = 10
# Phones that wait at one night: far more than people have, and no room to hit a number.
MOST_MOVES = 200


def ask_move(night: Night, player_id: int) -> tuple[DeviceMove, str]:
    """Ask to go on as a player on another phone.

    Returns the request, with its six-digit number, and the secret that this browser must
    keep to use it. Raises `no_such_player`, `night_closed`, and `has_account` for a player
    who is reached by logging in; `too_many_tries` while too many wait.
    """
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is None:
        raise Illegal("no_such_player")
    if member.player.user_id is not None:
        raise Illegal("has_account")
    secret = secrets.token_urlsafe(24)
    move = DeviceMove.objects.create(
        night=night,
        player_id=player_id,
        number=_new_number(night),
        secret_hash=_hash(secret),
        expires_at=datetime.now(UTC) + timedelta(minutes=MOVE_MINUTES),
    )
    tell(night, "move_asked", name=member.player.nickname, player=member.player_id)
    return move, secret


def _new_number(night: Night) -> str:
    """Return a six-digit number that no other phone of the night shows now.

    The host approves by the number: two phones with one number would both be let in.
    """
    open_moves = night.device_moves.filter(used_at=None, expires_at__gt=datetime.now(UTC))
    shown = set(open_moves.values_list("number", flat=True))
    if len(shown) >= MOST_MOVES:
        raise Illegal("too_many_tries", seconds=60 * MOVE_MINUTES)
    while (number := f"{secrets.randbelow(10**6):06}") in shown:
        pass
    return number


def _hash(secret: str) -> str:
    """Return what is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def approve_move(night: Night, host: Player, number: str) -> None:
    """Approve the move whose number the guest showed the host; raises `wrong_number`."""
    check_host(night, host)
    open_moves = night.device_moves.filter(number=number, used_at__isnull=True, expires_at__gt=datetime.now(UTC))
    if open_moves.update(approved=True) == 0:
        raise Illegal("wrong_number")
    tell(night, "move_approved", actor=host)


@transaction.atomic
def use_move(secret: str) -> Player | None:
    """Return the player whom an approved move makes of this browser, once; None before."""
    move = (
        DeviceMove.objects.select_for_update()
        .filter(secret_hash=_hash(secret), used_at__isnull=True, expires_at__gt=datetime.now(UTC))
        .first()
    )
    if move is None:
        raise Illegal("move_gone")
    if not move.approved:
        return None
    move.used_at = datetime.now(UTC)
    move.save(update_fields=["used_at"])
    return move.player
