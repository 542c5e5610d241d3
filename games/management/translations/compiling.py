"""Compilation of a translation: needs neither Django nor GNU gettext, because wheels are built without them."""

from __future__ import annotations

import os
from pathlib import Path

import polib


def compiled_path(path: Path, *, is_game: bool) -> Path:
    """Return the path of a compiled catalogue: a game's own is named by its id, apart from the house's."""
    app = path.parents[3].name
    return path.with_name(f"{app}.mo") if is_game and path.name == "django.po" else path.with_suffix(".mo")


def compile_catalog(path: Path, compiled: Path) -> None:
    """Write a *.mo, whole or not at all; it is readable by all users, like the sources."""
    new = compiled.with_name(f"{compiled.name}.{os.getpid()}")
    try:
        polib.pofile(str(path)).save_as_mofile(str(new))
        new.chmod(0o644)
        new.replace(compiled)
    finally:
        new.unlink(missing_ok=True)
