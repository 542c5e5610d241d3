"""Fixtures for all tests: people, a night, tables; and what a machine may lack."""

import gc
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from django.core.cache import cache as kept_values
from django.db import connection
from django.test import TransactionTestCase
from django.utils import timezone, translation
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from games.kernel.contract import Choice
from games.management.translations import catalogs
from games.models import Night, Player, Seat, Table
from games.models.house import forget
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, queue, setup
from games.services.tables.commit import submit
from tests import database, seeds, snapshots, turns
from tests.fixtures import _layer_is_left, bar, guest, leave_layer, make_rules, sealed_dice, staff  # noqa: F401

# How long one example takes says how busy the machine is, and nothing of the rules.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

# Files and folders whose tests take longest, the longest first: `make test` leaves them out,
# `make test-all` has them.
LONG = (
    "engines/",
    "test_scaled.py",
    "faults/test_scaled_faults.py",
    "faults/test_starts.py",
    "faults/disk/test_restore.py",
    "faults/",
    "secrecy/",
    "collisions/",
    "test_roles.py",
    "test_claims_of_clients.py",
    "contract/test_bots.py",
    "test_serve.py",
    "test_sessions.py",
    "test_against_reference.py",
    "test_heavy.py",
    "test_floods.py",
    "test_numbers.py",
    "test_openapi_fuzz.py",
    "test_walk_through.py",
    "security/requests/test_requests.py",
    "test_serve_scaled.py",
    "test_serve_uvicorn.py",
    "test_socket_scaled.py",
    "test_socket_readers.py",
    "test_backup.py",
    "test_restore_page.py",
    "test_transfer.py",
    "test_upgrade.py",
    "fuzz/",
)
# Of the browser's tests, whole evenings come first.
EVENINGS = ("_night.py", "test_pages.py", "test_chouette_table.py", "test_sheet_and_team.py")
OWN_DAYS = re.compile(r"mark\.day\(")
TOGETHER = ("tests/architecture/",)
"""Folders whose tests run in one worker, as they share what they read: the syntax trees of all sources."""
STORES = {"db", "transactional_db"}
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


def require(present: object, what: str) -> None:
    """Skip where something is missing; fail where everything is required (REQUIRE_ALL=1)."""
    if present:
        return
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail(f"{what} is required and missing")
    pytest.skip(f"{what} is missing")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what other days run; mark what stores; mark what takes long and run it first, browser tests before all.

    Several workers end at the same time if short files come in the end. A worker that changes between browser tests
    and others would start a browser each time: Playwright keeps an event loop running in its thread meanwhile.
    """
    is_kept = [_is_of_day(item) for item in items]
    if left := [item for item, kept in zip(items, is_kept, strict=True) if not kept]:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item, kept in zip(items, is_kept, strict=True) if kept]
    for item in items:
        if _is_browsers(item) or _rank(item, LONG) < len(LONG):
            item.add_marker("long")
        if item.get_closest_marker("django_db") or not STORES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("stores")
    items.sort(key=_turn)


def is_of_day(mark: pytest.Mark) -> bool:
    """Tell whether a `day(parts, turn)` mark names today."""
    return bool(seeds.share_of_day([mark], **mark.kwargs))


def _is_of_day(item: pytest.Item) -> bool:
    """Tell whether a test is run today: by its own marks, else by the days of its file."""
    if marks := list(item.iter_markers("day")):
        return all(is_of_day(mark) for mark in marks)
    return _is_files_day(item.nodeid.partition("::")[0])


@cache
def _is_files_day(path: str) -> bool:
    """Tell whether a file is run today by the days of files."""
    days = turns.days_of(path)
    return bool(seeds.share_of_day([path], days, turns.turn_of(path, days)))


class OfOtherDays(pytest.Module):
    """A file that other days run: it is not even imported, as that is a fifth of the work before the first test."""

    def collect(self) -> list[pytest.Item]:
        """Find no tests."""
        return []


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Leave out the files of other days none of whose tests has days of its own."""
    path = module_path.relative_to(parent.config.rootpath).as_posix()
    if _is_files_day(path) or OWN_DAYS.search(module_path.read_text(encoding="utf-8")):
        return None
    return OfOtherDays.from_parent(parent, path=module_path)


