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
import time
import urllib.request
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.management import local_servers
from tests.conftest import require
from tests.server import ROOT, free_port

pytestmark = pytest.mark.timeout(300)
PATIENCE = 200


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


@pytest.mark.day(parts=2, turn=1)
@pytest.mark.server
@pytest.mark.scaled
def test_ctrl_c_ends_the_house_its_workers_postgresql_and_redis(tmp_path: Path) -> None:
    require(is_there("initdb") and is_there("redis-server"), "PostgreSQL and Redis")
    port = free_port()
    unwanted = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL")
    environment = {
        **{k: v for k, v in os.environ.items() if k not in unwanted},
        "DJANGO_SETTINGS_MODULE": "games.settings",
        "STAMMTISCH_DATA": str(tmp_path),
        "HOST": "127.0.0.1",
        "PORT": str(port),
    }
    log = tmp_path / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve_scaled", "--forget"],
            cwd=ROOT,
            env=environment,
            stdout=file,
            stderr=file,
        )
    try:
        until = time.monotonic() + PATIENCE
        while not is_ready(port):
            assert process.poll() is None and time.monotonic() < until, log.read_text()
            time.sleep(0.2)
        ports = [int(p) for p in re.findall(r"127\.0\.0\.1:(\d+)/\w+$", log.read_text(), re.M)]
        assert len(ports) == 2
        assert all(map(listens, [*ports, port]))
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=60)
    assert code == 0, log.read_text()
    assert "Closed. Everything that was played is kept." in log.read_text()
    assert not any(map(listens, [*ports, port]))
    assert "Traceback" not in log.read_text()
