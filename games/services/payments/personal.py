"""Data of a person in payments: bank details, values of points, settlings and ticks."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import BankDetails, Night, Payment, Player, PointValue, Settling
from games.services.personal_rooms import (
    BY_ITSELF,
    NAMELESS,
    NIGHT,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    time_text,
)


def _join(source: Player, target: Player) -> None:
    """Move a merged player's rows to the target; where both have one, the target's stays."""
    both = (source, target)
    Settling.objects.filter(leaver=source, agreed_at=None).delete()
    Payment.objects.filter(payer__in=both, payee__in=both).delete()
    theirs = Payment.objects.filter(booked_at=None, settling=None)
    for row in theirs.filter(payer=source):
        theirs.filter(night=row.night, payer=target, payee=row.payee, currency=row.currency).exclude(pk=row.pk).delete()
    for row in theirs.filter(payee=source):
        theirs.filter(night=row.night, payer=row.payer, payee=target, currency=row.currency).exclude(pk=row.pk).delete()
    kept = BankDetails.objects.filter(player=target).values("night")
    BankDetails.objects.filter(player=source, night__in=list(kept.values_list("night", flat=True))).delete()


def _forget(leaver: Leaver) -> None:
    """Forget a deleted player's bank details, values, proposals and open ticks; what was booked stays without name."""
    BankDetails.objects.filter(player=leaver.player).delete()
    PointValue.objects.filter(player=leaver.player).delete()
    Settling.objects.filter(leaver=leaver.player, agreed_at=None).delete()
    Settling.objects.filter(taker=leaver.player, agreed_at=None).delete()
    Payment.objects.filter(payer=leaver.player, booked_at=None, settling=None).delete()
    Payment.objects.filter(payee=leaver.player, booked_at=None, settling=None).delete()
    Night.objects.filter(kitty_holder=leaver.player).exclude(host=F("kitty_holder")).update(kitty_holder=None)


def _own(player: Player) -> JsonObject:
    payments = Payment.objects.filter(Q(payer=player) | Q(payee=player)).select_related("night").order_by("pk")
    return {
        "payments": [_payment(row, player) for row in payments],
        "point_values": [_point_value(row) for row in player.point_values.select_related("table")],
        "settlings": [
            _settling(row, player)
            for row in Settling.objects.filter(Q(leaver=player) | Q(taker=player)).select_related("night")
        ],
    }


def _payment(row: Payment, player: Player) -> JsonObject:
    return {
        "night": row.night.public_id,
        "pays": row.payer_id == player.pk,
        "amount": row.amount,
        "currency": row.currency,
        "agreed_at": time_text(row.agreed_at),
        "paid_at": time_text(row.payer_ticked_at),
        "received_at": time_text(row.payee_ticked_at),
        "booked_at": time_text(row.booked_at),
    }


def _point_value(row: PointValue) -> JsonObject:
    return {"table": row.table.public_id, "value": row.value, "since": time_text(row.since)}


def _settling(row: Settling, player: Player) -> JsonObject:
    about = {"night": row.night.public_id, "amount": row.amount, "currency": row.currency}
    about |= {"leaves": row.leaver_id == player.pk}
    return {**about, "proposed_at": time_text(row.proposed_at), "agreed_at": time_text(row.agreed_at)}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return what a guest has paid, got, settled or keeps for others."""
    return (
        Payment.objects.filter(Q(payer=guest) | Q(payee=guest)),
        Settling.objects.filter(Q(leaver=guest) | Q(taker=guest)),
        Night.objects.filter(kitty_holder=guest),
    )


_SAID = (
    NoticeRow(
        _("The bank details that you gave for a night, encrypted"),
        {BankDetails: "night player sealed"},
        _("so that others can pay you"),
        _("those who owe you at that night"),
        _("a day after the night"),
        BY_ITSELF,
    ),
    NoticeRow(
        _("What a point was worth to you, and who has paid whom"),
        {
            PointValue: "table player value since",
            Settling: "night leaver taker currency amount proposed_at agreed_at",
            Payment: "night payer payee currency amount settling agreed_at payer_ticked_at payee_ticked_at booked_at",
        },
        _("so that all can see what is owed"),
        NIGHT,
        _("for good if it was booked, else until you delete your data"),
        NAMELESS,
        (
            "payments",
            "point_values",
            "settlings",
        ),
    ),
)
KEPT = Kept(
    (BankDetails, PointValue, Settling, Payment), forget=_forget, join=_join, own=_own, traces=_traces, said=_SAID
)
