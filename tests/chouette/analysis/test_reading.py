"""Match files that were written are read again: by this house, by GNU Backgammon, and what is no file is refused."""

import random

import pytest

from chouette.analysis.problems import problems
from chouette.export.reading import read as read_log
from chouette.match_files.games import BadFile
from chouette.match_files.reading import MOST_BYTES, read
from tests import seeds
from tests.chouette.analysis.files import SHORT, as_mat, as_sgf, session
from tests.chouette.export.test_gnubg import is_sayable, random_session


def same(found, told):
    assert found.acts == told.acts
    assert (found.score, found.names, found.number) == (told.score, told.names, told.number)
    assert (found.result, found.value, found.start) == (told.result, told.value, told.start)
    assert found.is_crawford == told.is_crawford


@pytest.mark.parametrize("write", [as_mat, as_sgf])
@pytest.mark.parametrize("preset", ["match", "money"])
@pytest.mark.parametrize("member", [0, 1])
def test_reading_gives_back_what_was_written(write, preset, member):
    table = session(preset, seed=seeds.first_seed())
    told = read_log(table.options, 2, table.log, member, ("Kari", "Per"))
    found = read(write(table, member).encode())
    assert (found.length, found.jacoby) == (told.length, told.jacoby)
    assert len(found.records) == len(told.records) > 0
    for mine, theirs in zip(found.records, told.records, strict=True):
        same(mine, theirs)


@pytest.mark.parametrize("preset", seeds.share_of_day(["german", "club", "money", "match"], 4))
def test_files_of_random_sessions_are_read(preset):
    from chouette.export import mat, sgf

    first, games = seeds.first_seed(), 0
    for seed in range(first, first + 6):
        table = random_session(preset, seed)
        for member in range(len(table.state.players)):
            told = read_log(table.options, table.seats, table.log, member)
            usual = [record for record in told.records if record.is_usual]
            found = read(mat(table.options, table.seats, table.log, member).encode())
            assert len(found.records) == len(usual)
            trees = sgf(table.options, table.seats, table.log, member).encode()
            assert not told.records or len(read(trees).records) == len(told.records)
            for mine, theirs in zip(found.records, usual, strict=True):
                games += 1
                if is_sayable(theirs) and theirs.how != "beaver_dropped":
                    assert (mine.acts, mine.result) == (theirs.acts, theirs.result)
    assert games > 5


def test_a_file_of_another_program_is_read():
    text = """; [Site "Elsewhere"]
; [Crawford "On"]

 3 point match

 Game 1
 Ole Nordmann : 0                 Åse : 0
  1)                             64: 24/14
  2) 55: 8/3(2) 6/1*(2)          11: Cannot Move
  3)  Doubles => 2                Takes
  4) 66: 24/18(2) 13/7(2)        62: bar/23 14/8
      Wins 2 points
"""
    (game,) = read(text.encode("latin-1")).records
    assert game.names == ("Ole Nordmann", "Åse")
    assert [act.kind for act in game.acts][:4] == ["play", "play", "play", "double"]
    assert game.result == 2


