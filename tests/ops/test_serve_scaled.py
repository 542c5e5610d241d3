"""`make serve-scaled`: PostgreSQL, Redis and two processes here, and nothing left of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.management import local_servers
from tests.conftest import require
from tests.server import ROOT, free_port

pytestmark = pytest.mark.timeout(300)
PATIENCE = 200
# A connection that nobody accepts fails the test.
SILENCE = 12


def is_there(program: str) -> bool:
    try:
        return bool(local_servers._program(program, ""))
    except CommandError:
        return False


def test_a_program_that_is_missing_gets_a_message_with_its_package(monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(local_servers, "_POSTGRES_FOLDERS", ())
    with pytest.raises(CommandError, match=r"initdb is missing .* apt install postgresql"):
        local_servers._program("initdb", "postgresql")


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    server = local_servers.Redis(tmp_path)
    server.folder.mkdir()
    program = "import sys; sys.exit('no room')"
    with pytest.raises(CommandError, match="redis does not start: no room"):
        server._spawn([sys.executable, "-c", program], lambda: False)
    assert server.process is None


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return json.load(answer)["ready"]
    except OSError:
        return False


def listens(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def test_a_postgresql_that_was_left_is_named_with_the_way_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_servers, "FORMER_SECONDS", 0)
    (program := tmp_path / "postgres").symlink_to(sys.executable)
    with subprocess.Popen([program, "-c", "import time; time.sleep(60)"]) as former:
        (tmp_path / "postmaster.pid").write_text(f"{former.pid}\n{tmp_path}\n")
        while local_servers._running_in(tmp_path) is None:
            assert former.poll() is None
        try:
            with pytest.raises(CommandError, match=rf"process {former.pid}.*`kill -INT {former.pid}`"):
                local_servers._wait_for_former(tmp_path)
        finally:
            former.kill()
    local_servers._wait_for_former(tmp_path)


def test_a_file_of_a_process_that_is_another_program_now_keeps_nobody(tmp_path: Path) -> None:
    for text in (f"{os.getpid()}\n", "", "nonsense\n"):
        (tmp_path / "postmaster.pid").write_text(text)
        assert local_servers._running_in(tmp_path) is None


class Scaled:
    """`manage.py serve_scaled`, with its log."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port, self.log = free_port(), folder / "log"
        unwanted = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL")
        environment = {
            **{k: v for k, v in os.environ.items() if k not in unwanted},
            "DJANGO_SETTINGS_MODULE": "games.settings",
            "STAMMTISCH_DATA": str(folder),
            "LAN_NAME": "off",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        with self.log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve_scaled", *options],
                cwd=ROOT,
                env=environment,
                stdout=file,
                stderr=file,
            )

    def printed(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until(self, what: Callable[[], object]) -> None:
        until = time.monotonic() + PATIENCE
        while not what():
            assert self.process.poll() is None and time.monotonic() < until, self.printed()
            time.sleep(0.2)

    def ports(self) -> list[int]:
        """Return the ports of PostgreSQL, Redis and the house."""
        return [*(int(p) for p in re.findall(r"127\.0\.0\.1:(\d+)/\w+$", self.printed(), re.M)), self.port]

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=SILENCE) as answer:
            return answer.read().decode()

    def worker_pids(self) -> set[int]:
        return {int(pid) for pid in re.findall(r'worker_memory_bytes\{pid="(\d+)"', self.get("/metrics"))}

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=60)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may go through: PostgreSQL does not run as root."""
    with tempfile.TemporaryDirectory(prefix="stammtisch-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def wait_for_silence(ports: list[int]) -> None:
    until = time.monotonic() + PATIENCE
    while any(map(listens, ports)):
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.day(parts=17, turn=15)
@pytest.mark.server
@pytest.mark.scaled
def test_ctrl_c_ends_the_house_its_workers_postgresql_and_redis(tmp_path: Path) -> None:
    require(is_there("initdb") and is_there("redis-server"), "PostgreSQL and Redis")
    house = Scaled(tmp_path, "--forget")
    try:
        house.wait_until(lambda: is_ready(house.port))
        ports = house.ports()
        assert len(ports) == 3
        assert all(map(listens, ports))
    finally:
        code = house.end(signal.SIGINT)
    assert code == 0, house.printed()
    assert "Closed. Everything that was played is kept." in house.printed()
    assert not any(map(listens, ports))
    assert "Traceback" not in house.printed()


@pytest.mark.day(parts=17, turn=12)
@pytest.mark.server
@pytest.mark.scaled
def test_a_worker_that_hangs_is_started_again_and_the_others_take_its_connections(open_folder: Path) -> None:
    """Then the whole is killed: nothing is left, and the next start finds everything in order."""
    require(is_there("initdb") and is_there("redis-server"), "PostgreSQL and Redis")
    house = Scaled(open_folder)
    try:
        house.wait_until(lambda: is_ready(house.port) and len(house.worker_pids()) == 2)
        victim = max(house.worker_pids())
        os.kill(victim, signal.SIGSTOP)
        while "component=worker event=hangs" not in house.printed():
            # Half of these are given to the one that hangs; each is answered all the same.
            assert '"ok": true' in house.get("/healthz")
        house.wait_until(lambda: victim not in house.worker_pids() and len(house.worker_pids()) == 2)
        ports = house.ports()
    finally:
        house.end(signal.SIGKILL)
    wait_for_silence(ports)
    again = Scaled(open_folder)
    try:
        again.wait_until(lambda: is_ready(again.port))
    finally:
        assert again.end(signal.SIGINT) == 0, again.printed()
    assert "Traceback" not in again.printed()
