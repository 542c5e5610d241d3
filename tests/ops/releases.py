"""The releases beside this version: their sources, and houses that are played by them.

`docs/releasing.md` names them; the last one is the newest version of the changelog. A release's commit is its tag's, or
the one that the page names.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from tests import database
from tests.conftest import require
from tests.server import ROOT, Server

_LINE = re.compile(r"^\| (\d+\.\d+\.\d+) \| `([0-9a-f]{40})`[^|]*\| `(\w+)` \|$", re.M)


@dataclass(frozen=True, slots=True)
class Release:
    """A release: its version, its commit as the page names it, and the last step of its database."""

    version: str
    named_commit: str
    last_step: str

    def commit(self) -> str:
        """Return its commit; skips where this clone lacks it, and fails where everything is required."""
        for name in (f"v{self.version}", self.named_commit):
            done = subprocess.run(
                ["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == 0:
                return done.stdout.strip()
        require(False, f"the commit of {self.version} in this clone of the repository")
        raise AssertionError

    def sources(self) -> Path:
        """Return a folder with its sources, the same for all tests of a run."""
        name = self.commit()
        with database.made_once(f"release-{self.version}") as (place, is_made):
            if not is_made:
                packed = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True).stdout
                half = place.with_suffix(".half")
                with tarfile.open(fileobj=BytesIO(packed)) as tar:
                    tar.extractall(half, filter="data")
                half.rename(place)
        return place


RELEASES = {found[0]: Release(*found) for found in _LINE.findall((ROOT / "docs" / "releasing.md").read_text())}
"""The releases by their versions, in the page's order."""


def last() -> Release:
    """Return the newest version of the changelog."""
    (found, *_older) = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    return RELEASES[found]


class ReleasedHouse(Server):
    """A server of a release, in the environment in which the tests run."""

    def __init__(self, release: Release, data: Path, **environment: str) -> None:
        super().__init__(data, **environment)
        self.sources = release.sources()
