"""The translations of the project's own apps: search, compilation, checks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polib
from django.apps import AppConfig, apps
from django.conf import settings

from games.management.translations import compiling
from games.plugin import GameConfig, all_games

# Placeholders that a translation must keep: %(name)s, %s, {value}, <tags>.
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}|</?\w+[^>]*>")


def own_apps() -> list[AppConfig]:
    """Return the house and the games whose sources are here, beside a pyproject.toml: none that a wheel brought."""
    found = [app for app in apps.get_app_configs() if app.name == "games" or isinstance(app, GameConfig)]
    return [app for app in found if (Path(app.path).parent / "pyproject.toml").is_file()]


def languages_of(app: AppConfig) -> list[str]:
    """Return the languages in which an app must be complete: for the house all, for a game its own."""
    if not isinstance(app, GameConfig):
        return wanted_languages()
    return [code for code in wanted_languages() if (Path(app.path) / "locale" / code).is_dir()]


def compiled_path(path: Path) -> Path:
    """Return the path of a compiled catalogue: a game's own is named by its id, apart from the house's."""
    return compiling.compiled_path(path, is_game=path.parents[3].name in all_games())


def catalog_paths() -> list[Path]:
    """Return the paths of all *.po of the house and the games; a wheel has none, only compiled catalogues."""
    return [path for app in own_apps() for path in sorted(Path(app.path).glob("locale/*/LC_MESSAGES/*.po"))]


def of_language(language: str) -> Iterator[tuple[str, Path]]:
    """Yield the catalogues of a language by their names: "games/django", "chouette/djangojs"."""
    for app in own_apps():
        for path in sorted(Path(app.path).glob(f"locale/{language}/LC_MESSAGES/*.po")):
            yield f"{app.label}/{path.stem}", path


def wanted_languages() -> list[str]:
    """Return the languages that need a catalogue: all except that of the message ids."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def compile_changed() -> list[Path]:
    """Compile every *.po that is newer than its *.mo; return the paths of the compiled *.po."""
    changed = []
    for path in catalog_paths():
        if _is_stale(path):
            compiling.compile_catalog(path, compiled_path(path))
            changed.append(path)
        if compiled_path(path) != path.with_suffix(".mo"):
            # Made by an earlier version: Django would merge it with the house's.
            path.with_suffix(".mo").unlink(missing_ok=True)
    return changed


def is_compiled() -> bool:
    """Tell whether every *.po has a *.mo that is not older."""
    return not any(map(_is_stale, catalog_paths()))


def _is_stale(path: Path) -> bool:
    compiled = compiled_path(path)
    return not compiled.exists() or compiled.stat().st_mtime < path.stat().st_mtime


def faults(path: Path) -> Iterator[str]:
    """Yield the faults of a *.po: untranslated, fuzzy, other placeholders."""
    for entry in polib.pofile(str(path)):
        if not entry.obsolete and (fault := fault_of(entry)) is not None:
            yield f'{fault}: "{entry.msgid}"'


def fault_of(entry: polib.POEntry) -> str | None:
    """Return the fault of a message, or None."""
    if entry.fuzzy:
        return "fuzzy"
    if not entry.translated():
        return "not translated"
    if entry.msgid_plural:
        # The singular may say "one" instead of the number; the plural may not.
        whole = _placeholders(entry.msgid_plural)
        singular, *plurals = (_placeholders(text) for text in entry.msgstr_plural.values())
        is_wrong = any(found != whole for found in plurals) or not singular <= whole
    else:
        is_wrong = _placeholders(entry.msgid) != _placeholders(entry.msgstr)
    return "other placeholders" if is_wrong else None


def _placeholders(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))
