"""A disk that is full, read-only or away is told as that: only a broken database is told as broken."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from games.management.backups import archive, faults, schedule, sqlite
from games.management.commands import check_logs
from games.ops.doctor import checks
from games.server import health
from games.services import processes, tasks
from tests.ops.test_backup import fill_many, of_sqlite, spoil

RESTORE = "restore the last backup"


@pytest.fixture
def house(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house's data folder with a database of many pages."""
    if archive.connection.vendor != "sqlite":
        pytest.skip("the files of SQLite")
    settings.DATA_DIR, settings.BACKUP_FOLDER = tmp_path / "house", None
    (tmp_path / "house").mkdir()
    path = tmp_path / "house" / "stammtisch.sqlite3"
    path.touch()
    fill_many(path)
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(path))
    return tmp_path / "house"


# Errors as SQLite itself raises them


def full(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "a.sqlite3")) as database:
        database.execute("PRAGMA max_page_count = 2")
        database.execute("CREATE TABLE t (word)")
        database.executemany("INSERT INTO t VALUES (?)", [["word" * 100]] * 100)


def read_only(folder: Path) -> None:
    sqlite3.connect(folder / "a.sqlite3").close()
    with closing(sqlite3.connect(f"{(folder / 'a.sqlite3').as_uri()}?mode=ro", uri=True)) as database:
        database.execute("CREATE TABLE t (word)")


def away(folder: Path) -> None:
    sqlite3.connect(folder / "nowhere" / "a.sqlite3")


def fails(_folder: Path) -> None:
    raise of_sqlite(sqlite3.OperationalError("disk I/O error"), sqlite3.SQLITE_IOERR | 4 << 8)


def no_database(folder: Path) -> None:
    (folder / "a.sqlite3").write_bytes(b"no database " * 1000)
    with closing(sqlite3.connect(folder / "a.sqlite3")) as database:
        database.execute("SELECT * FROM t")


def damaged(folder: Path) -> None:
    (folder / "a.sqlite3").touch()
    fill_many(folder / "a.sqlite3")
    spoil(folder / "a.sqlite3")
    with closing(sqlite3.connect(folder / "a.sqlite3")) as database:
        database.execute("SELECT count(DISTINCT word) FROM t NOT INDEXED").fetchall()


DISK = {"full": full, "read-only": read_only, "away": away, "failing": fails}
BROKEN = {"no database": no_database, "damaged": damaged}


def error_of(act: Callable[[Path], None], folder: Path) -> sqlite3.Error:
    folder.mkdir(exist_ok=True)
    with pytest.raises(sqlite3.Error) as found:
        act(folder)
    return found.value


def of_django(error: sqlite3.Error) -> DatabaseError:
    """Return an error as Django wraps it."""
    try:
        raise DatabaseError(str(error)) from error
    except DatabaseError as wrapped:
        return wrapped


@pytest.mark.parametrize("kind", [*DISK, *BROKEN])
def test_only_what_sqlite_calls_corrupt_or_no_database_is_broken(kind: str, tmp_path: Path) -> None:
    error = error_of({**DISK, **BROKEN}[kind], tmp_path / "there")
    for each in (error, of_django(error)):
        assert faults.is_broken(each) == (kind in BROKEN)
        assert bool(faults.remedy(each, tmp_path)) == (kind in DISK)


@pytest.mark.parametrize(("state", "is_broken"), [("XX001", True), ("XX002", True), ("53100", False), ("57P01", False)])
def test_of_postgresql_only_a_damaged_page_or_index_is_broken(state: str, is_broken: bool) -> None:
    cause = SimpleNamespace(sqlstate=state)
    error = DatabaseError("as the server says")
    error.__cause__ = type("Cause", (Exception,), vars(cause))()
    assert faults.is_broken(error) is is_broken


