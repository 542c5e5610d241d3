"""The page of what is owed at a night: accounts with their payments, leavers, own values, the kitty, bank details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.kernel.payments import point_values
from games.kernel.payments.point_values import NOTHING, PointTerms
from games.models import Membership, Night, Payment, Player, Settling, Table
from games.services.payments import accounts, bank_details, games, settlings, ticks
from games.services.payments.accounts import Account, PartyBalance, Planned
from games.services.payments.bank_details import Details
from games.services.payments.registry import Side
from games.services.point_values import own_values
from games.web import fragments
from games.web.errors import pages_refusals
from games.web.identity import find_night, need_inside
from games.web.payments import awaited_words, codes, words

PARTS = "payments/parts/accounts.html"


@never_cache
@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_owed(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what is owed at a night to its members."""
    night = find_night(public_id)
    shown = ShownAccounts.of(night, need_inside(request, night))
    context = shown.live_context() | shown.forms_context()
    context |= fragments.on_page(request, PARTS, context)
    return render(request, "payments/owed.html", context)


@never_cache
@require_http_methods(["GET", "HEAD"])
@pages_refusals
def owed_live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the accounts of the page, which change while a night goes on."""
    night = find_night(public_id)
    return fragments.parts(request, PARTS, ShownAccounts.of(night, need_inside(request, night)).live_context())


@dataclass(frozen=True, slots=True)
class ShownAccounts:
    """The accounts of a night as a member sees them; `details` are those of people whom the member owes money."""

    night: Night
    reader: Player
    accounts: list[Account]
    details: Mapping[int, Details]
    tables: list[tuple[Table, PointTerms]]

    @classmethod
    def of(cls, night: Night, reader: Player) -> ShownAccounts:
        """Read the accounts of a night for a member."""
        found = accounts.accounts(night)
        details = bank_details.for_payer(night, found, reader)
        return cls(night, reader, found, details, list(games.valued_tables(night).values()))

    def live_context(self) -> dict[str, Any]:
        """Return the context of the accounts."""
        return {
            "night": self.night,
            "accounts": [self._account(each) for each in self.accounts],
            "holder": accounts.kitty_holder(self.night),
            **(awaited_words.of_night(self.night) if self.accounts else {}),
        }

    def forms_context(self) -> dict[str, Any]:
        """Return the context of the page's forms."""
        is_host = self.night.host_id == self.reader.pk
        is_payee = bank_details.is_payee(self.accounts, self.reader)
        members = self.night.memberships.filter(status=Membership.Status.IN).select_related("player")
        people = [member.player for member in members]
        kept = [each for each in people if each == self.reader or (is_host and not ticks.has_phone(self.night, each))]
        return {
            "is_host": is_host,
            "is_open": self.night.status != Night.Status.CLOSED,
            "people": people,
            "kept": kept,
            "has_kitty": any(terms.kitty != NOTHING for _table, terms in self.tables),
            "own_values": [self._own_values(table, terms) for table, terms in self.tables if terms.has_own],
            "takes_details": is_payee and not bank_details.is_over(self.night, timezone.now()),
            "has_francs": any(each.currency == codes.FRANC for each in self.accounts),
            "makes_bills": codes.makes_bills(),
            "has_details": bank_details.has_entered(self.night, self.reader),
            "leavers": self._leavers(kept),
        }

    def _leavers(self, kept: list[Player]) -> list[dict[str, Any]]:
        """Return the people that the reader may propose to settle for, by account; none at a closed night."""
        if self.night.status == Night.Status.CLOSED:
            return []
        return [self._leaver(account, person) for account in self.accounts for person in kept]

    def _leaver(self, account: Account, person: Player) -> dict[str, Any]:
        left = account.left_of(person.pk)
        line = settlings.others(account, person)
        waits = any(each.leaver_id == person.pk for each in account.proposals)
        return {
            "person": person,
            "is_me": person == self.reader,
            "currency": account.currency,
            "gets": left > 0,
            "can": bool(left) and not waits,
            "text": words.amount(abs(left), account.currency),
            "line": line,
        }

    def _own_values(self, table: Table, terms: PointTerms) -> dict[str, Any]:
        now = own_values.now(table)
        people = Player.objects.in_bulk(now)
        return {
            "table": table,
            "value": words.amount(terms.value, terms.currency),
            "said": [(people[pk], words.amount(value, terms.currency)) for pk, value in now.items() if pk in people],
            "mine": now.get(self.reader.pk, terms.value),
            "is_open": table.status != Table.Status.FINISHED,
            "coins": pgettext(*point_values.coins({point_values.CURRENCY: terms.currency})),
        }

    def _account(self, account: Account) -> dict[str, Any]:
        standing = [self._payment(each) for each in account.ticked]
        sums = [sum(getattr(row, name) for row in account.rows) for name in ("games", "kitty", "settled", "paid")]
        return {
            "currency": account.currency,
            "title": words.account_title(account.currency),
            "payments": standing + [self._payment(each) for each in account.planned],
            "booked": [self._payment(each) for each in account.booked],
            "rows": [self._row(account, row) for row in account.rows],
            "has_kitty": bool(account.kitty),
            "has_settled": any(row.settled for row in account.rows),
            "has_paid": any(row.paid for row in account.rows),
            "is_zero": not sum(sums),
            "zero": words.bare(0, account.currency),
            "kitty": words.amount(account.kitty, account.currency),
            "settlings": [self._settling(each) for each in account.settlings],
            "proposals": [self._proposal(account, each) for each in account.proposals],
        }

    def _row(self, account: Account, row: PartyBalance) -> dict[str, Any]:
        cells = {
            name: words.bare(getattr(row, name), account.currency)
            for name in ("games", "kitty", "settled", "paid", "left")
        }
        return {"person": row.person, "is_me": row.person == self.reader, **cells}

    def _payment(self, payment: Payment | Planned) -> dict[str, Any]:
        """Return a payment with the acts that the reader has at it, and the payee's details if the reader owes it."""
        payer, payee = payment.payer, payment.payee
        row = payment if isinstance(payment, Payment) else None
        is_mine = payer == self.reader and payee is not None
        details = self.details.get(payee.pk) if is_mine and payee is not None else None
        can = {side: ticks.may_tick(self.night, payer, payee, side, self.reader) for side in ("payer", "payee")}
        about = (payment.currency, payment.amount, self.night.name)
        code = details and codes.epc_svg(details, *about)
        return {
            "id": row and row.pk,
            "payer": payer,
            "payee": payee,
            "currency": payment.currency,
            "number": payment.amount,
            "amount": words.amount(payment.amount, payment.currency),
            "sides": [_side(payment, side, self.reader, can=can[side]) for side in ("payer", "payee")],
            "booked_at": row and row.booked_at,
            "is_settling": row is not None and row.settling_id is not None,
            "is_mine": self.reader in (payer, payee),
            "details": details,
            "code": code,
            "bill": codes.bill(details, *about, get_language() or "") if details else "",
        }

    def _settling(self, settling: Settling) -> dict[str, Any]:
        return {
            "name": settling.leaver.displayed_name,
            "taker_name": "" if settling.taker is None else settling.taker.displayed_name,
            "gets": settling.amount > 0,
            "amount": words.amount(abs(settling.amount), settling.currency),
            "at": settling.agreed_at,
        }

    def _proposal(self, account: Account, settling: Settling) -> dict[str, Any]:
        payments = list(settling.payments.select_related("payer", "payee"))
        return {
            **self._settling(settling),
            "id": settling.pk,
            "parts": [self._part(settling, each) for each in payments],
            "may_agree": any(settlings.may_agree(self.night, settling, each, self.reader) for each in payments),
            "may_drop": settlings.may_drop(self.night, settling, self.reader),
            "is_own": settling.leaver == self.reader,
            "has_moved": account.left_of(settling.leaver_id) != settling.amount,
        }

    def _part(self, settling: Settling, payment: Payment) -> dict[str, Any]:
        other = payment.payee if payment.payer_id == settling.leaver_id else payment.payer
        amount = words.amount(payment.amount, payment.currency)
        return {"person": other, "amount": amount, "has_agreed": payment.agreed_at is not None}


def _side(payment: Payment | Planned, side: Side, reader: Player, *, can: bool) -> dict[str, Any]:
    person = payment.payer if side == "payer" else payment.payee
    at = getattr(payment, f"{side}_ticked_at", None)
    act = "tick" if at is None else "untick"
    return {"name": side, "person": person, "is_me": person == reader, "ticked_at": at, "can": can, "act": act}
