"""Balances and payments of a night by currency, and their ticks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import PersonSerializer, Shape
from games.api.nights.nights import INSIDE
from games.api.schema import described
from games.models import Night, Payment, Player
from games.services.payments import accounts, ticks
from games.services.payments.accounts import Account, Planned
from games.services.payments.registry import Side

TAG = "owed"
SIDES = ("payer", "payee")


class BalanceSerializer(Shape):
    """The balance of a person, or of the table (null): above zero it gets money. `left` is the sum of the others."""

    player = PersonSerializer(allow_null=True)
    games = serializers.IntegerField()
    kitty = serializers.IntegerField()
    settled = serializers.IntegerField()
    paid = serializers.IntegerField()
    left = serializers.IntegerField()


class OwedPaymentSerializer(Shape):
    """A payment; null is the table. `id` is null until one of the two has ticked it. `may_tick` are the asker's sides.

    `booked_at` is set when both have ticked it.
    """

    id = serializers.IntegerField(allow_null=True)
    payer = PersonSerializer(allow_null=True)
    payee = PersonSerializer(allow_null=True)
    amount = serializers.IntegerField()
    payer_ticked_at = serializers.DateTimeField(allow_null=True)
    payee_ticked_at = serializers.DateTimeField(allow_null=True)
    booked_at = serializers.DateTimeField(allow_null=True)
    may_tick = serializers.ListField(child=serializers.ChoiceField(SIDES))


class AccountSerializer(Shape):
    """An account: amounts are hundredths of its `currency`, or whole "rounds". Its columns each add up to zero."""

    currency = serializers.CharField()
    balances = BalanceSerializer(many=True)
    payments = OwedPaymentSerializer(many=True)


class OwedSerializer(Shape):
    """Accounts of a night, by currency; bank details are told to nobody here."""

    accounts = AccountSerializer(many=True)


def _told(night: Night, reader: Player | None) -> dict[str, Any]:
    return {"accounts": [_account(night, each, reader) for each in accounts.accounts(night)]}


def _account(night: Night, account: Account, reader: Player | None) -> dict[str, Any]:
    names = ("games", "kitty", "settled", "paid", "left")
    rows = [{"player": row.person, **{name: getattr(row, name) for name in names}} for row in account.rows]
    payments = [_payment(night, each, reader) for each in (*account.unbooked, *account.booked)]
    return {"currency": account.currency, "balances": rows, "payments": payments}


def _payment(night: Night, payment: Payment | Planned, reader: Player | None) -> dict[str, Any]:
    row = payment if isinstance(payment, Payment) else None
    sides: tuple[Side, ...] = ("payer", "payee")
    is_open = reader is not None and (row is None or row.booked_at is None)
    pair = payment.payer, payment.payee
    may = [side for side in sides if reader is not None and is_open and ticks.may_tick(night, *pair, side, reader)]
    return {
        "id": row and row.pk,
        "payer": payment.payer,
        "payee": payment.payee,
        "amount": payment.amount,
        "payer_ticked_at": row and row.payer_ticked_at,
        "payee_ticked_at": row and row.payee_ticked_at,
        "booked_at": row and row.booked_at,
        "may_tick": may,
    }


class Owed(View):
    """Accounts of a night."""

    @described(
        "getOwed",
        "Balances and payments of a night, by currency",
        OwedSerializer,
        tag=TAG,
        codes=INSIDE,
        description="For members of the night, and the staff. Empty where points are worth nothing.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the accounts."""
        night = night_access(request, public_id)
        return Response(OwedSerializer(_told(night, self.asker.player)).data)
