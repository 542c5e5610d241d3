"""Joining by room code: wrong codes are counted, per address and in total.

There are 21^5, about four million codes, so guessing must be slow however many people guess.
Links and QR codes are not affected by guessing, and a full pub behind one address can come in by them at once. Right
codes are bounded, too, but far more widely: 60 a minute.

Guessing does not lock out honest guests either. The right code of a night always works from an address
where its people are (the code is on the wall there), and a player known for a day has a count of their own.
"""

from __future__ import annotations

from django.core.cache import cache

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import rate_limit
from games.services.nights import membership, newcomers


def note_address(night: Night, address: str) -> None:
    """Note that a member of a night is at an address, so that the night's code always works from there."""
    cache.set(_home(night, address), True, newcomers.EVENING_SECONDS)


def _home(night: Night, address: str) -> str:
    return f"home:{night.pk}:{network_of(address)}"


def join(night: Night, player: Player, address: str, *, by_code: bool = False, is_expected: bool = False) -> Membership:
    """Let a player in from an address, or let them wait for the host.

    `by_code`: by the typed code, not by the QR code. Raises as `membership.join`, and `too_many`.
    """
    if by_code:
        rate_limit.spend("typed", f"in-{rate_limit.subject(None, None, address)}")
    member = membership.join(night, player, is_invited=not by_code, is_expected=is_expected, address=address)
    if member.status == Membership.Status.IN:
        note_address(night, address)
    return member


def host_night(player: Player, name: str, venue: str, address: str) -> Night:
    """Open a night from an address; raises as `membership.host_night`."""
    night = membership.host_night(player, name, venue)
    note_address(night, address)
    return night


def by_code(code: str, address: str, player: Player | None = None) -> Night:
    """Return the night of a room code entered from an address, or by a known player.

    Raises Illegal `wrong_code`, `too_many_tries` and `too_many` (both with `seconds`).
    """
    try:
        night = membership.find_by_code(code)
    except Illegal:
        night = None
    if night is not None and cache.get(_home(night, address)):
        return _typed(night, address, player)
    counts = _counts(address, player)
    for name, counted_by in counts.items():
        rate_limit.check(name, counted_by)
    if night is None:
        for name, counted_by in counts.items():
            rate_limit.note(name, counted_by)
        raise Illegal("wrong_code")
    return _typed(night, address, player)


def _typed(night: Night, address: str, player: Player | None) -> Night:
    """Count a right code; return its night. Raises Illegal `too_many`."""
    rate_limit.spend("typed", rate_limit.subject(player, None, address))
    return night


def _counts(address: str, player: Player | None) -> dict[str, str]:
    """Return the limits of wrong codes (games/services/rate_limit.py), each with its key to count by."""
    is_known = player is not None and newcomers.is_known(player)
    of_one = rate_limit.subject(player if is_known else None, None, address)
    return {"code": f"wrong-{of_one}", "code_house": "known" if is_known else "all"}
