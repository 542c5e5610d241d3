"""A leaver settles in mid-night: against one who takes over, or against all; what is closed stays closed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night, Payment, Player, Settling
from games.services.history import corrections
from games.services.nights import membership
from games.services.payments import settlings, ticks
from tests.payments.world import CENTS, OpenTable, left, of, people_of, person_without_phone, planned, play, sums
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(night: Night, open_table: OpenTable):
    """Four people: the host wins 1, two lose 3 and 2, one wins 4 points of a cent."""
    found = open_table("chouette", "german", seats=4, point_currency="EUR", point_value=1)
    play(found, (1, 0, 1), (1, 3, 2), (2, 3, 2))
    return found


def test_against_one_person_who_takes_the_balance_over(night: Night, table, host: Player) -> None:
    _, one, two, three = people_of(table)
    row = settlings.propose(night, one, one, "EUR", two)
    assert row.agreed_at is None
    assert left(night)[one.nickname] == -3, "a proposal changes nothing"
    for player in (host, three):
        with pytest.raises(Illegal, match="not_your_payment"):
            settlings.agree(night, player, row.pk)
    settlings.agree(night, two, row.pk)
    assert left(night) == {host.nickname: 1, one.nickname: 0, two.nickname: -5, three.nickname: 4}
    (payment,) = of(night).ticked
    assert (payment.payer, payment.payee, payment.amount) == (one, two, 3)
    assert not any(sums(night))
    ticks.tick(night, one, "payer", payment.pk)
    ticks.untick(night, one, "payer", payment.pk)
    assert Payment.objects.filter(pk=payment.pk).exists(), "taking a tick back does not undo the settling"
    ticks.tick(night, one, "payer", payment.pk)
    ticks.tick(night, two, "payee", payment.pk)
    assert left(night)[one.nickname] == 0


def test_sheet_and_owed_say_whom_a_proposal_waits_for_and_what_it_moves(night: Night, table, host: Player) -> None:
    _, one, two, _three = people_of(table)
    row = settlings.propose(night, one, one, "EUR", two)

    def said() -> list[bool]:
        where = [reverse(name, args=[night.public_id]) for name in ("night_results", "night_owed")]
        texts = [" ".join(browser_of(host).get(page).content.decode().split()) for page in where]
        moved = f"{one.nickname} +0.03 EUR, {two.nickname} \u22120.03 EUR"
        sentence = f"waits for {two.nickname}: {one.nickname} leaves and settles"
        return [sentence in text and moved in text for text in texts]

    assert said() == [True, True]
    settlings.agree(night, two, row.pk)
    assert said() == [False, False]


def test_against_all_in_equal_parts_odd_points_go_to_the_first_in_line(night: Night, table, host: Player) -> None:
    _, one, two, three = people_of(table)
    row = settlings.propose(night, three, three, "EUR", None)
    parts = {each.payer: each.amount for each in row.payments.all()}
    assert parts == {host: 2, one: 1, two: 1}
    settlings.agree(night, host, row.pk)
    assert left(night) == {host.nickname: 3, one.nickname: -2, two.nickname: -1, three.nickname: 0}
    assert not any(sums(night))
    assert three.nickname not in {name for each in planned(night) for name in each[:2]}


def test_a_host_who_leaves_does_not_agree_for_the_others(night: Night, table, host: Player) -> None:
    _, *others = people_of(table)
    row = settlings.propose(night, host, host, "EUR", None)
    with pytest.raises(Illegal, match="not_your_payment"):
        settlings.agree(night, host, row.pk)
    asked = [each.payer for each in row.payments.all()]
    assert asked == others[:1], "one cent is the first one's alone"
    settlings.agree(night, others[0], row.pk)
    assert Settling.objects.get().agreed_at is not None


def test_a_later_correction_opens_a_new_difference_and_changes_nothing_that_is_closed(
    night: Night, table, host: Player
) -> None:
    _, one, two, _three = people_of(table)
    row = settlings.propose(night, one, one, "EUR", two)
    settlings.agree(night, two, row.pk)
    closed = list(Payment.objects.values_list("pk", "payer", "payee", "amount", "agreed_at"))
    corrections.correct(table.results.get(), host, {0: 0, 1: 2, 2: 0, 3: -2}, "Counted wrong")
    assert left(night)[one.nickname] == 2
    assert list(Payment.objects.values_list("pk", "payer", "payee", "amount", "agreed_at")) == closed
    again = settlings.propose(night, one, one, "EUR", two)
    settlings.agree(night, two, again.pk)
    assert left(night)[one.nickname] == 0
    assert Settling.objects.filter(agreed_at__isnull=False).count() == 2
    assert not any(sums(night))


def test_a_proposal_counts_only_for_the_balance_that_was_agreed_to(night: Night, table) -> None:
    _, one, two, _three = people_of(table)
    row = settlings.propose(night, one, one, "EUR", two)
    play(table, (1, 2, 1))
    with pytest.raises(Illegal, match="balance_moved"):
        settlings.agree(night, two, row.pk)
    with pytest.raises(Illegal, match="settling_waits"):
        settlings.propose(night, one, one, "EUR", two)
    payment = row.payments.get()
    with pytest.raises(Illegal, match="payment_moved"):
        ticks.tick(night, one, "payer", payment.pk)
    settlings.drop(night, two, row.pk)
    assert not Payment.objects.exists()
    with pytest.raises(Illegal, match="no_such_settling"):
        settlings.agree(night, two, row.pk)


def test_who_may_settle_whom(night: Night, table, host: Player, guest, make_player) -> None:
    _, one, two, _three = people_of(table)
    other = guest("Other")
    for by in (host, two, other):
        with pytest.raises(Illegal, match="not_your_payment"):
            settlings.propose(night, by, one, "EUR", two)
    for taker in (one, make_player("Stranger")):
        with pytest.raises(Illegal, match="no_taker"):
            settlings.propose(night, one, one, "EUR", taker)
    with pytest.raises(Illegal, match="nothing_owed"):
        settlings.propose(night, other, other, "EUR", one)
    with pytest.raises(Illegal, match="nothing_owed"):
        settlings.propose(night, one, one, "NOK", two)
    row = settlings.propose(night, one, one, "EUR", two)
    with pytest.raises(Illegal, match="not_your_payment"):
        settlings.drop(night, other, row.pk)
    settlings.drop(night, one, row.pk)
    membership.close(night, host)
    with pytest.raises(Illegal, match="night_closed"):
        settlings.propose(night, one, one, "EUR", two)


def test_the_host_settles_a_person_without_a_phone_and_does_not_burden_anybody_with_one(
    night: Night, open_table: OpenTable, host: Player
) -> None:
    table = open_table("chouette", "german", seats=3, **CENTS)
    _, one, two = people_of(table)
    karl = person_without_phone(night, one, "Karl")
    result = play(table, (2, 1, 3))
    result.lines.filter(seat=2).update(player=karl)
    row = settlings.propose(night, host, karl, "EUR", one)
    with pytest.raises(Illegal, match="not_your_payment"):
        settlings.agree(night, host, row.pk)
    settlings.agree(night, one, row.pk)
    assert left(night)["Karl"] == 0
    assert two.nickname not in {name for each in planned(night) for name in each[:2]}


def test_somebody_who_has_settled_takes_over_no_part_of_the_next_leaver(night: Night, table, host: Player) -> None:
    _, one, two, three = people_of(table)
    row = settlings.propose(night, one, one, "EUR", two)
    settlings.agree(night, two, row.pk)
    second = settlings.propose(night, three, three, "EUR", None)
    assert {each.payer for each in second.payments.all()} == {host, two}
    assert datetime.now(UTC) >= Settling.objects.get(pk=row.pk).agreed_at
