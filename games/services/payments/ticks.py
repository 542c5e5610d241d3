"""Ticks: payer and payee each tick a payment; what both have ticked is booked."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Membership, Night, Payment, Player
from games.services import audit, publication, row_locks
from games.services.payments import accounts
from games.services.payments.registry import ACTS, Amount, Currency, OneSide, OwedRight, PartyId, PaymentId, Side


@dataclass(frozen=True, slots=True)
class Wanted:
    """A payment as its sender sees it: the two people's ids (None: the table), currency and amount."""

    payer: int | None
    payee: int | None
    currency: str
    amount: int


def has_phone(night: Night, person: Player) -> bool:
    """Tell whether a person ticks for themselves: a member of the night without a keeper, whose data are there."""
    if person.deleted_at is not None:
        return False
    member = night.memberships.filter(player=person).first()
    return member is not None and member.keeper_id is None


def may_tick(night: Night, payer: Player | None, payee: Player | None, side: Side, by: Player) -> bool:
    """Tell whether a player may tick a side of a payment.

    Everybody ticks their own side; the host ticks for the table and for people without a phone. What the host pays
    is not confirmed by the host: a person's keeper does that, and for the table, or whom the host has brought, any
    other member.
    """
    person, other = (payer, payee) if side == "payer" else (payee, payer)
    if person is not None and person.pk == by.pk:
        return True
    is_own_payment = side == "payee" and other is not None and other.pk == by.pk
    if is_own_payment:
        return False
    host_pays = side == "payee" and other is not None and other.pk == night.host_id
    if person is None:
        return by.pk == night.host_id or host_pays
    if has_phone(night, person):
        return False
    keepers = (by.pk, night.host_id)
    is_kept = host_pays and Membership.objects.filter(night=night, player=person, keeper__in=keepers).exists()
    return by.pk == night.host_id or is_kept


@transaction.atomic
def tick(night: Night, by: Player, side: Side, wanted: Wanted | int) -> Payment:
    """Tick a side of a payment: of one that stands, by id, or of one that is to be made.

    Raises Illegal `payment_moved` if it is not to be made any more, `not_your_payment`.
    """
    row_locks.night(night)
    row = _standing(night, wanted)
    if not may_tick(night, row.payer, row.payee, side, by):
        raise Illegal("not_your_payment")
    if row.booked_at is not None:
        return row
    now = timezone.now()
    if side == "payer":
        row.payer_ticked_at = row.payer_ticked_at or now
    else:
        row.payee_ticked_at = row.payee_ticked_at or now
    if row.payer_ticked_at is not None and row.payee_ticked_at is not None:
        row.booked_at = now
    row.save()
    _note("payment_booked" if row.booked_at else "payment_ticked", night, by, row)
    return row


@ACTS.act(
    "tick",
    OwedRight.MEMBER,
    audit={
        "payment_ticked": _("ticked a payment"),
        "payment_booked": _("ticked a payment as the second, so that it is booked"),
    },
    words={
        "payer": _("They have paid"),
        "own_payer": _("I have paid"),
        "payee": _("They have got it"),
        "own_payee": _("I have got it"),
    },
)
def tick_named(
    night: Night,
    by: Player,
    *,
    side: OneSide,
    payment_id: PaymentId | None = None,
    payer_id: PartyId | None = None,
    payee_id: PartyId | None = None,
    currency: Currency = "",
    amount: Amount | None = None,
) -> None:
    """Tick a side of a payment that stands, or of one to be made that is named by its parts; raises as `tick`."""
    if payment_id is not None:
        tick(night, by, side, payment_id)
    elif amount is None:
        raise Illegal("payment_moved")
    else:
        tick(night, by, side, Wanted(payer_id, payee_id, currency, amount))


@ACTS.act("untick", OwedRight.MEMBER, audit={"payment_unticked": _("took the tick off a payment")}, label=_("Undo"))
@transaction.atomic
def untick(night: Night, by: Player, side: OneSide, payment_id: PaymentId) -> None:
    """Take a tick back before the other side has ticked.

    Raises Illegal `payment_moved`, `payment_booked`, `not_your_payment`.
    """
    row_locks.night(night)
    row = _standing(night, payment_id)
    if not may_tick(night, row.payer, row.payee, side, by):
        raise Illegal("not_your_payment")
    if row.booked_at is not None:
        raise Illegal("payment_booked")
    if side == "payer":
        row.payer_ticked_at = None
    else:
        row.payee_ticked_at = None
    _note("payment_unticked", night, by, row)
    if row.settling_id is None and row.payer_ticked_at is None and row.payee_ticked_at is None:
        row.delete()
    else:
        row.save()


def _standing(night: Night, wanted: Wanted | int) -> Payment:
    """Return the payment that stands, or a new one that is to be made; raises `payment_moved`."""
    rows = night.payments.select_related("payer", "payee").exclude(settling__isnull=False, settling__agreed_at=None)
    if isinstance(wanted, int):
        found = rows.filter(pk=wanted).first()
        if found is None:
            raise Illegal("payment_moved")
        return found
    pair = {"payer": wanted.payer, "payee": wanted.payee, "currency": wanted.currency}
    same = rows.filter(**pair, amount=wanted.amount, booked_at=None, settling=None).first()
    return same or _planned(night, wanted)


def _planned(night: Night, wanted: Wanted) -> Payment:
    account = accounts.account(night, wanted.currency)
    for each in account.planned if account is not None else ():
        pair = (None if each.payer is None else each.payer.pk, None if each.payee is None else each.payee.pk)
        if (*pair, each.amount) == (wanted.payer, wanted.payee, wanted.amount):
            return _joined(
                night,
                Payment(night=night, payer=each.payer, payee=each.payee, currency=each.currency, amount=each.amount),
            )
    raise Illegal("payment_moved")


def _joined(night: Night, new: Payment) -> Payment:
    """Return a new payment; raises `payment_waits` while an earlier one between the two is ticked by one alone."""
    waits = night.payments.filter(payer=new.payer, payee=new.payee, currency=new.currency)
    if waits.filter(booked_at=None, settling=None).exists():
        raise Illegal("payment_waits")
    return new


def _note(act: str, night: Night, by: Player, row: Payment) -> None:
    audit.note(act, by, row.currency, night=night, payer=row.payer_id, payee=row.payee_id, amount=row.amount)
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
