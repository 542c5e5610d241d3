"""Claims: an account says that a guest of a night is the same person, and hosts or the guest decide.

The rules are in `agreement`: the guest's own device may confirm alone, else every host at whose
nights the guest has been must confirm.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import HistoryClaim, Membership, Night, Player
from games.services import audit, publication, row_locks
from games.services.acts import LogLine
from games.services.nights import agreement, events, former_hosts, night_rights
from games.services.people import merging, name_order

events.LOG.add(
    LogLine("claim_asked", _("%(by)s says: %(name)s was me. The host is asked.")),
    LogLine("claim_owned", _("%(name)s confirmed it: %(name)s and %(by)s are one person.")),
    LogLine("claim_disowned", _("%(name)s is somebody else than %(by)s, and says so.")),
)


@dataclass(frozen=True, slots=True)
class ClaimDecision:
    """The result of an answer to a claim; `is_done` is False while other hosts have yet to confirm it."""

    claim: HistoryClaim
    is_done: bool


def claimable(night: Night, player: Player) -> list[Player]:
    """Return the guests of a night that an account may claim, by name.

    Without hosts of the night, former ones too, whose own decision it would be, and without players that have an
    account.
    """
    inside = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    guests = [m.player for m in inside if m.player.is_guest and m.player.banned_at is None]
    others = [g for g in guests if g.pk not in (player.pk, night.host_id, *former_hosts.ids(night))]
    return name_order.by_name(others, lambda guest: guest.nickname)


def waiting(night: Night) -> list[HistoryClaim]:
    """Return the claims that the host of a night has yet to decide.

    They concern guests of this night, wherever they were claimed. Claims on the host as a guest, and claims
    that the host has confirmed already, are left out.
    """
    since = datetime.now(UTC) - timedelta(days=agreement.CLAIM_DAYS)
    here = Q(guest__in=night.memberships.values("player"))
    rows = HistoryClaim.objects.filter(Q(night=night) | here, created_at__gt=since).exclude(guest=night.host_id)
    found = rows.select_related("guest", "account", "night")
    return [c for c in found if c.guest.is_guest and c.account.is_somebody and night.host_id not in c.agreed]


@transaction.atomic
def create(night: Night, player: Player, guest_id: int) -> HistoryClaim:
    """Claim a guest of a night for this account's player.

    A repeated claim replaces the earlier one. Raises `not_inside`, `no_account`, `own_claim`, `no_such_player`,
    and as `merging.check`.
    """
    is_here = night.memberships.filter(player__id=guest_id).exists()
    player = row_locks.people(player, *([guest_id] if is_here else []))[0]
    row_locks.night(night)
    if not night_rights.is_inside(night, player):
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
    """Return the data of a claim for the night's events."""
    return {
        "name": claim.guest.nickname,
        "player": claim.guest_id,
        "by": claim.account.nickname,
        "by_player": claim.account_id,
    }


@transaction.atomic
def decide(night: Night, host: Player, claim_id: int, is_true: bool) -> ClaimDecision:
    """Confirm or refuse a claim as a host; a confirmed one merges the two players.

    A claim that needs the confirmation of other hosts waits for it; one refusal ends it.
    Raises `not_host`, `claim_gone`, `own_claim`, `too_soon` (with `seconds`: the guest's own
    device is asked first) and as `merging.check`.
    """
    claim = _held(night, claim_id)
    night_rights.check_host(night, host)
    if claim is None:
        raise Illegal("claim_gone")
    if claim.account_id == host.pk:
        raise Illegal("own_claim")
    if not is_true:
        _end(claim, night, "claim_refused", host)
        return ClaimDecision(claim, is_done=True)
    if left := agreement.seconds_left(claim.guest, claim.created_at):
        raise Illegal("too_soon", seconds=left)
    claim.agreed = sorted({*claim.agreed, host.pk})
    if agreement.missing(claim.guest, claim.agreed):
        claim.save(update_fields=["agreed"])
        events.record(night, "claim_agreed", **_about(claim))
        _note(claim, night, "claim_agreed", host)
        return ClaimDecision(claim, is_done=False)
    _join(claim, night, "claim_confirmed", host)
    return ClaimDecision(claim, is_done=True)


@transaction.atomic
def answer_myself(guest: Player, claim_id: int, is_true: bool) -> None:
    """Confirm or refuse a claim from the guest's own device; raises `claim_gone`, and as `merging.check`."""
    _hold(claim_id)
    claim = next((c for c in agreement.open_claims(guest) if c.pk == claim_id), None)
    if claim is None:
        raise Illegal("claim_gone")
    claim.guest = guest
    if is_true:
        _join(claim, claim.night, "claim_owned", guest)
    else:
        _end(claim, claim.night, "claim_disowned", guest)


def _hold(claim_id: int) -> None:
    """Hold the two players of a claim everywhere, because its answer may merge them; nothing for a decided claim."""
    if (claim := HistoryClaim.objects.filter(pk=claim_id).first()) is not None:
        row_locks.everywhere(claim.guest_id, claim.account_id)


def _held(night: Night, claim_id: int) -> HistoryClaim | None:
    """Return a claim that waits for a night's host, with its players and the night held; None if there is none."""
    _hold(claim_id)
    row_locks.night(night)
    return next((c for c in waiting(night) if c.pk == claim_id), None)


def _join(claim: HistoryClaim, night: Night, event: str, by: Player) -> None:
    """Merge the two players of a claim."""
    about, pk = _about(claim), claim.pk
    HistoryClaim.objects.filter(pk=pk).delete()
    merging.merge(claim.guest, claim.account)
    events.record(night, event, **about)
    # A guest that confirmed its own claim is the account's player now.
    _note(claim, night, event, claim.account if by.pk == claim.guest_id else by)


def _end(claim: HistoryClaim, night: Night, event: str, by: Player) -> None:
    """Delete a refused claim."""
    about = _about(claim)
    HistoryClaim.objects.filter(pk=claim.pk).delete()
    events.record(night, event, **about)
    _note(claim, night, event, by)


def _note(claim: HistoryClaim, night: Night, act: str, by: Player) -> None:
    """Write the decision on a claim to the audit."""
    names = {"player": claim.guest_id, "account": claim.account_id}
    audit.note(act, by, claim.guest.nickname, night=night, **names)
