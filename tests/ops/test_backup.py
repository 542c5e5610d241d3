"""A backup taken during play comes back with every move that had been acknowledged before it."""

import asyncio
import json
import os
import shutil
import sqlite3
import stat
import time
import uuid
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.core.management import CommandError, call_command

from games.management import backups
from games.services.clock import processes
from games.services.logs import log_files
from tests.conftest import require
from tests.live.client import Client
from tests.live.servers.test_socket_server import OPEN_A_TABLE, SECONDS, asked, chooser, reaches
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def database(request):
    """The environment of a fresh database: SQLite's default, or one of PostgreSQL's."""
    if request.param == "sqlite":
        yield {}
        return
    url = os.environ.get("DATABASE_URL_TEST", "")
    require(url and shutil.which("pg_dump"), "PostgreSQL (DATABASE_URL_TEST) and pg_dump")
    import psycopg

    name = f"backup_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(f"CREATE DATABASE {name}")
    yield {"DATABASE_URL": urlunsplit(urlsplit(url)._replace(path=f"/{name}"))}
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def server(tmp_path, database):
    server = Server(tmp_path, **database)
    server.environment.pop("SECRET_KEY")
    server.migrate()
    server.start()
    yield server
    server.stop()


def unhurried(choose, pace):
    """Return a player who takes some time, so that the evening outlasts the backup."""

    def slowly(view, choices):
        time.sleep(pace[0])
        return choose(view, choices)

    return slowly


@pytest.mark.server
@pytest.mark.parametrize(
    "database",
    share_of_day(["sqlite", pytest.param("postgresql", marks=pytest.mark.scaled)], 2),
    indirect=True,
)
async def test_a_backup_during_play_has_every_acknowledged_move_and_play_goes_on(server, tmp_path):
    evening = json.loads(server.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])
    table, cookies = evening["table"], evening["cookies"]
    file = tmp_path / "house.backup"
    pace = [0.15]
    clients = [Client(server.url, table, cookie, unhurried(chooser(seat), pace)) for seat, cookie in enumerate(cookies)]
    async with asyncio.timeout(SECONDS):
        games = [asyncio.create_task(client.play()) for client in clients]
        await reaches(clients[0], 8)
        before = max(client.seq or 0 for client in clients)
        kept = asked(server, f"/api/tables/{table}/events/", cookies[0])["entries"][:before]
        await asyncio.to_thread(server.manage, "backup", str(file))
        after = max(client.seq or 0 for client in clients)
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        key = (tmp_path / "secret_key").read_text()
        server.stop()
        # What happens to the house afterwards is what the backup is for.
        (tmp_path / "secret_key").write_text("another")
        assert "no fault" in server.manage("restore", str(file))
        assert (tmp_path / "secret_key").read_text() == key
        await asyncio.to_thread(server.start)
        told = asked(server, f"/api/tables/{table}/events/", cookies[0])
        assert before <= told["seq"] <= after + len(cookies)
        assert told["entries"][:before] == kept
        pace[0] = 0
        # The browsers come back with all that they have seen, and play to the end.
        await asyncio.gather(*(client.play() for client in clients))
    assert {client.table["status"] for client in clients} == {"finished"}
    assert len({client.seq for client in clients}) == 1
    assert "no fault" in server.manage("check_logs")
    assert "Traceback" not in server.output()


@pytest.mark.django_db(transaction=True)
def test_a_backup_overwrites_nothing_and_is_for_its_owner_only(tmp_path):
    if backups.connection.vendor != "sqlite":
        pytest.skip("the copy of SQLite")
    file = tmp_path / "one.backup"
    call_command("backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["one.backup"]
    with pytest.raises(CommandError, match="already"):
        call_command("backup", str(file))
    with pytest.raises(CommandError, match="no folder"):
        call_command("backup", str(tmp_path / "none" / "one.backup"))


@pytest.fixture
def house(settings, tmp_path):
    """A house's data folder with a database that may be replaced."""
    settings.DATA_DIR = tmp_path
    path = tmp_path / "stammtisch.sqlite3"
    settings.DATABASES["default"]["NAME"], kept = str(path), settings.DATABASES["default"]["NAME"]
    fill(path, "before")
    yield tmp_path
    settings.DATABASES["default"]["NAME"] = kept


def fill(path, word: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (word)")
        database.execute("INSERT INTO t VALUES (?)", [word])
    database.close()


@pytest.fixture
def on_sqlite(monkeypatch):
    if backups.connection.vendor != "sqlite":
        pytest.skip("the copy of SQLite")
    monkeypatch.setattr(backups.connections, "close_all", lambda: None)


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize("content", [b"", b"no archive at all", b"\x1f\x8b\x08\x00broken"])
def test_what_is_no_backup_is_refused_and_nothing_is_touched(house, content):
    (house / "bad").write_bytes(content)
    files = {path.name: path.read_bytes() for path in house.iterdir()}
    with pytest.raises(CommandError, match="is no backup"):
        backups.read(house / "bad")
    assert {path.name: path.read_bytes() for path in house.iterdir()} == files


@pytest.mark.usefixtures("on_sqlite")
def test_a_backup_of_another_database_is_refused(house):
    import tarfile

    (house / "database.dump").write_text("of PostgreSQL")
    with tarfile.open(house / "other", "w") as tar:
        tar.add(house / "database.dump", "database.dump")
    with pytest.raises(CommandError, match="another database"):
        backups.read(house / "other")


@pytest.mark.usefixtures("on_sqlite")
def test_a_restore_keeps_what_was_there(house):
    backups.write(house / "one.backup")
    (house / "stammtisch.sqlite3").unlink()
    fill(house / "stammtisch.sqlite3", "after")
    (house / "stammtisch.sqlite3-wal").write_bytes(b"")
    aside = backups.read(house / "one.backup")
    assert [path.name.split("-", 4)[-1] for path in aside] == [
        "stammtisch.sqlite3",
        "stammtisch.sqlite3-wal",
    ]
    words = []
    for path in (house / "stammtisch.sqlite3", aside[0]):
        database = sqlite3.connect(path)
        words += database.execute("SELECT word FROM t").fetchone()
        database.close()
    assert words == ["before", "after"]


@pytest.mark.usefixtures("on_sqlite")
def test_a_backup_holds_the_files_of_logs_and_a_restore_puts_them_back_beside_others(house):
    logs, name = house / "logs", f"table-0123{log_files.ENDING}"
    logs.mkdir()
    (logs / name).write_bytes(b"kept")
    backups.write(house / "one.backup")
    (logs / name).unlink()
    (logs / f"later-4567{log_files.ENDING}").write_bytes(b"later")
    backups.read(house / "one.backup")
    assert {path.name: path.read_bytes() for path in logs.iterdir()} == {
        name: b"kept",
        f"later-4567{log_files.ENDING}": b"later",
    }


@pytest.mark.usefixtures("on_sqlite")
def test_a_restore_writes_nothing_outside_the_data_folder(house):
    import tarfile

    with tarfile.open(house / "bad", "w") as tar:
        tar.add(house / "stammtisch.sqlite3", "database.sqlite3")
        for name in (f"logs/../../evil{log_files.ENDING}", f"logs/sub/evil{log_files.ENDING}", "logs/evil.py"):
            tar.add(house / "stammtisch.sqlite3", name)
    backups.read(house / "bad")
    assert not list(house.parent.rglob("*evil*"))


def test_nothing_is_restored_under_a_running_server(db, tmp_path):
    processes._renew_at = 0.0
    processes.note_running()
    with pytest.raises(CommandError, match="A server runs on this database"):
        call_command("restore", str(tmp_path / "any"))
