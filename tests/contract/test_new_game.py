"""`manage.py new_game`: a game that plays and is green at once, under any name that a game may have."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.kernel.contract import CONTRACT_VERSION
from games.management import new_games
from tests.seeds import share_of_day
from tests.server import ROOT

# An id that comes before `games` in the order of imports, a short one, and a long one of several words.
NAMES = ("alpha", "go", "round_the_corner_we_rolled"[:24])


def new_game(name: str, into: Path) -> str:
    """Write a game; return what the command prints."""
    out = StringIO()
    call_command("new_game", name, into=into, stdout=out)
    return out.getvalue()


def ran(*args: str) -> str:
    """Run Python in the project; return what it printed."""
    done = subprocess.run([sys.executable, *args], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", share_of_day(NAMES, 3))
def test_the_tests_of_a_new_game_are_green_at_once_and_its_code_is_clean(name: str, tmp_path: Path) -> None:
    folder = tmp_path / f"stammtisch-{name}"
    assert f"python -m pytest {folder}" in new_game(name, tmp_path)
    assert "10 passed" in ran("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:django", str(folder))
    ran("-m", "ruff", "check", "--no-cache", str(folder))
    ran("-m", "ruff", "format", "--check", "--no-cache", str(folder))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_new_game_has_another_name(name: str) -> None:
    for path, text in new_games.files(name).items():
        assert "pig" not in (path + text).lower()
    project = new_games.files(name)["pyproject.toml"]
    assert f'{name}-{CONTRACT_VERSION} = "{name}.apps:{name.title().replace("_", "")}Config"' in project


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("1x", "is no name for a game"),
        ("Pig", "is no name for a game"),
        ("../pig", "is no name for a game"),
        ("", "is no name for a game"),
        ("schwäbisch", "is no name for a game"),
        ("p" * 25, "is no name for a game"),
        ("class", "word of Python"),
        ("chicago", "A game named chicago is installed already"),
        ("json", "A module named json is there already"),
        ("tests", "A module named tests is there already"),
        ("admin", "A module named admin is there already"),
        ("games", "A module named games is there already"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused_with_a_sentence(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=why):
        new_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_and_one_that_cannot_be_written_are_left_alone(tmp_path: Path) -> None:
    new_game("duck", tmp_path)
    kept = (tmp_path / "stammtisch-duck" / "pyproject.toml").read_text()
    (tmp_path / "stammtisch-duck" / "duck" / "apps.py").write_text("mine")
    with pytest.raises(CommandError, match="stammtisch-duck is there already"):
        new_game("duck", tmp_path)
    with pytest.raises(CommandError, match=r"No game can be written into .*nowhere: No such file"):
        new_game("duck", tmp_path / "nowhere")
    assert (tmp_path / "stammtisch-duck" / "duck" / "apps.py").read_text() == "mine"
    assert (tmp_path / "stammtisch-duck" / "pyproject.toml").read_text() == kept


def test_a_disk_that_fills_leaves_no_half_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        if path.name == "bots.py":
            raise OSError(28, "No space left on device")
        return written(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(CommandError, match="No space left on device"):
        new_game("duck", tmp_path)
    assert list(tmp_path.iterdir()) == []
