"""Check the types of the modules in the browser with TypeScript, as `make types` does: `python -m tests.browser_types`.

TypeScript is a tool of development only. npm puts it into the user's cache, in a folder named by its version; from then
on no network is needed. Without npm the check says so and is left out; with REQUIRE_ALL=1 that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "5.9.3"
ROOT = Path(__file__).resolve().parent.parent
DECLARED = [str(ROOT / "tests/browser_types.d.ts"), *map(str, sorted((ROOT / "docs/schemas").glob("*.d.ts")))]
"""The declarations that all modules know without an import."""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stammtisch" / f"typescript-{VERSION}"


def compiler() -> Path | None:
    """Return the program of the pinned version, fetched if it is not there; None without npm.

    Raises CalledProcessError if npm cannot fetch it.
    """
    program = CACHE / "node_modules" / ".bin" / "tsc"
    npm = shutil.which("npm")
    if program.exists() or npm is None:
        return program if program.exists() else None
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [npm, "install", "--silent", "--no-save", "--no-package-lock", "--no-audit", "--no-fund",
         f"typescript@{VERSION}"],
        cwd=CACHE, check=True,
    )  # fmt: skip
    return program


def errors(project: Path = ROOT / "tsconfig.json") -> list[str]:
    """Return the errors that TypeScript finds in a project's modules; raises FileNotFoundError without npm."""
    program = compiler()
    if program is None:
        raise FileNotFoundError("npm")
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
