"""The version of the house: of the installed wheel, else of the sources by git (docs/releasing.md)."""

from __future__ import annotations

import hashlib
import subprocess
from datetime import date
from functools import cache
from importlib import metadata
from pathlib import Path

RELEASE = "1.1.0"
"""The version that these sources become, or that was released last; git's tags are `v1.0.0` and the like."""
NAME = "stammtisch"
BUILT_ON = "built_on.txt"
"""The file beside this one in which a wheel has the day of its build."""
SOURCES = Path(__file__).resolve().parent.parent
IS_INSTALLED = not (SOURCES / "manage.py").is_file()
_SECONDS = 10


@cache
def version() -> str:
    """Return the version of this house, worked out once in a process."""
    return metadata.version(NAME) if IS_INSTALLED else of_sources(SOURCES)


@cache
def built_on() -> date | None:
    """Return the day on which this version was built: the wheel, or the last commit of the sources; None if unknown."""
    try:
        if IS_INSTALLED:
            return date.fromisoformat(Path(__file__).with_name(BUILT_ON).read_text(encoding="ascii").strip())
        return date.fromisoformat(_git(SOURCES, "log", "-1", "--format=%cs"))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def of_sources(folder: Path) -> str:
    """Return the version of a folder of sources.

    At a release's tag "1.1.0"; after it "1.1.1.devN+gHASH" with N commits since the tag; without git "1.1.0+unknown".
    Without a tag the release is the commit that brought its section into CHANGELOG.md. Changes that are not committed
    add a hash of theirs, so that no two builds have one version.
    """
    try:
        # Sources inside another project's repository have no version there.
        if Path(_git(folder, "rev-parse", "--show-toplevel")).resolve() != folder.resolve():
            return f"{RELEASE}+unknown"
        commit = _git(folder, "rev-parse", "--short=9", "HEAD")
        changes = _git(folder, "diff", "HEAD", "--binary")
        tag, count = _last_release(folder)
    except (OSError, subprocess.SubprocessError):
        return f"{RELEASE}+unknown"
    if count == 0 and not changes:
        return tag
    changed = f".d{hashlib.sha256(changes.encode()).hexdigest()[:8]}" if changes else ""
    return f"{_next(tag)}.dev{count}+g{commit}{changed}"


def _last_release(folder: Path) -> tuple[str, int]:
    """Return the release before a commit ("" before the first one), and how many commits came since."""
    try:
        described = _git(folder, "describe", "--tags", "--long", "--match", "v[0-9]*.[0-9]*.[0-9]*")
    except subprocess.CalledProcessError:
        return _last_written(folder)
    tag, count, _hash = described.rsplit("-", 2)
    return tag.removeprefix("v"), int(count)


def _last_written(folder: Path) -> tuple[str, int]:
    """Return the last release that CHANGELOG.md has a section of, as `_last_release`; raises SubprocessError."""
    if _git(folder, "rev-parse", "--is-shallow-repository") == "true":
        raise subprocess.SubprocessError("the commit of the release may be missing")
    found = _git(folder, "log", "--format=%H", f"-S## [{RELEASE}]", "--", "CHANGELOG.md").split()
    commits = f"{found[-1]}..HEAD" if found else "HEAD"
    return RELEASE if found else "", int(_git(folder, "rev-list", "--count", commits))


def _next(tag: str) -> str:
    """Return the release that the commits after a tag lead to: the one that RELEASE names, else the next small one."""
    if tag != RELEASE:
        return RELEASE
    *front, last = tag.split(".")
    return ".".join([*front, str(int(last) + 1)])


def _git(folder: Path, *arguments: str) -> str:
    """Return what git prints; raises OSError, SubprocessError."""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(  # noqa: S603 (no shell)
        command, capture_output=True, encoding="utf-8", errors="replace", check=True, timeout=_SECONDS
    ).stdout.strip()
