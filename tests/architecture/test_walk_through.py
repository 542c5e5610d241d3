"""docs/adding-a-game.md, followed to the letter in an empty folder."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.kernel import sentences
from games.management import new_games
from tests.architecture.sources import ROOT, text_of

PAGE = Path("docs/adding-a-game.md")
SETTINGS = """
from tests.settings import *
from tests.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "pig"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but what the page says, and the one line of settings."""
    folder = tmp_path_factory.mktemp("walk")
    blocks = re.findall(r"^`([\w./]+)`\n```\w+\n(.*?)^```$", text_of(PAGE), re.M | re.S)
    for name, code in blocks:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)
    (folder / "pig" / "__init__.py").touch()
    (folder / "pig_settings.py").write_text(SETTINGS)
    return folder


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project with the folder on its path."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "STAMMTISCH_"))}
    return subprocess.run(
        [sys.executable, *args],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(folder), "DJANGO_SETTINGS_MODULE": "pig_settings"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_folder_has_every_file_that_the_page_lists(folder: Path) -> None:
    listing = re.search(r"^```\nstammtisch-pig/\n(.*?)^```", text_of(PAGE), re.M | re.S)
    assert listing is not None
    names = {line.split()[0] for line in listing.group(1).splitlines()}
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert names - {"pig/locale/"} == written - {"pig_settings.py"}


def test_new_game_writes_what_the_page_says(folder: Path) -> None:
    for name, text in new_games.files("pig").items():
        assert (folder / name).read_text() == text, name


def test_a_whole_game_with_bots_and_its_sentences_is_at_most_320_lines(folder: Path) -> None:
    assert 200 < sum(len(path.read_text().splitlines()) for path in (folder / "pig").rglob("*.py")) <= 320


def test_the_page_lists_every_function_that_sentences_are_made_of() -> None:
    own = {name: each for name, each in vars(sentences).items() if inspect.isfunction(each) and name[0] != "_"}
    makers = {name for name, each in own.items() if each.__annotations__.get("return") in ("Node", "Test")}
    table = re.search(r"^\| for \| functions of `games.kernel.sentences`.*?\n\n", text_of(PAGE), re.M | re.S)
    assert table is not None
    assert set(re.findall(r"`(\w+)`", table.group())) == makers - {"bound"}
    assert len(makers) > 20


def check_game(folder: Path) -> list[list[str]]:
    """Return the rows of `manage.py check_game pig`, in words."""
    return [line.split() for line in run(folder, "manage.py", "check_game", "pig").stdout.splitlines()]


@pytest.mark.day(parts=4, turn=2)
def test_the_new_game_is_playable_with_the_kit_alone(folder: Path) -> None:
    assert list(folder.rglob("*.js")) == []
    rows = check_game(folder)
    assert rows[0][:2] == ["yes", "playable"], rows
    assert ["no", "own", "board", "games/kit/stammtisch_table.js"] in rows


@pytest.mark.day(parts=4, turn=1)
def test_dice_that_no_phone_would_find_in_the_log_are_noticed(folder: Path, tmp_path: Path) -> None:
    """Else each phone at the table would say in red that the dice are not what its numbers say."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for name in ("rules/__init__.py", "rules/events.py"):
        path = tmp_path / "pig" / name
        path.write_text(re.sub(r"\bdie\b", "value", path.read_text()))
    rows = check_game(tmp_path)
    assert rows[0][:2] == ["no", "playable"], rows
    assert "dice that are drawn are told as `dice` or `die`" in " ".join(rows[0])


@pytest.mark.day(parts=4, turn=3)
def test_the_new_game_keeps_the_contract(folder: Path) -> None:
    done = run(
        folder,
        *["-m", "pytest", "tests/contract", "-k", "pig", "-q", "-p", "no:cacheprovider"],
        "--ds=pig_settings",
    )
    assert done.returncode == 0, done.stdout[-4000:]
    summary = re.search(r"(\d+) passed", done.stdout)
    assert summary is not None
    assert int(summary.group(1)) > 100
    assert "skipped" not in done.stdout


@pytest.mark.day(parts=4)
def test_bots_play_the_new_game_through_the_house(folder: Path) -> None:
    (folder / "test_bots_play.py").write_text(
        """
from games.management import log_check
from games.services.clock import clock
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup


def test_a_table_of_bots(db):
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Pig night")
    table = setup.open_table(night, host, "pig", "short", {})
    for level in ("careful", "bold", "bold"):
        setup.add_bot(table, host, level)
    setup.start(table, host, "start")
    while clock.run_due():
        pass
    table.refresh_from_db()
    assert table.status == "finished"
    assert table.results.get().lines.count() == 3
    assert log_check.faults(table) == []
"""
    )
    test = str(folder / "test_bots_play.py")
    done = run(folder, "-m", "pytest", test, "--ds=pig_settings", "-q", f"--rootdir={ROOT}")
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_code_on_the_page_is_as_clean_as_ours_and_by_its_own_settings(folder: Path) -> None:
    ours = ["--config", str(ROOT / "pyproject.toml"), str(folder / "pig")]
    for options in (ours, [str(folder / "pig"), str(folder / "tests")]):
        for args in (["check"], ["format", "--check"]):
            done = run(folder, "-m", "ruff", *args, *options)
            assert done.returncode == 0, done.stdout + done.stderr
