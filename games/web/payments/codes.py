"""The QR code by which a bank's app fills in a transfer in euros (EPC069-12)."""

from __future__ import annotations

from decimal import Decimal

from django.utils.safestring import SafeString, mark_safe
from segno import helpers

from games.services.payments.bank_details import Details

EURO = "EUR"
LONGEST_TEXT = 140


def epc_svg(details: Details, currency: str, amount: int, text: str) -> SafeString | None:
    """Return the code as inline SVG, dark on light in every theme; None in other currencies, which it does not know."""
    if currency != EURO:
        return None
    code = helpers.make_epc_qr(
        name=details.name, iban=details.iban, amount=Decimal(amount) / 100, text=text[:LONGEST_TEXT], encoding="utf-8"
    )
    svg = code.svg_inline(border=4, dark="#1c1510", light="#ffffff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (made by segno; the data is drawn, not written)