BAD = [
    b"",
    b"hello",
    b"\x89PNG\r\n",
    b"(;FF[4]GM[1]SZ[19])",
    b"(;FF[4]GM[6]\n;W[31hefe]",
    b" 5 point match\n\n Game 1\n nobody\n",
    SHORT.replace("8/5 6/5", "8/5 6/4").encode(),
    SHORT.replace("8/5 6/5", "8/5 sesame").encode(),
    SHORT.replace(" Takes", " 31: 8/5").encode(),
    b"x" * (MOST_BYTES + 1),
    (" 0 point match\n" + "\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n" * 201).encode(),
    # Numbers that nobody writes, a cube that shows none of its numbers, a score that ends the match.
    SHORT.replace(" 0 point", f" {'1' * 5000} point").encode(),
    SHORT.replace("Game 1", f"Game {'1' * 5000}").encode(),
    SHORT.replace("Kari : 0", f"Kari : {'1' * 5000}").encode(),
    SHORT.replace("Wins 2", f"Wins {'1' * 5000}").encode(),
    SHORT.replace("=> 2", f"=> {'2' * 5000}").encode(),
    SHORT.replace("=> 2", "=> 14").encode(),
    SHORT.replace(" 0 point", " 5 point").replace("Per : 0", "Per : 5").encode(),
    b"(;FF[4]GM[6]MI[length:5][ws:5][bs:0];W[31hefe])",
    b"(;FF[4]GM[6];AE[a:y]AW[aa];W[31hefe])",
    b"(;FF[4]GM[6];AE[a:y]AW[];W[31hefe])",
    b"(;FF[4]GM[6];CV[3];W[31hefe])",
    # Long lines, in which an expression would look for a name or a head for hours.
    (" 5 point match\n\n Game 1\n" + " A : 0  " * 100_000).encode(),
    b"; [" + b'a "' * 300_000,
    # More games than are read: nobody looks at what follows the last one that may be.
    (" 5 point match\n" + " Game 1\n A : 0  B : 0\n" * 40_000).encode(),
    ("(;GM[6])" * 100_000).encode(),
]


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
def test_what_is_no_match_file_is_refused(data):
    with pytest.raises(BadFile):
        read(data)


MUTATIONS = len(seeds.share_of_day(range(300), 5))
"""Other ones each day."""


@pytest.mark.parametrize("write", [as_mat, as_sgf])
def test_a_spoilt_file_is_read_or_refused(write):
    """Whatever stands in it: nothing else is raised, and what is read can be asked about."""
    first = seeds.first_seed()
    whole, rng = write(session("money", seed=first, games=2)).encode(), random.Random(first)
    for _ in range(MUTATIONS):
        spoilt = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            at, other = rng.randrange(len(spoilt)), rng.randrange(len(spoilt))
            spoilt[at : at + rng.randint(0, 9)] = spoilt[other : other + rng.randint(0, 30)]
        try:
            found = read(bytes(spoilt))
        except BadFile:
            continue
        assert all(problem.xgid for record in found.records for problem in problems(found, record))


FIGURES = ("LU[1e999]", f"DA[E ver 3 2C 1 0.0 1{' 1e999' * 14}]", "A[0][hefe E ver 3 1 1 1 1 1 1e999 2C]")


@pytest.mark.parametrize("said", FIGURES, ids=["luck", "cube", "plays"])
def test_a_figure_of_another_program_that_is_no_number_is_left_out(said):
    """A report with it could be written nowhere: JSON has no infinity."""
    (record,) = read(f"(;FF[4]GM[6];W[31hefe]{said})".encode()).records
    assert record.acts and record.said == {}


BY_GNUBG = """; [Beavers "On"]

 0 point match

 Game 1
 Kari : 0                       Per : 0
  1) 31: 8/5 6/5                 52: 13/11 13/8
  2)  Doubles => 2                Takes
  3) 66: 24/18 24/18 13/7 13/7    Doubles => 4
  4)  Drops                       Wins 2 points

 Beavers => 8
                                  Wins 8 points

"""
BY_GNUBG_IN_SGF = (
    "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:0][game:0][ws:0][bs:0]PW[Kari]PB[Per]RE[B+2R]"
    ";W[31hefe];B[52lnlq];W[double];B[take];W[66xrxrmgmg];B[double];W[drop];B[double])"
)


@pytest.mark.parametrize("text", [BY_GNUBG, BY_GNUBG_IN_SGF], ids=["mat", "sgf"])
def test_a_double_that_gnubg_writes_behind_a_drop_is_left_out(text):
    (record,) = read(text.encode()).records
    assert [act.kind for act in record.acts][-2:] == ["double", "drop"]
    assert (record.result, record.how) == (-2, "dropped")
    with pytest.raises(BadFile):
        read(text.replace("B[double])", "B[double];W[take])").replace("Beavers => 8", "Takes").encode())
