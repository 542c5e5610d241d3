"""The house's own files as they were when the process started, whatever a new version puts in their place.

A night goes on while `git pull` or `pip install` writes a new version: what the running one has not read yet stays its
own. Templates, scripts and modules are kept packed, a megabyte in all; catalogues are loaded. Collected static files
stay in their folder (games/management/static_files.py).
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from django.apps import AppConfig, apps
from django.conf import settings
from django.utils.translation import gettext_lazy

from games import game_texts, plugin
from games.ops.at_start import modules
from games.ops.logs import log_event

logger = logging.getLogger(__name__)

CHANGED = gettext_lazy("The house's files are those of another version now. It plays on with those of its start.")
REMEDY = gettext_lazy("Start the house anew when it suits: whoever plays is back at the table after a moment.")
LOOK_SECONDS = 60
TEXTS = (".js", ".css", ".svg", ".json")
"""Of the files that are no modules and no templates, what the server itself reads."""
CATALOGUE = ".mo"
"""Catalogues are loaded, and not kept."""
_NOT_SERVED = frozenset({"migrations", "commands", "__pycache__"})
"""Folders of what no server imports."""
State: TypeAlias = tuple[int, int]
"""Time (ns) and size of a file."""


@dataclass(frozen=True, slots=True)
class FilesAtStart:
    """The packed files of a moment, in these folders, and the states of all that the house consists of, by path."""

    folders: tuple[Path, ...]
    packed: dict[str, bytes]
    states: dict[str, State]


_kept: FilesAtStart | None = None
_changed = threading.Event()
_starting = threading.Lock()


def start_keeping() -> None:
    """Keep the files of now, and look for changes from then on; further calls, and a house in DEBUG, do nothing."""
    if not settings.DEBUG and _starting.acquire(blocking=False):
        threading.Thread(target=_keep_and_look, name="files", daemon=True).start()


def _keep_and_look() -> None:
    keep()
    waiting = threading.Event()
    while not waiting.wait(LOOK_SECONDS) and not look():
        pass


def has_changed() -> bool:
    """Tell whether the house's files are others than when this process started."""
    return _changed.is_set()


def text(path: Path) -> str:
    """Return a file's text, as it was at the start; raises FileNotFoundError where it was not there."""
    if _kept is not None and any(path.is_relative_to(folder) for folder in _kept.folders):
        if (packed := _kept.packed.get(str(path))) is None:
            raise FileNotFoundError(path)
        return zlib.decompress(packed).decode()
    return path.read_text(encoding="utf-8")


def below(folder: Path, suffix: str) -> list[Path]:
    """Return the files in a folder and those in it, as at the start, whose names end so: one of TEXTS."""
    if _kept is None:
        return sorted(folder.rglob(f"*{suffix}"))
    return sorted(Path(each) for each in _kept.packed if each.endswith(suffix) and Path(each).is_relative_to(folder))


def keep() -> None:
    """Keep the files of now."""
    global _kept  # noqa: PLW0603
    kept = FilesAtStart((*(folder for folder, _name in _own()), *_templates()), {}, {})
    late: dict[str, modules.Source] = {}
    for path, module in _files():
        try:
            state = _state(path)
            if module not in sys.modules and not path.endswith(CATALOGUE):
                kept.packed[path] = zlib.compress(Path(path).read_bytes())
        except OSError:
            continue  # gone meanwhile: whoever puts a new version there is quicker than this
        kept.states[path] = state
        if module and path in kept.packed:
            late[module] = path, state, kept.packed[path]
    game_texts.load_all(plugin.all_games().values())
    _kept = kept
    modules.keep(late)


def look() -> bool:
    """Look whether the files are still those of the start; the log says once that they are not."""
    if _kept is None or _changed.is_set():
        return _changed.is_set()
    if all(_is(path, state) for path, state in _kept.states.items()):
        return False
    _changed.set()
    words = "the house's files are those of another version now; it plays on with its own: start it anew"
    log_event(logger, logging.WARNING, "files", "changed", text=words)
    return True


def _state(path: str) -> State:
    status = os.stat(path)  # noqa: PTH116 (of a thousand paths, which take a fifth of the memory as texts)
    return status.st_mtime_ns, status.st_size


def _is(path: str, state: State) -> bool:
    try:
        return _state(path) == state
    except OSError:
        return False


def _own() -> list[tuple[Path, str]]:
    """Return folder and package of the house and its games."""
    own: list[AppConfig] = [apps.get_app_config("games"), *plugin.all_games().values()]
    return [(Path(app.path), app.name) for app in own]


def _templates() -> list[Path]:
    """Return all folders of templates: where they are in the sources, and in each app."""
    found = [Path(settings.BASE_DIR) / "templates", *(Path(app.path) / "templates" for app in apps.get_app_configs())]
    return [folder for folder in found if folder.is_dir()]


def _files() -> Iterator[tuple[str, str]]:
    """Yield the files that a process reads after its start, and its modules, with their names ("" for others)."""
    for folder, package in _own():
        for path in folder.rglob("*"):
            parts = path.relative_to(folder).with_suffix("").parts
            if path.suffix == ".py" and _NOT_SERVED.isdisjoint(parts):
                yield str(path), ".".join((package, *(each for each in parts if each != "__init__")))
            elif path.suffix in TEXTS or path.suffix == CATALOGUE:
                yield str(path), ""
    for folder in _templates():
        yield from ((str(path), "") for path in folder.rglob("*") if path.is_file())
