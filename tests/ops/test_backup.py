"""A backup taken during play comes back with every move that had been acknowledged before it."""

import asyncio
import errno
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

from games.management.backups import archive, sqlite
from games.services import processes
from games.services.storage import log_files
from games.version import version
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
@pytest.mark.day(parts=17, turn=13)
@pytest.mark.parametrize(
    "database",
    share_of_day(["sqlite", pytest.param("postgresql", marks=pytest.mark.scaled)], 2, every=17),
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
    if archive.connection.vendor != "sqlite":
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
    if archive.connection.vendor != "sqlite":
        pytest.skip("the copy of SQLite")
    monkeypatch.setattr(archive.connections, "close_all", lambda: None)


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize("content", [b"", b"no archive at all", b"\x1f\x8b\x08\x00broken"])
def test_what_is_no_backup_is_refused_and_nothing_is_touched(house, content):
    (house / "bad").write_bytes(content)
    files = {path.name: path.read_bytes() for path in house.iterdir()}
    with pytest.raises(CommandError, match="is no backup"):
        archive.read(house / "bad")
    assert {path.name: path.read_bytes() for path in house.iterdir()} == files


@pytest.mark.usefixtures("on_sqlite")
def test_a_dump_that_is_none_is_refused_and_nothing_is_replaced(house):
    import tarfile

    (house / "database.dump").write_text("of PostgreSQL")
    with tarfile.open(house / "other", "w") as tar:
        tar.add(house / "database.dump", "database.dump")
    (house / "database.dump").unlink()
    files = {path.name: path.read_bytes() for path in house.iterdir()}
    with pytest.raises(CommandError, match="pg_restore"):  # it is missing, or says that this is no archive
        archive.read(house / "other")
    assert {path.name: path.read_bytes() for path in house.iterdir()} == files


@pytest.mark.usefixtures("on_sqlite")
def test_a_restore_keeps_what_was_there(house):
    archive.write(house / "one.backup")
    (house / "stammtisch.sqlite3").unlink()
    fill(house / "stammtisch.sqlite3", "after")
    (house / "stammtisch.sqlite3-wal").write_bytes(b"")
    aside = archive.read(house / "one.backup")
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
    logs, kept = house / "logs", log_files._packed([])
    name = log_files._name("table", kept)
    logs.mkdir()
    (logs / name).write_bytes(kept)
    archive.write(house / "one.backup")
    (logs / name).unlink()
    (logs / f"later-4567{log_files.ENDING}").write_bytes(b"later")
    archive.read(house / "one.backup")
    assert {path.name: path.read_bytes() for path in logs.iterdir()} == {
        name: kept,
        f"later-4567{log_files.ENDING}": b"later",
    }


@pytest.mark.usefixtures("on_sqlite")
def test_a_backup_says_of_which_version_and_time_it_is_and_older_ones_say_nothing(house):
    archive.write(house / "one.backup")
    assert archive.about(house / "one.backup").keys() == {"version", "made_at"}
    assert archive.about(house / "one.backup")["version"] == version()
    assert archive.about(house / "stammtisch.sqlite3") == {}


@pytest.mark.usefixtures("on_sqlite")
def test_a_restore_writes_nothing_outside_the_data_folder(house):
    import tarfile

    with tarfile.open(house / "bad", "w") as tar:
        tar.add(house / "stammtisch.sqlite3", "database.sqlite3")
        for name in (f"logs/../../evil{log_files.ENDING}", f"logs/sub/evil{log_files.ENDING}", "logs/evil.py"):
            tar.add(house / "stammtisch.sqlite3", name)
    archive.read(house / "bad")
    assert not list(house.parent.rglob("*evil*"))


def test_nothing_is_restored_under_a_running_server(db, tmp_path):
    processes._renew_at = 0.0
    processes.note_running()
    with pytest.raises(CommandError, match="A server runs on this database"):
        call_command("restore", str(tmp_path / "any"))


def spoil(path) -> None:
    """Overwrite pages in the middle of a database, as a dying card does."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xa5" * 8192)


def fill_many(path) -> None:
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (word)")
        database.execute("CREATE INDEX i ON t (word)")
        database.executemany("INSERT INTO t VALUES (?)", [[f"word {n}" * 9] for n in range(2000)])
    database.close()


@pytest.mark.usefixtures("on_sqlite")
def test_a_broken_database_is_not_backed_up_and_the_last_good_one_is_named(house):
    fill_many(house / "stammtisch.sqlite3")
    archive.write(house / "good.backup")
    spoil(house / "stammtisch.sqlite3")
    before = {path.name for path in house.iterdir()}
    with pytest.raises(CommandError, match=r"No backup was written.*broken.*restore the last backup, of \d{4}-"):
        archive.write(house / "bad.backup")
    assert {path.name for path in house.iterdir()} == before
    archive.read(house / "good.backup")
    assert sqlite.fault(house / "stammtisch.sqlite3") == ""


@pytest.mark.usefixtures("on_sqlite")
def test_a_house_that_crashed_with_a_broken_database_is_not_opened(house):
    path = house / "stammtisch.sqlite3"
    fill_many(path)
    archive.refuse_after_crash()
    spoil(path)
    archive.refuse_after_crash()  # it was closed well: every start looks for a short time (test_soundness.py)
    (house / "stammtisch.sqlite3-wal").write_bytes(b"\0" * 32)
    with pytest.raises(CommandError, match=r"is broken.*restore"):
        archive.refuse_after_crash()


# Archives are not trusted


def archive_of(house, **members):
    """Write an archive with the house's database and key and these members; None leaves one out."""
    import io
    import tarfile

    content = {"database.sqlite3": (house / "stammtisch.sqlite3").read_bytes(), "secret_key": b"k" * 67, **members}
    with tarfile.open(house / "any", "w:gz") as tar:
        for name, data in content.items():
            info = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if isinstance(data, bytes):
                info.size = len(data)
            tar.addfile(info, io.BytesIO(data) if isinstance(data, bytes) else None)
    return house / "any"


def link(name, kind, target):
    import tarfile

    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def database_with(house, statement):
    path = house / "evil.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (word)")
        database.execute(statement)
    database.close()
    return path.read_bytes()


