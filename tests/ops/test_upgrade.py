"""A house of version 1.0.0 with a night in play: upgraded by the documented words, and back by the upgrade's backup.

`data/house-1.0.0.backup` was written by the commit of 1.0.0 (`manage.py backup`): a night with a finished table of
Chicago, one in play, one of backgammon in play, and a finished match whose log is a file; a season, rules of the house,
a past game, a correction and the demo. `data/house-0.1.0.backup` is of the last build before, which is refused.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.management.backups import archive
from games.ops import schema_version
from games.version import version
from tests.faults.houses import databases
from tests.ops.migration_steps import OF_RELEASE, TOO_OLD
from tests.ops.test_migrations import schema
from tests.server import DATABASE, ROOT, START_SECONDS, Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(300), pytest.mark.day(parts=17, turn=16)]

# Everybody plays on at every table, by the services as the sockets do.
PLAY_ON = """
import json
from games import plugin
from games.models import Seat, Table
from games.services.tables import log
from games.services.commands import Actor, Request, new_command_id
from games.services.tables.commit import submit
def choices(table):
    table.refresh_from_db()
    rules, state = plugin.game(table.game_id).rules, log.state_of(table)
    return [c for seat in table.seats.all() for c in rules.choices(state, seat.index) if c.required]
for table in Table.objects.filter(status="playing", night__name="Thursday"):
    for _step in range(12):
        if not (found := choices(table)):
            break
        seat = Seat.objects.get(table=table, index=found[0].seat)
        command = Request(found[0].name, found[0].options[0], new_command_id(), found[0].opened_at)
        submit(table.pk, Actor(seat.player_id), command)
