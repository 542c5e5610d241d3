"""Collection of the static files, when one of them has changed, into a folder of their own.

A process that runs goes on with the folder of its start; it is deleted when no process holds it any more. The modules
of the version before come along: a page that was opened by then imports more of them later.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import STATICFILES_STORAGE_ALIAS, settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import storages
from django.core.management import call_command
from django.utils.functional import empty

from games.ops import files
from games.ops.static import folders
from games.ops.static.storage import FORM, Storage, is_ours

_FORMER_SECONDS = 24 * 3600


def collect_changed() -> bool:
    """Collect the static files unless nothing has changed since the last time; return whether it was done."""
    name = fingerprint()
    if _is_there(name):
        return False
    _collect(name)
    return True


def is_collected() -> bool:
    """Tell whether the static files are unchanged since they were collected."""
    return _is_there(fingerprint())


def _is_there(name: str) -> bool:
    place = folders.current()
    return place.name == name and place.is_dir()


def _collect(name: str) -> None:
    """Collect into a new folder and name it as the current one; this process serves from there as well."""
    place = folders.parent() / name
    half = place.with_suffix(".half")
    for old in (half, place):
        shutil.rmtree(old, ignore_errors=True)
    half.mkdir(mode=0o700, parents=True)
    _bring_former_modules(folders.current(), half)
    use(half)
    call_command("collectstatic", interactive=False, verbosity=0)
    half.rename(place)
    use(place)
    files.write_whole(folders.pointer(), name)


def use(folder: Path) -> None:
    """Store into a folder, and serve from it, from now on: Django reads where that is only once."""
    settings.STATIC_ROOT = folder
    made: Any = storages
    made._storages.pop(STATICFILES_STORAGE_ALIAS, None)
    kept: Any = staticfiles_storage
    kept._wrapped = empty


def _bring_former_modules(former: Path, folder: Path) -> None:
    """Copy the modules by the addresses that the former version gave them; not those that it had from one before."""
    try:
        stored = json.loads((former / Storage.manifest_name).read_text(encoding="utf-8"))["paths"]
    except (OSError, ValueError, KeyError):
        return
    for name in stored.values():
        if not (name.endswith(".js") and is_ours(name)):
            continue
        for file in (former / name, former / f"{name}.gz"):
            if file.is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, folder / file.relative_to(former))


def delete_former() -> None:
    """Delete the folders that no process holds, and that of 1.0.0, which holds none, a day after the upgrade."""
    now = folders.current()
    for old in folders.parent().iterdir():
        if old.is_dir() and old != now and not folders.is_held(old):
            shutil.rmtree(old, ignore_errors=True)
    former = Path(settings.DATA_DIR) / "static"
    if former.exists() and folders.pointer().stat().st_mtime < time.time() - _FORMER_SECONDS:
        shutil.rmtree(former, ignore_errors=True)
        former.with_suffix(".stamp").unlink(missing_ok=True)


def fingerprint() -> str:
    """Return a hash of name, size and time of every static file, and of the format in which they are stored."""
    lines = sorted(_lines())
    backend = settings.STORAGES["staticfiles"]["BACKEND"]
    return hashlib.sha256("\n".join([backend, str(FORM), *lines]).encode()).hexdigest()[:32]


def _lines() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list(None):
            found = Path(storage.path(name)).stat()
            yield f"{name} {found.st_size} {found.st_mtime_ns}"
