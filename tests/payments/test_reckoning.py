"""What is owed by games: balances that add up to zero, values of points, the kitty, the limit (docs/owed.md §2)."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from games.kernel.payments.owed import PlayedGame, Pot, Transfer, equal_parts, reckon
from games.kernel.payments.point_values import NOTHING, OF_LAST, OF_LOSSES, OF_POINTS, PointTerms
from games.services.history import payments

PEOPLE = "ABCDEFG"


@st.composite
def terms(draw: st.DrawFn) -> PointTerms:
    kitty = draw(st.sampled_from([NOTHING, OF_POINTS, OF_LOSSES, OF_LAST]))
    part = 0 if kitty == NOTHING else draw(st.integers(1, 100))
    return PointTerms("EUR", draw(st.integers(1, 200)), draw(st.booleans()), kitty, part)


@st.composite
def evenings(draw: st.DrawFn) -> list[PlayedGame[str]]:
    """Draw games at up to three tables, each with rules and own values of its own."""
    tables = draw(st.lists(terms(), min_size=1, max_size=3))
    found = []
    for _ in range(draw(st.integers(0, 12))):
        table = draw(st.integers(0, len(tables) - 1))
        party = st.sampled_from([*PEOPLE, Pot.TABLE])
        pairs = st.tuples(party, party, st.integers(-20, 20)).filter(lambda each: each[0] != each[1])
        transfers = [Transfer(*each) for each in draw(st.lists(pairs, max_size=6))]
        values = draw(st.dictionaries(st.sampled_from(PEOPLE), st.integers(1, 200), max_size=4))
        found.append(PlayedGame(table, tables[table], transfers, values, has_part=draw(st.booleans())))
    return found


@given(evenings(), st.sets(st.integers(0, 2)), st.sets(st.sampled_from(PEOPLE)), st.integers(0, 5000))
def test_balances_add_up_to_zero_under_all_rules(
    games: list[PlayedGame[str]], over: set[int], gone: set[str], most: int
) -> None:
    found = reckon(games, over=over, gone=gone, most=most)
    assert sum(found.values()) == 0
    if most:
        assert all(n >= -most for party, n in found.items() if not isinstance(party, Pot))


@given(evenings(), st.integers(0, 2000), st.data())
def test_a_later_game_changes_no_earlier_balance(games: list[PlayedGame[str]], most: int, data: st.DataObject) -> None:
    """Somebody who takes no part in what comes later, having settled, has the balance they left with."""
    upto = data.draw(st.integers(0, len(games)))
    leaver = data.draw(st.sampled_from(PEOPLE))
    later = [each for each in games[upto:] if all(leaver not in (t.payer, t.payee) for t in each.transfers)]
    before = reckon(games[:upto], most=most).get(leaver, 0)
    after = reckon([*games[:upto], *later], over={0, 1, 2}, gone={leaver}, most=most)
    assert after.get(leaver, 0) == before


@given(evenings(), st.data())
def test_payments_always_clear_with_leavers_and_values_and_kitty(
    games: list[PlayedGame[str]], data: st.DataObject
) -> None:
    """A leaver's part is closed against one, or all, in the middle; what is left at the end is paid to nothing."""
    upto = data.draw(st.integers(0, len(games)))
    leaver = data.draw(st.sampled_from(PEOPLE))
    others = [each for each in PEOPLE if each != leaver]
    amount = reckon(games[:upto]).get(leaver, 0)
    line = data.draw(st.one_of(st.permutations(others), st.sampled_from(others).map(lambda one: [one])))
    parts = equal_parts(abs(amount), line)
    assert sum(parts.values()) == abs(amount)
    assert max(parts.values()) - min(parts.values()) <= 1
    assert list(parts.values()) == sorted(parts.values(), reverse=True), "odd points go to the first in line"
    balances = defaultdict(int, reckon(games, over={0, 1, 2}, gone={leaver} if amount else ()))
    for person, part in parts.items():
        sign = 1 if amount < 0 else -1
        balances[leaver] += sign * part
        balances[person] -= sign * part
    assert sum(balances.values()) == 0
    holder = data.draw(st.sampled_from(PEOPLE))
    balances[holder] += balances.pop(Pot.KITTY, 0)
    for payer, payee, n in payments.transfers(balances):
        balances[payer] += n
        balances[payee] -= n
    assert not any(balances.values())


