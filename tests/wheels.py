"""A wheel for every dependency, so that nobody needs a compiler: `python -m tests.wheels`.

uv, put into an environment of its own, resolves pyproject.toml with all extras and constraints.txt for each system and
Python, from wheels alone; it reads what the index says of files and fetches none. One day asks for one version of
Python, and every day for all that may have changed: where the last commit changed what is installed.

The answer counts only after the tool has refused a release that is known to have no wheel; without a network it is said
that the question was skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

from tests.seeds import share_of_day

ROOT = Path(__file__).resolve().parent.parent
TOOL = "uv==0.13.9"
SYSTEMS = {
    "Windows x64": "x86_64-pc-windows-msvc",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x64": "x86_64-apple-darwin",
    "Linux x64": "x86_64-unknown-linux-gnu",
    "Linux arm64": "aarch64-unknown-linux-gnu",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NO_WHEEL = "rjsmin==1.3.0"
"""What has no wheel on Windows."""
SECONDS = 180


class Skipped(Exception):
    """No index could be asked."""


def fault_of(output: str) -> str:
    """Return on one line why a resolver found nothing; "" for another text. Raises Skipped where no index answered."""
    text = " ".join(output.split())
    if found := re.search(r"No solution found.*?(Because .*?)(?: hint:|$)", text):
        return found[1]
    raise Skipped(text[:200] or "no answer")


def resolved(tool: Path, requirements: Path, system: str, python: str, *options: str) -> str:
    """Return what keeps requirements from being installed from wheels alone; "" for nothing. Raises Skipped."""
    command = [
        *(str(tool), "pip", "compile", "--quiet", "--no-header", "--only-binary", ":all:", "--no-config"),
        *("--python-platform", SYSTEMS[system], "--python-version", python, *options, str(requirements)),
    ]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Skipped("no answer") from None
    return fault_of(done.stderr) if done.returncode else ""


def missing(tool: Path, pythons: list[str], folder: Path) -> Iterator[str]:
    """Yield a sentence for each system and Python that lacks a wheel. Raises Skipped."""
    known = folder / "known.in"
    known.write_text(f"{NO_WHEEL}\n", encoding="utf-8")
    if not resolved(tool, known, "Windows x64", pythons[0]):
        raise Skipped(f"{NO_WHEEL} was found, which has no wheel")
    for python in pythons:
        for system in SYSTEMS:
            options = ("--all-extras", "--constraints", "constraints.txt")
            if fault := resolved(tool, ROOT / "pyproject.toml", system, python, *options):
                yield f"{system}, Python {python}: {fault}"


def pythons_of_day() -> list[str]:
    """Return the versions of Python that are asked for today."""
    changed = ["git", "diff", "--quiet", "HEAD~1", "--", "constraints.txt", "pyproject.toml"]
    is_changed = subprocess.run(changed, cwd=ROOT, capture_output=True, check=False).returncode != 0
    return [*PYTHONS] if is_changed else share_of_day(PYTHONS, len(PYTHONS))


def installed(folder: Path) -> Path:
    """Install the tool into an environment, and return it. Raises Skipped."""
    try:
        venv.create(folder / "tool")
        python = str(folder / "tool" / "bin" / "python")
        command = [sys.executable, "-m", "pip", "--python", python, "install", "-q", TOOL]
        subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
    except (subprocess.SubprocessError, OSError) as error:
        raise Skipped(str(error)) from None
    return folder / "tool" / "bin" / "uv"


def main() -> int:
    """Print what lacks a wheel; return 1 if something does."""
    pythons = pythons_of_day()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UV_CACHE_DIR"] = str(Path(folder) / "cache")
        try:
            faults = [*missing(installed(Path(folder)), pythons, Path(folder))]
        except Skipped as why:
            print(f"Wheels: skipped, no index was reachable ({why}).")
            return 0
    print(f"Wheels: {len(SYSTEMS) * len(pythons)} systems and versions were asked for, {len(faults)} lack one.")
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
