"""The steps of the database: a new house makes its tables at once, an older one goes on, and both have the same."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from games.management import preparation
from games.ops import schema_version
from tests.faults.houses import databases
from tests.ops.migration_steps import FIRST, of_1_0_0
from tests.seeds import share_of_day
from tests.server import Server

STEPS = """
import json, shutil
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.ops.migration_steps import FIRST, names, one_by_one
"""
# A house at each step, with somebody in it; then what an upgrade makes of the day's.
UPGRADES = """
steps = names()
copies = {}
with one_by_one():
    for name in sorted({steps[0], steps[-1], *steps[part::PARTS]}):
        call_command("migrate", "games", name, verbosity=0, interactive=False)
        if name == steps[0]:
            apps = MigrationExecutor(connection).loader.project_state(("games", name)).apps
            apps.get_model("games", "Player").objects.create(nickname="Hanna")
        connection.close()
        copies[name] = f"{place}.{name}"
        shutil.copy(place, copies[name])
for copy in copies.values():
    connection.close()
    connection.settings_dict["NAME"] = copy
    call_command("migrate", verbosity=0, interactive=False)
    executor = MigrationExecutor(connection)
    assert not executor.migration_plan(executor.loader.graph.leaf_nodes())
    assert ("games", FIRST) in executor.loader.applied_migrations
connection.close()
"""

# A house as builds before the next release left it at 0064: without what the steps since 1.0.0 now give their columns.
EARLIER = """
from importlib import import_module
from django.apps import apps
from django.db.migrations.recorder import MigrationRecorder
from games.ops import column_defaults
last = "0065_complete_columns"
call_command("migrate", "games", last, verbosity=0, interactive=False)
(completes,) = import_module(f"games.migrations.{last}").Migration.operations
with connection.schema_editor() as editor:
    for model_name, name in completes.columns:
        model = apps.get_model("games", model_name)
        field = model._meta.get_field(name)
        if name == "wifi_password":
            editor.remove_field(model, field)
        else:
            editor.alter_field(model, field, column_defaults.without_default(field))
MigrationRecorder(connection).record_unapplied("games", last)
"""

PARTS = 12
"""A day looks at every twelfth step, besides the first and the last."""


@pytest.mark.django_db
@pytest.mark.parametrize("also", [[], ["0001_all_steps"], ["0001_version_0_1_0", "0001_all_steps"]])
def test_a_database_that_has_the_steps_before_1_0_0_by_their_names_lacks_none_of_these(also: list[str]) -> None:
    """As 1.0.0 leaves it; also of builds since then, in which one step stood for several."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app="games", name=FIRST).delete()
    for name in (*of_1_0_0(), *also):
        recorder.record_applied("games", name)
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    preparation.refuse_other_versions()
    executor.migrate(executor.loader.graph.leaf_nodes())
    assert ("games", FIRST) in recorder.applied_migrations()


def of(*names: str) -> set[tuple[str, str]]:
    return {("games", name) for name in names} | {("auth", "0001_initial")}


def test_of_which_version_a_database_is_is_told_by_its_steps() -> None:
    known = MigrationLoader(None).disk_migrations
    refused = [of("0001_initial"), of("0001_version_0_1_0"), of(*of_1_0_0()[:-1]), of("0036_seasons")]
    taken = [of(), of(*of_1_0_0()), of(FIRST, *of_1_0_0()), of(*of_1_0_0(), "0038_background_tasks")]
    assert [schema_version.is_before_1_0_0(each) for each in (*refused, *taken)] == [True] * 4 + [False] * 4
    assert [schema_version.of_later_versions(each, known) for each in taken] == [[]] * 4
    assert schema_version.of_later_versions(of(*of_1_0_0(), "0099_later"), known) == ["0099_later"]


