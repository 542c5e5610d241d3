"""JavaScript's texts, and the import map that lets modules name each other."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import cast

from django.apps import apps
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers
from django.views.i18n import JavaScriptCatalog

from games import plugin


def js_apps() -> list[str]:
    """Return the apps whose modules and texts the pages use: the house and every game."""
    return ["games", *plugin.all_games()]


@vary_on_headers("Accept-Language", "Cookie")
@cache_control(private=True, max_age=0)
def jsi18n(request: HttpRequest, game_id: str = "") -> HttpResponse:
    """Return gettext and the house's texts for the browser, in the guest's language; before them a game's own."""
    if game_id and game_id not in plugin.all_games():
        raise Http404
    packages = [apps.get_app_config(label).name for label in ("games", game_id) if label]
    return cast(HttpResponse, JavaScriptCatalog.as_view(packages=packages)(request))


def import_map() -> dict[str, dict[str, str]]:
    """Return the import map: "<app>/<file>.js" → the file's address, hash and all."""
    return {"imports": {name: static(name) for name in _module_names()}}


def needed_by(*entries: str) -> list[str]:
    """Return the modules that these need at once, themselves included, in a fixed order.

    What a module imports only when it is asked for (`import("…")`) is not among them.
    """
    found: list[str] = []
    waiting = list(entries)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            waiting += _imports_of(name)
    return found


_STATIC_IMPORT = re.compile(r'^(?:import|export)\b[^"\';]*?\bfrom "([^"]+)"|^import "([^"]+)"', re.MULTILINE)


def _imports_of(name: str) -> tuple[str, ...]:
    return _read_imports(name) if settings.DEBUG else _read_imports_once(name)


def _read_imports(name: str) -> tuple[str, ...]:
    label = name.split("/", 1)[0]
    if label not in js_apps():
        return ()
    source = Path(apps.get_app_config(label).path) / "static" / name
    found = _STATIC_IMPORT.findall(source.read_text(encoding="utf-8"))
    return tuple(mapped or bare for mapped, bare in found)


_read_imports_once = cache(_read_imports)


def style_sheets(label: str) -> tuple[str, ...]:
    """Return a game's style sheets, "<app>/<file>.css", in the order of their names; the kit's before them."""
    root = Path(apps.get_app_config(label).path) / "static"
    own = tuple(str(f.relative_to(root)) for f in sorted((root / label).glob("*.css")))
    return own if plugin.game(label).has_element else ("games/kit/table.css", *own)


def _module_names() -> tuple[str, ...]:
    """Return the names of all modules; looked up at every page only while developing."""
    return _found() if settings.DEBUG else _found_once()


def _found() -> tuple[str, ...]:
    names = []
    for label in js_apps():
        root = Path(apps.get_app_config(label).path) / "static"
        files = sorted((root / label).rglob("*.js"))
        names += [str(f.relative_to(root)) for f in files if f.parent.name != "pages"]
    return tuple(names)


_found_once = cache(_found)
