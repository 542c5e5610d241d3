"""Find what is served that the oldest browsers lack: in style sheets, modules and templates of the house and its games.

The language and what it brings is held by TypeScript, too (`lib` in tsconfig.json); what needs a browser's version is
looked up in the browser compatibility data. Files of packages, as htmx and Swagger, are not looked at. Each package of
npm is pinned here and taken as TypeScript is (tests/npm.py).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import npm
from tests.floor.allowed import is_allowed, unused
from tests.floor.oldest import OLDEST

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (npm.TYPESCRIPT, "@mdn/browser-compat-data@8.1.9", "css-tree@3.2.1")
APPS = ("games", "chicago", "chouette")
_USES = Path(__file__).with_name("uses.cjs")


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A use of a feature: file, line, key of the feature in the data, and the browsers that lack it."""

    file: str
    line: int
    feature: str
    missing: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.feature} ({self.missing})"


def sheets() -> dict[str, str]:
    """Return path → text of all style sheets of the house and the games that come with it."""
    return _texts(path for app in APPS for path in (ROOT / app / "static").rglob("*.css"))


def templates() -> dict[str, str]:
    """Return path → text of all templates."""
    folders = [ROOT / "templates", *(ROOT / app / "templates" for app in APPS)]
    return _texts(path for folder in folders for path in folder.rglob("*.html"))


def _texts(paths: Any) -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(paths)}


def uses(sheets: Mapping[str, str], templates: Mapping[str, str], project: Path = ROOT / "tsconfig.json") -> list[Use]:
    """Return what these sheets and templates, and a project's modules, use that one of the oldest browsers lacks.

    What is guarded is not among them (uses.cjs). Raises FileNotFoundError without npm.
    """
    asked = {
        "packages": str(npm.installed(*PACKAGES)),
        "browsers": {key: browser.version for browser in OLDEST for key in browser.ids},
        "project": str(project),
        "sheets": sheets,
        "templates": templates,
    }
    done = subprocess.run(["node", _USES], input=json.dumps(asked), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return sorted({Use(**{**use, "file": use["file"].removeprefix(f"{ROOT}/")}) for use in json.loads(done.stdout)})


def faults(found: list[Use]) -> list[str]:
    """Return what is not allowed, and what is allowed though nothing uses it; one line for each."""
    refused = [str(use) for use in found if not is_allowed(use.feature)]
    return refused + [f"tests/floor/allowed.py: nothing uses {key}" for key in unused({use.feature for use in found})]
