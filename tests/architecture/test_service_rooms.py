"""The rooms of `games/services/` have an order: each may import those before it.

The order stands in `ROOMS` and nowhere else, and no import goes against it. What a later room does at an act of an
earlier one, it does as a follower (`games.services.publication`).
"""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest

from tests.architecture import figures, sources
from tests.architecture.figures import import_graph, pairs

SERVICES = "games.services."
ROOMS = (
    *(
        "server_time",
        "regions",
        "rate_limit",
        "storage",
        "arguments",
        "acts",
        "row_locks",
        "personal_rooms",
        "form_ids",
        "audit",
    ),
    "sealing",
    *(
        "publication",
        "commands",
        "processes",
        "tasks",
        "deliveries",
        "people",
        "point_values",
        "house_rules",
        "nights",
        "dice",
        "seats",
        "tables",
    ),
    *("chat", "logs", "rolls", "grades", "history", "payments", "seasons", "draws"),
    *("sheets", "tournaments", "sharing"),
    "hosting",
    *("house", "calendar", "screens", "mails", "webhooks", "staff", "clock", "room_order"),
)
"""All rooms, folders and single files: a room imports those before it, never one after it."""


def room_of(module: str) -> str:
    """Return the room of a module of the services."""
    return module.removeprefix(SERVICES).split(".")[0]


def upward() -> list[str]:
    """Return the imports of later rooms, and how many files' imports lead from one room to another."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for module, imported in import_graph().items():
        if not module.startswith(SERVICES):
            continue
        for other in imported:
            room, later = room_of(module), room_of(other)
            if other.startswith(SERVICES) and ROOMS.index(later) > ROOMS.index(room):
                found[room, later] += 1
    return [f"{room} → {later}: {count}" for (room, later), count in sorted(found.items())]


def test_every_room_of_the_services_has_its_place() -> None:
    modules = [module for module in import_graph() if module.startswith(SERVICES)]
    assert {room_of(module) for module in modules} == set(ROOMS)


def test_a_room_imports_those_before_it() -> None:
    assert upward() == []


def test_no_two_folders_of_the_house_import_each_other() -> None:
    assert pairs() == []


PLANTED = {
    "games/services/people/planted.py": "from games.services.clock import clock\n",
    "games/services/clock/clock.py": "from games.services.people import players\n",
    "games/services/people/players.py": "",
}


def plant(monkeypatch: pytest.MonkeyPatch, planted: dict[str, str]) -> None:
    """Let the sources be some planted files."""
    paths = {sources.Path(name): ast.parse(text) for name, text in planted.items()}
    monkeypatch.setattr(figures, "product", lambda **_: list(paths))
    monkeypatch.setattr(figures, "tree_of", paths.__getitem__)


def test_a_planted_import_of_a_later_room_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, PLANTED)
    assert upward() == ["people → clock: 1"]
    assert pairs() == [("games.services.clock", "games.services.people")]


def test_each_planted_import_of_a_later_room_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"games/services/tables/planted_{n}.py": "from games.services.chat import chat\n" for n in range(2)}
    plant(monkeypatch, {**files, "games/services/chat/chat.py": ""})
    assert upward() == ["tables → chat: 2"]


def test_a_planted_pair_of_folders_elsewhere_in_the_house_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a page and one inside a function count, too."""
    inside = "def page():\n    from games.web.history import replay\n"
    pages = {"games/web/nights/home.py": inside, "games/web/nights/page.py": ""}
    others = {"games/web/history/replay.py": "", "games/web/history/results.py": "import games.web.nights.page\n"}
    plant(monkeypatch, {**pages, **others})
    assert pairs() == [("games.web.history", "games.web.nights")]


def test_a_room_without_a_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, {**PLANTED, "games/services/attic/old.py": ""})
    with pytest.raises(AssertionError):
        test_every_room_of_the_services_has_its_place()


COMMIT = "games/services/tables/commit.py"
OF_THE_COMMIT = frozenset({"submit", "commit"})
"""All that the commit has for others: commands come in, each is answered. What a throw or a deadline is, others say."""
ALIEN = frozenset({"hashlib", "hmac", "secrets", "random"})


def more_than_commits(text: str) -> list[str]:
    """Return what a module has for others, or draws and hashes, that is no part of a commit."""
    tree = ast.parse(text)
    made = [each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in imports for alias in node.names}
    return sorted({name for name in made if name[0] != "_"} - OF_THE_COMMIT) + sorted(ALIEN & imported)


def test_the_commit_only_commits() -> None:
    assert more_than_commits(sources.text_of(sources.Path(COMMIT))) == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("def next_link(chain: str) -> str:\n    return chain\n", ["next_link"]),
        ("from hashlib import sha256\n", ["hashlib"]),
        ("def _later() -> None:\n    import random\n", ["random"]),
    ],
)
def test_a_planted_part_of_something_else_in_the_commit_is_found(planted: str, found: list[str]) -> None:
    assert more_than_commits(f"{sources.text_of(sources.Path(COMMIT))}\n\n{planted}") == found
