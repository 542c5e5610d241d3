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
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import lobby, tries

HOME_SECONDS = 12 * 3600
KNOWN_AFTER = timedelta(days=1)


def allowed(scope: str) -> int:
    """Return how many attempts a minute the settings grant ("10/min")."""
    rates: dict[str, str] = cast("Any", settings.REST_FRAMEWORK)["DEFAULT_THROTTLE_RATES"]
    return int(rates[scope].split("/", 1)[0])


def note_home(night: Night, address: str) -> None:
    """Note that somebody of a night is at an address: its code goes through there."""
    cache.set(_home(night, address), True, HOME_SECONDS)


def _home(night: Night, address: str) -> str:
    return f"home:{night.pk}:{network_of(address)}"


def join(night: Night, player: Player, address: str) -> Membership:
    """Let a player in from an address, or put them before the host; raises as `lobby.join`."""
    member = lobby.join(night, player)
    if member.status == Membership.Status.IN:
        note_home(night, address)
    return member


def host_night(player: Player, name: str, venue: str, address: str) -> Night:
    """Open a night from an address; raises as `lobby.host_night`."""
    night = lobby.host_night(player, name, venue)
    note_home(night, address)
    return night


def by_code(code: str, address: str, player: Player | None = None) -> Night:
    """Return the night that a room code opens to an address, or to a player who is known.

    Raises Illegal `wrong_code`, and `too_many_tries` (with `seconds`).
    """
    try:
        night = lobby.find_by_code(code)
    except Illegal:
        night = None
    if night is not None and cache.get(_home(night, address)):
        return night
    counts = _counts(address, player)
    for key, most in counts.items():
        tries.check(key, most)
    if night is None:
        for key in counts:
            tries.note(key)
        raise Illegal("wrong_code")
    return night


def _counts(address: str, player: Player | None) -> dict[str, int]:
    """Return which counts a try adds to, and how many each takes a minute."""
    if player is not None and _is_known(player):
        return {f"tries:code:player-{player.pk}": allowed("code"), "tries:code_known": allowed("code_house")}
    return {
        f"tries:code:{network_of(address)}": allowed("code"),
        "tries:code_house": allowed("code_house"),
    }


def _is_known(player: Player) -> bool:
    """Tell whether a player has been at somebody else's night, and known for a day."""
    if player.created_at > datetime.now(UTC) - KNOWN_AFTER:
        return False
    been = Membership.objects.filter(player=player, status=Membership.Status.IN)
    return been.exclude(night__host=player).exists()
