"""Codes by which a bank's app fills in a transfer: in euros (EPC069-12), and Swiss QR-bills in francs.

The bills are drawn by `qrbill`, an extra: without it a payer reads name, IBAN and amount.
"""

from __future__ import annotations

import base64
import io
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec

from django.utils.safestring import SafeString, mark_safe
from segno import helpers

from games.services.payments.bank_details import Details

EURO, FRANC = "EUR", "CHF"
LONGEST_TEXT = 140
BILL_LANGUAGES = ("de", "en", "fr", "it")
BILL_COUNTRIES = ("CH", "LI")


def epc_svg(details: Details, currency: str, amount: int, text: str) -> SafeString | None:
    """Return the code as inline SVG, dark on light in every theme; None in other currencies, which it does not know."""
    if currency != EURO:
        return None
    code = helpers.make_epc_qr(
        name=details.name, iban=details.iban, amount=Decimal(amount) / 100, text=text[:LONGEST_TEXT], encoding="utf-8"
    )
    svg = code.svg_inline(border=4, dark="#1c1510", light="#ffffff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (made by segno; the data is drawn, not written)


def makes_bills() -> bool:
    """Tell whether this house makes Swiss QR-bills: whether the extra is installed."""
    return find_spec("qrbill") is not None


def bill(details: Details, currency: str, amount: int, text: str, language: str) -> str:
    """Return a Swiss QR-bill as the address of a picture; "" where there can be none.

    It is of francs, to an account in Switzerland or Liechtenstein with an address. An account that is paid by reference
    numbers alone (a QR-IBAN) has none.
    """
    country = details.iban[:2]
    if currency != FRANC or country not in BILL_COUNTRIES or not details.town or not makes_bills():
        return ""
    postcode, _blank, city = details.town.partition(" ")
    creditor = {"name": details.name, "street": details.street, "pcode": postcode, "city": city, "country": country}
    drawn = io.StringIO()
    try:
        import_module("qrbill").QRBill(
            account=details.iban,
            creditor=creditor,
            amount=f"{Decimal(amount) / 100:.2f}",
            currency=FRANC,
            additional_information=text[:LONGEST_TEXT],
            language=language if language in BILL_LANGUAGES else "en",
        ).as_svg(drawn)
    except ValueError:
        return ""
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.getvalue().encode()).decode()}"
