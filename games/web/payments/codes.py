"""Codes by which a bank's app fills in a transfer: in euros (EPC069-12), and Swiss QR-bills in francs.

The bills are drawn by `qrbill`, an extra: without it a payer reads name, IBAN and amount.
"""

from __future__ import annotations

import base64
import io
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec

import regex
from django.utils.safestring import SafeString, mark_safe
from segno import helpers

from games.services.payments.bank_details import Details

EURO, FRANC = "EUR", "CHF"
LONGEST_TEXT = 140
MOST_BYTES = 331 - len("BCD\n002\n1\nSCT\n\n\n\nEUR999999999.99\n\n\n") - 34
"""The bytes of an EPC code that are left for name and text, beside the longest IBAN and amount."""
BILL_LANGUAGES = ("de", "en", "fr", "it")
BILL_COUNTRIES = ("CH", "LI")


def epc_svg(details: Details, currency: str, amount: int, text: str) -> SafeString | None:
    """Return the code as inline SVG, dark on light in every theme; None where there can be none.

    That is in other currencies, and for a name and a text that do not fit a code even where the text is cut short.
    """
    if currency != EURO:
        return None
    room = MOST_BYTES - len(details.name.encode())
    try:
        code = helpers.make_epc_qr(
            name=details.name,
            iban=details.iban,
            amount=Decimal(amount) / 100,
            text=shortened(text[:LONGEST_TEXT], room),
            encoding="utf-8",
        )
    except ValueError:
        return None
    svg = code.svg_inline(border=4, dark="#1c1510", light="#ffffff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (made by segno; the data is drawn, not written)


def shortened(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many bytes in UTF-8, whole characters as people see them."""
    found = ""
    for each in regex.findall(r"\X", text):
        if len((found + each).encode()) > most:
            break
        found += each
    return found


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
