"""The report of a file: its rows, sums and refusals, and with GNU Backgammon its own analysis's figures."""

import json
import os
import subprocess
from io import StringIO

import pytest
from django.core.management import call_command

from chouette.analysis import engines, sage
from chouette.analysis.gnubg import error_rate, program
from chouette.analysis.report import report
from chouette.board.xgid import parse_xgid
from chouette.match_files.reading import read
from games.kernel.figures.skill_rates import sum_of
from tests import seeds
from tests.chouette.analysis.files import SHORT, as_mat, session
from tests.conftest import require

ROW = {"game", "player", "kind", "xgid", "dice", "played", "best", "equities", "error", "counts", "luck", "graded"}
SUMS = {"name", "plays", "cubes", "decisions", "error", "pr", "luck", "points"}
ITS_OWN = """
import gnubg, json
gnubg.command('import mat "match.mat"')
gnubg.command('analyse match')
print("@" + json.dumps([[game['stats'][side] for side in 'XO'] for game in gnubg.match(1, 0, 1)['games']]))
"""


@pytest.fixture(autouse=True)
def _program():
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")


def written(path, *args):
    out = StringIO()
    call_command("analyse", str(path), *args, stdout=out, stderr=out)
    return out.getvalue()


def refusal(path, *args):
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("analyse", str(path), "--json", *args, stdout=out)
    assert ended.value.code == 2
    return json.loads(out.getvalue())["error"]["code"]


def test_a_report_has_a_row_for_every_decision_and_sums_for_both(tmp_path):
    (tmp_path / "short.mat").write_text(SHORT)
    found = json.loads(written(tmp_path / "short.mat", "--json", "--level", "0-ply"))
    assert found["engine"].startswith("gnubg 1.")
    head = ("level", "formula", "length", "jacoby", "games")
    assert [found[key] for key in head] == ["0-ply", 1, 0, True, 1]
    rows = found["decisions"]
    assert [row["kind"] for row in rows] == ["play", "no_double", "play", "double", "take", "play", "double", "drop"]
    assert [row["player"] for row in rows] == [0, 1, 1, 0, 1, 0, 1, 0]
    assert all(row.keys() == ROW for row in rows)
    rolls = [row["xgid"].split(":")[4] for row in rows]
    assert rolls == ["31", "00", "52", "00", "D", "66", "00", "D"]
    for row in rows:
        parse_xgid(row["xgid"])
        assert row["graded"] and row["error"] >= 0
        assert (row["dice"] is None) == (row["luck"] is None) == (row["kind"] != "play")
        assert set(row["equities"]) == ({"played", "best"} if row["dice"] else {"no_double", "take", "drop"})
        assert row["dice"] or row["equities"]["drop"] == 1.0
    for number, player in enumerate(found["players"]):
        own = [row for row in rows if row["player"] == number and row["counts"]]
        assert player.keys() == SUMS
        assert player["decisions"] == len(own) == player["plays"] + player["cubes"]
        assert player["error"] == pytest.approx(sum(row["error"] for row in own))
        assert player["pr"] == (pytest.approx(500 * player["error"] / len(own)) if own else None)
    assert [(player["name"], player["points"]) for player in found["players"]] == [("Kari", -2), ("Per", 2)]
    assert "Kari: PR" in written(tmp_path / "short.mat", "--level", "0-ply")


def test_files_that_are_not_graded_are_refused_by_a_code(tmp_path, monkeypatch):
    long, bad, good = (tmp_path / name for name in ("long.mat", "bad.mat", "good.mat"))
    long.write_text(SHORT.replace(" 0 point", " 65 point"))
    bad.write_text("The evening was long.")
    good.write_text(SHORT)
    assert refusal(long) == "too_long"
    assert refusal(bad) == "bad_file"
    empty = tmp_path / "empty.mat"
    for text in ("", " 5 point match\n"):
        empty.write_text(text)
        assert refusal(empty) == "bad_file"
    assert refusal(tmp_path / "missing.mat") == "bad_file"
    monkeypatch.setattr(program, "find", lambda: "/bin/false")
    assert refusal(good) == "engine_failed"
    monkeypatch.setattr(engines, "installed", list)
    assert refusal(good) == "no_engine"


def its_own(text, folder):
    """Return GNU Backgammon's own figures of each game and side."""
    (folder / "match.mat").write_text(text, encoding="utf-8")
    (folder / "script.py").write_text(ITS_OWN)
    command = [str(program.find()), "--tty", "--quiet", "--no-rc", "--python", "script.py"]
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    (line,) = (each[1:] for each in done.stdout.decode().splitlines() if each.startswith("@"))
    return json.loads(line)


