"""Check the types of the modules in the browser with TypeScript, as `make types` does: `python -m tests.browser_types`.

TypeScript is a tool of development only (tests/npm.py). Its `lib` and `target` in tsconfig.json are those that the
oldest browsers have (tests/floor/oldest.py). Without npm the check says so and is left out; with REQUIRE_ALL=1 that
is a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import npm

ROOT = Path(__file__).resolve().parent.parent
DECLARED = [str(ROOT / "tests/browser_types.d.ts"), *map(str, sorted((ROOT / "docs/schemas").glob("*.d.ts")))]
"""The declarations that all modules know without an import."""


def errors(project: Path = ROOT / "tsconfig.json") -> list[str]:
    """Return the errors that TypeScript finds in a project's modules; raises FileNotFoundError without npm."""
    program = npm.installed(npm.TYPESCRIPT) / "node_modules" / ".bin" / "tsc"
    done = subprocess.run([program, "-p", project, "--pretty", "false"], capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if ": error TS" in line]


def main() -> int:
    """Print the errors; return 1 if there are some, or if the check is required and cannot be made."""
    try:
        found = errors(*map(Path, sys.argv[1:]))
    except FileNotFoundError:
        print("The types of the browser's modules are not checked: npm is missing (Debian: apt install npm).")
        return int(os.environ.get("REQUIRE_ALL") == "1")
    print("\n".join(found) or "TypeScript finds no errors in the browser's modules.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
