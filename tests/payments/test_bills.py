"""Swiss QR-bills: in francs, to a Swiss account with an address, where the extra is installed; else a plain line."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.payments import bank_details
from games.services.payments.bank_details import Details
from games.web.payments import codes
from tests.payments.world import OpenTable, people_of, play
from tests.web.pages import browser_of

IBAN = "CH9300762011623852957"
SWISS = Details("Per Ås", IBAN, "Bahnhofstrasse 1", "8001 Zürich")
needs_qrbill = pytest.mark.skipif(not codes.makes_bills(), reason="the extra `bills` is not installed")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings) -> None:
    settings.DATA_DIR = tmp_path


def drawn(address: str) -> str:
    """Return the SVG of a picture's address."""
    head, _comma, body = address.partition(",")
    assert head == "data:image/svg+xml;base64"
    return base64.b64decode(body).decode()


@needs_qrbill
def test_a_bill_has_account_name_address_and_amount() -> None:
    text = drawn(codes.bill(SWISS, "CHF", 1250, "Club", "de"))
    assert all(part in text for part in ("CH93 0076 2011 6238 5295 7", "Per Ås", "Bahnhofstrasse 1", "12.50", "Club"))
    assert "Zahlteil" in text
    assert "Payment part" in drawn(codes.bill(SWISS, "CHF", 1250, "Club", "nb"))


@pytest.mark.parametrize(
    ("details", "currency"),
    [
        (SWISS, "EUR"),
        (SWISS, "NOK"),
        (Details("Per", IBAN), "CHF"),
        (Details("Per", "DE89370400440532013000", "Weg 1", "8001 Zürich"), "CHF"),
        # Of an account for reference numbers alone (a QR-IBAN), and of one whose check digits are wrong.
        (Details("Per", "CH4431999123000889012", "Weg 1", "8001 Zürich"), "CHF"),
        (Details("Per", "CH0000762011623852957", "Weg 1", "8001 Zürich"), "CHF"),
    ],
)
def test_there_is_no_bill_of_anything_else(details: Details, currency: str) -> None:
    assert codes.bill(details, currency, 1250, "Club", "de") == ""


def test_without_the_extra_there_is_a_plain_line_and_the_page_says_so(
    db: None, night: Night, open_table: OpenTable, host: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "find_spec", lambda _name: None)
    one = _owed(night, open_table)
    payee = browser_of(one).get(reverse("night_owed", args=[night.public_id])).content.decode()
    assert "stammtisch[bills]" in payee and 'name="town"' not in payee
    bank_details.enter(night, one, "Per Ås", IBAN, ("Weg 1", "8001 Zürich"))
    payer = browser_of(host).get(reverse("night_owed", args=[night.public_id])).content.decode()
    assert "CH93 0076 2011 6238 5295 7" in payer and "data:image/svg+xml;base64" not in payer


def _owed(night: Night, open_table: OpenTable) -> Player:
    """Have the host owe francs to the second player, who is returned."""
    table = open_table("chouette", "german", seats=2, point_currency="CHF", point_value=10)
    play(table, (0, 1, 2))
    return people_of(table)[1]


@needs_qrbill
def test_the_payer_alone_sees_the_bill_and_the_address_is_kept_encrypted(
    db: None, night: Night, open_table: OpenTable, host: Player, guest
) -> None:
    one = _owed(night, open_table)
    sent = {"account_name": "Per Ås", "iban": IBAN, "street": "Bahnhofstrasse 1", "town": " 8001  Zürich "}
    browser_of(one).post(reverse("owed_act", args=[night.public_id, "details"]), sent)
    seen = {
        who: browser_of(who).get(reverse("night_owed", args=[night.public_id])).content.decode()
        for who in (host, one, guest("Other"))
    }
    assert [who.nickname for who, text in seen.items() if "data:image/svg+xml;base64" in text] == [host.nickname]
    assert all("Bahnhofstrasse" not in text for text in seen.values())
    assert b"Bahnhofstrasse" not in bytes(night.bank_details.get().sealed)


@pytest.mark.parametrize(
    ("street", "town"),
    [("Weg 1", ""), ("", "Zürich"), ("", "800 Zürich"), ("x" * 71, "8001 Zürich"), ("", "8001 \x00")],
)
def test_an_address_that_is_none_is_refused(street: str, town: str) -> None:
    with pytest.raises(Illegal, match="bad_account_address"):
        bank_details.checked("Per", IBAN, street, town)
    assert bank_details.checked("Per", IBAN, "", "8001 Zürich").town == "8001 Zürich"