MISTAKES = (
    *("missed-double-below-cp", "missed-double-above-cp", "wrong-double-below-dp", "wrong-double-above-tg"),
    *("wrong-take", "wrong-drop"),
)
"""The mistakes with the cube whose errors GNU Backgammon sums up apart."""


def its_error(side, part):
    """Return the sum of errors of a side of its_own's in a game, of its "moves" or its "cube", at the cube before them.

    Of moves `error-skill` is the sum, of cubes it is the mean over the close and actual ones: theirs is summed up by
    the kinds of mistakes.
    """
    if part == "moves":
        return abs(side[part]["error-skill"])
    return sum(abs(side[part][f"err-{kind}-skill"]) for kind in MISTAKES)


def errors_are_its_own(found, stats):
    """Check the sums of errors of a report, plays and cubes apart, against GNU Backgammon's own."""
    for player in (0, 1):
        for part in ("moves", "cube"):
            rows = [row for row in found["decisions"] if (row["kind"] == "play") == (part == "moves")]
            ours = sum(row["error"] for row in rows if row["player"] == player)
            assert ours == pytest.approx(sum(its_error(game[player], part) for game in stats), abs=1e-3), (player, part)


def error_rate_is_its_own(found, stats):
    """Check the numbers of choices of a report by GNU Backgammon's counting, plays and cubes apart, against its own."""
    for player in (0, 1):
        rows = [row for row in found["decisions"] if row["player"] == player and error_rate.counts(row)]
        plays = sum(row["kind"] == "play" for row in rows)
        assert plays == sum(game[player]["moves"]["unforced-moves"] for game in stats), player
        assert len(rows) - plays == sum(game[player]["cube"]["close-cube"] for game in stats), player
        ours = sum_of([row for row in found["decisions"] if row["player"] == player], error_rate.counts)
        its = sum(its_error(game[player], part) for game in stats for part in ("moves", "cube"))
        assert ours.error == pytest.approx(its, abs=1e-3)


def test_bgsage_grades_the_same_decisions(tmp_path):
    require(sage.is_installed(), "bgsage (the extra `analysis`)")
    (tmp_path / "short.mat").write_text(SHORT)
    found = json.loads(written(tmp_path / "short.mat", "--json", "--engine", "bgsage", "--level", "2ply"))
    other = json.loads(written(tmp_path / "short.mat", "--json", "--level", "1-ply"))
    assert found["engine"].startswith("bgsage ")
    for mine, theirs in zip(found["decisions"], other["decisions"], strict=True):
        assert mine["graded"]
        assert (mine["kind"], mine["xgid"], mine["played"]) == (theirs["kind"], theirs["xgid"], theirs["played"])
        assert mine["error"] == pytest.approx(theirs["error"], abs=0.2)


LINES = 10
"""So many lines of a game take seconds; the rest is left out, as if the game had not been played to its end."""


@pytest.mark.parametrize(
    ("preset", "options", "lines"),
    [
        ("match", {"match_length": 3}, LINES),
        ("money", {}, LINES),
        *seeds.share_of_day(
            [
                pytest.param("match", {"match_length": 1}, 999, marks=pytest.mark.long),
                pytest.param("money", {}, 999, marks=pytest.mark.long),
            ],
            2,
            every=2,
        ),
    ],
)
@pytest.mark.day(parts=6, turn=2)
def test_errors_and_luck_are_those_of_gnu_backgammons_own_analysis(preset, options, lines, tmp_path):
    """The sum of all errors, counted or not: its counting of decisions is another one."""
    table = session(preset, options, seed=11, games=1)
    text = "\n".join(
        line for line in as_mat(table).splitlines() if not line[:3].strip().isdigit() or int(line[:3]) <= lines
    )
    if lines == LINES:
        text = text.split("Wins")[0].rstrip() + "\n"
    engine = engines.engine("gnubg")
    try:
        found = report(read(text.encode()), engine)
    finally:
        engine.close()
    stats = its_own(text, tmp_path)
    errors_are_its_own(found, stats)
    error_rate_is_its_own(found, stats)
    for player in (0, 1):
        rows = [row for row in found["decisions"] if row["player"] == player]
        luck = sum(row["luck"] for row in rows if row["luck"] is not None)
        assert luck == pytest.approx(sum(game[player]["dice"]["luck"] for game in stats), abs=2e-3)
