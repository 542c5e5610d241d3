"""Which room may know which: arrows run one way, rules are pure, games are strangers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import (
    GAME_FOLDERS,
    HOUSE,
    ROOT,
    files,
    imports_of,
    is_in,
    module_name,
    text_of,
)

PURE = ["games/kernel", *(f"{game}/{room}" for game in GAME_FOLDERS for room in ("rules", "board", "odds"))]
ALSO_PURE = [f"{game}/{name}.py" for game in GAME_FOLDERS for name in ("bots", "bot/bots")]
IMPURE = ("django", "channels", "rest_framework", "daphne", "asgiref", "csp", "django_htmx")

OUTSIDE_WORLD = {
    "time",
    "datetime",
    "socket",
    "subprocess",
    "os",
    "pathlib",
    "sqlite3",
    "threading",
}

# What every room but the pure ones may ask: addresses, row ids, logs, texts, turns of threads, versions, files.
HOUSEWIDE = [
    "games.addresses",
    "games.addresses",
    "games.interfaces",
    "games.interfaces",
    "games.json_text",
    "games.packing",
    "games.row_ids",
    "games.version",
    *(f"games.ops.{name}" for name in ("files", "logs", "mail_settings", "metrics", "move_priority", "session_keys")),
    *("games.ops.at_start.files", "games.ops.schema_version", "games.ops.system.calls"),
]
# What games may use, too.
FOR_GAMES = ["games.kernel", "games.plugin", "games.game_texts"]
# Room → what it may import of the house. Everything below it, nothing above.
MAY_IMPORT = {
    "games.kernel": ["games.kernel"],
    "games.models": ["games.models", "games.kernel"],
    "games.services": ["games.services", "games.models", *FOR_GAMES, *HOUSEWIDE],
    "games.live": ["games.live", "games.services", "games.refusals", "games.ops.requests.body_limit", *HOUSEWIDE],
    # A command has one form, whether it comes by socket or by HTTP: the API reads it with
    # the sockets' own parser.
    "games.api": [
        *("games.api", "games.services", "games.refusals", "games.live.protocol", "games.streams"),
        *HOUSEWIDE,
    ],
    "games.web": [
        *("games.web", "games.services", "games.refusals", "games.scopes", "games.streams"),
        *HOUSEWIDE,
    ],
}
BELOW_ALL = ["games.models", *FOR_GAMES]


def pure_files() -> list[Path]:
    paths = [path for folder in PURE for path in files(".py", under=folder)]
    return paths + [path for path in files(".py") if str(path) in ALSO_PURE]


def test_kernel_and_rules_import_no_framework() -> None:
    assert len(pure_files()) > 20
    for path in pure_files():
        for name in imports_of(path):
            assert not any(is_in(name, package) for package in IMPURE), f"{path} imports {name}"


def test_kernel_and_rules_read_no_clock_and_no_files() -> None:
    for path in pure_files():
        if path.name != "__main__.py":
            found = OUTSIDE_WORLD & {name.split(".")[0] for name in imports_of(path)}
            assert not found, f"{path} imports {found}"


def test_kernel_and_rules_run_where_no_framework_is_installed() -> None:
    names = [module_name(path) for path in pure_files() if path.name != "__main__.py"]
    program = f"""
import sys
class Nobody:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {IMPURE!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nobody())
import importlib
for name in {names!r}:
    importlib.import_module(name)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", [HOUSE, *GAME_FOLDERS])
def test_package_init_files_stay_empty(package: str) -> None:
    """An import of `games.kernel` must not run anything of the house's."""
    assert text_of(Path(package) / "__init__.py") == ""


def is_package(name: str) -> bool:
    """Tell whether a dotted name is a folder of modules: what is imported out of it is looked at itself."""
    return (ROOT / name.replace(".", "/")).is_dir()


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_run_one_way(room: str) -> None:
    allowed = MAY_IMPORT[room] + (BELOW_ALL if room.rsplit(".", 1)[1] in UPPER else [])
    for path in files(".py", under=room.replace(".", "/")):
        for name in imports_of(path, at_run_time_only=True):
            if is_in(name, HOUSE) and name != "games.plugin" and not is_package(name):
                assert any(is_in(name, a) for a in allowed), f"{path} imports {name}"


UPPER = ("live", "api", "web")


def test_the_house_imports_no_game() -> None:
    for path in files(".py", under=HOUSE):
        for name in imports_of(path):
            assert not any(is_in(name, game) for game in GAME_FOLDERS), f"{path} imports {name}"


def test_the_bots_of_a_game_grade_nobody() -> None:
    """An engine does, from outside: the house's own net is weaker than the players whom it would judge."""
    graders = [path for game in GAME_FOLDERS for path in files(".py", under=f"{game}/analysis")]
    graders += [Path(f"{game}/grading.py") for game in GAME_FOLDERS if Path(ROOT, game, "grading.py").is_file()]
    assert len(graders) > 10
    for path in graders:
        for name in imports_of(path):
            parts = name.split(".")
            assert not {"bot", "bots"} & set(parts), f"{path} imports {name}"


@pytest.mark.parametrize("game", GAME_FOLDERS)
def test_a_game_knows_the_kernel_and_the_plugin_only(game: str) -> None:
    for path in files(".py", under=game):
        for name in imports_of(path):
            if is_in(name, HOUSE) and name != HOUSE:
                assert any(is_in(name, each) for each in FOR_GAMES), (path, name)
            others = [other for other in GAME_FOLDERS if other != game]
            assert not any(is_in(name, other) for other in others), f"{path} imports {name}"


WRITES = (
    ".save(", ".create(", ".bulk_create(", ".update(", ".delete(", ".get_or_create(",
    ".update_or_create(", ".bulk_update(",
)  # fmt: skip


@pytest.mark.parametrize("folder", ["games/web", "games/api", "games/live"])
def test_only_the_services_write_the_database(folder: str) -> None:
    for path in files(".py", under=folder):
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            wrote = [w for w in WRITES if f".objects{w}" in line.replace(" ", "")]
            assert not wrote, f"{path}:{number} writes: {line.strip()}"
            assert ".save(" not in line, f"{path}:{number} writes: {line.strip()}"