"""


@contextmanager
def played(house: Server) -> Iterator[str]:
    """Open a house by `play`, as the page says; yield what its health page tells."""
    log = (house.data / "play.log").open("w")
    command = [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", str(house.port)]
    process = subprocess.Popen(command, cwd=ROOT, env=house.environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 2 * START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{house.url}/healthz", timeout=2) as answer:
                    yield str(json.load(answer)["version"])
                    break
            except OSError:
                assert time.monotonic() < deadline and process.poll() is None, said(house)
                time.sleep(0.2)
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def said(house: Server) -> str:
    return (house.data / "play.log").read_text()


def unpacked(backup: Path, folder: Path) -> Server:
    """Return the house of which a backup is, with a data folder as it was then."""
    folder.mkdir(exist_ok=True)
    house = Server(folder)
    house.environment.pop("SECRET_KEY")
    house.environment |= {"BACKUP_FOLDER": "", "STAMMTISCH_DATA": str(folder)}
    with tarfile.open(backup) as tar:
        tar.extractall(folder, filter="data")
    (folder / "database.sqlite3").rename(folder / DATABASE)
    return house


def rows_of(path: Path, columns: str, table: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()


def log_of(house: Server) -> list[Any]:
    return rows_of(house.data / DATABASE, "table_id, seq, command, events, dice", "games_logentry")


def tables_of(house: Server) -> dict[str, tuple[str, int]]:
    """Return status and last entry of the night's tables, by public id; the demo's are none of them."""
    rows = rows_of(house.data / DATABASE, "public_id, status, seq, night_id", "games_table")
    return {public_id: (status, seq) for public_id, status, seq, night_id in rows if night_id == 1}


def test_a_house_of_1_0_0_with_a_night_in_play_is_upgraded_and_comes_back_by_the_upgrades_backup(
    tmp_path: Path,
) -> None:
    old_house = unpacked(OF_RELEASE, tmp_path)
    key, log, tables = (tmp_path / archive.KEY).read_text(), log_of(old_house), tables_of(old_house)
    assert [status for status, _seq in tables.values()] == ["finished", "playing", "playing", "finished", "finished"]
    with played(old_house) as running:
        assert running == version()
        (kept,) = (tmp_path / "backups").glob("*.backup")
        assert kept.name.startswith("before-upgrade-") and str(kept) in said(old_house)
        old_house.manage("shell", "-v", "0", "-c", PLAY_ON)
        after = tables_of(old_house)
        assert all(after[name][1] > seq for name, (status, seq) in tables.items() if status == "playing")
        assert log_of(old_house)[: len(log)] == log
        assert "no fault" in old_house.manage("check_logs")
    (tmp_path / archive.KEY).unlink()
    assert "no fault" in old_house.manage("restore", str(kept))
    assert (tmp_path / archive.KEY).read_text() == key
    assert (tables_of(old_house), log_of(old_house)) == (tables, log)
    with played(old_house):
        old_house.manage("shell", "-v", "0", "-c", PLAY_ON)
        assert "no fault" in old_house.manage("check_logs")
    assert len(list((tmp_path / "backups").glob("before-upgrade-*.backup"))) == 1  # nothing was left to migrate


def test_a_house_of_1_0_0_gets_the_database_of_a_new_one_and_keeps_its_rows(tmp_path: Path) -> None:
    house, new = unpacked(OF_RELEASE, tmp_path / "old"), Server(tmp_path)
    new.migrate()
    asked = [("nickname", "games_player"), ("points", "games_resultline"), ("name", "games_season")]
    rows = [rows_of(house.data / DATABASE, *each) for each in asked]
    assert all(rows)
    house.manage("migrate", "-v", "0")
    assert schema(house.data / DATABASE) == schema(tmp_path / DATABASE)
    assert [rows_of(house.data / DATABASE, *each) for each in asked] == rows
    assert "11 tables checked, no fault" in house.manage("check_logs")


def files_of(house: Server) -> dict[str, bytes]:
    """Return the files of a data folder, without those that say which process is at it."""
    found = (path for path in house.data.rglob("*") if path.is_file())
    return {
        str(path): path.read_bytes() for path in found if path.suffix not in {".lock", ".log"} if path.stat().st_size
    }


@pytest.mark.parametrize("command", ["prepare", "play", "serve", "migrate"])
def test_a_house_of_before_1_0_0_is_told_the_way_and_nothing_is_changed(tmp_path: Path, command: str) -> None:
    house = unpacked(TOO_OLD, tmp_path)
    before = files_of(house)
    place = ["--host", "127.0.0.1", "--port", str(house.port)] if command in {"play", "serve"} else []
    with pytest.raises(AssertionError, match=re.escape(schema_version.OLDER)) as refused:
        house.manage(command, *place)
    assert "Traceback" not in str(refused.value)
    assert files_of(house) == before


@pytest.mark.parametrize("options", [(), ("--force",), ("--next-start",)])
def test_a_backup_of_before_1_0_0_is_told_the_way_and_nothing_is_changed(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    house = Server(tmp_path)
    house.migrate()
    before = files_of(house)
    with pytest.raises(AssertionError, match=re.escape(schema_version.OLDER)):
        house.manage("restore", str(TOO_OLD), *options)
    assert files_of(house) == before


def test_the_doctor_and_the_proof_of_a_backup_tell_a_house_of_before_1_0_0(tmp_path: Path) -> None:
    house = unpacked(TOO_OLD, tmp_path)
    for words in (("doctor",), ("check_backup", str(TOO_OLD))):
        with pytest.raises(AssertionError, match=re.escape(schema_version.OLDER.removesuffix(" Nothing was changed."))):
            house.manage(*words)


@pytest.mark.scaled
def test_on_postgresql_a_house_of_1_0_0_is_restored_and_one_of_before_is_refused(tmp_path: Path) -> None:
    with databases.fresh("pg_dump", "pg_restore", "psql") as made:
        house = Server(tmp_path, DATABASE_URL=made.url)
        assert "11 tables checked, no fault" in house.manage("restore", str(OF_RELEASE))
        schemas, steps = "SELECT nspname FROM pg_namespace ORDER BY 1", "SELECT * FROM public.django_migrations"
        before = [made.sql(each) for each in (schemas, steps)]
        with pytest.raises(AssertionError, match=re.escape(schema_version.OLDER)):
            house.manage("restore", str(TOO_OLD))
        assert [made.sql(each) for each in (schemas, steps)] == before
        made.sql("DELETE FROM public.django_migrations WHERE app = 'games' AND name > '0037'")
        made.sql("UPDATE public.django_migrations SET name = '0001_initial' WHERE name = '0001_version_1_0_0'")
        before = [made.sql(each) for each in (schemas, steps)]
        for words in (("prepare",), ("migrate",)):
            with pytest.raises(AssertionError, match=re.escape(schema_version.OLDER)):
                house.manage(*words)
        assert [made.sql(each) for each in (schemas, steps)] == before