def game(*transfers: tuple[object, object, int], terms: PointTerms, **more: object) -> PlayedGame[str]:
    return PlayedGame(0, terms, [Transfer(*each) for each in transfers], **{"values": {}, **more})


def test_a_transfer_counts_at_the_lower_of_the_two_values() -> None:
    own = PointTerms("EUR", 50, has_own=True)
    found = reckon([game(("A", "B", 2), ("C", "B", 2), ("A", "C", 1), terms=own, values={"A": 10, "C": 80})])
    assert found == {"A": -30, "B": 120, "C": -90, Pot.KITTY: 0}


def test_where_the_value_is_one_for_all_nobody_has_an_own_one() -> None:
    found = reckon([game(("A", "B", 2), terms=PointTerms("EUR", 50), values={"A": 10})])
    assert found["A"] == -100


def test_what_goes_to_the_table_counts_at_the_payers_value() -> None:
    found = reckon(
        [game(("A", Pot.TABLE, 3), ("B", Pot.TABLE, 1), terms=PointTerms("EUR", 50, True), values={"A": 20})]
    )
    assert found == {"A": -60, "B": -50, Pot.TABLE: 110, Pot.KITTY: 0}


def test_the_kitty_of_points_takes_its_part_from_the_winner_rounded_down() -> None:
    found = reckon([game(("A", "B", 3), ("C", "B", 1), terms=PointTerms("EUR", 5, kitty=OF_POINTS, part=10))])
    assert found == {"A": -15, "C": -5, "B": 19, Pot.KITTY: 1}


def test_the_kitty_of_losses_takes_its_part_on_top_of_each_net_loss() -> None:
    rules = PointTerms("EUR", 10, kitty=OF_LOSSES, part=15)
    found = reckon([game(("A", "B", 3), ("B", "A", 1), ("C", "B", 1), terms=rules)])
    assert found == {"A": -23, "B": 30, "C": -11, Pot.KITTY: 4}


def test_the_last_pays_the_kitty_when_the_table_is_over_and_equal_ones_both_do() -> None:
    rules = PointTerms("EUR", 10, kitty=OF_LAST, part=25)
    games = [game(("A", "B", 2), ("C", "B", 2), ("D", "B", 1), terms=rules)]
    assert reckon(games)[Pot.KITTY] == 0
    assert reckon(games, over={0}) == {"A": -25, "C": -25, "D": -10, "B": 50, Pot.KITTY: 10}
    assert reckon(games, over={0}, gone={"A", "C"})["D"] == -12


def test_a_correction_is_reckoned_with_its_game_so_that_the_kitty_takes_its_part_of_what_was_right() -> None:
    rules = PointTerms("EUR", 10, kitty=OF_POINTS, part=10)
    assert reckon([game(("A", "B", 10), ("B", "A", 4), terms=rules)]) == {"A": -60, "B": 54, Pot.KITTY: 6}


def test_nobody_owes_more_than_the_limit_and_the_winners_of_that_game_get_less_in_proportion() -> None:
    found = reckon([game(("A", "B", 60), ("A", "C", 30), terms=PointTerms("EUR", 1))], most=60)
    assert (found["A"], found["B"], found["C"]) == (-60, 40, 20)
    later = game(("A", "B", 5), ("D", "C", 5), terms=PointTerms("EUR", 1))
    more = reckon([game(("A", "B", 60), ("A", "C", 30), terms=PointTerms("EUR", 1)), later], most=60)
    assert more["A"] == -60
    assert sum(more.values()) == 0
