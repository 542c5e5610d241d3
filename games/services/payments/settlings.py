"""Leavers who settle in mid-night: their part of an account is closed against one person, or against all.

The leaver proposes it; whoever takes over agrees. Where all share it, the host may agree for everybody, unless it is
the host who leaves. A later correction opens a new difference of the leaver, and changes nothing that is closed.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.kernel.payments.owed import equal_parts
from games.models import Night, Payment, Player, Settling
from games.services import audit, publication, row_locks
from games.services.nights import night_rights
from games.services.payments import accounts
from games.services.payments.accounts import Account
from games.services.payments.registry import ACTS, Currency, OwedRight, Person, SettlingId, Taker
from games.services.payments.ticks import has_phone


@ACTS.act(
    "settle",
    OwedRight.MEMBER,
    done=_("Proposed. It counts as soon as everybody has agreed against whom it is closed."),
    audit={"settling_proposed": _("proposed to settle a leaver's part")},
    label=_("Propose to settle"),
)
@transaction.atomic
def propose(night: Night, by: Player, leaver: Person, currency: Currency, taker: Taker) -> Settling:
    """Propose to close a leaver's balance against `taker`, or with None against all in equal parts.

    `by` is the leaver, or the host for a person without a phone. Raises Illegal `night_closed`, `not_your_payment`,
    `nothing_owed`, `no_taker`, `settling_waits`.
    """
    row_locks.night(night)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    _check_leaver(night, by, leaver)
    account = accounts.account(night, currency)
    amount = 0 if account is None else account.left_of(leaver.pk)
    if account is None or not amount:
        raise Illegal("nothing_owed")
    if any(each.leaver_id == leaver.pk for each in account.proposals):
        raise Illegal("settling_waits")
    parts = _parts(night, account, leaver, taker, abs(amount))
    row = Settling.objects.create(night=night, leaver=leaver, taker=taker, currency=currency, amount=amount)
    for player_id, part in parts.items():
        pair = (leaver.pk, player_id) if amount < 0 else (player_id, leaver.pk)
        Payment.objects.create(
            night=night, settling=row, currency=currency, amount=part, payer_id=pair[0], payee_id=pair[1]
        )
    _note("settling_proposed", night, by, row)
    _agree(night, by, row)
    return row


def _check_leaver(night: Night, by: Player, leaver: Player) -> None:
    is_for_kept = by.pk == night.host_id and not has_phone(night, leaver)
    if by.pk != leaver.pk and not is_for_kept:
        raise Illegal("not_your_payment")


def _parts(night: Night, account: Account, leaver: Player, taker: Player | None, amount: int) -> dict[int, int]:
    """Return what each of the others takes over; raises `no_taker`."""
    if taker is not None:
        if taker.pk == leaver.pk or not night_rights.is_inside(night, taker):
            raise Illegal("no_taker")
        return {taker.pk: amount}
    line = others(account, leaver)
    if not line:
        raise Illegal("no_taker")
    return {pk: part for pk, part in equal_parts(amount, [each.pk for each in line]).items() if part}


def others(account: Account, leaver: Player) -> list[Player]:
    """Return the people who share a leaver's balance, in line: those who played and have not settled yet."""
    gone = {each.leaver_id for each in account.settlings}
    return [each for each in account.line if each.pk not in {leaver.pk, *gone} and each.deleted_at is None]


def may_agree(night: Night, settling: Settling, payment: Payment, by: Player) -> bool:
    """Tell whether a player may agree to a payment of a proposal, for its other side (not the leaver)."""
    person = payment.payee if payment.payer_id == settling.leaver_id else payment.payer
    if person is None or payment.agreed_at is not None:
        return False
    if person.pk == by.pk:
        return True
    if by.pk != night.host_id or settling.leaver_id == by.pk:
        return False
    return settling.taker_id is None or not has_phone(night, person)


@ACTS.act(
    "agree",
    OwedRight.MEMBER,
    done=_("Agreed."),
    audit={"settling_agreed": _("agreed to settle a leaver's part")},
    label=_("Agree"),
)
@transaction.atomic
def agree(night: Night, by: Player, settling_id: SettlingId) -> Settling:
    """Agree to a proposal, for oneself or as the host; it counts once everybody has.

    Raises Illegal `no_such_settling`, `not_your_payment`, and `balance_moved` if the leaver's balance is another now.
    """
    row_locks.night(night)
    row = _proposal(night, settling_id)
    account = accounts.account(night, row.currency)
    if account is None or account.left_of(row.leaver_id) != row.amount:
        raise Illegal("balance_moved")
    if not _agree(night, by, row):
        raise Illegal("not_your_payment")
    return row


def _agree(night: Night, by: Player, row: Settling) -> bool:
    """Write what a player agrees to, and let the proposal count if nobody is left; tell whether there was anything."""
    now = timezone.now()
    payments = list(row.payments.select_related("payer", "payee"))
    mine = [each for each in payments if may_agree(night, row, each, by)]
    Payment.objects.filter(pk__in=[each.pk for each in mine]).update(agreed_at=now)
    if mine and not row.payments.filter(agreed_at=None).exists():
        row.agreed_at = now
        row.save(update_fields=["agreed_at"])
        _note("settling_agreed", night, by, row)
    return bool(mine)


@ACTS.act(
    "drop",
    OwedRight.MEMBER,
    done=_("The proposal is gone."),
    audit={"settling_dropped": _("took back or refused to settle a leaver's part")},
    label=_("Refuse"),
    words={"own": _("Take back")},
)
@transaction.atomic
def drop(night: Night, by: Player, settling_id: SettlingId) -> None:
    """Take a proposal back, or refuse it: an act of the leaver, the host, and the other side of each payment.

    Raises Illegal `no_such_settling`, `not_your_payment`.
    """
    row_locks.night(night)
    row = _proposal(night, settling_id)
    if not may_drop(night, row, by):
        raise Illegal("not_your_payment")
    _note("settling_dropped", night, by, row)
    row.delete()


def may_drop(night: Night, row: Settling, by: Player) -> bool:
    """Tell whether a player may take a proposal back or refuse it."""
    return by.pk in {row.leaver_id, night.host_id} or any(
        by.pk in (each.payer_id, each.payee_id) for each in row.payments.all()
    )


def _proposal(night: Night, settling_id: int) -> Settling:
    """Return a proposal that waits; raises `no_such_settling`."""
    row = night.settlings.filter(pk=settling_id, agreed_at=None).select_related("leaver", "taker").first()
    if row is None:
        raise Illegal("no_such_settling")
    return row


def _note(act: str, night: Night, by: Player, row: Settling) -> None:
    audit.note(act, by, row.currency, night=night, leaver=row.leaver_id, amount=row.amount)
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
