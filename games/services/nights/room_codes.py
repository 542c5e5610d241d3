"""Joining by room code: wrong codes are counted, for each address and for all together.

A code has 21^5, about four million, values, so that guessing has to be slow however many
guess. Only wrong codes count: a full pub behind one address comes in at once, and links and
QR codes open their night whatever guessers do.

Guessers do not shut out the innocent, either. The right code of a night whose people are at the
same address goes through (it is written on the wall there), and a player who has been known
for a day counts by themselves.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.core.cache import cache

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import rate_limit
from games.services.nights import membership

HOME_SECONDS = 12 * 3600
KNOWN_AFTER = timedelta(days=1)


def note_address(night: Night, address: str) -> None:
    """Note that somebody of a night is at an address: its code goes through there."""
    cache.set(_home(night, address), True, HOME_SECONDS)


def _home(night: Night, address: str) -> str:
    return f"home:{night.pk}:{network_of(address)}"


def join(night: Night, player: Player, address: str) -> Membership:
    """Let a player in from an address, or put them before the host; raises as `membership.join`."""
    member = membership.join(night, player)
    if member.status == Membership.Status.IN:
        note_address(night, address)
    return member


def host_night(player: Player, name: str, venue: str, address: str) -> Night:
    """Open a night from an address; raises as `membership.host_night`."""
    night = membership.host_night(player, name, venue)
    note_address(night, address)
    return night


def by_code(code: str, address: str, player: Player | None = None) -> Night:
    """Return the night that a room code opens to an address, or to a player who is known.

    Raises Illegal `wrong_code`, and `too_many_tries` (with `seconds`).
    """
    try:
        night = membership.find_by_code(code)
    except Illegal:
        night = None
    if night is not None and cache.get(_home(night, address)):
        return night
    counts = _counts(address, player)
    for name, counted_by in counts.items():
        rate_limit.check(name, counted_by)
    if night is None:
        for name, counted_by in counts.items():
            rate_limit.note(name, counted_by)
        raise Illegal("wrong_code")
    return night


def _counts(address: str, player: Player | None) -> dict[str, str]:
    """Return the limits of wrong codes (games/services/rate_limit.py), and by what each counts."""
    is_known = player is not None and _is_known(player)
    of_one = rate_limit.subject(player if is_known else None, None, address)
    return {"code": f"wrong-{of_one}", "code_house": "known" if is_known else "all"}


def _is_known(player: Player) -> bool:
    """Tell whether a player has been at somebody else's night, and known for a day."""
    if player.created_at > datetime.now(UTC) - KNOWN_AFTER:
        return False
    been = Membership.objects.filter(player=player, status=Membership.Status.IN)
    return been.exclude(night__host=player).exists()