EVIL = {
    "a symbolic link": lambda house: {"secret_key": link("secret_key", b"2", "/etc/passwd")},
    "a hard link": lambda house: {"secret_key": link("secret_key", b"1", "database.sqlite3")},
    "a link for a log": lambda house: {
        f"logs/a-1{log_files.ENDING}": link(f"logs/a-1{log_files.ENDING}", b"2", "/etc/passwd")
    },
    "a device": lambda house: {"secret_key": link("secret_key", b"3", "")},
    "an empty key": lambda house: {"secret_key": b""},
    "a short key": lambda house: {"secret_key": b"guess"},
    "a key of two lines": lambda house: {"secret_key": b"k" * 40 + b"\n" + b"l" * 40},
    "a key of zeros": lambda house: {"secret_key": b"\0" * 67},
    "a log that does not unpack": lambda house: {f"logs/a-1{log_files.ENDING}": b"no gzip"},
    "a trigger": lambda house: {
        "database.sqlite3": database_with(house, "CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM t; END")
    },
    "a view": lambda house: {"database.sqlite3": database_with(house, "CREATE VIEW v AS SELECT * FROM t")},
    "a virtual table": lambda house: {
        "database.sqlite3": database_with(house, "CREATE VIRTUAL TABLE f USING fts5(word)")
    },
    "no database": lambda house: {"database.sqlite3": b"not one" * 1000},
}


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize("kind", EVIL)
def test_an_archive_that_no_house_has_written_is_refused_and_nothing_is_replaced(house, kind):
    (house / "secret_key").write_text("s" * 67)
    source = archive_of(house, **EVIL[kind](house))
    (house / "evil.sqlite3").unlink(missing_ok=True)
    files = {path.name: path.read_bytes() for path in house.iterdir() if path.is_file()}
    with pytest.raises(CommandError, match=r"Nothing was changed|is no backup"):
        archive.read(source)
    assert {path.name: path.read_bytes() for path in house.iterdir() if path.is_file()} == files
    assert not (house / "logs").exists()


@pytest.mark.usefixtures("on_sqlite")
def test_an_archive_as_the_house_writes_it_is_restored(house):
    archive.read(archive_of(house))
    assert (house / "secret_key").read_bytes() == b"k" * 67


@pytest.mark.usefixtures("on_sqlite")
def test_a_name_that_comes_twice_is_refused(house):
    import io
    import tarfile

    with tarfile.open(house / "any", "w") as tar:
        for text in (b"k" * 67, b"l" * 67):
            info = tarfile.TarInfo("secret_key")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    with pytest.raises(CommandError, match="twice"):
        archive.read(house / "any")


# Faults of the disk are told in sentences


def of_sqlite(error, code):
    """Give an error the code that SQLite's own have."""
    error.sqlite_errorcode = code
    return error


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "make room"), (errno.EROFS, "may write"), (errno.EACCES, "may write"), (errno.EIO, "No backup")],
)
def test_a_disk_that_takes_no_backup_is_told_with_what_mends_it(house, monkeypatch, number, remedy):
    def refuse(*_args, **_options):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(archive.tarfile, "open", refuse)
    with pytest.raises(CommandError, match=remedy) as told:
        archive.write(house / "one.backup")
    assert os.strerror(number) in str(told.value)
    assert [path.name for path in house.iterdir()] == ["stammtisch.sqlite3"]


@pytest.mark.usefixtures("on_sqlite")
def test_a_copy_for_which_there_is_no_room_is_told_with_what_mends_it(house, monkeypatch):
    def full(_copy, _going_on):
        raise of_sqlite(sqlite3.OperationalError("database or disk is full"), sqlite3.SQLITE_FULL)

    monkeypatch.setattr(archive.sqlite, "copy_to", full)
    with pytest.raises(CommandError, match="make room"):
        archive.write(house / "one.backup")


@pytest.mark.django_db
def test_check_logs_of_a_broken_page_says_so_with_the_remedy(start_table, monkeypatch):
    from django.db import DatabaseError

    from games.management.commands import check_logs

    start_table()

    def broken(_table):
        found = of_sqlite(sqlite3.DatabaseError("database disk image is malformed"), sqlite3.SQLITE_CORRUPT)
        raise DatabaseError(str(found)) from found

    monkeypatch.setattr(check_logs.log_check, "faults", broken)
    with pytest.raises(CommandError, match=r"malformed.*restore the last backup"):
        call_command("check_logs")
