"""Back to a backup: of any of the last versions, whole or not at all, and nothing is thrown away."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.management.backups import archive
from tests.faults.houses import databases
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.scaled)]
PARTS = 11
"""A day looks at every eleventh step, besides the first and the last; an odd number: both databases in turn."""

# A night that is played, then the database as earlier versions had it, each with its backup.
BACK_AND_BACK = """
import json, pathlib
from django.core.management import call_command
from django.db import connection
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from tests import sealed_tables
from games.services.tables.commit import submit
from games.services.commands import Actor, Request
from tests.ops.migration_steps import names as steps
# Earlier versions had no chains.
sealed_tables.seal_all()
host = players.new_guest("Hanna")
night = membership.host_night(host, "Thursday")
table = setup.open_table(night, host, "dummygame", "endless", {})
for player in (host, players.new_guest("Kari")):
    membership.join(night, player)
    setup.sit(table, player, accept=True, nonce="n")
setup.start(table, host, "start")
files = {}
names = steps()
for name in reversed(sorted({names[0], names[-1], *names[%s::%s]})):
    call_command("migrate", "games", name, verbosity=0, interactive=False)
    files[name] = f"{pathlib.Path('%s') / name}.backup"
    call_command("backup", files[name])
print(json.dumps({"files": files, "table": table.public_id}))
"""


@pytest.fixture
def house(request, tmp_path: Path) -> Iterator[Server]:
    """A house that nobody serves."""
    if request.param == "sqlite":
        server = Server(tmp_path)
        server.migrate()
        yield server
        return
    with databases.fresh("pg_dump", "pg_restore", "psql") as made:
        server = Server(tmp_path, DATABASE_URL=made.url)
        server.database = made
        server.migrate()
        yield server


RESTORE_ALL = """
import io
from games.models import Table
from django.db.migrations.executor import MigrationExecutor
files["again"] = files[names[-1]].replace(names[-1], "again")
for name, file in files.items():
    call_command("migrate", verbosity=0, interactive=False)
    if name == "again":
        call_command("backup", file)
    said = io.StringIO()
    call_command("restore", file, stdout=said)
    assert "1 tables checked, no fault" in said.getvalue(), said.getvalue()
    assert list(Table.objects.values_list("public_id", flat=True)) == [table.public_id]
    # It is of this version now, and nothing is missing.
    executor = MigrationExecutor(connection)
    assert not executor.migration_plan(executor.loader.graph.leaf_nodes())
print(json.dumps(sorted(files)))
"""


@pytest.mark.parametrize("part", share_of_day(range(PARTS), PARTS))
@pytest.mark.parametrize("house", share_of_day(KINDS, 2), indirect=True)
def test_a_backup_of_every_one_of_the_last_migrations_is_restored(house: Server, tmp_path: Path, part: int) -> None:
    script = BACK_AND_BACK % (part, PARTS, tmp_path) + RESTORE_ALL
    restored = json.loads(house.manage("shell", "-v", "0", "-c", script).splitlines()[-1])
    assert len(restored) >= 5


@pytest.mark.day(parts=17, turn=1)
@pytest.mark.scaled
@pytest.mark.parametrize("house", ["postgresql"], indirect=True)
def test_a_backup_that_proves_faulty_changes_nothing_on_postgresql(house: Server, tmp_path: Path) -> None:
    script = BACK_AND_BACK % (0, PARTS, tmp_path)
    told = json.loads(house.manage("shell", "-v", "0", "-c", script).splitlines()[-1])
    house.manage("migrate", "-v", "0")
    house.database.sql("UPDATE games_logentry SET dice = '[7]'")
    house.manage("backup", str(tmp_path / "faulty.backup"))
    house.database.sql("UPDATE games_logentry SET dice = '[]'", "UPDATE games_night SET name = 'as it was'")
    schemas = "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(before|incoming)_'"
    with pytest.raises(AssertionError, match="Nothing was changed"):
        house.manage("restore", str(tmp_path / "faulty.backup"))
    assert house.database.sql("SELECT DISTINCT name FROM games_night") == [("as it was",)]
    assert house.database.sql(schemas) == [(0,)]
    said = house.manage("restore", next(iter(told["files"].values())))
    kept = re.search(r"schema (before_\w+)", said)[1]
    assert house.database.sql(f"SELECT DISTINCT name FROM {kept}.games_night") == [("as it was",)]


WRITER = """
import sqlite3, sys, time
line = sqlite3.connect(sys.argv[1], isolation_level=None)
line.execute("PRAGMA journal_mode=WAL"); line.execute("PRAGMA wal_autocheckpoint=0")
line.execute("CREATE TABLE IF NOT EXISTS moves (n)")
reader = sqlite3.connect(sys.argv[1], isolation_level=None)
reader.execute("BEGIN"); reader.execute("SELECT count(*) FROM moves").fetchone()
for n in range(155):
    line.execute("INSERT INTO moves VALUES (?)", [n])
print("acknowledged", flush=True)
time.sleep(60)
"""


@pytest.mark.day(parts=17, turn=6)
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "still at work"])
def test_nothing_that_was_acknowledged_is_missing_in_what_a_forced_restore_has_kept(
    tmp_path: Path, settings, monkeypatch, is_killed: bool
) -> None:
    if archive.connection.vendor != "sqlite":
        pytest.skip("the files of SQLite")
    monkeypatch.setattr(archive.connections, "close_all", lambda: None)
    settings.DATA_DIR = tmp_path
    path = tmp_path / "stammtisch.sqlite3"
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(path))
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (word)")
    archive.write(tmp_path / "one.backup")
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"acknowledged\n"
        if is_killed:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        kept = [Path(name) for name in archive.read(tmp_path / "one.backup")]
    finally:
        writer.kill()
        writer.wait()
    stem = kept[0].name
    assert [each.name for each in kept] == [stem + end for end in ("", "-wal", "-shm")][: len(kept)]
    with closing(sqlite3.connect(kept[0])) as database:
        assert database.execute("SELECT count(*) FROM moves").fetchone() == (155,)
    assert not list(tmp_path.glob("stammtisch.sqlite3-*"))


@pytest.mark.day(parts=17, turn=10)
@pytest.mark.parametrize("house", ["sqlite"], indirect=True)
def test_a_backup_of_a_newer_version_is_refused_and_nothing_is_touched(house: Server, tmp_path: Path) -> None:
    path = tmp_path / "stammtisch.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2030-01-01')"
        )
    house.manage("backup", str(tmp_path / "newer.backup"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE name = '9999_later'")
    content = path.read_bytes()
    with pytest.raises(AssertionError, match=r"newer version.*9999_later"):
        house.manage("restore", str(tmp_path / "newer.backup"))
    assert path.read_bytes() == content
    with pytest.raises(CommandError, match="is no backup"):
        archive.unpacked(path, tmp_path)
