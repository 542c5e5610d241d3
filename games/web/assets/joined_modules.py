"""Joins: the house's modules in one file and each game's in another, so that a phone loads few files.

The first joins hold the modules that a table needs before it is shown. What is imported later is a file for each
`import("…")`, or for all imports of one `Promise.all([…])`: the modules that it names, with what only they need. The
table's entry module, which acts when it is loaded, is a file of its own, as is what several of these need.

A join is its modules as they are written, one after the other, below what they import from other files. They share one
scope, so that phones load no lists of what each gives to the next. A module is a function within it if it declares for
itself what another one declares or imports, or imports something by another name. So each module exists once, whichever
module imports it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.apps import apps

from games import plugin
from games.ops.at_start import files
from games.packing import short_script

HOUSE = "games"
ENTRY = "games/shell/table.js"
EVERY_PAGE = ("games/tokens.css", "games/base.css", "games/parts.css")
"""The style sheets of every page of the house, in their order; the admin and the API's page take the tokens alone."""
EVERY_TABLE = ("games/table.css",)
"""The style sheets of every table, before those of its game."""
WITHOUT_ELEMENT = ("games/kit/table.css",)
"""The style sheets of a table whose game has no element of its own, after those of every table."""
BIG_SCREEN = "tv.css"
"""The style sheet that a game may have for big screens alone."""
_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";[^\S\n]*$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_CONSTANTS = re.compile(r"^export const (\w+ = [\w.+*/ -]+(?:, \w+ = [\w.+*/ -]+)+);", re.MULTILINE)
_ALSO = re.compile(r", (\w+) =")
_DECLARED = re.compile(r"^(?:export )?(?:(?:async )?function\*?|class) (\w+)", re.MULTILINE)
_VARIABLES = re.compile(r"^(?:export )?(?:const|let|var) (.*?);$", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(r"(?<![.\w])(\w+) =(?![=>])")
_TAKEN_APART = re.compile(r"^[{\[]([^}\]]*)[}\]] =")
_SPECIFIER = re.compile(r'(\bfrom ?|\bimport(?: |\()?)"([^".]+\.js)"')
"""An import of a module: its word, and the name of what is imported."""
_LATER = re.compile(r'\bimport\("([^"]+)"\)')
_TOGETHER = re.compile(r'\bPromise\.all\(\[\s*((?:import\("[^"]+"\),?\s*)+)\]\)')


class NotJoinable(ValueError):
    """A module has a syntax that a join does not support."""


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """A file of many modules, each after its imports: "<app>/joined.js", or of what is imported later its first module.

    `roots` are the modules that are imported later, by their own names.
    """

    name: str
    modules: tuple[str, ...]
    roots: tuple[str, ...] = ()


def source_of(name: str) -> str:
    """Return a module's or style sheet's source by its name, "<app>/<file>"."""
    label = name.split("/", 1)[0]
    return files.text(Path(apps.get_app_config(label).path) / "static" / name)


@cache
def joins() -> tuple[JoinedFile, ...]:
    """Return the joins that a table needs before it is shown, the house's first."""
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


def shows_board(name: str) -> bool:
    """Tell whether a module is one of those that a table needs before it is shown."""
    return name == ENTRY or any(name in join.modules for join in joins())


@cache
def late_joins() -> tuple[JoinedFile, ...]:
    """Return the joins of what is imported later, of more than one module each."""
    labels = [join.name.split("/", 1)[0] for join in joins()]
    groups = _late_groups(labels)
    needed = [_needed_by(roots, {root for group in groups for root in group} - {*roots}) for roots in groups]
    found = []
    for roots, names in zip(groups, needed, strict=True):
        own = [name for name in names if name in roots or sum(name in each for each in needed) == 1]
        if len(own) > 1:
            found.append(JoinedFile(roots[0], tuple(own), roots))
    return tuple(found)


def _needed_by(roots: Collection[str], others: Collection[str]) -> list[str]:
    """Return what is imported later with these; what others bring along, which are imported later too, is theirs."""
    return _in_order(roots, lambda name: name not in others and not shows_board(name))


def _late_groups(labels: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the modules that are imported later, those together that are always imported together."""
    sources = [short_script(source_of(name)) for label in labels for name in modules_of(label)]
    together = [tuple(_LATER.findall(list_)) for source in sources for list_ in _TOGETHER.findall(source)]
    groups = list(dict.fromkeys(group for group in together if len(group) > 1))
    named = {name for group in groups for name in group}
    alone = sorted({name for source in sources for name in _LATER.findall(source)} - named)
    return [*groups, *((name,) for name in alone if not shows_board(name))]


def all_joins() -> tuple[JoinedFile, ...]:
    """Return all joins, each after those that it needs at once, or that are there before it."""
    return (*joins(), *late_joins())


@cache
def join_of(name: str) -> str:
    """Return the join that holds a module, or the module's own name."""
    return next((join.name for join in all_joins() if name in join.modules), name)


def modules_of(label: str) -> list[str]:
    """Return the names of an app's modules, "<app>/<file>.js"."""
    root = Path(apps.get_app_config(label).path) / "static"
    return [file.relative_to(root).as_posix() for file in files.below(root / label, ".js")]


def _late_imports(label: str) -> set[str]:
    """Return the modules that an app's modules import later; imports in comments are of types and do not count."""
    sources = (short_script(source_of(name)) for name in modules_of(label))
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
    inside = in_functions(join)
    imported = (each for name in join.modules for each in _named_imports(source_of(name)))
    imports = _statements((name, module) for name, _, module in imported if module not in join.modules)
    return "\n".join([*imports, *(_as_function(name) if name in inside else _body(name) for name in join.modules)])


def _statements(imports: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the statements that import names from their modules, one for each file."""
    named: dict[str, dict[str, None]] = {}
    for name, module in imports:
        named.setdefault(join_of(module), {})[name] = None
    for file, names in named.items():
        found = [name for name in names if name]
        yield f'import {{ {", ".join(found)} }} from "{file}";' if found else f'import "{file}";'


def _named_imports(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield what a source imports at once: the exported name, its name in the source, and the module.

    A module that is imported for what it does is one without names. Raises NotJoinable for a name without an export.
    """
    for parts, module in _IMPORT.findall(source):
        pairs = [part.split(" as ") for part in map(str.strip, parts.split(",")) if part]
        missing = {pair[0] for pair in pairs} - set(exports_of(module) if pairs else ())
        if missing:
            raise NotJoinable(f"{module}: no declaration exports {sorted(missing)}")
        yield from ((pair[0], pair[-1], module) for pair in pairs or [["", ""]])


def in_functions(join: JoinedFile) -> set[str]:
    """Return the modules of a join that share no scope with the others.

    Raises NotJoinable if what is imported and exported has a name twice: all of it is of the whole file.
    """
    given = [(export, name) for name in join.modules for export in exports_of(name)]
    every = {name: [*_named_imports(source_of(name))] for name in join.modules}
    imported = [(name, module) for each in every.values() for name, _, module in each if module not in join.modules]
    given += dict.fromkeys((name, join_of(module)) for name, module in imported if name)
    names = [name for name, _ in given]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise NotJoinable(f"{join.name}: two modules have {twice}")
    taken, found = set(names), set()
    for name in join.modules:
        own = declared_by(name) - set(exports_of(name))
        if own & taken or any(exported != here for exported, here, _ in every[name]):
            found.add(name)
        else:
            taken |= own
    return found


def declared_by(name: str) -> set[str]:
    """Return the names that a module declares for all of itself, and perhaps some that only a part of it has."""
    source = source_of(name)
    variables = _VARIABLES.findall(source)
    apart = [part for each in variables for found in _TAKEN_APART.findall(each) for part in found.split(",")]
    found = {*_DECLARED.findall(source), *(each for text in variables for each in _VARIABLE.findall(text))}
    return found | {part.split(":")[-1].strip() for part in apart}


def _body(name: str) -> str:
    """Return a module without its imports; raises NotJoinable if one is left, or an await or another form of export."""
    body = _IMPORT.sub("", source_of(name))
    left = re.search(r"^(?:import\b(?!\()|export\b|await\b).*", _EXPORT.sub(r"\1 \2", body), re.MULTILINE)
    if left:
        raise NotJoinable(f"{name}: {left[0]}")
    return body


def _as_function(name: str) -> str:
    """Return a module as a function: its arguments are the renamed imports, its return value has the exports."""
    exports, body = ", ".join(exports_of(name)), _EXPORT.sub(r"\1 \2", _body(name))
    renamed = [(exported, here) for exported, here, _ in _named_imports(source_of(name)) if exported != here]
    given, taken = (", ".join(pair[i] for pair in renamed) for i in (0, 1))
    kept = f"export const {{ {exports} }} = " if exports else ""
    return f"{kept}(({taken}) => {{\n{body}\nreturn {{ {exports} }};\n}})({given});"


def exports_of(name: str) -> list[str]:
    """Return the names that a module exports; one line may declare several constants."""
    source = source_of(name)
    listed = [more for line in _CONSTANTS.findall(source) for more in _ALSO.findall(line)]
    return [*(found for _, found in _EXPORT.findall(source)), *listed]


def beside() -> list[str]:
    """Return the modules of the house and the games that are in no join, but import from one."""
    joined = {name for join in all_joins() for name in join.modules}
    names = [name for label in (HOUSE, *plugin.all_games()) for name in modules_of(label) if name not in joined]
    return [name for name in names if not joined.isdisjoint(imports_of(source_of(name)))]


def beside_joins(source: str) -> str:
    """Return the source of a module outside all joins, with its imports taken from the joins."""
    named = ((one if one == here else f"{one} as {here}", module) for one, here, module in _named_imports(source))
    return "\n".join([*_statements(named), _IMPORT.sub("", source)])


def addressed(text: str, name: str, mark: str) -> str:
    """Return a module with relative addresses for the names by which it imports others.

    `name` is its own, "<app>/<file>.js"; `mark` is what an address has before ".js", as in "../games/joined.1f2e.js".
    """
    folder = posixpath.dirname(name)

    def address(found: re.Match[str]) -> str:
        if found[2].split("/", 1)[0] not in (HOUSE, *plugin.all_games()):
            return found[0]
        path = posixpath.relpath(join_of(found[2]), folder).removesuffix(".js")
        return f'{found[1]}"{path if path.startswith(".") else f"./{path}"}.{mark}.js"'

    return _SPECIFIER.sub(address, text)


def sheet_name(label: str) -> str:
    """Return the name of the joined style sheet of a game, or of the house."""
    return f"{label}/joined.css"


def sheets_of(label: str) -> tuple[str, ...]:
    """Return the style sheets that are joined, "<app>/<file>.css": of a game, its tables'; of the house, every page's.

    What a game has in folders of its own is for other pages, and its `tv.css` for big screens.
    """
    if label == HOUSE:
        return EVERY_PAGE
    root = Path(apps.get_app_config(label).path) / "static"
    sheets = files.below(root / label, ".css")
    own = [file for file in sheets if file.parent == root / label and file.name != BIG_SCREEN]
    kit = () if plugin.game(label).has_element else WITHOUT_ELEMENT
    return (*EVERY_TABLE, *kit, *(file.relative_to(root).as_posix() for file in own))


def big_screen_sheets(label: str) -> tuple[str, ...]:
    """Return the style sheets that a game has for big screens alone, after those of its tables."""
    folder = Path(apps.get_app_config(label).path) / "static" / label
    return (f"{label}/{BIG_SCREEN}",) if folder / BIG_SCREEN in files.below(folder, ".css") else ()


def style_sheet(label: str) -> str:
    """Return the joined style sheets of a game, or of the house, as one text."""
    return "\n".join(source_of(name) for name in sheets_of(label))
