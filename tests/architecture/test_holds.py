"""Each writer of rows about a person or a night holds them, itself or by every one of its callers."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from tests.architecture import sources

SERVICES = "games/services"
WRITES = {"create", "bulk_create", "get_or_create", "update_or_create", "update", "delete", "save"}
# Models, their related names, and the names that variables of them have in the services.
ABOUT = re.compile(
    r"\b(Membership|Night|Player|Seat|DeviceMove|HistoryClaim|ChatMessage|KeptLine|SentForm"
    r"|memberships|claims|device_moves|seats|hosted|nights|players|people"
    r"|player|guest|person|host|night|member|other|source|target|seat|move|claim|message|following)\b"
)
HOLDS = re.compile(
    r"\b(row_locks\.(person|people|present|night|night_and_tables|everywhere)|log\.lock|in_lobby|_hold|_held)\("
)
"""Holds themselves, and the functions of the services that begin with them."""
EXEMPT = {
    "games/services/people/players.py:new_guest": "nothing refers to a new player",
    "games/services/people/accounts.py:own_player": "nothing refers to a new player",
    "games/services/clock/clock.py:set_host_presence": "one statement, which names the host",
    "games/services/nights/attendance.py:seen": "one statement, which names the host",
    "games/services/hosting/demo.py:lay_table": "the host of the demo night is nobody",
    "games/services/hosting/demo.py:_nobody": "the host of the demo night is nobody",
    "games/services/seats/seats.py:with_member": "the commit has locked the table, and who goes home holds all tables",
    "games/services/chat/chat.py:release": "the commit has locked the table",
    "games/services/chat/chat.py:show": "the commit, or chat.say, has locked the table",
}
"""Writer → why it needs no hold."""

Trees = Mapping[Path, ast.Module]
Name = tuple[Path, str]
WALKS: tuple[Name, ...] = (
    (Path("games/services/people/deletion.py"), "delete"),
    (Path("games/services/people/merging.py"), "merge"),
)
"""The functions that go over all rooms' `Kept`, and so call what stands in one."""
FOLLOWING = Path("games/services/room_order.py")
"""The list of those who act upon an occurrence."""


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Return the functions of a module, methods included."""
    return (node for node in sources.statements(tree) if isinstance(node, ast.FunctionDef))


def writes(function: ast.FunctionDef) -> bool:
    """Tell whether a function writes rows about people or nights."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            written = ast.unparse(node.func.value)
            if ABOUT.search(written) and "setdefault" not in written:
                return True
    return False


def holds(function: ast.FunctionDef) -> bool:
    """Tell whether a function itself holds what it writes."""
    return HOLDS.search(ast.unparse(function)) is not None


def imported(tree: ast.Module, by_name: Mapping[str, Path]) -> dict[str, Path | Name]:
    """Return what a module's imported names stand for: a module of the services, or a function of one."""
    found: dict[str, Path | Name] = {}
    for node in sources.statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = alias.asname or alias.name
                if (module := by_name.get(f"{node.module}.{alias.name}")) is not None:
                    found[name] = module
                elif node.module in by_name:
                    found[name] = (by_name[node.module], alias.name)
    return found


def callers(trees: Trees) -> dict[Name, set[Name]]:
    """Return function → the functions that name it, as a call or to pass it on; at a module's top level: "" ."""
    found: dict[Name, set[Name]] = defaultdict(set)
    by_name = {sources.module_name(each): each for each in trees}
    for path, tree in trees.items():
        known = imported(tree, by_name)
        if path == FOLLOWING:
            continue
        scopes: list[tuple[Iterable[Name], ast.AST]] = [([(path, f.name)], f) for f in functions(tree)]
        scopes += [(WALKS if is_kept(node) else [(path, "")], node) for node in top_level(tree)]
        for names, scope in scopes:
            for node in ast.walk(scope):
                if (called := _named(node, path, known)) is not None:
                    found[called].update(each for each in names if each != called)
    for follower, occurrence in followers(trees, by_name):
        found[follower].update(each for each in found[occurrence] if each[1])
    return found


