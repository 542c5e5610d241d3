"""Reminders: a payment that is not booked stays on both people's pages for 60 days."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q

from games.models import Night, Payment, Player
from games.models.night import today
from games.services.payments import accounts
from games.services.payments.accounts import Planned

DAYS = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Open:
    """A payment of a player that is not booked, with its night: one that stands, or one that is to be made."""

    night: Night
    payment: Planned | Payment


def open_payments(player: Player) -> list[Open]:
    """Return the payments to and from a player that are not booked, of nights of the last 60 days, newest first."""
    here = Q(tables__results__lines__player=player) | Q(payments__payer=player) | Q(payments__payee=player)
    rows = Night.objects.filter(here | Q(kitty_holder=player) | Q(host=player), day__gte=today() - DAYS)
    nights = rows.filter(is_practice=False).distinct().select_related("host", "kitty_holder")
    return [each for night in nights.order_by("-day", "-pk") for each in _of(night, player)]


def _of(night: Night, player: Player) -> Iterable[Open]:
    for account in accounts.accounts(night):
        for each in account.unbooked:
            if any(person is not None and person.pk == player.pk for person in (each.payer, each.payee)):
                yield Open(night, each)
