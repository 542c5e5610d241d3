"""The engines, what each needs of the machine, and its environment with what comes from PyPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests import seeds

ROOT = Path(__file__).resolve().parents[2]
PINS = Path(__file__).with_name("pins")


@dataclass(frozen=True)
class Engine:
    """An engine: which devices it stands for, Debian's packages and a program of each, and its file of pins.

    One that is too old to play (`plays`) shows the plain screen.
    """

    name: str
    words: str
    driver: str
    pins: str
    programs: dict[str, str]
    plays: bool = True

    @property
    def folder(self) -> Path:
        """The folder of its environment; the engines of one file of pins share it."""
        return Path(os.environ.get("ENGINES") or ROOT / "var" / "engines") / self.pins

    @property
    def python(self) -> Path:
        """The Python of its environment."""
        return self.folder / "bin" / "python"

    def missing(self) -> list[str]:
        """Return what the machine lacks: packages of Debian, and the environment."""
        lacks = self.packages_missing()
        return lacks if self._installed.exists() else [*lacks, f"{self.folder}: make test-engines"]

    def packages_missing(self) -> list[str]:
        """Return the packages of Debian that the machine lacks."""
        return [package for package, program in self.programs.items() if not _has(program)]

    @property
    def _installed(self) -> Path:
        return self.folder / "installed"

    def install(self) -> None:
        """Make its environment by its pins, where they have changed."""
        pins = PINS / f"{self.pins}.txt"
        wanted = pins.read_text(encoding="utf-8")
        if self._installed.exists() and self._installed.read_text(encoding="utf-8") == wanted:
            return
        subprocess.run([sys.executable, "-m", "venv", "--clear", self.folder], check=True)
        pip = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", pins]
        subprocess.run(pip, check=True)
        self._installed.write_text(wanted, encoding="utf-8")


def _has(program: str) -> bool:
    """Tell whether a program is there: by name, or by a pattern of its path."""
    return bool(shutil.which(program) or any(Path("/").glob(program.lstrip("/"))))


_XVFB = {"xvfb": "Xvfb"}
_QT = {
    package: f"/usr/lib/*/{library}"
    for package, library in {
        "libegl1": "libEGL.so.1", "libgl1": "libGL.so.1", "libnss3": "libnss3.so", "libxkbcommon0": "libxkbcommon.so.0",
        "libxcomposite1": "libXcomposite.so.1", "libxdamage1": "libXdamage.so.1", "libxrandr2": "libXrandr.so.2",
        "libxtst6": "libXtst.so.6", "libxkbfile1": "libxkbfile.so.1", "libasound2": "libasound.so.2",
        "libdbus-1-3": "libdbus-1.so.3", "libfontconfig1": "libfontconfig.so.1",
    }.items()
}  # fmt: skip

ENGINES: tuple[Engine, ...] = (
    Engine(
        "wpe", "WPE WebKit 2.38: Safari 16.0", "webdriver", "webdriver",
        _XVFB | {"wpewebkit-driver": "WPEWebDriver", "cog": "cog"},
    ),
    Engine(
        "webkitgtk", "WebKitGTK: the newest Safari", "webdriver", "webdriver",
        _XVFB | {"webkit2gtk-driver": "WebKitWebDriver"},
    ),
    Engine("firefox", "Firefox ESR", "webdriver", "webdriver", _XVFB | {"firefox-esr": "firefox-esr"}),
    Engine("chromium-90", "Chromium 90, by Qt 6.2", "qt", "chromium-90", _QT),
    Engine("chromium-108", "Chromium 108, by Qt 6.5", "qt", "chromium-108", _QT),
    Engine("chromium-87", "Chromium 87, by Qt 5.15: too old", "qt", "chromium-87", _QT, plays=False),
)  # fmt: skip
PLAYING = [each for each in ENGINES if each.plays]


def engine(name: str) -> Engine:
    """Return an engine by its name; raises LookupError."""
    found = next((one for one in ENGINES if one.name == name), None)
    if found is None:
        raise LookupError(f"no such engine: {name}; there are {', '.join(one.name for one in ENGINES)}")
    return found


def of_day(name: str = "") -> list[Engine]:
    """Return the engines that are tried: one by its name, else the day's, all of them with `ALL_DAYS=1`."""
    if name:
        return [engine(name)]
    return seeds.share_of_day(ENGINES, len(ENGINES))
