"""The last release beside this version: its sources, and a house that is played by them.

It is the newest version of the changelog, at its tag, or at the commit that docs/releasing.md names.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from tests import database
from tests.conftest import require
from tests.server import ROOT, Server

_LINE = re.compile(r"^\| (\d+\.\d+\.\d+) \| `([0-9a-f]{40})`[^|]*\| `(\w+)` \|$", re.M)


def version() -> str:
    """Return the newest version of the changelog."""
    (found, *_older) = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    return str(found)


def _line() -> tuple[str, str]:
    """Return the commit and the last step of the last release, as docs/releasing.md names them."""
    lines = _LINE.findall((ROOT / "docs" / "releasing.md").read_text())
    (found,) = ((commit, step) for each, commit, step in lines if each == version())
    return found


def last_step() -> str:
    """Return the last step of the last release's database."""
    return _line()[1]


def commit() -> str:
    """Return the last release's commit; skips where this clone lacks it, and fails where everything is required."""
    for name in (f"v{version()}", _line()[0]):
        done = subprocess.run(
            ["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout.strip()
    require(False, f"the commit of {version()} in this clone of the repository")
    raise AssertionError


def sources() -> Path:
    """Return a folder with the last release's sources, the same for all tests of a run."""
    name = commit()
    with database.made_once(f"release-{version()}") as (place, is_made):
        if not is_made:
            packed = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True).stdout
            half = place.with_suffix(".half")
            with tarfile.open(fileobj=BytesIO(packed)) as tar:
                tar.extractall(half, filter="data")
            half.rename(place)
    return place


class LastRelease(Server):
    """A server of the last release, in the environment in which the tests run."""

    def __init__(self, data: Path, **environment: str) -> None:
        super().__init__(data, **environment)
        self.sources = sources()
