"""The agreement needed before another phone or an account takes over a guest.

A host's agreement covers the host's own nights. A guest of nights of several hosts is taken over
only when each of these hosts has agreed, or the guest's own device has. The own device is asked first in
any case: for VETO_SECONDS nothing happens without it, and its refusal is final.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet

from games.models import DeviceMove, HistoryClaim, Membership, Night, Player
from games.services.nights import former_hosts, without_phone

CLAIM_DAYS = 7


def hosts_of(guest: Player) -> set[int]:
    """Return the ids of the hosts of all nights that a guest has been at, waits at or hosts; practice is left out.

    From whom a night was taken over still counts as its host where it is about their own name.
    """
    nights = Q(memberships__player=guest) | Q(host=guest)
    rows = list(Night.objects.filter(nights, is_practice=False).only("host", "former_hosts"))
    own = {guest.pk} if former_hosts.has_hosted(guest.pk, rows) else set()
    return {night.host_id for night in rows} | own


def missing(guest: Player, agreed: Iterable[int]) -> set[int]:
    """Return the ids of the hosts that have yet to agree.

    If the guest hosts a night, the guest's own id is always among them: then only the own device can agree.
    """
    return hosts_of(guest) - (set(agreed) - {guest.pk})


def seconds_left(guest: Player, asked_at: datetime) -> int:
    """Return the seconds left for the own device to answer before hosts may decide; 0 for a guest without a phone."""
    if without_phone.is_without_phone(guest):
        return 0
    until = asked_at + timedelta(seconds=settings.VETO_SECONDS)
    return max(0, int((until - datetime.now(UTC)).total_seconds() + 0.999))


def open_moves(guest: Player) -> list[DeviceMove]:
    """Return the phones that ask to continue as a guest, oldest first."""
    waiting = DeviceMove.objects.filter(player=guest, used_at=None, expires_at__gt=datetime.now(UTC))
    return list(waiting.select_related("night").order_by("pk"))


def kept_moves(keeper: Player) -> list[DeviceMove]:
    """Return the phones that ask to continue as a person without a phone that `keeper` acts for."""
    waiting = DeviceMove.objects.filter(used_at=None, expires_at__gt=datetime.now(UTC), is_own=False)
    rows = waiting.filter(player__in=without_phone.persons(keeper)).select_related("night", "player").order_by("pk")
    return [move for move in rows if not without_phone.hosts(keeper, move.player_id) <= set(move.agreed)]


def open_claims(guest: Player) -> list[HistoryClaim]:
    """Return the claims on a guest, oldest first."""
    since = datetime.now(UTC) - timedelta(days=CLAIM_DAYS)
    waiting = HistoryClaim.objects.filter(guest=guest, created_at__gt=since)
    return list(waiting.select_related("night", "account"))


def nights_waiting(host: Player) -> QuerySet[Night]:
    """Return the nights of a host, including closed ones, with guests that a phone or an account asks for."""
    now = datetime.now(UTC)
    moves = DeviceMove.objects.filter(used_at=None, expires_at__gt=now).values("player")
    claims = HistoryClaim.objects.filter(created_at__gt=now - timedelta(days=CLAIM_DAYS)).values("guest")
    guests = Q(player__in=moves) | Q(player__in=claims)
    return Night.objects.filter(host=host, pk__in=Membership.objects.filter(guests).values("night"))


def has_request(guest: Player | None) -> bool:
    """Tell whether a player's device has a request to answer: as a guest, or as a keeper."""
    if guest is None:
        return False
    has_request_as_guest = guest.user_id is None and bool(open_moves(guest) or open_claims(guest))
    return has_request_as_guest or bool(kept_moves(guest))


def was_at(night: Night) -> Q:
    """Return a filter for rows with a `player` that has come to a night."""
    return Q(player__in=Membership.objects.filter(night=night).values("player"))
