"""Games that end by no play: rows of match files as programs and people write them are read, and no word more is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from chouette.analysis import brought
from chouette.analysis.gnubg import program
from chouette.analysis.problems import problems
from chouette.analysis.report import report
from chouette.export.record import PLAY, ROLL
from chouette.match_files.games import BadFile
from chouette.match_files.reading import read
from games.kernel.contract import Illegal
from tests.chouette.analysis.test_sessions import Planted
from tests.conftest import require

ENDS = Path(__file__).parents[1] / "vectors" / "match_files" / "ends"

MATCH = """ 5 point match

 Game 1
 Anna : 0                       Bert : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 65: 24/18 18/13             61: 13/7 8/7
      Wins 1 point

 Game 2
 Anna : 1                       Bert : 0
  1)                             21: 13/11 6/5
  2) 64: 24/18 18/14*            31: bar/24 6/3
"""
"""Two games of a match that is open."""
SCORES = " Anna : {}                       Bert : {}"
"""What the second one begins with."""


def plays(record):
    return sum(act.kind == PLAY for act in record.acts)


def rolls(record):
    return [act.dice for act in record.acts if act.kind == ROLL]


@pytest.mark.parametrize(
    ("name", "games"),
    {
        # Plays, result, how it came, and the roll that was not played, of each game with the score that it begins at.
        "question_marks": [(4, -1, "resigned", [(4, 4)], (0, 0)), (2, None, "", [(3, 1)], (0, 1))],
        "question_marks_right": [(5, 2, "resigned", [(6, 6)], (0, 0)), (2, None, "", [(3, 1)], (2, 0))],
        "zero_roll": [(5, 1, "resigned", [], (0, 0)), (2, None, "", [(3, 1)], (1, 0))],
        "concedes_after_roll": [(4, -1, "resigned", [(3, 2)], (0, 0)), (2, None, "", [(3, 1)], (0, 1))],
        "concedes_alone": [(5, 1, "resigned", [], (0, 0)), (2, None, "", [(3, 1)], (1, 0))],
        "losses": [(4, -1, "resigned", [], (0, 0)), (2, None, "", [(3, 1)], (0, 1))],
        "roll_without_play_then_end": [(5, 1, "resigned", [(5, 1)], (0, 0)), (2, None, "", [(3, 1)], (1, 0))],
        "gnubg_roll_open": [(0, 1, "resigned", [(5, 4)], (0, 0)), (0, None, "", [(5, 4)], (1, 0))],
        "gnubg_long_left_name": [(2, None, "", [], (0, 0))],
    }.items(),
)
def test_a_row_that_is_no_play_ends_its_game_as_its_last(name, games):
    found = read((ENDS / f"{name}.mat").read_bytes())
    assert [(plays(each), each.result, each.how, rolls(each), each.score) for each in found.records] == games
    names = ("Bartholomew-Maximilian of York", "Bert") if name == "gnubg_long_left_name" else ("Anna", "Bert")
    assert {each.names for each in found.records} == {names}


SISTERS = {
    "resigns": ("      Wins 1 point", "  3) Resigns\n", -1),
    "resigns a gammon": ("      Wins 1 point", "  3) 44: Resigns Gammon\n", -2),
    "resigns on the right": ("      Wins 1 point", "  3) 52: 13/8 13/11             Resigns Backgammon\n", 3),
    "resigns and accepts": ("      Wins 1 point", "  3) Resigns                     Accepts\n", -1),
    "a full stop": ("Wins 1 point", "Wins 1 point.", 1),
    "losses alone": ("      Wins 1 point", "                                 Losses 1 point", 1),
    "losses at the end of a whole game": (
        "      Wins 1 point",
        "  3) 52: 13/8 13/11\n      Wins 1 point   Losses 1 point",
        1,
    ),
    "a cube to a number": ("      Wins 1 point", "  3) Doubles to 2                Drops\n      Wins 1 point", 1),
    "commas": ("24/18 18/13", "24/18, 18/13", 1),
    "words behind the length": ("5 point match", "5 point match (Crawford rule)", 1),
    "a hyphen in the length": ("5 point match", "5-point match", 1),
    "a heading with a colon": ("Game 1\n", "Game 1:\n", 1),
    "a heading with words": ("Game 1\n", "Game 1 (post-Crawford)\n", 1),
    "an end of line that is none": ("Bert", "Be\u2028rt", 1),
    "another one": ("Bert", "Be\x85rt", 1),
    "a last cell of other words": (
        "      Wins 1 point",
        "  3) 52: 13/8 13/11             went home\n      Wins 1 point",
        1,
    ),
    "a last play that is not legal": ("61: 13/7 8/7", "61: 13/7 8/6", 1),
}


@pytest.mark.parametrize(("old", "new", "points"), SISTERS.values(), ids=SISTERS)
def test_words_that_programs_and_people_write_are_read(old, new, points):
    text = MATCH.replace(old, new)
    assert text != MATCH
    text = text.replace(SCORES.format(1, 0), SCORES.format(max(points, 0), max(-points, 0)))
    first, second = read(text.encode()).records
    assert (first.result, plays(second)) == (points, 3)
    assert plays(first) == 4 + ("13/11" in new) - (old == "61: 13/7 8/7")
    assert first.names in {("Anna", "Bert"), ("Anna", "Be rt")}


@pytest.mark.parametrize("end", [MATCH.index("31: bar"), len(MATCH) - 12, len(MATCH) - 8, len(MATCH) - 3])
@pytest.mark.parametrize("line_end", ["", "\n"])
def test_a_file_that_is_cut_off_in_its_last_row_is_read_up_to_it(end, line_end):
    first, second = read((MATCH[:end] + line_end).encode()).records
    assert (first.result, second.result, plays(second)) == (1, None, 2)


def test_every_beginning_of_a_file_is_read_or_refused_and_games_before_are_kept():
    whole = MATCH.index("\n Game 2\n")
    for end in range(whole, len(MATCH)):
        found = read(MATCH[:end].encode(), partly=True)
        assert (found.records[0].result, plays(found.records[0])) == (1, 4), end
        assert read(MATCH[:end].encode()).records, end


def test_two_matches_in_one_file_are_read_each_to_its_own_length():
    turned = MATCH.replace("5 point", "7 point").replace("Anna", "X").replace("Bert", "Anna").replace("X", "Bert")
    found = read((MATCH + "\n" + turned).encode())
    assert [found.length_of(record) for record in found.records] == [5, 5, 7, 7]
    assert [record.names for record in found.records] == [("Anna", "Bert")] * 4
    assert [record.score for record in found.records] == [(0, 0), (1, 0), (0, 0), (0, 1)]
    assert [record.result for record in found.records] == [1, None, -1, None]
    lengths = [{problem.stakes.length for problem in problems(found, record)} for record in found.records]
    assert lengths == [{5}, {5}, {7}, {7}]
    with pytest.raises(BadFile) as other_people:
        read((MATCH + "\n" + MATCH.replace("Bert", "Carl")).encode())
    assert other_people.value.at == "game 1, line 17" and len(other_people.value.before.records) == 2


def test_the_score_of_the_next_game_says_whose_an_unclear_line_is():
    unclear = MATCH.replace("      Wins 1 point", f"{'Wins 1 point':>28}")
    assert read(unclear.encode()).records[0].result == 1
    assert read(unclear.split("\n Game 2")[0].encode()).records[0].result == -1


@pytest.mark.parametrize("name", ["Bert", "007", "7 of 9", "Bert: 2nd", "Æ ø"])
def test_a_long_name_may_touch_the_one_on_its_right(name):
    """As GNU Backgammon writes names of 29 letters and more."""
    long = "Bartholomew-Maximilian of York"
    text = MATCH.replace("Anna : 0                       Bert", f"{long} : 0{name}")
    text = text.replace("Anna : 1                       Bert", f"{long} : 1{name}")
    found = read(text.encode())
    assert [(record.names, record.score) for record in found.records] == [
        ((long, name), (0, 0)),
        ((long, name), (1, 0)),
    ]


BAD = [
    # What is at fault, and its place.
    (("24/18 18/14*", "24/18 18/13*"), "game 2, line 12"),
    (("42: 8/4 6/4", "42: ????"), "game 1, line 5"),
    (("42: 8/4 6/4", "Concedes"), "game 1, line 5"),
    (("31: 8/5 6/5", "31: sesame"), "game 1, line 5"),
    (("31: 8/5 6/5 ", "00: 8/5 6/5 "), "game 1, line 5"),
    ((" Game 2\n", "\n"), "game 1, line 10"),
    (("Anna : 1  ", "Anna and  "), "game 2, line 10"),
    (("Anna : 1", "Anna : 5"), "game 2, line 10"),
    ((" Game 1\n", " Round 1\n"), "line 5"),
    (("      Wins 1 point", "x" * 2001), "line 7"),
]


@pytest.mark.parametrize(("change", "at"), BAD, ids=[at for _, at in BAD])
def test_what_cannot_be_read_is_named_by_game_and_line(change, at):
    with pytest.raises(Illegal) as refusal:
        brought.opened(MATCH.replace(*change).encode())
    assert (refusal.value.code, refusal.value.params["at"]) == ("bad_file", at)
    assert refusal.value.params.get("games", 0) == int("game 2" in at)


BY_GNUBG_IN_SGF = """(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:3][game:0][ws:0][bs:0]PW[Anna]PB[Bert]RE[B+1R]
;W[31hefe]
;PL[B]DI[42])
(;FF[4]GM[6]MI[length:3][game:1][ws:0][bs:1]PW[Anna]PB[Bert]
;W[31hefe]
;B[42xxxx])
"""


def test_a_game_of_a_tree_that_cannot_be_read_is_named_and_a_last_roll_is_read():
    with pytest.raises(BadFile) as refusal:
        read(BY_GNUBG_IN_SGF.encode())
    assert refusal.value.at == "game 2, line 6"
    (record,) = read(BY_GNUBG_IN_SGF.encode(), partly=True).records
    assert (plays(record), rolls(record), record.result) == (1, [(4, 2)], -1)
    with pytest.raises(BadFile) as cut:
        read(BY_GNUBG_IN_SGF[:-8].encode())
    assert cut.value.at == "game 2, line 6" and len(cut.value.before.records) == 1


def test_a_text_that_is_named_like_a_file_of_xg_says_so():
    with pytest.raises(Illegal) as refusal:
        brought.opened(MATCH.encode(), ".xg")
    assert refusal.value.params["at"] == "a text named .xg"
    sentence = brought.refused(refusal.value)
    assert "is a text" in sentence.text % sentence.values
    with pytest.raises(Illegal) as packed:
        brought.opened(b"RGMH" + b"\0" * 9000, ".xg")
    assert "a text" not in packed.value.params.get("at", "")


class Lucky(Planted):
    """An engine by which a roll of 4-4 is worth half a point more than others."""

    level = "0-ply"

    def mean(self, position, stakes):
        return 0.0

    def after_rolls(self, position, rolls, stakes):
        return [0.5 if set(each) == {4} else 0.0 for each in rolls]


def test_a_last_roll_is_luck_and_no_decision():
    found = report(read((ENDS / "question_marks.mat").read_bytes()), Lucky())
    (row,) = [each for each in found["decisions"] if each["kind"] == ROLL and each["game"] == 0]
    assert (row["player"], row["dice"], row["luck"], row["counts"], row["graded"]) == (0, [4, 4], 0.5, False, True)
    assert row["played"] == "" and row["equities"] is None
    assert found["players"][0]["luck"] == pytest.approx(0.5)
    assert sum(each["kind"] == PLAY for each in found["decisions"] if each["game"] == 0) == 4
    at = found["decisions"].index(row)
    assert found["decisions"][at - 1]["player"] == 1, "that it was not doubled before is no decision either"


SCRIPT = """set player 0 human
set player 1 human
set automatic game off
set automatic roll off
set automatic move off
set automatic bearoff off
set automatic crawford off
set rng manual
set display off
new match 25
roll
31
8/5 6/5
roll
42
8/4 6/4
resign normal
accept
new game
roll
31
8/5 6/5
roll
42
8/4 6/4
roll
55
resign backgammon
accept
new game
roll
31
resign normal
accept
new game
roll
13
8/5 6/5
roll
55
13/3(2)
roll
55
resign gammon
accept
new game
roll
13
8/5 6/5
double
take
roll
55
13/3(2)
redouble
resign normal
accept
new game
roll
13
8/5 6/5
double
drop
new game
roll
13
8/5 6/5
roll
55
export match mat match.mat
save match match.sgf
"""
"""A match at GNU Backgammon's keyboard: games that are resigned at once, after a roll, with the cube, and one left."""
ITS_READING = """
import gnubg, json
gnubg.command('import mat "match.mat"')
games = []
for game in gnubg.match(0, 0, 0)['games']:
    info, acts = game['info'], game['game']
    won = info['points-won'] if info['winner'] == 'X' else -info['points-won'] if info['winner'] == 'O' else None
    games.append([info['score-X'], info['score-O'], won, [[each['action'], each.get('dice')] for each in acts]])
print("@" + json.dumps(games))
"""


def run_gnubg(folder, text="", *args):
    command = [str(program.find()), "--tty", "--quiet", "--no-rc", *args]
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    how = {"cwd": folder, "env": environment, "capture_output": True, "timeout": 60}
    return subprocess.run(command, input=text.encode(), check=True, **how).stdout.decode()


def test_gnu_backgammons_own_files_are_read_as_it_reads_them(tmp_path):
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")
    run_gnubg(tmp_path, SCRIPT)
    (tmp_path / "script.py").write_text(ITS_READING)
    out = run_gnubg(tmp_path, "", "--python", "script.py")
    (told,) = (json.loads(line[1:]) for line in out.splitlines() if line.startswith("@"))
    assert len(told) == 7
    words = {"move": PLAY, "set": ROLL}
    its = [
        [own, other, won, [[words.get(kind, kind), dice] for kind, dice in acts if kind != "resign"]]
        for own, other, won, acts in told
    ]
    for suffix in ("mat", "sgf"):
        found = read((tmp_path / f"match.{suffix}").read_bytes()).records
        ours = [[*each.score, each.result, [[act.kind, list(act.dice) or None] for act in each.acts]] for each in found]
        assert ours == its, suffix