def schema(path: Path) -> dict[str, object]:
    """Return what an SQLite database holds: of each table its columns, keys and indexes, whatever their order."""
    found: dict[str, object] = {}
    with closing(sqlite3.connect(path)) as line:
        tables = line.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for name, sql in tables.fetchall():
            columns = {row[1:] for row in line.execute(f"PRAGMA table_info({name})")}
            keys = {row[2:5] for row in line.execute(f"PRAGMA foreign_key_list({name})")}
            indexes = {sql for (sql,) in line.execute("SELECT sql FROM sqlite_master WHERE tbl_name = ?", [name])}
            checks = {part for part in sql.replace(")", ") ").split() if part == "CHECK"}, sql.count("CHECK")
            uniques = sorted(
                tuple(sorted(column[2] for column in line.execute(f"PRAGMA index_info('{row[1]}')")))
                for row in line.execute(f"PRAGMA index_list({name})")
                if row[2]
            )
            found[name] = (columns, keys, indexes - {sql}, checks, uniques)
    return found


@pytest.mark.day(parts=17, turn=1)
@pytest.mark.server
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", share_of_day(range(PARTS), PARTS, every=17))
def test_a_house_of_each_step_is_upgraded_to_the_database_of_a_new_one(tmp_path: Path, part: int) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = Server(tmp_path / "old"), Server(tmp_path / "new")
    new.manage("migrate", "-v", "0")
    place = tmp_path / "old" / "stammtisch.sqlite3"
    old.manage("shell", "-v", "0", "-c", f"{STEPS}place, part, PARTS = {str(place)!r}, {part}, {PARTS}\n{UPGRADES}")
    wanted = schema(tmp_path / "new" / "stammtisch.sqlite3")
    upgraded = [path for path in (tmp_path / "old").glob("*.sqlite3.0*") if "-" not in path.suffix]
    assert len(upgraded) >= 3
    for path in upgraded:
        with closing(sqlite3.connect(path)) as line:
            assert line.execute("SELECT nickname FROM games_player").fetchall() == [("Hanna",)]
        assert schema(path) == wanted, path


ASKED = (
    "SELECT table_name, column_name, data_type, is_nullable, column_default, character_maximum_length"
    " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    "SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3",
    "SELECT tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') FROM pg_indexes"
    " WHERE schemaname = 'public' ORDER BY 1, 2",
)
"""What a database of PostgreSQL holds."""


@pytest.mark.day(parts=17, turn=6)
@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.timeout(300)
def test_on_postgresql_a_new_house_has_the_tables_that_the_steps_lead_to(tmp_path: Path) -> None:
    found = []
    for script in ("", f"{STEPS}\nwith one_by_one():\n    call_command('migrate', verbosity=0, interactive=False)"):
        with databases.fresh("psql") as made:
            server = Server(tmp_path, DATABASE_URL=made.url)
            server.manage(*(("shell", "-v", "0", "-c", script) if script else ("migrate", "-v", "0")))
            found.append([made.sql(each) for each in ASKED])
    assert json.dumps(found[0]) == json.dumps(found[1])


@pytest.mark.day(parts=17, turn=11)
@pytest.mark.server
@pytest.mark.timeout(300)
def test_a_house_of_a_build_between_the_releases_gets_the_columns_of_a_new_one(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.manage("migrate", "-v", "0")
    wanted = schema(tmp_path / "stammtisch.sqlite3")
    server.manage("shell", "-v", "0", "-c", f"{STEPS}{EARLIER}")
    assert schema(tmp_path / "stammtisch.sqlite3") != wanted
    server.manage("migrate", "-v", "0")
    assert schema(tmp_path / "stammtisch.sqlite3") == wanted


@pytest.mark.day(parts=17, turn=14)
@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.timeout(300)
def test_on_postgresql_a_house_of_a_build_between_the_releases_gets_the_columns_of_a_new_one(tmp_path: Path) -> None:
    with databases.fresh("psql") as made:
        server = Server(tmp_path, DATABASE_URL=made.url)
        found = []
        for words in (("migrate", "-v", "0"), ("shell", "-v", "0", "-c", f"{STEPS}{EARLIER}"), ("migrate", "-v", "0")):
            server.manage(*words)
            found.append(json.dumps([made.sql(each) for each in ASKED]))
    assert found[0] == found[2] != found[1]
