"""What is owed, by the API: read by members, ticked by those whom it concerns, and nobody's bank details."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Night, Payment, Player
from games.services.payments import bank_details, ticks
from tests.calendar.test_api import program
from tests.payments.world import CENTS, OpenTable, people_of, play, wanted
from tests.seasons.world import account, guests
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
IBAN = "DE02120300000000202051"


@pytest.fixture
def table(night: Night, open_table: OpenTable):
    found = open_table("chouette", "german", seats=3, **CENTS)
    play(found, (0, 1, 2), (2, 1, 3))
    return found


def owed(night: Night, act: str = "") -> str:
    return f"/api/v1/nights/{night.public_id}/owed/{act}"


def act(client: Client, night: Night, name: str, **args: Any) -> tuple[int, Any]:
    answer = client.post(owed(night, "acts/"), {"act": name, "args": args}, content_type="application/json")
    return answer.status_code, answer.json()


def payments(client: Client, night: Night) -> list[tuple[str, str, int, list[str]]]:
    """Return the payments that a program reads: payer, payee, amount, the sides that it may tick."""
    (account,) = client.get(owed(night)).json()["accounts"]
    return [(row["payer"]["name"], row["payee"]["name"], row["amount"], row["may_tick"]) for row in account["payments"]]


def test_a_payment_is_ticked_by_both_and_taken_back_before(night: Night, table, host: Player) -> None:
    _, one, two = people_of(table)
    mine, theirs = browser_of(host), browser_of(one)
    found = {(payer, payee): (amount, may) for payer, payee, amount, may in payments(mine, night)}
    assert found[host.nickname, one.nickname] == (20, ["payer"])
    assert found[two.nickname, one.nickname] == (30, [])
    (account,) = mine.get(owed(night)).json()["accounts"]
    assert sum(row["left"] for row in account["balances"]) == 0
    sent = {"side": "payer", "payer": host.pk, "payee": one.pk, "currency": "EUR", "amount": 20}
    assert act(mine, night, "tick", **sent)[0] == 200
    row = Payment.objects.get()
    assert act(mine, night, "untick", side="payer", payment=row.pk)[0] == 200
    assert not Payment.objects.exists()
    act(mine, night, "tick", **sent)
    row = Payment.objects.get()
    assert act(theirs, night, "tick", side="payee", payment=row.pk)[0] == 200
    row.refresh_from_db()
    assert row.booked_at is not None
    status, refused = act(mine, night, "untick", side="payer", payment=row.pk)
    assert (status, refused["code"]) == (409, "payment_booked")
    assert payments(mine, night)[-1] == (host.nickname, one.nickname, 20, [])


def test_what_is_wrong_is_refused_with_its_code_and_books_nothing(night: Night, table, host: Player) -> None:
    _, one, two = people_of(table)
    mine = browser_of(host)
    of_others = {"side": "payer", "payer": two.pk, "payee": one.pk, "currency": "EUR", "amount": 30}
    wrong = [
        ({"side": "payer"}, "payment_moved"),
        ({"side": "payer", "payment": 2**40}, "payment_moved"),
        ({"side": "payer", "payer": host.pk, "payee": one.pk, "currency": "EUR", "amount": 21}, "payment_moved"),
        ({"side": "payer", "payer": host.pk, "payee": one.pk, "currency": "NOK", "amount": 20}, "payment_moved"),
        (of_others, "not_your_payment"),
        ({"side": "both", "payment": 1}, "bad_argument"),
    ]
    for sent, code in wrong:
        assert act(mine, night, "tick", **sent)[1]["code"] == code, sent
    assert not Payment.objects.exists()


def test_who_was_not_at_the_night_reads_and_ticks_nothing(night: Night, table) -> None:
    for client, status in ((Client(), 401), (program(account("Per")), 403), (browser_of(guests("Fred")[0]), 403)):
        assert client.get(owed(night)).status_code == status
        assert act(client, night, "tick", side="payer", payment=1)[0] == status


def test_bank_details_are_told_to_no_program(night: Night, table, host: Player) -> None:
    _, one, _ = people_of(table)
    bank_details.enter(night, one, "One Person", IBAN)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    for who in (host, one):
        text = browser_of(who).get(owed(night)).content.decode()
        assert IBAN not in text and "One Person" not in text