@pytest.mark.parametrize("kind", DISK)
def test_a_backup_that_a_disk_refuses_names_the_disk_and_no_broken_database(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    error = error_of(DISK[kind], tmp_path / "there")

    def refuse(*_args: Any) -> None:
        raise error

    monkeypatch.setattr(archive.sqlite, "copy_to", refuse)
    with pytest.raises(CommandError, match="earlier ones are kept") as told:
        archive.write(tmp_path / "one.backup")
    assert "database is broken" not in str(told.value) and RESTORE not in str(told.value)
    assert str(tmp_path) in str(told.value) and "restore nothing" in str(told.value)


@pytest.mark.parametrize("kind", [*DISK, *BROKEN])
def test_the_copy_of_a_backup_is_called_broken_by_its_content_alone(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    error = error_of({**DISK, **BROKEN}[kind], tmp_path / "there")
    connect = sqlite3.connect

    class Refusing:
        def execute(self, *_args: Any) -> Any:
            raise error

        def close(self) -> None:
            pass

    def one_that_refuses(path: Any, *args: Any, **options: Any) -> Any:
        return Refusing() if "mode=rw" in str(path) else connect(path, *args, **options)

    monkeypatch.setattr(sqlite.sqlite3, "connect", one_that_refuses)
    with pytest.raises(CommandError) as told:
        archive.write(tmp_path / "one.backup")
    assert (RESTORE in str(told.value)) == (kind in BROKEN)
    (house / "stammtisch.sqlite3-wal").write_bytes(b"\0" * 32)
    with pytest.raises(CommandError) as told:
        archive.refuse_after_crash()
    assert (RESTORE in str(told.value)) == (kind in BROKEN)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [*DISK, *BROKEN])
def test_check_logs_and_the_doctor_tell_a_disk_from_a_broken_database(
    start_table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    start_table()
    error = of_django(error_of({**DISK, **BROKEN}[kind], tmp_path / "there"))

    def refuse(*_args: Any) -> None:
        raise error

    monkeypatch.setattr(check_logs.log_check, "faults", refuse)
    with pytest.raises(CommandError, match="The logs can't be read") as told:
        call_command("check_logs")
    assert (RESTORE in str(told.value)) == (kind in BROKEN)
    monkeypatch.setattr(health, "readiness", lambda: {"database": False})
    monkeypatch.setattr(processes, "try_writing", refuse)
    (finding,) = checks.database()
    assert finding.state == "wrong" and finding.remedy
    assert (RESTORE in finding.remedy) == ("broken" in finding.text) == (kind in BROKEN)


@pytest.mark.django_db
def test_the_nightly_task_tells_a_full_disk_as_such(
    house: Path, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_FOLDER = tmp_path
    error = error_of(full, tmp_path / "there")

    def refuse(*_args: Any) -> None:
        raise error

    monkeypatch.setattr(archive.sqlite, "copy_to", refuse)
    with pytest.raises(tasks.TaskFailed, match="full") as told:
        schedule.run()
    assert "is broken" not in str(told.value)


def test_the_disk_that_is_full_is_named_and_not_the_other_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, other = tmp_path / "there", tmp_path / "other"
    other.mkdir()
    error = error_of(fails, there)
    free = {other: 0, there: 10**9}
    monkeypatch.setattr(faults.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free[folder]))
    told = faults.remedy(error, there, other)
    assert str(other) in told and "is full" in told and str(there) not in told


# A house whose disk takes nothing can still be saved to another one


def test_a_house_whose_disk_takes_no_index_of_the_wal_is_backed_up_to_another_one(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = house / "stammtisch.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("INSERT INTO t VALUES ('in the WAL alone')")
        files = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    for end, content in files.items():
        Path(f"{path}{end}").write_bytes(content)
    # As on a read-only disk, SQLite can't open its index.
    Path(f"{path}-shm").unlink(missing_ok=True)
    Path(f"{path}-shm").mkdir()
    archive.write(tmp_path / "one.backup")
    assert not list(tmp_path.glob(f"{archive.UNFINISHED}*"))
    folder = tmp_path / "unpacked"
    folder.mkdir()
    archive.unpacked(tmp_path / "one.backup", folder)
    with closing(sqlite3.connect(folder / "database.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM t WHERE word = 'in the WAL alone'").fetchone() == (1,)


def test_a_restore_for_which_there_is_no_room_calls_no_backup_broken(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.write(tmp_path / "one.backup")

    def no_room(*_args: Any, **_options: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(archive.tarfile.TarFile, "extract", no_room)
    with pytest.raises(CommandError, match=r"make room.*Nothing was changed") as told:
        archive.unpacked(tmp_path / "one.backup", tmp_path / "house")
    assert "is no backup" not in str(told.value)


MOUNTED = """
set -e
mount -t tmpfs -o size=24m none "$1"
export STAMMTISCH_DATA="$1" BACKUP_FOLDER=off
"$2" manage.py migrate -v 0
python="$2"; disk="$1"; other="$3"
say() { echo "== $1"; shift; "$python" manage.py "$@" 2>&1 || true; }
mount -o remount,ro "$disk"
say backup backup "$other/read-only.backup"
say check_logs check_logs
say doctor doctor
mount -o remount,rw "$disk"
dd if=/dev/zero of="$disk/fill" bs=64k count=9999 2>/dev/null || true
say backup backup "$other/full.backup"
say backup backup "$disk/full.backup"
say check_logs check_logs
say doctor doctor
"""


@pytest.mark.server
@pytest.mark.day(parts=5, turn=3)
@pytest.mark.timeout(180)
def test_on_a_disk_that_is_read_only_or_full_in_truth_nothing_calls_the_database_broken(tmp_path: Path) -> None:
    unshare = shutil.which("unshare") or ""
    user = [] if os.geteuid() == 0 else ["--map-root-user", "--user"]
    inside = [unshare, *user, "--mount"]
    mount = [*inside, "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if not unshare or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file systems of one's own here: unshare --mount is refused")
    disk, other = tmp_path / "disk", tmp_path / "other"
    disk.mkdir()
    other.mkdir()
    environment = {**os.environ, "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "games.settings"}
    command = [*inside, "bash", "-c", MOUNTED, "bash", str(disk), sys.executable, str(other)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "is broken" not in done.stdout and RESTORE not in done.stdout and "Traceback" not in done.stdout
    assert done.stdout.count("is read-only") >= 2 and done.stdout.count("is full") >= 3
    assert sorted(path.name for path in other.iterdir()) == ["full.backup", "read-only.backup"]
