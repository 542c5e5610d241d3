"""The version of a build: told by git, another one for every commit and change, and rising."""

from __future__ import annotations

import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
from packaging.version import Version

from games import version
from games.version import RELEASE
from tests.conftest import require
from tests.server import ROOT

_FRONT, _, _SMALL = RELEASE.rpartition(".")
NEXT = f"{_FRONT}.{int(_SMALL) + 1}"
"""The release to which the commits after the newest one lead."""


def git(folder: Path, *arguments: str) -> str:
    own = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *own, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, word: str) -> str:
    (folder / "file").write_text(word)
    git(folder, "add", "file")
    git(folder, "commit", "-q", "-m", word)
    return version.of_sources(folder)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    require(shutil.which("git"), "git")
    folder = tmp_path / "sources"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def test_at_a_releases_tag_the_version_is_the_tags(sources: Path) -> None:
    commit(sources, "one")
    git(sources, "tag", f"v{RELEASE}")
    assert version.of_sources(sources) == RELEASE


def test_every_commit_and_every_change_has_a_version_of_its_own_and_each_rises(sources: Path) -> None:
    before = [commit(sources, word) for word in ("one", "two")]
    git(sources, "tag", f"v{RELEASE}")
    at = version.of_sources(sources)
    after = [commit(sources, word) for word in ("three", "four")]
    found = [Version(each) for each in ("0.1.0", *before, at, *after)]
    assert found == sorted(found) and len(set(found)) == len(found)
    assert after[0].startswith(f"{NEXT}.dev1+g")
    (sources / "file").write_text("five")
    changed = version.of_sources(sources)
    (sources / "file").write_text("six")
    assert len({after[-1], changed, version.of_sources(sources)}) == 3


def test_commits_after_another_tag_lead_to_the_release_that_the_sources_name(sources: Path) -> None:
    commit(sources, "one")
    git(sources, "tag", "v0.9.3")
    assert commit(sources, "two").startswith(f"{RELEASE}.dev1+g")


def test_without_a_tag_builds_are_above_the_release_that_the_changelog_has(sources: Path) -> None:
    before = commit(sources, "one")
    (sources / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{RELEASE}]\n")
    git(sources, "add", "CHANGELOG.md")
    at, *after = (commit(sources, word) for word in ("two", "three", "four"))
    assert at == RELEASE
    found = [Version(each) for each in (before, at, *after)]
    assert found == sorted(found) and len(set(found)) == len(found)
    copy = sources.parent / "copy"
    git(sources, "clone", "-q", "--depth", "1", f"file://{sources}", str(copy))
    assert version.of_sources(copy) == f"{RELEASE}+unknown", "the commit of the release is not in it"


def test_without_git_the_version_is_unknown_and_above_the_release(sources: Path) -> None:
    found = version.of_sources(sources.parent)
    assert found == f"{RELEASE}+unknown"
    commit(sources, "one")
    inside = sources / "copied"
    inside.mkdir()
    assert version.of_sources(inside) == f"{RELEASE}+unknown", "the repository is of another project"
    assert Version(RELEASE) < Version(found) < Version(f"{NEXT}.dev1+g0")


def test_the_changelog_has_a_section_for_the_release() -> None:
    assert f"\n## [{RELEASE}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_day_of_the_build_is_the_wheels_or_the_last_commits(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built_on = version.built_on.__wrapped__
    monkeypatch.setattr(version, "IS_INSTALLED", False)
    monkeypatch.setattr(version, "SOURCES", sources)
    commit(sources, "a")
    assert str(built_on()) == git(sources, "log", "-1", "--format=%cs").strip()
    monkeypatch.setattr(version, "SOURCES", tmp_path / "nowhere")
    assert built_on() is None
    monkeypatch.setattr(version, "IS_INSTALLED", True)
    monkeypatch.setattr(version, "__file__", str(tmp_path / "version.py"))
    assert built_on() is None
    (tmp_path / version.BUILT_ON).write_text("2026-03-01\n", encoding="ascii")
    assert built_on() == date(2026, 3, 1)
