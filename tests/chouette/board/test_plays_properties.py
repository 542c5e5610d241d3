"""Legal plays against a brute force, and what holds for every play."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouette.board import plays
from chouette.board.position import BAR, OFF, START, BoardError, checked, off, on_board, pips, swap
from tests.chouette.board.board_oracle import oracle, oracle_first_steps
from tests.chouette.positions import dice, positions


@settings(max_examples=300, deadline=None)
@given(positions, dice)
def test_the_plays_are_those_of_a_brute_force(position, rolled):
    used, expected = oracle(position, rolled)
    assert sorted(plays.results(position, rolled)) == expected
    assert sorted(play.result for play in plays.legal_plays(position, rolled)) == expected
    assert plays.dice_used(position, rolled) == used


@settings(deadline=None)
@given(positions, dice)
def test_fifteen_checkers_a_side_before_and_after(position, rolled):
    before = on_board(position), off(position)
    for result in plays.results(position, rolled):
        assert checked(result) == result
        own, theirs = on_board(result)
        assert theirs == before[0][1]
        borne_off = off(result)
        assert (own + borne_off[0], theirs + borne_off[1]) == (15, 15)
        assert borne_off[0] >= before[1][0]


@settings(deadline=None)
@given(positions, dice)
def test_the_list_has_no_duplicates_whichever_die_is_named_first(position, rolled):
    found = plays.results(position, rolled)
    assert len(set(found)) == len(found)
    assert set(plays.results(position, rolled[::-1])) == set(found)
    assert plays.legal_plays(position, rolled[::-1]) == plays.legal_plays(position, rolled)


def undone(play):
    """Return the position before a play, from its moves backwards."""
    points = list(play.result)
    for move in reversed(play.moves):
        points[move.target] -= move.target != OFF
        points[move.source] += 1
        if move.hit:
            assert points[move.target] == 0
            points[move.target] -= 1
            points[OFF] += 1
    return tuple(points)


@settings(deadline=None)
@given(positions, dice)
def test_a_play_taken_back_move_by_move_is_the_position_before(position, rolled):
    for play in plays.legal_plays(position, rolled):
        assert undone(play) == position


@settings(deadline=None)
@given(positions, dice)
def test_the_moves_are_single_dice_that_can_be_played_in_their_order(position, rolled):
    for play in plays.legal_plays(position, rolled):
        points = list(position)
        spent = Counter(rolled * 2 if rolled[0] == rolled[1] else rolled)
        for source, target, hit in play.moves:
            assert source == BAR or points[BAR] == 0
            assert points[source] > 0
            distance = source - target
            over = [die for die in spent.elements() if die >= distance]
            die = distance if spent[distance] else max(over)
            assert die == distance or (target == OFF and not any(c > 0 for c in points[source + 1 :]))
            spent[die] -= 1
            points[source] -= 1
            if target != OFF:
                assert hit == (points[target] == -1)
                assert points[target] >= -1
                points[OFF] -= hit
                points[target] += 1 + hit


@settings(deadline=None)
@given(positions)
def test_both_sides_are_seen_alike(position):
    assert swap(swap(position)) == position
    assert pips(swap(position)) == pips(position)[::-1]
    assert off(swap(position)) == off(position)[::-1]


@settings(deadline=None)
@given(positions, dice)
def test_the_other_side_plays_the_same_way_upwards(position, rolled):
    """Seen from here its moves rise, hit what is ours, and end in the swapped result."""
    for play in plays.legal_plays(swap(position), rolled):
        points = list(position)
        for source, target, hit in play.moves:
            start, end = BAR - source, BAR - target
            assert points[start] < 0
            points[start] += 1
            if end != BAR:
                assert points[end] == 1 if hit else points[end] <= 0
                points[BAR] += hit
                points[end] -= 1 + hit
        assert tuple(points) == swap(play.result)


@settings(deadline=None)
@given(positions, dice)
def test_pips_fall_by_the_dice_unless_a_checker_bears_off(position, rolled):
    own, theirs = pips(position)
    for play in plays.legal_plays(position, rolled):
        after_own, after_theirs = pips(play.result)
        walked = sum(move.source - move.target for move in play.moves)
        lost = sum(move.target for move in play.moves if move.hit)
        assert (after_own, after_theirs) == (own - walked, theirs + lost)


@settings(deadline=None)
@given(positions, dice)
def test_first_steps_begin_complete_plays_and_only_those(position, rolled):
    assert plays.first_steps(position, rolled) == oracle_first_steps(position, rolled)


@pytest.mark.parametrize("bad", [(), (1,), (0, 1), (7, 1), (1, 2, 3), ("3", "1"), (1.0, 2.0)])
def test_what_are_no_two_dice_is_refused(bad):
    for ask in (plays.results, plays.legal_plays, plays.first_steps, plays.dice_used):
        with pytest.raises(BoardError) as error:
            ask(START, bad)
        assert error.value.code == "bad_dice"


@given(positions, dice)
@settings(max_examples=30, deadline=None)
def test_packed_results_are_the_same_positions(position, rolled):
    raw = plays.result_bytes(position, rolled)
    rows = [raw[at : at + 26] for at in range(0, len(raw), 26)]
    signed = [tuple(b - 256 if b > 127 else b for b in row) for row in rows]
    assert signed == plays.results(position, rolled)


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_a_play_is_forced_when_there_is_no_other(data):
    position, rolled = data.draw(positions), data.draw(dice)
    assert plays.is_forced(position, rolled) == (len(oracle(position, rolled)[1]) == 1)
