"""Balances and payments of a night by currency, and their ticks."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Body, PersonSerializer, Shape, Text, Whole
from games.api.nights.nights import INSIDE
from games.api.schema import described
from games.models import Night, Payment, Player
from games.services.payments import accounts, ticks
from games.services.payments.accounts import Account, Planned
from games.services.payments.registry import ACTS, Side

TAG = "owed"
SIDES = ("payer", "payee")
MOST = 10**9


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


class TickBody(Body):
    """A side of a payment: of one that stands by its `id`, of one to be made by its two people, currency and amount.

    Without `payer` or `payee` it is the table.
    """

    side = serializers.ChoiceField(SIDES)
    id = Whole(required=False, min_value=1, max_value=2**63 - 1)
    payer = Whole(required=False, min_value=1, max_value=2**63 - 1)
    payee = Whole(required=False, min_value=1, max_value=2**63 - 1)
    currency = Text(required=False, max_length=8)
    amount = Whole(required=False, min_value=1, max_value=MOST)


class _Acts(View):
    def act(self, request: Request, public_id: str, name: str, args: dict[str, Any]) -> tuple[Night, Player]:
        """Carry out an act of a member; return the night and the player of the request."""
        player = self.player()
        night = night_access(request, public_id)
        ACTS.carry_out(night, player, name, args)
        return night, player


class TickPayment(_Acts):
    """Ticking of a payment."""

    @described(
        "tickPayment",
        "Tick a side of a payment; ticked by both it is booked",
        OwedSerializer,
        tag=TAG,
        codes=f"{INSIDE} payment_moved payment_waits not_your_payment",
        body=TickBody,
        description="Everybody ticks their own side, the host for the table and people without a phone.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Tick the payment."""
        body = self.body(TickBody)
        night, player = self.act(request, public_id, "tick", _named(body))
        return Response(OwedSerializer(_told(night, player)).data)


def _named(body: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an act that a body names: the id of a payment is its `id` there."""
    return {"payment" if name == "id" else name: value for name, value in body.items()}


class UntickBody(Body):
    """A side of a payment that stands."""

    side = serializers.ChoiceField(SIDES)
    id = Whole(min_value=1, max_value=2**63 - 1)


class UntickPayment(_Acts):
    """Taking back of a tick."""

    @described(
        "untickPayment",
        "Take a tick back, before the other side has ticked",
        OwedSerializer,
        tag=TAG,
        codes=f"{INSIDE} payment_moved payment_booked not_your_payment",
        body=UntickBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Take the tick back."""
        body = self.body(UntickBody)
        night, player = self.act(request, public_id, "untick", _named(body))
        return Response(OwedSerializer(_told(night, player)).data)
