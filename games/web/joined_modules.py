"""Joins: the house's modules in one file and each game's in another, so that a phone loads few files.

A join holds the modules that a table needs before it is shown. Modules imported later (`import("…")`) stay files of
their own, as does the table's entry module, which acts when it is loaded. Each module of a join is the body of a
function, and its exports are an object in `modules`:

    modules["games/kit/page/text.js"] = (() => { …; return { fill, andList }; })();

A module outside takes its imports from there. So each module exists once, whichever module imports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import rjsmin
from django.apps import apps

from games import plugin

HOUSE = "games"
ENTRY = "games/shell/table.js"
_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";[^\S\n]*$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_CONSTANTS = re.compile(r"^export const (\w+ = [\w.+*/ -]+(?:, \w+ = [\w.+*/ -]+)+);", re.MULTILINE)
_ALSO = re.compile(r", (\w+) =")
_LATER = re.compile(r'\bimport\("([^"]+)"\)')


class NotJoinable(ValueError):
    """A module has a syntax that a join does not support."""


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """A file of many modules: `name` is "<app>/joined.js"; each module comes after its imports."""

    name: str
    modules: tuple[str, ...]


def source_of(name: str) -> str:
    """Return a module's or style sheet's source by its name, "<app>/<file>"."""
    label = name.split("/", 1)[0]
    return (Path(apps.get_app_config(label).path) / "static" / name).read_text(encoding="utf-8")


@cache
def joins() -> tuple[JoinedFile, ...]:
    """Return the joins, the house's first."""
    roots_of = {HOUSE: [*imports_of(source_of(ENTRY)), *_kit_of_games()]}
    roots_of |= {label: [game.script] for label, game in plugin.all_games().items() if game.has_element}
    return tuple(_join(label, roots) for label, roots in roots_of.items())


def _kit_of_games() -> list[str]:
    """Return the modules of the kit that games with an element of their own import at once."""
    games = [game.game_id for game in plugin.all_games().values() if game.has_element]
    later = {name for label in (HOUSE, *games) for name in _late_imports(label)}
    at_once = [name for label in games for name in modules_of(label) if name not in later]
    found = {needed for name in at_once for needed in imports_of(source_of(name))}
    return sorted(name for name in found - later if name.startswith(f"{HOUSE}/kit/"))


def _join(label: str, roots: Iterable[str]) -> JoinedFile:
    names = _in_order(roots, lambda name: name.startswith(f"{label}/"))
    return JoinedFile(f"{label}/joined.js", tuple(names))


@cache
def join_of(name: str) -> str:
    """Return the join that holds a module, or the module's own name."""
    return next((join.name for join in joins() if name in join.modules), name)


def modules_of(label: str) -> list[str]:
    """Return the names of an app's modules, "<app>/<file>.js"."""
    root = Path(apps.get_app_config(label).path) / "static"
    return sorted(str(file.relative_to(root)) for file in (root / label).rglob("*.js"))


def _late_imports(label: str) -> set[str]:
    """Return the modules that an app's modules import later; imports in comments are of types and do not count."""
    sources = (rjsmin.jsmin(source_of(name)) for name in modules_of(label))
    return {later for source in sources for later in _LATER.findall(source)}


def imports_of(source: str) -> list[str]:
    """Return the modules that a source imports at once, in their order."""
    return [name for _, name in _IMPORT.findall(source)]


def _in_order(roots: Iterable[str], is_ours: Callable[[str], bool]) -> list[str]:
    """Return the modules and all that they need, each after its imports."""
    found: list[str] = []

    def take(name: str) -> None:
        if name in found or not is_ours(name):
            return
        for needed in imports_of(source_of(name)):
            take(needed)
        found.append(name)

    for root in roots:
        take(root)
    return found


def text_of(join: JoinedFile) -> str:
    """Return a join's source."""
    begin = "export const modules = [];" if join.name == joins()[0].name else _import_of(joins()[0].name)
    return "\n".join([begin, *(_as_function(name) for name in join.modules)])


def _as_function(name: str) -> str:
    """Return a module as the result of a function, stored under its name."""
    source = source_of(name)
    exports = exports_of(name)
    body = _checked(name, _EXPORT.sub(r"\1 \2", _IMPORT.sub(_taken, source)))
    return f"{_place(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();"


def _place(name: str) -> str:
    """Return the place of a module's exports: by number, as each letter of a name is sent to phones."""
    return f"modules[{_numbers()[name]}]"


@cache
def _numbers() -> dict[str, int]:
    """Return module → its number, counted through all joins."""
    return {name: number for number, name in enumerate(name for join in joins() for name in join.modules)}


def _checked(name: str, body: str) -> str:
    """Return the body of a module; raises NotJoinable if an import, export or await is left."""
    left = re.search(r"^(?:import\b(?!\()|export\b|await\b).*", body, re.MULTILINE)
    if left:
        raise NotJoinable(f"{name}: {left[0]}")
    return body


def exports_of(name: str) -> list[str]:
    """Return the names that a module exports; one line may declare several constants."""
    source = source_of(name)
    listed = [more for line in _CONSTANTS.findall(source) for more in _ALSO.findall(line)]
    return [*(found for _, found in _EXPORT.findall(source)), *listed]


def _taken(found: re.Match[str]) -> str:
    """Return an import from a join as a constant's declaration; raises NotJoinable for a name without an export."""
    names, module = found.groups()
    if names is None:
        return ""
    parts = [part.strip() for part in names.split(",") if part.strip()]
    missing = {part.split(" as ")[0] for part in parts} - set(exports_of(module))
    if missing:
        raise NotJoinable(f"{module}: no declaration exports {sorted(missing)}")
    fields = ", ".join(part.replace(" as ", ": ") for part in parts)
    return f"const {{ {fields} }} = {_place(module)};"


def beside() -> list[str]:
    """Return the modules of the house and the games that are in no join, but import from one."""
    names = [name for label in (HOUSE, *plugin.all_games()) for name in modules_of(label)]
    return [name for name in names if join_of(name) == name and _joined_imports(source_of(name))]


def _joined_imports(source: str) -> list[str]:
    return [name for name in imports_of(source) if join_of(name) != name]


def beside_joins(source: str) -> str:
    """Return the source of a module outside all joins, with its imports taken from the joins."""
    needed, house = _joined_imports(source), joins()[0].name
    others = dict.fromkeys(join_of(name) for name in needed if join_of(name) != house)
    content = _IMPORT.sub(lambda found: _taken(found) if found[2] in needed else found[0], source)
    return "\n".join([_import_of(house), *(f'import "{join}";' for join in others), content])


def _import_of(join: str) -> str:
    return f'import {{ modules }} from "{join}";'


def sheet_name(label: str) -> str:
    """Return the name of a game's joined style sheet."""
    return f"{label}/joined.css"


def style_sheet(label: str) -> str:
    """Return a game's style sheets in the order of their names, as one text."""
    root = Path(apps.get_app_config(label).path) / "static"
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted((root / label).glob("*.css")))
