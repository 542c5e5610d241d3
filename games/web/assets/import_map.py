"""The import map by which modules name each other during development, and the files that a page needs.

A house that is served has none: its modules name each other by relative addresses (games/ops/static/storage.py).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static

from games import plugin
from games.ops.at_start import files
from games.web.assets import joined_modules


def js_apps() -> list[str]:
    """Return the labels of the apps with modules and texts: the house and every game."""
    return ["games", *plugin.all_games()]


def import_map(game_id: str = "") -> dict[str, dict[str, str]]:
    """Return the import map: "<app>/<file>.js" → the file's address; of the house and a game, or all."""
    named = [name for name in _module_names() if not game_id or name.split("/", 1)[0] in ("games", game_id)]
    return {"imports": {name: static(name) for name in named}}


def address_of(name: str) -> str:
    """Return the address at which a module is served, "" for a module that there is not."""
    return static(served_as(name)) if name in _module_names() else ""


def has_joins() -> bool:
    """Tell whether modules are served joined; during development each is served as its source file."""
    return bool(getattr(staticfiles_storage, "has_joins", False))


def served_as(name: str) -> str:
    """Return the name of the file that contains a module."""
    return joined_modules.join_of(name) if has_joins() else name


def files_of(*entries: str) -> list[str]:
    """Return the files that these modules need at once, in a fixed order."""
    return list(dict.fromkeys(served_as(name) for name in needed_by(*entries)))


def needed_by(*entries: str) -> list[str]:
    """Return the modules that these need at once, themselves included, in a fixed order.

    Modules that are imported later (`import("…")`) are not among them.
    """
    found: list[str] = []
    waiting = list(entries)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            waiting += _imports_of(name)
    return found


def _imports_of(name: str) -> tuple[str, ...]:
    return _read_imports(name) if settings.DEBUG else _read_imports_once(name)


def _read_imports(name: str) -> tuple[str, ...]:
    if name.split("/", 1)[0] not in js_apps():
        return ()
    return tuple(joined_modules.imports_of(joined_modules.source_of(name)))


_read_imports_once = cache(_read_imports)


def style_sheets(label: str) -> tuple[str, ...]:
    """Return the names of the style sheets of a game's tables, "<app>/<file>.css", in order; "games": of every page."""
    return (joined_modules.sheet_name(label),) if has_joins() else joined_modules.sheets_of(label)


def _module_names() -> tuple[str, ...]:
    """Return the names of all modules but those of single pages; searched for each page only during development."""
    return _found() if settings.DEBUG else _found_once()


def _found() -> tuple[str, ...]:
    names = []
    for label in js_apps():
        root = Path(apps.get_app_config(label).path) / "static"
        found = files.below(root / label, ".js")
        names += [each.relative_to(root).as_posix() for each in found if each.parent.name != "pages"]
    return tuple(names)


_found_once = cache(_found)
