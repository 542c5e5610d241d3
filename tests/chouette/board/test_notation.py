"""Plays in standard notation, both ways."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouette.board.gnubg_id import parse_position_id, position_id
from chouette.board.match_id import parse_match_id
from chouette.board.notation import format_play, parse_dice, parse_play
from chouette.board.plays import legal_plays
from chouette.board.position import START, BoardError
from chouette.board.xgid import Setup, parse_xgid, xgid
from tests.chouette.positions import dice, placed, positions
from tests.chouette.vectors import MOVES, load, load_moves


def texts(where, rolled):
    return [format_play(play) for play in legal_plays(where, rolled)]


def after(text, where, rolled):
    """Return the points that changed, with what stands there after the play."""
    result = parse_play(text, where, rolled).result
    return {point: count for point, count in enumerate(result) if count != where[point]}


HITTING = placed(p13=2, p7=-1, p5=-1, p24=-13)


@pytest.mark.parametrize(
    ("where", "rolled", "text"),
    [
        (START, (3, 1), "8/5 6/5"),
        (START, (6, 5), "24/13"),
        (START, (6, 6), "24/18(2) 13/7(2)"),
        (START, (3, 3), "8/5(2) 6/3(2)"),
        (START, (2, 2), "13/11(2) 6/4(2)"),
        (HITTING, (6, 2), "13/7*/5*"),
        (placed(p13=2, p7=-1, p24=-14), (6, 2), "13/7*/5"),
        (placed(p13=2, p7=-1, p24=-14), (6, 2), "13/5"),
        (placed(p25=2, p6=13, p24=-15), (3, 3), "bar/22(2) 6/3(2)"),
        (placed(p25=2, p6=13, p22=-1, p24=-14), (3, 3), "bar/22*(2) 6/3(2)"),
        (placed(p25=1, p6=13, p24=-15), (6, 2), "bar/17"),
        (placed(p6=1, p2=3, p24=-15), (6, 5), "6/off 2/off"),
        (placed(p6=1, p2=3, p24=-15), (6, 2), "6/off 2/off"),
        (placed(p6=1, p24=-15), (4, 2), "6/off"),
        (placed(p2=5, p24=-15), (6, 6), "2/off(4)"),
        (placed(p8=2, p6=-1, p24=-14), (2, 2), "8/6*/4(2)"),
        (placed(p25=2, p24=-2, p21=-2, p1=-2), (4, 1), "cannot move"),
    ],
)
def test_a_play_is_written_as_players_write_it(where, rolled, text):
    assert text in texts(where, rolled)
    assert format_play(parse_play(text, where, rolled)) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("6/5 8/5", "8/5 6/5"),
        ("8/5, 6/5", "8/5 6/5"),
        ("  8/5   6/5 ", "8/5 6/5"),
        ("24/23/20", "24/20"),
        ("24/21/20", "24/20"),
        ("24/23 23/20", "24/20"),
        ("8/7 7/4", "8/4"),
    ],
)
def test_other_ways_to_write_a_play_are_understood(text, same):
    assert format_play(parse_play(text, START, (3, 1))) == same


def test_upper_case_and_25_and_0_are_understood():
    where = placed(p25=1, p3=1, p24=-2)
    assert after("BAR/21 21/20", where, (4, 1)) == after("25/20", where, (1, 4)) == {25: 0, 20: 1}
    bearing = placed(p3=2, p24=-15)
    assert after("3/OFF(2)", bearing, (6, 5)) == after("3/0 3/0", bearing, (6, 5)) == {3: 0}


def test_stars_may_be_left_out_where_one_play_only_can_be_meant():
    assert after("13/7/5", HITTING, (6, 2)) == after("13/7*/5*", HITTING, (6, 2))
    assert after("13/5", HITTING, (6, 2)) == {13: 1, 5: 1, 0: -1}
    blocked = placed(p13=2, p11=-2, p7=-1, p24=-12)
    assert after("13/5", blocked, (6, 2)) == {13: 1, 7: 0, 5: 1, 0: -1}


def test_a_way_with_a_hit_and_one_without_are_two_plays():
    where = placed(p13=2, p7=-1, p24=-14)
    assert after("13/5", where, (6, 2)) == {13: 1, 5: 1}
    assert after("13/7/5", where, (6, 2)) == {13: 1, 7: 0, 5: 1, 0: -1}
    assert after("13/7 7/5", where, (6, 2)) == {13: 1, 7: 0, 5: 1, 0: -1}


def test_where_both_ways_hit_the_way_must_be_named():
    where = placed(p13=2, p11=-1, p7=-1, p24=-13)
    with pytest.raises(BoardError, match=r"may be 13/11\*/5 or 13/7\*/5") as error:
        parse_play("13/5", where, (6, 2))
    assert error.value.code == "ambiguous_play"


@pytest.mark.parametrize(
    ("text", "where", "rolled", "code"),
    [
        ("8/5", START, (3, 1), "illegal_play"),
        ("8/4 6/5", START, (3, 1), "illegal_play"),
        ("8/5 6/5 6/5", START, (3, 1), "illegal_play"),
        ("", START, (3, 1), "illegal_play"),
        ("cannot move", START, (3, 1), "illegal_play"),
        ("24/22/20", START, (3, 1), "illegal_play"),
        ("13/11*/5", START, (6, 2), "no_hit"),
        ("8/2 8/6", placed(p8=2, p5=-15), (5, 3), "illegal_play"),
        ("13/7/5", placed(p13=2, p7=-2, p24=-13), (6, 2), "illegal_play"),
        ("5/8 5/6", START, (3, 1), "bad_play"),
        ("8/5 6/5 x", START, (3, 1), "bad_play"),
        ("8*/5 6/5", START, (3, 1), "bad_play"),
        ("26/23", START, (3, 1), "bad_play"),
        ("off/5", START, (3, 1), "bad_play"),
        ("8/5(5)", START, (3, 1), "bad_play"),
        ("8/5(0)", START, (3, 1), "bad_play"),
        ("8", START, (3, 1), "bad_play"),
        ("8/", START, (3, 1), "bad_play"),
        ("٨/٥ ٦/٥", START, (3, 1), "bad_play"),
        ("8/5 " * 100, START, (3, 1), "bad_play"),
        ("8/5 6/5", START, (3, 7), "bad_dice"),
    ],
)
def test_what_is_no_legal_play_is_refused(text, where, rolled, code):
    with pytest.raises(BoardError) as error:
        parse_play(text, where, rolled)
    assert error.value.code == code
    assert str(error.value).startswith(f"{code}: ")
    assert "\n" not in str(error.value)


def test_a_play_that_adds_up_to_a_legal_one_with_other_dice_is_not_that_play():
    """13/6 8/7 ends where 13/7 8/6 does, but a 7 and a 1 were not thrown."""
    where = placed(p13=1, p8=1, p24=-15)
    assert after("13/7 8/6", where, (6, 2)) == {13: 0, 8: 0, 7: 1, 6: 1}
    with pytest.raises(BoardError, match="illegal_play"):
        parse_play("13/6 8/7", where, (6, 2))


@settings(deadline=None)
@given(positions, dice)
def test_each_play_has_a_text_of_its_own_that_reads_back_as_it(where, rolled):
    plays = legal_plays(where, rolled)
    written = [format_play(play) for play in plays]
    assert len(set(written)) == len(written)
    for play, text in list(zip(plays, written, strict=True))[:40]:
        assert parse_play(text, where, rolled) == play


@pytest.mark.parametrize("name", MOVES)
def test_notation_round_trips_in_the_reference_positions(name):
    for where, rolled, _ in load_moves(name)[::12]:
        for play in legal_plays(where, rolled)[::7]:
            assert parse_play(format_play(play), where, rolled) == play


@settings(deadline=None)
@given(positions)
def test_ids_read_back_as_the_position(where):
    assert parse_position_id(position_id(where)) == where
    state = parse_match_id("cAkAAAAAAAAA")
    assert parse_xgid(xgid(Setup(where, state))).position == where


WRITTEN = [case["xgid"] for case in load("xgid_gnubg")]
WRITTEN += [case["match_id"] for case in load("gnubg_match_ids")]
WRITTEN += [case["position_id"] for case in load("gnubg_position_ids")]
WRITTEN += ["8/5 6/5", "13/7*/5", "bar/22(2)", "6/off", "31", "cannot move"]


@st.composite
def spoilt(draw):
    """Draw a text that something writes, with some characters replaced, dropped or added."""
    text = draw(st.sampled_from(WRITTEN))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 2)))
        text = text[:start] + draw(st.text("aAbBoO019-+/*=():. \n\u0661\u0131\ufb01", max_size=2)) + text[end:]
    return text


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(max_size=80), spoilt(), st.from_regex(r"[A-Za-z0-9+/]{12,14}", fullmatch=True)))
def test_parsers_raise_nothing_but_their_own_error(text):
    parsers = [
        parse_position_id,
        parse_match_id,
        parse_xgid,
        parse_dice,
        lambda text: parse_play(text, START, (3, 1)),
    ]
    for parse in parsers:
        try:
            parse(text)
        except BoardError as error:
            assert error.code.isidentifier()
            assert "\n" not in str(error)