def followers(trees: Trees, by_name: Mapping[str, Path]) -> Iterator[tuple[Name, Name]]:
    """Yield each function that follows an occurrence, with the occurrence: whoever tells it calls the function."""
    tree = trees.get(FOLLOWING, ast.Module([], []))
    known = imported(tree, by_name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (occurrence := _told(node, known)) is not None:
            yield from ((each, occurrence) for arg in node.args if (each := _named(arg, FOLLOWING, known)) is not None)


def _told(call: ast.Call, known: Mapping[str, Path | Name]) -> Name | None:
    """Return the occurrence that a call of `follow` is about, if it is one."""
    is_follow = isinstance(call.func, ast.Attribute) and call.func.attr == "follow"
    return _named(call.func.value, FOLLOWING, known) if is_follow else None


def is_kept(node: ast.stmt) -> bool:
    """Tell whether a statement declares what a room keeps of a person."""
    value = node.value if isinstance(node, ast.Assign) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "Kept"


def top_level(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of a module that are neither functions, classes nor imports."""
    return [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ImportFrom)]


def _named(node: ast.AST, path: Path, known: Mapping[str, Path | Name]) -> Name | None:
    """Return the function that an expression names, if any."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = known.get(node.value.id)
        return (module, node.attr) if isinstance(module, Path) else None
    if isinstance(node, ast.Name):
        named = known.get(node.id, (path, node.id))
        return named if isinstance(named, tuple) else None
    return None


@dataclass(frozen=True)
class Services:
    """The functions of the services that write rows or hold them, with their callers."""

    paths: frozenset[Path]
    writers: frozenset[Name]
    held: frozenset[Name]
    calls: Mapping[Name, set[Name]]

    @classmethod
    def of(cls, trees: Trees) -> Self:
        """Read the functions of syntax trees."""
        paths = frozenset(path for path in trees if str(path).startswith(SERVICES))
        made = [((path, function.name), function) for path in paths for function in functions(trees[path])]
        writers = frozenset(name for name, function in made if writes(function))
        return cls(paths, writers, frozenset(name for name, function in made if holds(function)), callers(trees))


def unheld(services: Services, exempt: Mapping[str, str]) -> list[str]:
    """Return the writers of the services that somebody calls without a hold."""
    held = services.held | {(Path(place), name) for place, _, name in (each.partition(":") for each in exempt)}

    def is_held(one: Name, above: frozenset[Name] = frozenset()) -> bool:
        if one in held:
            return True
        over = services.calls.get(one, set()) - above - {one}
        return bool(over) and all(each[0] in services.paths and is_held(each, above | {one}) for each in over)

    return sorted(f"{path}:{name}" for path, name in services.writers if not is_held((path, name)))


def trees_of_house() -> Trees:
    return {
        path: sources.tree_of(path) for path in sources.files(".py", under="games") if "migrations" not in path.parts
    }


def test_every_writer_about_a_person_or_a_night_holds_them() -> None:
    services = Services.of(trees_of_house())
    found = unheld(services, {})
    assert set(EXEMPT) - set(found) == set(), "these need no exemption any more"
    assert unheld(services, EXEMPT) == []


PLANTED = """
from games.models import Membership
from games.services import row_locks

def _write(night):
    night.memberships.update(status="in")

def held(night):
    row_locks.night(night)
    _write(night)
"""


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", []),
        ("\ndef forgets(night):\n    _write(night)\n", ["_write"]),
        ("\ndef makes(night, player):\n    Membership.objects.create(night=night, player=player)\n", ["makes"]),
    ],
    ids=["held", "a caller forgets", "a writer forgets"],
)
def test_a_writer_without_a_hold_is_found(more: str, found: list[str]) -> None:
    path = Path(f"{SERVICES}/nights/planted.py")
    assert unheld(Services.of({path: ast.parse(PLANTED + more)}), {}) == [f"{path}:{name}" for name in found]


KEPT = """
from games.models import Membership
from games.services.personal_rooms import Kept

def _forget(leaver):
    Membership.objects.filter(player=leaver.player).delete()

KEPT = Kept((Membership,), forget=_forget)
"""
HELD = "from games.services import row_locks\ndef {0}(player):\n    row_locks.everywhere(player)\n"


@pytest.mark.parametrize("merge", [HELD.format("merge"), "def merge(player):\n    pass\n"], ids=["held", "unheld"])
def test_data_of_a_person_are_held_by_deletion_and_merging_both(merge: str) -> None:
    (deletion, _), (merging, _) = WALKS
    room = Path(f"{SERVICES}/nights/personal.py")
    trees = {
        room: ast.parse(KEPT),
        deletion: ast.parse(HELD.format("delete")),
        merging: ast.parse(merge),
    }
    assert unheld(Services.of(trees), {}) == ([] if "row_locks" in merge else [f"{room}:_forget"])
