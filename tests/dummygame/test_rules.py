"""Sealed Bids: its few rules, and a log of the days when nothing broke a tie."""

from __future__ import annotations

from games.kernel.contract import Command, Event
from games.kernel.dice import ScriptedDice
from games.kernel.replay import Entry, fold_all
from tests.dummygame.rules import rules
from tests.dummygame.rules.state import State


def played(preset: str, *bids: int, dice: tuple[int, ...] = (), **changes: object) -> State:
    """Return the state after one round of bids, seat by seat."""
    values = rules.options().values(preset, changes)
    scripted = ScriptedDice(dice)
    state = rules.open(values, len(bids), scripted).state
    for seat, number in enumerate(bids):
        state = rules.decide(state, Command("bid", seat, {"number": number}), scripted, seat + 2).state
    return state


def points(state: State) -> list[int]:
    return [player.points for player in state.players]


def test_the_highest_number_that_nobody_shares_takes_the_round() -> None:
    assert points(played("quick", 3, 2, 3)) == [0, 1, 0]


def test_the_lowest_number_wins_where_the_house_says_so() -> None:
    assert points(played("endless", 1, 2, 1)) == [0, 1, 0]


def test_a_die_decides_between_those_who_share_the_highest_number() -> None:
    state = played("dicey", 4, 4, 1, dice=(5, 5, 2, 6))
    assert points(state) == [0, 1, 0]
    assert state.last["thrown"] == [[0, 5], [1, 5], [0, 2], [1, 6]]


def test_each_number_is_bid_once_without_reuse() -> None:
    assert played("quick", 3, 2).players[0].hand == (1, 2)
    assert played("dicey", 3, 2).players[0].hand == (1, 2, 3, 4, 5)


def test_a_log_with_openings_of_version_1_still_folds() -> None:
    values = rules.options().values("quick")
    log = [
        Entry(1, (Event("hands_dealt"),)),
        Entry(2, (Event("bids_revealed", {"bids": [[0, 3], [1, 3], [2, 1]]}, v=1),)),
    ]
    state = fold_all(rules, values, 3, log)
    assert points(state) == [0, 0, 1]
    assert state.last["thrown"] == []
