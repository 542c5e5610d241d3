"""Ticks: who may tick what; what both have ticked is booked, and later payments are reckoned from what is left."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Payment, Player
from games.services.nights import membership
from games.services.payments import accounts, ticks
from tests.payments.world import (
    CENTS,
    OpenTable,
    left,
    of,
    people_of,
    person_without_phone,
    planned,
    play,
    sums,
    wanted,
)
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(night: Night, open_table: OpenTable):
    found = open_table("chouette", "german", seats=3, **CENTS)
    play(found, (0, 1, 2), (2, 1, 3))
    return found


def test_a_payment_is_booked_when_both_have_ticked_it_and_then_stands_for_good(
    night: Night, table, host: Player
) -> None:
    _, one, two = people_of(table)
    row = ticks.tick(night, host, "payer", wanted(host, one, 20))
    assert row.booked_at is None
    assert planned(night) == {(two.nickname, one.nickname, 30)}
    ticks.untick(night, host, "payer", row.pk)
    assert not Payment.objects.exists()
    row = ticks.tick(night, one, "payee", wanted(host, one, 20))
    row = ticks.tick(night, host, "payer", wanted(host, one, 20))
    assert row.booked_at is not None
    for who, side in ((host, "payer"), (one, "payee")):
        with pytest.raises(Illegal, match="payment_booked"):
            ticks.untick(night, who, side, row.pk)
    again = ticks.tick(night, host, "payer", row.pk)
    assert again.booked_at == row.booked_at
    assert left(night) == {host.nickname: 0, one.nickname: 30, two.nickname: -30}
    assert not any(sums(night))


def test_later_games_and_corrections_are_reckoned_from_what_is_left(night: Night, table, host: Player) -> None:
    _, one, two = people_of(table)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    ticks.tick(night, one, "payee", wanted(host, one, 20))
    play(table, (1, 0, 5))
    assert left(night) == {host.nickname: 50, one.nickname: -20, two.nickname: -30}
    booked = of(night).booked
    assert [(row.payer, row.payee, row.amount) for row in booked] == [(host, one, 20)]


def test_what_is_not_to_be_made_any_more_is_refused(night: Night, table, host: Player) -> None:
    _, one, two = people_of(table)
    for payment in (wanted(host, one, 21), wanted(host, two, 20), wanted(one, host, 20), wanted(host, one, 20, "CHF")):
        with pytest.raises(Illegal, match="payment_moved"):
            ticks.tick(night, host, "payer", payment)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    play(table, (0, 1, 1))
    with pytest.raises(Illegal, match="payment_waits"):
        ticks.tick(night, host, "payer", wanted(host, one, 10))


PEOPLE = ("host", "payer", "payee", "kept", "keeper", "other", "brought by the host")


def test_who_may_tick_is_this_matrix(night: Night, host: Player, guest) -> None:
    people = {name: guest(name) for name in ("payer", "payee", "keeper", "other")} | {"host": host}
    people["kept"] = person_without_phone(night, people["keeper"], "Karl")
    people["brought by the host"] = person_without_phone(night, host, "Else")
    others = {"payer", "payee", "kept", "keeper", "other", "brought by the host"}
    rows = {
        # payer, payee, side: who may tick
        ("payer", "payee", "payer"): {"payer"},
        ("payer", "payee", "payee"): {"payee"},
        ("payer", "host", "payer"): {"payer"},
        ("payer", "host", "payee"): {"host"},
        ("host", "payee", "payer"): {"host"},
        ("host", "payee", "payee"): {"payee"},
        ("kept", "payee", "payer"): {"host", "kept"},
        ("kept", "payee", "payee"): {"payee"},
        ("payer", "kept", "payer"): {"payer"},
        ("payer", "kept", "payee"): {"host", "kept"},
        ("host", "kept", "payee"): {"keeper", "kept"},
        ("kept", "host", "payer"): {"host", "kept"},
        ("payer", None, "payer"): {"payer"},
        ("payer", None, "payee"): {"host"},
        ("host", None, "payee"): others,
        ("host", "brought by the host", "payee"): others,
        ("payer", "brought by the host", "payee"): {"host", "brought by the host"},
    }
    for (payer, payee, side), allowed in rows.items():
        pair = [people.get(name) if name else None for name in (payer, payee)]
        found = {name for name in PEOPLE if ticks.may_tick(night, *pair, side, people[name])}
        assert found == allowed, (payer, payee, side)


def test_others_see_no_button_and_their_form_is_refused(night: Night, table, host: Player, guest) -> None:
    _, one, two = people_of(table)
    where = reverse("owed_act", args=[night.public_id, "tick"])
    form = {"side": "payer", "payer": host.pk, "payee": one.pk, "currency": "EUR", "amount": 20}
    for player in (one, two, guest("Other")):
        assert browser_of(player).post(where, form).status_code == 403
    assert browser_of().post(where, form).status_code == 403
    assert not Payment.objects.exists()
    assert browser_of(host).post(where, form).status_code == 302
    assert Payment.objects.get().payer_ticked_at is not None
    for broken in ({"amount": "x"}, {"side": "both"}, {"payment": "9" * 30}, {"payer": "'"}, {"amount": "9" * 40}):
        answer = browser_of(host).post(where, form | broken, follow=True)
        assert answer.status_code in (200, 403)
    assert Payment.objects.count() == 1


def test_acts_are_audited_and_the_sheet_adds_up(night: Night, table, host: Player) -> None:
    _, one, _two = people_of(table)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    ticks.tick(night, one, "payee", wanted(host, one, 20))
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)[:9])[-2:] == [
        "payment_ticked", "payment_booked",
    ]  # fmt: skip


def test_what_is_not_ticked_by_both_stays_on_both_peoples_pages_for_60_days(night: Night, table, host: Player) -> None:
    _, one, two = people_of(table)
    ticks.tick(night, two, "payer", wanted(two, one, 30))
    membership.close(night, host)
    assert [(each.payment.payer, each.payment.payee) for each in accounts.open_payments(host)] == [(host, one)]
    assert len(accounts.open_payments(one)) == 2
    html = browser_of(two).get(reverse("player", args=[two.pk])).content.decode()
    assert 'id="open-payments"' in html
    assert 'id="open-payments"' not in browser_of(host).get(reverse("player", args=[two.pk])).content.decode()
    row = Payment.objects.get()
    ticks.tick(night, one, "payee", row.pk)
    assert accounts.open_payments(two) == []
    night.day -= accounts.REMINDER_DAYS
    night.save()
    assert len(accounts.open_payments(host)) == 1
    night.day -= accounts.REMINDER_DAYS / 60
    night.save()
    assert accounts.open_payments(host) == []
