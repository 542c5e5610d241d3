"""What pyproject.toml can't say of the wheel: its version, where the shared templates go, the compiled translations."""

from __future__ import annotations

import os
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

# A build starts somewhere else.
sys.path.insert(0, str(Path(__file__).parent))

from games import version
from games.management.translations import compiling

PACKAGES = ("games", "chouette", "chicago")
# In the wheel the shared templates are those of the house's app.
TEMPLATES = "games.templates"
# The guide's game is what `new_game` writes.
GUIDE = "games.guide"


class Build(build_py):
    """Copies the sources and compiles the translations beside them."""

    def run(self) -> None:
        """Build anew: what was deleted from the sources is not in the wheel."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        epoch = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
        day = datetime.fromtimestamp(epoch, UTC).date().isoformat()
        Path(self.build_lib, "games", version.BUILT_ON).write_text(f"{day}\n", encoding="ascii")
        for package in PACKAGES:
            for path in Path(package).glob("locale/*/LC_MESSAGES/*.po"):
                target = self.build_lib / compiling.compiled_path(path, is_game=package != "games")
                target.parent.mkdir(parents=True, exist_ok=True)
                compiling.compile_catalog(path, target)


setup(
    # A build without git's history, such as the container's, may be told its version.
    version=os.environ.get("STAMMTISCH_VERSION") or version.of_sources(version.SOURCES),
    packages=[*find_packages(include=[name for each in PACKAGES for name in (each, f"{each}.*")]), TEMPLATES, GUIDE],
    package_dir={TEMPLATES: "templates", GUIDE: "docs"},
    package_data={
        "": ["static/**/*", "templates/**/*", "data/*"],
        TEMPLATES: ["**/*"],
        GUIDE: ["adding-a-game.md"],
        "games.api": ["*.json"],
    },
    cmdclass={"build_py": Build},
)
