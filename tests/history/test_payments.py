"""Who pays whom: everybody ends at nothing, in the fewest payments."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from games.services.history import payments


@st.composite
def balances(draw: st.DrawFn, most: int = 7) -> dict[str, int]:
    """Draw balances of up to `most` people that add up to 0."""
    amounts = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=most - 1))
    return dict(zip("ABCDEFGHIJKLMNOPQRST", [*amounts, -sum(amounts)], strict=False))


def fewest(amounts: list[int]) -> int:
    """Return the fewest payments, by trying every group that the first one may be in."""
    left = [n for n in amounts if n]
    if not left:
        return 0
    found = []
    for size in range(1, len(left)):
        for group in combinations(range(1, len(left)), size):
            if left[0] + sum(left[i] for i in group) == 0:
                rest = [n for i, n in enumerate(left) if i and i not in group]
                found.append(size + fewest(rest))
    return min(found)


@given(balances())
def test_everybody_ends_at_nothing_in_the_fewest_payments(given_: dict[str, int]) -> None:
    left = dict(given_)
    paid = payments.transfers(given_)
    for payer, payee, points in paid:
        assert points > 0 and given_[payer] < 0 < given_[payee]
        left[payer] += points
        left[payee] -= points
    assert not any(left.values())
    assert len(paid) == fewest(list(given_.values()))


@given(balances(most=20))
def test_many_people_are_settled_with_one_payment_less_than_people(
    given_: dict[str, int],
) -> None:
    paid = payments.transfers(given_)
    assert len(paid) <= max(0, sum(map(bool, given_.values())) - 1)


def test_a_greedy_match_would_need_more() -> None:
    """6 is settled by 3 and 3, and 4 by 2 and 2; the largest with the largest would miss that."""
    told = {"A": 6, "B": -4, "C": -3, "D": -3, "E": 2, "F": 2}
    assert len(payments.transfers(told)) == 4


@given(balances(), st.data())
def test_bots_owe_nothing_and_nobody_is_worse_off_for_it(found: dict[str, int], data: st.DataObject) -> None:
    totals = list(found.values())
    is_bot = data.draw(st.lists(st.booleans(), min_size=len(totals), max_size=len(totals)))
    own = payments.among_people(totals, is_bot)
    assert sum(own) == 0
    for before, after, bot in zip(totals, own, is_bot, strict=True):
        assert not (bot and after)
        assert 0 <= after <= before or before <= after <= 0
    assert any(own) or not (any(n > 0 for n in _people(totals, is_bot)) and any(n < 0 for n in _people(totals, is_bot)))


def _people(totals: list[int], is_bot: list[bool]) -> list[int]:
    return [n for n, bot in zip(totals, is_bot, strict=True) if not bot]


def test_two_who_lost_to_a_winner_and_a_bot_pay_the_winner_in_proportion() -> None:
    assert payments.among_people([4, -9, -3, 8], [False, False, False, True]) == [4, -3, -1, 0]
