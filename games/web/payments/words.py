"""Amounts and currencies in words, in the reader's language."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.payments.point_values import ROUNDS
from games.services.regions import written


def amount(number: int, currency: str) -> str:
    """Return an amount: hundredths as "12,50 EUR" with a space that does not break, or "3 rounds"."""
    if currency == ROUNDS:
        return ngettext("%(n)s round", "%(n)s rounds", abs(number)) % {"n": _signed(str(abs(number)), number)}
    return f"{plain(number)}\u00a0{currency}"


def plain(number: int) -> str:
    """Return hundredths as a number with two decimals."""
    return written.rounded(Decimal(number) / 100, 2)


def bare(number: int, currency: str) -> str:
    """Return an amount without its currency, for a column of a table."""
    return _signed(str(abs(number)), number) if currency == ROUNDS else plain(number)


def _signed(text: str, number: int) -> str:
    return f"\u2212{text}" if number < 0 else text


def account_title(currency: str) -> str:
    """Return the heading of an account."""
    return _("Rounds") if currency == ROUNDS else currency
