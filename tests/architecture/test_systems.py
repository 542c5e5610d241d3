"""Windows and macOS: what one of them lacks is imported in one place, and no name that it lacks is used elsewhere."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import GAME_FOLDERS, HOUSE, ROOT, files, tree_of

CALLS = Path("games/ops/system/calls.py")
LACKING = {
    *("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix", "readline", "curses"),
    *("msvcrt", "winreg", "winsound", "nt", "_winapi"),
}
"""Modules that Windows or the other systems lack."""


def lacking_imports(tree: ast.AST) -> list[str]:
    """Return the modules that a system lacks, of those that a module imports."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append(node.module or "")
    return [name for name in found if name.partition(".")[0] in LACKING]


def test_what_a_system_lacks_is_imported_in_one_place() -> None:
    ours = [path for folder in (HOUSE, *GAME_FOLDERS) for path in files(".py", under=folder)]
    assert lacking_imports(tree_of(CALLS)) == ["msvcrt", "fcntl", "resource"]
    assert {f"{path}": found for path in ours if path != CALLS and (found := lacking_imports(tree_of(path)))} == {}


@pytest.mark.parametrize(
    ("planted", "count"),
    [
        ("import resource", 1),
        ("def f():\n    import fcntl", 1),
        ("try:\n    from pwd import getpwnam\nexcept ImportError:\n    pass", 1),
        ("from games.ops.system import calls\nimport os, signal", 0),
    ],
)
def test_a_planted_import_is_found(planted: str, count: int) -> None:
    assert len(lacking_imports(ast.parse(planted))) == count


# `make types` looks at Windows, too; a planted offence and macOS are looked at here.


def _types(*words: str) -> str:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


@pytest.mark.long
@pytest.mark.day(parts=4, turn=2)
@pytest.mark.timeout(600)
def test_no_name_is_used_that_macos_lacks(tmp_path: Path) -> None:
    assert _types("--platform", "darwin", "--cache-dir", str(tmp_path)) == ""


@pytest.mark.parametrize(
    "planted", ["os.nice(1)", "signal.SIGKILL", "os.sched_getaffinity(0)", "os.kill(1, signal.SIGHUP)", "os.major(1)"]
)
@pytest.mark.day(parts=4, turn=3)
def test_a_planted_name_that_windows_lacks_is_found(planted: str, tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(f"import os\nimport signal\n\n{planted}\n", encoding="utf-8")
    words = ("--config-file", "", "--cache-dir", str(tmp_path), str(tmp_path / "planted.py"))
    assert "has no attribute" in _types("--platform", "win32", *words)
    assert _types("--platform", "linux", *words) == ""
