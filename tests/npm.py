"""Tools of development that come from npm, each in the user's cache at the version that is pinned.

npm puts them into a folder that is named by their versions; from then on no network is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stammtisch"
TYPESCRIPT = "typescript@5.9.3"


def installed(*packages: str) -> Path:
    """Return a folder with these packages, "<name>@<version>", in its `node_modules`; fetched where it is not there.

    Raises FileNotFoundError without npm, CalledProcessError if npm cannot fetch them.
    """
    name = "_".join(package.lstrip("@").replace("/", "-").replace("@", "-") for package in packages)
    folder = CACHE / name
    if folder.is_dir():
        return folder
    if (npm := shutil.which("npm")) is None:
        raise FileNotFoundError("npm")
    half = folder.with_name(f"{name}.{os.getpid()}.half")
    half.mkdir(parents=True)
    subprocess.run(
        [npm, "install", "--silent", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", *packages],
        cwd=half, check=True,
    )  # fmt: skip
    try:
        half.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(half)
    return folder
