"""Rows about a person in payments: joined with a merged player's, forgotten with a deleted one's."""

from __future__ import annotations

from django.db.models import F

from games.models import BankDetails, Night, Payment, Player, PointValue, Settling


def join(source: Player, target: Player) -> None:
    """Make room for a merged player's rows at the player into which it is merged, who keeps what stands already."""
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


def forget(player: Player) -> None:
    """Forget a deleted player's bank details, values, proposals and open ticks; what was booked stays without name."""
    BankDetails.objects.filter(player=player).delete()
    PointValue.objects.filter(player=player).delete()
    Settling.objects.filter(leaver=player, agreed_at=None).delete()
    Settling.objects.filter(taker=player, agreed_at=None).delete()
    Payment.objects.filter(payer=player, booked_at=None, settling=None).delete()
    Payment.objects.filter(payee=player, booked_at=None, settling=None).delete()
    Night.objects.filter(kitty_holder=player).exclude(host=F("kitty_holder")).update(kitty_holder=None)
