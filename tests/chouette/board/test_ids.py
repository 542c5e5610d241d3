"""Position id, match id and XGID against what GNU Backgammon wrote and read."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import pytest

from chouette.board import gnubg_id, match_id, xgid
from chouette.board.match_id import MatchState
from chouette.board.ogid import parse_ogid
from chouette.board.pasted import find_id
from chouette.board.plays import results
from chouette.board.position import START, BoardError, swap
from chouette.board.xgid import Setup
from chouette.match_files import gammonview
from chouette.match_files.reading import read
from tests.chouette.vectors import load
from tests.conftest import require

START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(("score", "kept"), [("4:0", True), ("0:4", True), ("4:4", True), ("3:2", False)])
def test_a_crawford_flag_at_a_score_at_which_no_side_needs_one_point_is_cleared(score, kept):
    setup = xgid.parse_xgid(START_XGID.replace(":0:0:0:0:10", f":{score}:1:5:10"))
    assert setup.state.crawford == kept
    forged = match_id.match_id(replace(setup.state, crawford=True))
    assert match_id.parse_match_id(forged).crawford == kept


def test_the_start_is_4HPwATDgc_ABMA():
    assert gnubg_id.position_id(START) == "4HPwATDgc/ABMA"
    assert gnubg_id.parse_position_id("4HPwATDgc/ABMA") == START


def test_after_31_8_5_6_5_the_id_has_the_other_side_on_roll():
    after = next(p for p in results(START, (3, 1)) if p[5] == 2)
    assert gnubg_id.position_id(swap(after)) == "sGfwATDgc/ABMA"


def test_position_ids_are_those_of_the_reference_both_ways():
    for case in load("gnubg_position_ids"):
        assert gnubg_id.position_id(tuple(case["points"])) == case["position_id"]
        assert list(gnubg_id.parse_position_id(case["position_id"])) == case["points"]


def test_match_ids_are_those_of_the_reference_both_ways():
    fields = ["cube", "player_on_roll", "turn", "crawford", "game_state", "double_offered"]
    fields += ["resign_offered", "match_length", "jacoby"]
    for case in load("gnubg_match_ids"):
        state = match_id.parse_match_id(case["match_id"])
        assert match_id.match_id(state) == case["match_id"]
        assert [getattr(state, name) for name in fields] == [case[name] for name in fields]
        assert state.cube_owner == (None if case["cube_owner"] == -1 else case["cube_owner"])
        assert (list(state.dice), list(state.score)) == (case["dice"], case["score"])


def test_an_xgid_is_read_as_gnu_backgammon_reads_it():
    for case in load("xgid_gnubg"):
        setup = xgid.parse_xgid(case["xgid"])
        ids = gnubg_id.position_id(setup.position), match_id.match_id(setup.state)
        assert ":".join(ids) == case["gnubg_id_after_set_xgid"], case["xgid"]
        assert list(setup.position) == case["points_on_roll_view"]


def test_an_xgid_is_written_with_the_player_on_roll_at_the_bottom_and_turn_1():
    for case in load("xgid_gnubg"):
        setup = xgid.parse_xgid(case["xgid"])
        written = xgid.xgid(setup)
        assert written.split(":")[3] == "1"
        assert xgid.parse_xgid(written) == setup
        if case["turn"] == 1:
            assert written == case["xgid"]


def test_the_start_as_an_xgid():
    assert xgid.xgid(Setup(START, MatchState(player_on_roll=1, turn=1))) == START_XGID
    assert xgid.parse_xgid(START_XGID.removeprefix("XGID=")).position == START


def test_it_makes_no_difference_which_of_the_two_players_is_on_roll():
    first = MatchState(2, 0, 0, 0, match_length=7, score=(3, 1), dice=(6, 2))
    second = MatchState(2, 1, 1, 1, match_length=7, score=(1, 3), dice=(6, 2))
    assert xgid.xgid(Setup(START, first)) == xgid.xgid(Setup(START, second))


@pytest.mark.parametrize(("offer", "turn"), [("D", 0), ("B", 1), ("R", 0)])
def test_an_xgid_holds_a_double_a_beaver_and_a_raccoon_that_wait_for_an_answer(offer, turn):
    text = START_XGID.replace(":00:", f":{offer}:")
    setup = xgid.parse_xgid(text)
    assert (setup.offer, setup.state.turn, setup.state.player_on_roll) == (offer, turn, 1)
    assert setup.state.double_offered
    assert xgid.xgid(setup) == text


@pytest.mark.parametrize(("flag", "jacoby", "beavers"), [(0, False, False), (1, True, False), (2, False, True)])
def test_an_xgid_for_money_tells_jacoby_and_beavers(flag, jacoby, beavers):
    setup = xgid.parse_xgid(START_XGID.replace(":0:0:10", f":{flag}:0:10"))
    assert (setup.state.jacoby, setup.beavers) == (jacoby, beavers)
    assert not setup.state.crawford


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_position_id"),
        ("4HPwATDgc/ABM", "bad_position_id"),
        ("4HPwATDgc/ABMAA", "bad_position_id"),
        ("4HPwATDgc_ABMA", "bad_position_id"),
        ("4HPwATDgc/ABM=", "bad_position_id"),
        ("4HPwATDgc/ABMB", "bad_position_id"),
        ("//////////////", "bad_position_id"),
        ("/////////////w", "too_many_points"),
        ("AAAAAAAAAAAAAA", "both_off"),
        ("//8AAAAAAAAAAA", "too_many_checkers"),
        ("AQAAAAAAAgAAAA", "shared_point"),
    ],
)
def test_what_is_no_position_id_is_refused(text, code):
    with pytest.raises(BoardError) as error:
        gnubg_id.parse_position_id(text)
    assert error.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cAkAAAAAAAA",
        "cAkAAAAAAA A",
        "cAkAAAAAAABA",  # bits beyond the last field
        "YAkAAAAAAAAA",  # cube owner 2
        "cIkBAAAAAAAA",  # one die only
        "cIkfAAAAAAAA",  # a die with 7
        "cA8AAAAAAAAA",  # state of the game 7
    ],
)
def test_what_is_no_match_id_is_refused(text):
    with pytest.raises(BoardError) as error:
        match_id.parse_match_id(text)
    assert error.value.code == "bad_match_id"


@pytest.mark.parametrize(
    "state",
    [
        MatchState(cube=3),
        MatchState(cube=0),
        MatchState(cube=1 << 16),
        MatchState(dice=(7, 1)),
        MatchState(dice=(3, 0)),
        MatchState(cube_owner=2),
        MatchState(score=(-1, 0)),
        MatchState(match_length=1 << 15),
        MatchState(game_state=5),
    ],
)
def test_a_state_that_no_match_id_can_hold_is_refused(state):
    with pytest.raises(BoardError) as error:
        match_id.match_id(state)
    assert error.value.code == "bad_match"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (":0:0:10", ":0:0", "bad_xgid"),
        ("-b----E-C", "-b----E-Z", "xgid_points"),
        ("-b----E-C", "-b----E-\ufb01", "xgid_points"),
        ("-b----E-C", "-b----E-", "xgid_points"),
        ("-b----E-C", "Ab----E-C", "bad_points"),
        ("-b----E-C", "-b----E-D", "too_many_checkers"),
        (":00:", ":07:", "xgid_roll"),
        (":00:", ":0:", "xgid_roll"),
        (":0:0:1:00", ":16:0:1:00", "xgid_number"),
        (":0:0:1:00", ":0:2:1:00", "xgid_number"),
        (":0:0:1:00", ":0:0:0:00", "xgid_number"),
        (":0:0:0:0:10", ":0:0:4:0:10", "xgid_number"),
        (":0:0:0:0:10", ":0:0:2:5:10", "xgid_number"),
        (":0:0:0:0:10", ":-1:0:0:0:10", "xgid_number"),
        (":0:0:0:0:10", ":x:0:0:0:10", "xgid_number"),
    ],
)
def test_what_is_no_xgid_is_refused(old, new, code):
    assert old in START_XGID
    with pytest.raises(BoardError) as error:
        xgid.parse_xgid(START_XGID.replace(old, new))
    assert error.value.code == code


AFTER_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@pytest.mark.parametrize(
    "text",
    [
        f"https://example.org/study/?position={quote(AFTER_31)}&more=1",
        f"https://example.org/?xgid={quote(AFTER_31[5:])}",
        AFTER_31.replace("-", "\u2013"),
        AFTER_31.replace("-", "\u2212"),
        AFTER_31.replace("--", "\u2014"),
        *(
            f"See {AFTER_31[:at]}{gap}{AFTER_31[at:]} and on"
            for at in range(4, len(AFTER_31) - 2)
            for gap in ("\n", "\r\n  ")
        ),
        "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:13:B:IW:0:0:0:1",
        "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:IB:0:0:0:1",
    ],
)
def test_an_id_is_found_whatever_has_become_of_it_on_its_way(text):
    assert find_id(text) == AFTER_31


def test_an_id_of_gnu_backgammon_is_found_in_an_address():
    assert find_id("https://example.org/?id=4HPwATDgc%2FABMA%3AcAkAAAAAAAAA") == "4HPwATDgc/ABMA:cAkAAAAAAAAA"


@pytest.mark.parametrize(
    ("ogid", "told"),
    [
        # Whoever made the last act is not on roll; a game that is to begin is White's; who doubled stays on roll.
        ("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0", START_XGID.replace(":0:0:0:0:10", ":0:0:0:1:10")),
        ("11jjjjjhhhccccc:ooddddd88866666:N0N", START_XGID),
        ("1cccccchhhjjjjj:666668888ddddko:N0N:36:W:R:0:0:0:2", "XGID=-a----E-D---fD---c-eA---A-:0:0:1:63:0:0:0:0:10"),
        ("1cccccchhhjjjjj:666668888ddddko:N0N:36:B:R:0:0:0:2", "XGID=-a---aE-C---dF---d-e----A-:0:0:1:63:0:0:0:0:10"),
        ("00jjj:66ppp:W2N::W:C:5:3:7C:9", "XGID=b-----B------------c-----C:2:-1:1:00:3:5:0:7:10"),
        ("00jjj:66ppp:B2N::W:C:6:3:7C:9:15", "XGID=b-----B------------c-----C:2:1:1:00:3:6:1:7:10"),
        ("11cqqq:6q:B1O::B:D", "XGID=-b----A-----a-------------:1:1:1:D:0:0:0:0:10"),
    ],
)
def test_an_ogid_is_read_as_the_xgid_that_says_the_same(ogid, told):
    assert find_id(f"Look: {ogid} (a race)") == told


@pytest.mark.parametrize("text", ["11:66:X0N", "p1:66:N0N", "16:6:N0N", "1" * 16 + ":6:N0N", "a:b:c", "12:30:45", ""])
def test_what_is_no_ogid_is_none(text):
    assert find_id(text) is None
    with pytest.raises(BoardError):
        parse_ogid(text)


def test_an_ogid_is_read_as_the_codec_of_another_program_wrote_it():
    """Every position of a match that was read by that codec is the one that our own rules reach."""
    require(gammonview.is_installed(), "gammonview (the extra `analysis`)")
    samples = Path(__file__).parents[1] / "vectors" / "match_files"
    document = import_module("gvformat").convert_xg((samples / "three_games.xg").read_bytes())
    session = read((samples / "three_games.xg").read_bytes(), ".xg")
    seen = 0
    for game, record in zip(document["games"], session.records, strict=True):
        acts = [act for act in record.acts if act.kind == "play"]
        plies = [ply["ogid_before"] for ply in game["plies"] if ply["action_id"] in range(21)]
        for ogid, act in zip(plies, acts, strict=True):
            seen += 1
            assert parse_ogid(ogid).position == act.before, ogid
    assert seen > 50
