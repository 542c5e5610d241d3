"""Starts: two at once, a second server, what is missing, what is newer, and the end of a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from games.management import local_servers
from games.ops.environment import Unusable, kept_secret
from games.services.tables import setup
from tests.conftest import require
from tests.faults.houses import databases
from tests.ops.test_serve_scaled import is_ready, is_there, listens
from tests.server import ROOT, Server, free_port

pytestmark = pytest.mark.timeout(300)
UNWANTED = (
    "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL", "STAMMTISCH_DATA", "DJANGO_SETTINGS_MODULE", "HOST",
    "DEBUG", "ALLOWED_HOSTS", "BEHIND_TLS", "WORKERS",
)  # fmt: skip


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of an operator with an own data folder, and nothing set but that."""
    kept = {k: v for k, v in os.environ.items() if k not in UNWANTED}
    return {**kept, "STAMMTISCH_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(free_port()), **more}


def manage(given: dict[str, str], *args: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *args]
    return subprocess.run(command, cwd=cwd, env=given, capture_output=True, text=True, timeout=200, check=False)


@contextlib.contextmanager
def started(given: dict[str, str], *args: str, cwd: Path = ROOT) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start a command in the background; give its process and its log, and end it."""
    with tempfile.NamedTemporaryFile(prefix="stammtisch-start-", delete=False) as log:
        process = subprocess.Popen([sys.executable, "manage.py", *args], cwd=cwd, env=given, stdout=log, stderr=log)
    try:
        yield process, Path(log.name)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        Path(log.name).unlink()


def wait_until(what, process: subprocess.Popen[bytes], log: Path, seconds: float = 200) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


# The secret key


def test_two_first_starts_at_once_have_one_secret_key(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        gate = threading.Barrier(4)

        def start(folder: Path = folder, gate: threading.Barrier = gate) -> str:
            gate.wait()
            return kept_secret(folder)

        with ThreadPoolExecutor(4) as pool:
            keys = {each.result() for each in [pool.submit(start) for _ in range(4)]}
        assert len(keys) == 1
        assert [path.name for path in folder.iterdir()] == ["secret_key"]


def test_a_secret_key_that_the_disk_has_no_room_for_is_not_half_there(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unusable, match="No space left"):
        kept_secret(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.delenv("SECRET_KEY", raising=False)
    assert len(kept_secret(tmp_path)) > 40


@pytest.mark.parametrize("content", [b"", b"\n", b"\0" * 67, b"\xff\xfe\xfd"])
def test_a_broken_secret_key_is_told_in_a_sentence_with_the_remedy(tmp_path, content):
    (tmp_path / "secret_key").write_bytes(content)
    done = manage(environment(tmp_path), "check")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "secret_key") in done.stderr
    if content != b"\xff\xfe\xfd":
        assert "Put back the one of your last backup. Or delete the file" in done.stderr
    assert (tmp_path / "secret_key").read_bytes() == content


# Preparing


@pytest.mark.day(parts=17, turn=16)
def test_serve_refuses_with_what_is_missing_and_prepare_makes_it(tmp_path):
    given = environment(tmp_path)
    refused = manage(given, "serve")
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert re.search(r"The database lacks \d+ migrations", refused.stderr)
    assert "The static files are not collected" in refused.stderr
    assert "Run `manage.py prepare` first" in refused.stderr
    migrated = manage(given, "migrate", "-v", "0")
    assert migrated.returncode == 0
    refused = manage(given, "serve")
    assert (refused.returncode, "lacks" in refused.stderr) == (1, False)
    assert "The static files are not collected" in refused.stderr
    prepared = manage(given, "prepare")
    assert prepared.returncode == 0, prepared.stderr
    with started(given, "serve") as (process, log):
        wait_until(lambda: is_ready(int(given["PORT"])), process, log)
        # One server at a time: the second one says so, and play goes on.
        for command in ("serve", "play"):
            second = manage({**given, "PORT": str(free_port())}, command)
            assert second.returncode == 1
            assert f"is open already (process {process.pid})" in second.stderr
            assert "Traceback" not in second.stderr
        assert is_ready(int(given["PORT"]))
        refused = manage(given, "restore", str(tmp_path / "any"))
        assert "A server runs on this database" in refused.stderr
        if os.geteuid() == 0:
            assert "The house runs as root" in log.read_text()


@pytest.mark.parametrize("command", ["serve", "play", "prepare"])
def test_a_database_that_is_newer_than_the_code_is_refused_at_start(tmp_path, command):
    server = Server(tmp_path)
    server.migrate()
    with closing(sqlite3.connect(tmp_path / "stammtisch.sqlite3")) as database, database:
        row = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2030-01-01')"
        database.execute(row)
    done = manage(environment(tmp_path), command)
    assert done.returncode == 1
    assert "newer version of the house has been at this database (9999_later)" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.day(parts=17, turn=4)
def test_two_first_starts_at_once_on_one_folder_prepare_it_once(tmp_path):
    given = environment(tmp_path)
    starts = [
        subprocess.Popen(
            [sys.executable, "manage.py", "prepare"],
            cwd=ROOT,
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    told = [start.communicate(timeout=200) for start in starts]
    assert [start.returncode for start in starts] == [0, 0], told
    assert not any(b"Traceback" in err for _, err in told)
    assert manage(given, "check_logs").returncode == 0


@pytest.mark.scaled
@pytest.mark.day(parts=17, turn=9)
def test_two_first_starts_at_once_on_one_postgresql_prepare_it_once(tmp_path):
    with databases.fresh() as made:
        folders = [tmp_path / "one", tmp_path / "two"]
        starts = [
            subprocess.Popen(
                [sys.executable, "manage.py", "prepare"],
                cwd=ROOT,
                env=environment(folder, DATABASE_URL=made.url),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for folder in folders
        ]
        told = [start.communicate(timeout=200) for start in starts]
        assert [start.returncode for start in starts] == [0, 0], told
        assert not any(b"Traceback" in err for _, err in told)


TWO_TABLES = """
from concurrent.futures import ThreadPoolExecutor
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from django.db import connection
host = players.new_guest("Hanna")
night = membership.host_night(host, "Thursday")
def open_one(_):
    try:
        return setup.open_table(night, host, "dummygame", "endless", {}).number
    finally:
        connection.close()
with ThreadPoolExecutor(8) as pool:
    print(sorted(pool.map(open_one, range(16))))
"""


@pytest.mark.scaled
def test_tables_that_are_opened_at_once_on_postgresql_get_numbers_of_their_own(tmp_path):
    with databases.fresh() as made:
        server = Server(tmp_path, DATABASE_URL=made.url)
        server.migrate()
        assert json.loads(server.manage("shell", "-v", "0", "-c", TWO_TABLES)) == list(range(1, 17))


@pytest.mark.django_db
def test_a_table_gets_the_next_number_of_its_night(night, host):
    numbers = [setup.open_table(night, host, "dummygame", "endless", {}).number for _ in range(2)]
    assert numbers == [1, 2]
    assert connection.vendor


# The documented start


def documented() -> list[str]:
    """Return the commands of "On the internet, behind TLS", as they stand in docs/operations.md."""
    text = (ROOT / "docs/operations.md").read_text()
    block = text.split("## On the internet, behind TLS", 1)[1].split("The house runs with", 1)[1]
    lines = block.split("\n\n")[1].splitlines()
    return [line.strip() for line in lines]


def clone(folder: Path) -> Path:
    """Copy what a fresh clone would hold, with the environment that its Makefile makes."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if name.startswith("tests/") or not (ROOT / name).exists():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(Path(sys.prefix), target_is_directory=True)
    return folder


@pytest.mark.day(parts=17, turn=14)
@pytest.mark.server
def test_the_documented_production_start_works_to_the_letter_in_a_fresh_clone(tmp_path):
    require(shutil.which("git") and (ROOT / ".git").exists(), "git, and the clone's own history")
    folder = clone(tmp_path / "stammtisch")
    commands = documented()
    assert commands[-1] == ".venv/bin/python manage.py serve"
    kept = {k: v for k, v in os.environ.items() if k not in UNWANTED}
    port = free_port()
    log = tmp_path / "log"
    with log.open("wb") as file:
        # `exec`: the shell gives its place to the last command, which is ended by a signal.
        script = "set -e\n" + "\n".join([*commands[:-1], f"exec {commands[-1]}"])
        process = subprocess.Popen(
            ["/bin/sh", "-c", script], cwd=folder, env={**kept, "PORT": str(port)}, stdout=file, stderr=file
        )
    try:
        wait_until(lambda: is_ready(port), process, log)
        headers = {"Host": "games.example.org", "X-Forwarded-Proto": "https", "Accept-Language": "de"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = answer.read().decode()
            assert answer.status == 200
        assert 'lang="de"' in page
        assert "Läuft in jedem Browser" in page
        style = re.search(r'href="(/static/games/joined\.[0-9a-f]+\.css)"', page)[1]
        request = urllib.request.Request(f"http://127.0.0.1:{port}{style}", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 200
        # What was asked has been answered to its end.
        wait_until(lambda: is_ready(port), process, log)
    finally:
        process.terminate()
        process.wait(60)
    assert "Traceback" not in log.read_text()
    assert re.search(r'name "admin", password "[\w-]{16}"', log.read_text())
    # What it has written is for its owner.
    for path in (folder / "var").iterdir():
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


# serve_scaled


@pytest.mark.day(parts=17, turn=2)
@pytest.mark.server
@pytest.mark.scaled
def test_the_end_of_its_terminal_ends_serve_scaled_with_its_children_and_its_data_is_where_it_was_told():
    require(is_there("initdb") and is_there("redis-server"), "PostgreSQL and Redis")
    # Where PostgreSQL's own user gets through, too: it does not run as root.
    folder = Path(tempfile.mkdtemp(prefix="stammtisch-scaled-data-", dir="/tmp"))
    folder.chmod(0o711)
    given = environment(folder)
    # Under nohup it would be ignored by what is started, too.
    ignored = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with started(given, "serve_scaled") as (process, log):
            wait_until(lambda: is_ready(int(given["PORT"])), process, log)
            told = log.read_text()
            ports = [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)/\w+$", told, re.M)]
            assert len(ports) == 2
            assert (folder / "scaled/postgresql/data/PG_VERSION").exists()
            kept = json.loads((folder / "scaled/postgresql.secrets").read_text())
            assert not any(secret in told for secret in kept.values())
            strangers_get_nothing(*ports)
            assert stat.S_IMODE((folder / "scaled/postgresql.secrets").stat().st_mode) == 0o600
            assert arguments_hold_no(kept.values())
            process.send_signal(signal.SIGHUP)
            process.wait(60)
        assert not any(map(listens, [*ports, int(given["PORT"])]))
        with started(given, "serve_scaled") as (process, log):
            # What was kept is there again: the admin account, to begin with.
            wait_until(lambda: is_ready(int(given["PORT"])), process, log)
            assert "Admin account" not in log.read_text()
    finally:
        signal.signal(signal.SIGHUP, ignored)
        shutil.rmtree(folder)


def strangers_get_nothing(postgres: int, redis: int) -> None:
    """Try both servers as another account of this computer would."""
    import psycopg

    for name in ("stammtisch", "keeper", "postgres"):
        with pytest.raises(psycopg.OperationalError, match=r"password|no role|does not exist"):
            psycopg.connect(f"postgres://{name}@127.0.0.1:{postgres}/postgres", connect_timeout=5)
    with socket.create_connection(("127.0.0.1", redis), timeout=5) as line:
        line.sendall(b"KEYS *\r\n")
        assert line.recv(200).startswith(b"-NOAUTH")


def arguments_hold_no(secrets) -> bool:
    """Tell whether no command line on this computer shows a secret (Linux)."""
    shown = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            shown.append(path.read_bytes().decode(errors="replace"))
    return not any(secret in line for secret in secrets for line in shown)


@pytest.mark.scaled
def test_the_houses_role_on_postgresql_is_no_superuser_and_an_open_database_of_before_is_closed(tmp_path):
    require(is_there("initdb"), "PostgreSQL")
    import psycopg

    folder = Path(tempfile.mkdtemp(prefix="stammtisch-scaled-data-", dir="/tmp"))
    folder.chmod(0o711)
    server = local_servers.Postgres(folder)
    try:
        open_to_all(server)
        for _ in range(2):
            server.start()
            with psycopg.connect(server.url) as line:
                assert line.execute(
                    "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
                ).fetchone() == (False, False, False)
                assert line.execute("SELECT word FROM kept").fetchone() == ("before",)
                line.execute("ALTER TABLE kept ADD COLUMN IF NOT EXISTS more text")
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(server.public_url, connect_timeout=5)
            server.stop()
    finally:
        server.stop()
        shutil.rmtree(folder)


def open_to_all(server: local_servers.Postgres) -> None:
    """Make the database as the first versions did: one superuser, and no password."""
    import psycopg

    server._make_folder()
    data = str(server.folder / "data")
    initdb, postgres = (local_servers._program(name, "") for name in ("initdb", "postgres"))
    given = {**os.environ, "LC_ALL": "C"}
    command = [initdb, "-D", data, "-U", "stammtisch", "-A", "trust", "-E", "UTF8"]
    subprocess.run(command, **server._as_user(), env=given, cwd=server.folder, check=True, capture_output=True)
    url = f"postgres://stammtisch@127.0.0.1:{server.port}/postgres"

    def is_up() -> bool:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    options = ["-p", str(server.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    server._spawn([postgres, "-D", data, *options], is_up, **server._as_user(), env=given)
    with psycopg.connect(url) as line:
        line.execute("CREATE TABLE kept (id bigint GENERATED BY DEFAULT AS IDENTITY, word text)")
        line.execute("INSERT INTO kept (word) VALUES ('before')")
    server.stop()