def _is_browsers(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


def _rank(item: pytest.Item, names: Sequence[str]) -> int:
    """Return which of the names is the first that the test's file or folder has."""
    return next((rank for rank, name in enumerate(names) if name in item.nodeid), len(names))


def _turn(item: pytest.Item) -> tuple[int, int]:
    if _is_browsers(item):
        return 0, _rank(item, EVENINGS)
    return 1, _rank(item, LONG)


class ByFileOrFolder(LoadFileScheduling):
    """Give each worker whole files, and whole folders where those of a folder share what takes long."""

    def _split_scope(self, nodeid: str) -> str:
        return next((folder for folder in TOGETHER if nodeid.startswith(folder)), super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Keep folders together where files are."""
    return ByFileOrFolder(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_configure() -> None:
    """Settle whose day's random sessions all processes of this run play."""
    seeds.day()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what was translated since the last run, before the workers start."""
    if not hasattr(session.config, "workerinput"):
        catalogs.compile_changed()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave the collected tests, which stay to the end, out of each search for cycles: a tenth of a run's time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how the random sessions of a run that failed are played again."""
    if {"failed", "error"} & terminalreporter.stats.keys():
        terminalreporter.write_line(f"Random sessions were those of SEED_DAY={seeds.day()}.")


@pytest.fixture(autouse=True)
def _house_is_read_anew() -> None:
    """What another test said of the house is forgotten, and the language and time zone of its last page."""
    forget()
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """An SQLite database is there already, as a copy, and goes with the run's folder."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def _copied_database(django_db_modify_db_settings: None) -> ExitStack:
    """Copy the run's empty database; what is returned ends the waiting of the run's other processes."""
    held = ExitStack()
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["init_command"] = database.UNSAFE
        own = Path(connection.settings_dict["TEST"]["NAME"])
        database.forget(own)
        place, is_made = held.enter_context(database.made_once(database.EMPTY_SQLITE))
        if is_made:
            shutil.copy(place, own)
            held.close()
    return held


@pytest.fixture(scope="session")
def django_db_setup(_copied_database: ExitStack, django_db_setup: None) -> None:
    """The database of the tests; the first process of a run leaves a copy for the others."""
    with _copied_database:
        place = database.shared_folder() / database.EMPTY_SQLITE
        if connection.vendor == "sqlite" and not place.exists():
            database.keep(Path(connection.settings_dict["NAME"]), place)


TransactionTestCase._fixture_teardown = database.clear_quickly


@pytest.fixture(autouse=True)
def _fresh_process_cache() -> Iterator[None]:
    """No test sees another one's cached tables or counts, as row ids are used again, nor its writer."""
    log.forget_all()
    kept_values.clear()
    with snapshots.kept():
        yield
        queue.stop()


@pytest.fixture
def chromium() -> str:
    """The path of Chromium."""
    require(shutil.which(CHROMIUM), "Chromium")
    return CHROMIUM


@pytest.fixture
def make_player(db: None) -> Callable[[str], Player]:
    """Make a guest by nickname."""
    return players.new_guest


@pytest.fixture
def host(make_player: Callable[[str], Player]) -> Player:
    """The host."""
    return make_player("Hanna")


@pytest.fixture
def night(host: Player) -> Night:
    """An open night."""
    return membership.host_night(host, "Thursday")


def opening(night: Night, host: Player) -> Callable[..., Table]:
    """Return what opens a table of a night: open_table("chicago", "bavarian", seats=3, rounds=…)."""

    def make(game: str = "dummygame", preset: str = "", seats: int = 2, **changes: object) -> Table:
        from games import plugin

        preset = preset or plugin.game(game).options.presets[0].id
        table = setup.open_table(night, host, game, preset, changes)
        for index in range(seats):
            player = host if index == 0 else players.new_guest(f"Guest {index}")
            membership.join(night, player)
            setup.sit(table, player, accept=True, is_adult=True, nonce=f"n{index}")
        return table

    return make


def starting(open_table: Callable[..., Table], host: Player) -> Callable[..., Table]:
    """Return what opens and starts a table."""

    def make(*args: object, **kwargs: object) -> Table:
        table = open_table(*args, **kwargs)
        setup.start(table, host, new_command_id())
        table.refresh_from_db()
        return table

    return make


@pytest.fixture
def open_table(night: Night, host: Player) -> Callable[..., Table]:
    """Open a table of the night."""
    return opening(night, host)


@pytest.fixture
def start_table(open_table: Callable[..., Table], host: Player) -> Callable[..., Table]:
    """Open and start a table."""
    return starting(open_table, host)


def choices_at(table: Table) -> list[Choice]:
    """Return all open choices of the seats of a table, as stored now."""
    from games import plugin

    table.refresh_from_db()
    rules = plugin.game(table.game_id).rules
    state = log.state_of(table)
    return [c for seat in table.seats.all() for c in rules.choices(state, seat.index)]


def answer(table: Table, choice: Choice, option: int = 0, command_id: str = "") -> log.Receipt:
    """Answer a choice as the player of its seat."""
    seat = Seat.objects.get(table=table, index=choice.seat)
    request = Request(choice.name, choice.options[option], command_id or new_command_id(), choice.opened_at)
    return submit(table.pk, Actor(seat.player_id), request)
