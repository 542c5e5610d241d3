"""Claims: an account says of a guest of a night "that was me", and the host of it decides."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from games.kernel.contract import Illegal
from games.models import HistoryClaim, Membership, Night, Player
from games.services import audit, lobby, merging

CLAIM_DAYS = 7


def claimable(night: Night, player: Player) -> list[Player]:
    """Return the guests of a night whom an account may claim, by name.

    Not the host, who would decide for themselves, and nobody who has an account.
    """
    inside = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    guests = [m.player for m in inside if m.player.is_guest and m.player.banned_at is None]
    others = [g for g in guests if g.pk not in (player.pk, night.host_id)]
    return sorted(others, key=lambda guest: guest.nickname.casefold())


def waiting(night: Night) -> list[HistoryClaim]:
    """Return the claims that the host of a night has yet to decide."""
    since = datetime.now(UTC) - timedelta(days=CLAIM_DAYS)
    rows = night.claims.filter(created_at__gt=since).select_related("guest", "account")
    return [claim for claim in rows if claim.guest.is_guest and claim.account.is_somebody]


@transaction.atomic
def ask(night: Night, player: Player, guest_id: int) -> HistoryClaim:
    """Ask the host of a night to confirm that a guest of it was this account's player.

    Asking twice is fine. Raises `not_inside`, `no_account`, `own_claim`, `no_such_player`,
    and as `merging.check`.
    """
    if not lobby.is_inside(night, player):
        raise Illegal("not_inside")
    if player.user_id is None:
        raise Illegal("no_account")
    if night.host_id == player.pk:
        raise Illegal("own_claim")
    guest = next((g for g in claimable(night, player) if g.pk == guest_id), None)
    if guest is None:
        raise Illegal("no_such_player")
    merging.check(guest, player)
    night.claims.filter(guest=guest, account=player).delete()
    claim = HistoryClaim.objects.create(night=night, guest=guest, account=player)
    lobby.tell(night, "claim_asked", **_about(claim))
    return claim


def _about(claim: HistoryClaim) -> dict[str, Any]:
    """Return what the night's events tell of a claim."""
    return {
        "name": claim.guest.nickname,
        "player": claim.guest_id,
        "by": claim.account.nickname,
        "by_player": claim.account_id,
    }


@transaction.atomic
def decide(night: Night, host: Player, claim_id: int, is_true: bool) -> HistoryClaim:
    """Let the host confirm or refuse a claim, once; a confirmed one joins the two players.

    Raises `not_host`, `claim_gone`, `own_claim` and as `merging.check`.
    """
    lobby.check_host(night, host)
    HistoryClaim.objects.select_for_update().filter(night=night).first()  # one at a time
    claim = next((c for c in waiting(night) if c.pk == claim_id), None)
    if claim is None:
        raise Illegal("claim_gone")
    if claim.account_id == host.pk:
        raise Illegal("own_claim")
    about = _about(claim)
    HistoryClaim.objects.filter(pk=claim.pk).delete()
    if is_true:
        merging.merge(claim.guest, claim.account)
    lobby.tell(night, "claim_confirmed" if is_true else "claim_refused", **about)
    audit.note(
        "claim_confirmed" if is_true else "claim_refused",
        host,
        claim.guest.nickname,
        night=night,
        player=claim.guest_id,
        account=claim.account_id,
    )
    return claim
