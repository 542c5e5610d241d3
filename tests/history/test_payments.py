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
