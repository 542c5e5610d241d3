"""The audit of what is installed: `python -m tests.audit`.

What always runs: everything fits together (`pip check`), and every installed distribution
has its version pinned in constraints.txt. With `--online`, pip-audit looks the versions up
in an advisory service. A service is trusted to say "no known vulnerability" only after it
has named those of a release that is known to have some; where none answers like that, it is
said that the look-up was skipped.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
# What installs the rest, and the house itself.
UNPINNED = {"setuptools", "wheel", "stammtisch"}
TOOL = "pip-audit==2.10.1"
# A release of long ago: a service that knows nothing of it knows nothing.
KNOWN_BAD = "django==3.0\n"
SERVICES = ("pypi", "osv")
SECONDS = 120


def normal(name: str) -> str:
    """Return a distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(text: str) -> dict[str, str]:
    """Return the pins of a constraints file for this system: name → version; raises ValueError for others."""
    found: dict[str, str] = {}
    for raw in text.splitlines():
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        line, _semicolon, marker = (part.strip() for part in line.partition(";"))
        if marker:
            if not re.fullmatch(r"(sys_platform|platform_machine|and|or|[!=]=|'\w+'|\s)+", marker):
                raise ValueError(f"constraints.txt: {marker!r} names more than a system")
            if not Marker(marker).evaluate():
                continue
        name, equals, version = line.partition("==")
        if not equals or not re.fullmatch(r"[\w.!+-]+", version):
            raise ValueError(f"constraints.txt: {line!r} is no pin")
        found[normal(name)] = version
    return found


def unpinned(installed: dict[str, str], pins: dict[str, str]) -> list[str]:
    """Return what is installed otherwise than the pins say, in words."""
    return [
        f"{name} {version} is installed, pinned is {pins.get(name, 'nothing')}"
        for name, version in sorted(installed.items())
        if name not in UNPINNED and pins.get(name) != version
    ]


def installed() -> dict[str, str]:
    """Return every installed distribution with its version."""
    return {normal(each.metadata["Name"]): each.version for each in metadata.distributions()}


def offline() -> list[str]:
    """Return what is wrong with what is installed."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    faults = [] if done.returncode == 0 else done.stdout.splitlines()
    return faults + unpinned(installed(), pinned(CONSTRAINTS.read_text()))


def vulnerabilities(report: dict[str, Any]) -> list[str]:
    """Return what a report of pip-audit names."""
    return [
        f"{each['name']} {each.get('version', '')}: {found['id']}"
        for each in report["dependencies"]
        for found in each.get("vulns", [])
    ]


def ask(python: Path, service: str, requirements: Path) -> list[str] | None:
    """Return the vulnerabilities of pinned requirements; None where the service has no answer."""
    options = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    try:
        done = subprocess.run(
            [
                *[str(python), "-m", "pip_audit", "-s", service, "--timeout", "15", *options],
                *["-r", str(requirements)],
            ],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return vulnerabilities(json.loads(done.stdout))
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None


def online(folder: Path) -> list[str] | None:
    """Return the known vulnerabilities of the pins; None where no service could be asked."""
    python = folder / "tool" / "bin" / "python"
    known_bad = folder / "known_bad.txt"
    known_bad.write_text(KNOWN_BAD)
    try:
        venv.create(folder / "tool")
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", TOOL],
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return None
    for service in SERVICES:
        if ask(python, service, known_bad):
            return ask(python, service, CONSTRAINTS)
    return None


def main() -> int:
    """Print what was found; return 1 if something is wrong."""
    faults = offline()
    print(f"{len(installed())} distributions: " + ("all fit and are pinned." if not faults else ""))
    if "--online" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            found = online(Path(folder))
        if found is None:
            print("Known vulnerabilities: skipped, no advisory service was reachable.")
        else:
            print(f"Known vulnerabilities: {len(found)}.")
            faults += found
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
