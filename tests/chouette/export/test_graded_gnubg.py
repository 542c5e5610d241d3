"""GNU Backgammon reads the analysis in a file of ours: its own figures of each mistake are those that we wrote."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from chouette.analysis import engines, house
from chouette.analysis.gnubg import program
from chouette.export import sgf
from games.kernel.figures.skill import GameToGrade
from tests.chouette.analysis.files import session
from tests.chouette.export.test_graded import NAMES
from tests.conftest import require

READ = """
import gnubg, json
gnubg.command('load match "match.sgf"')
found = [act for game in gnubg.match(1, 0, 1)['games'] for act in game['game']]
print("@" + json.dumps(found))
"""


def as_gnubg_reads(text, folder):
    """Return the acts of a file with their analyses, as GNU Backgammon holds them after loading it."""
    # Its Python knows no match without a game 0; the format counts from 1.
    text = re.sub(r"\[game:(\d+)\]", lambda number: f"[game:{int(number[1]) - 1}]", text)
    (folder / "match.sgf").write_text(text, encoding="utf-8")
    (folder / "script.py").write_text(READ)
    command = [str(program.find()), "--tty", "--quiet", "--no-rc", "--python", "script.py"]
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=60
    )
    (line,) = (each[1:] for each in done.stdout.decode().splitlines() if each.startswith("@"))
    return json.loads(line)


@pytest.mark.parametrize(("preset", "seed"), [("money", 3), ("match", 4)])
def test_gnu_backgammon_reads_the_analysis_of_our_mistakes(preset, seed, tmp_path):
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")
    table = session(preset, seed=seed, games=3, levels=("noisy", "noisy"))
    engine = engines.engine("gnubg", "0-ply")
    try:
        rows = list(house.rows(GameToGrade(table.options, 2, table.log, 1), engine))
    finally:
        engine.close()
    told = [row for row in rows if row["chances"]]
    assert {row["kind"] for row in told} > {"play"}, "there are mistakes of both kinds"
    found = as_gnubg_reads(sgf(table.options, 2, table.log, 0, NAMES, grades=rows), tmp_path)
    plays = [act for act in found if act["action"] == "move"]
    looked_at = [act["analysis"] for act in plays if act.get("analysis", {}).get("moves")]
    mistakes = [row for row in told if row["kind"] == "play"]
    assert len(looked_at) == len(mistakes) > 0
    for analysis, row in zip(looked_at, mistakes, strict=True):
        assert len(analysis["moves"]) == len(row["listed"])
        for move, (_, equity), chances in zip(analysis["moves"], row["listed"], row["chances"]["values"], strict=True):
            assert move["score"] == pytest.approx(equity, abs=1e-3)
            assert move["probs"] == pytest.approx(chances[:5], abs=1e-5)
        assert analysis["moves"][analysis["imove"]]["score"] == pytest.approx(row["equities"]["played"], abs=1e-3)
    courses = [each for act in found if "nd-cubeful-eq" in (each := act.get("analysis", {}))]
    # Its Python tells the cube's courses of a double, not of the answer.
    cubes = [row for row in told if row["kind"] in ("no_double", "double")]
    assert len(courses) >= len(cubes) > 0
    worth = [tuple(row["chances"]["values"][0][6:]) for row in cubes]
    read = [(each["nd-cubeful-eq"], each["dt-cubeful-eq"]) for each in courses]
    for each in worth:
        assert any(each == pytest.approx(other, abs=1e-5) for other in read)
    if preset == "money":
        for row, (no_double, take) in zip(cubes, worth, strict=True):
            assert (no_double, take) == pytest.approx((row["equities"]["no_double"], row["equities"]["take"]), abs=1e-3)
