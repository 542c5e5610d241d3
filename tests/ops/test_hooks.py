"""The hook that `make hooks` installs: a commit with a fault of lint or types is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require
from tests.server import ROOT

SETTINGS = "[tool.ruff.lint]\nselect = ['F']\n[tool.mypy]\ndisallow_untyped_defs = true\n"
CLEAN = "def one() -> int:\n    return 1\n"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A repository with `make hooks` done, and with the tools that are installed here."""
    require(shutil.which("git") and shutil.which("make") and (ROOT / ".venv").exists(), "git, make and .venv")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text(SETTINGS)
        # Older than what is installed, so that make installs nothing.
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "games").mkdir()
    subprocess.run(["make", "-s", "hooks"], cwd=tmp_path, check=True)
    return tmp_path


def commits(sources: Path, text: str) -> bool:
    (sources / "games" / "one.py").write_text(text)
    own = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", sources, "add", "games"], check=True)
    done = subprocess.run(["git", "-C", sources, *own, "commit", "-qm", "x"], check=False, capture_output=True)
    return done.returncode == 0


@pytest.mark.day(parts=5, turn=4)
def test_a_commit_with_a_fault_of_lint_format_or_types_is_refused_and_a_clean_one_is_not(sources: Path) -> None:
    assert not commits(sources, f"import os\n\n\n{CLEAN}")
    assert not commits(sources, CLEAN.replace("return 1", "return  1"))
    assert not commits(sources, CLEAN.replace(" -> int", ""))
    assert commits(sources, CLEAN)
