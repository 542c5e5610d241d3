"""Claims: an account says of a guest of a night "that was me", and hosts decide, or the guest.

Who must confirm is in `agreement`: a guest's own device alone, or every host at whose nights
the guest has been.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.kernel.contract import Illegal
from games.models import HistoryClaim, Membership, Night, Player
from games.services import audit
from games.services.nights import events, membership
from games.services.people import agreement, merging
from games.services.tables import publication


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a claim; `is_done` is False while other hosts have yet to confirm it."""

    claim: HistoryClaim
    is_done: bool


def claimable(night: Night, player: Player) -> list[Player]:
    """Return the guests of a night that an account may claim, by name.

    Not the host, who would decide for themselves, and nobody who has an account.
    """
    inside = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    guests = [m.player for m in inside if m.player.is_guest and m.player.banned_at is None]
    others = [g for g in guests if g.pk not in (player.pk, night.host_id)]
    return sorted(others, key=lambda guest: guest.nickname.casefold())


def waiting(night: Night) -> list[HistoryClaim]:
    """Return the claims that the host of a night has yet to decide.

    Of guests who have been at this night, wherever they were claimed, and not what the host
    has confirmed already, or is asked as the guest.
    """
    since = datetime.now(UTC) - timedelta(days=agreement.CLAIM_DAYS)
    here = Q(guest__in=night.memberships.values("player"))
    rows = HistoryClaim.objects.filter(Q(night=night) | here, created_at__gt=since).exclude(guest=night.host_id)
    found = rows.select_related("guest", "account", "night")
    return [c for c in found if c.guest.is_guest and c.account.is_somebody and night.host_id not in c.agreed]


@transaction.atomic
def ask(night: Night, player: Player, guest_id: int) -> HistoryClaim:
    """Ask for a confirmation that a guest of a night was this account's player.

    Asking twice is fine. Raises `not_inside`, `no_account`, `own_claim`, `no_such_player`,
    and as `merging.check`.
    """
    if not membership.is_inside(night, player):
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
    events.record(night, "claim_asked", **_about(claim))
    transaction.on_commit(partial(publication.publish, publication.PlayerAsked(guest.pk)))
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
def decide(night: Night, host: Player, claim_id: int, is_true: bool) -> Decision:
    """Let a host confirm or refuse a claim, once; a confirmed one joins the two players.

    One that needs the word of other hosts, too, waits for it; the no of one is the end of it.
    Raises `not_host`, `claim_gone`, `own_claim`, `too_soon` (with `seconds`: the guest's own
    device is asked first) and as `merging.check`.
    """
    membership.check_host(night, host)
    HistoryClaim.objects.select_for_update().filter(pk=claim_id).first()  # one at a time
    claim = next((c for c in waiting(night) if c.pk == claim_id), None)
    if claim is None:
        raise Illegal("claim_gone")
    if claim.account_id == host.pk:
        raise Illegal("own_claim")
    if not is_true:
        _end(claim, night, "claim_refused", host)
        return Decision(claim, is_done=True)
    if left := agreement.seconds_left(claim.guest, claim.created_at):
        raise Illegal("too_soon", seconds=left)
    claim.agreed = sorted({*claim.agreed, host.pk})
    if agreement.missing(claim.guest, claim.agreed):
        claim.save(update_fields=["agreed"])
        events.record(night, "claim_agreed", **_about(claim))
        _note(claim, night, "claim_agreed", host)
        return Decision(claim, is_done=False)
    _join(claim, night, "claim_confirmed", host)
    return Decision(claim, is_done=True)


@transaction.atomic
def answer_myself(guest: Player, claim_id: int, is_true: bool) -> None:
    """Let a guest's own device confirm or refuse a claim on it; raises `claim_gone`, `merging.check`."""
    HistoryClaim.objects.select_for_update().filter(pk=claim_id).first()
    claim = next((c for c in agreement.open_claims(guest) if c.pk == claim_id), None)
    if claim is None:
        raise Illegal("claim_gone")
    claim.guest = guest
    if is_true:
        _join(claim, claim.night, "claim_owned", guest)
    else:
        _end(claim, claim.night, "claim_disowned", guest)


def _join(claim: HistoryClaim, night: Night, event: str, by: Player) -> None:
    """Join the two players of a claim."""
    about, pk = _about(claim), claim.pk
    HistoryClaim.objects.filter(pk=pk).delete()
    merging.merge(claim.guest, claim.account)
    events.record(night, event, **about)
    # Whoever confirmed it for themselves is the account now.
    _note(claim, night, event, claim.account if by.pk == claim.guest_id else by)


def _end(claim: HistoryClaim, night: Night, event: str, by: Player) -> None:
    """Forget a claim that was refused."""
    about = _about(claim)
    HistoryClaim.objects.filter(pk=claim.pk).delete()
    events.record(night, event, **about)
    _note(claim, night, event, by)


def _note(claim: HistoryClaim, night: Night, act: str, by: Player) -> None:
    """Write to the audit what was said of a claim."""
    names = {"player": claim.guest_id, "account": claim.account_id}
    audit.note(act, by, claim.guest.nickname, night=night, **names)
