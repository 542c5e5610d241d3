"""A real server for tests: daphne in a process of its own, on a free loopback port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from django.db import connection

from tests import database

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
DATABASE = "stammtisch.sqlite3"


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def new_database(data: Path, environment: Mapping[str, str], manage: Callable[..., object]) -> None:
    """Make the new database of a server, as a copy of one that is made once for all tests."""
    if url := environment.get("DATABASE_URL"):
        database.fill_postgresql(url, partial(manage, "migrate", "--verbosity", "0"))
    else:
        database.copy_of_empty(data / DATABASE, _migrate)


def collected_static() -> Path:
    """Return the folder of the static files as a house serves them, collected once for all tests of a run."""
    # Not where the tests' own house would find them: each of its clients would look through all of them.
    with database.made_once("collected") as (place, is_made):
        if not is_made:
            half = place.with_suffix(".half")
            Server(place.parent, COLLECTED_STATIC=str(half)).manage("collectstatic", "--noinput", "--verbosity", "0")
            half.rename(place)
    return place


def _migrate(folder: Path) -> None:
    Server(folder).manage("migrate", "--verbosity", "0")


class Server:
    """A server with its own data folder; `stop` and `start` keep data and port. `sources` is where its code is."""

    sources = ROOT

    def __init__(self, data: Path, **environment: str) -> None:
        self.data, self.port = data, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "STAMMTISCH_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "tests.serving",
            "SECRET_KEY": "only-for-tests",
            "PUBLIC_URL": self.url,
            "LOG_LEVEL": "WARNING",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def manage(self, *args: str) -> str:
        """Run a management command on this server's data and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *args],
            cwd=self.sources,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"manage.py {args}: {done.stdout}{done.stderr}")
        return done.stdout

    def proved_logs(self) -> str:
        """Return what `check_logs` says of this server, without a process of its own where its database is a file."""
        if self.environment.get("DATABASE_URL") or connection.vendor != "sqlite":
            return self.manage("check_logs")
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(database.proved_logs, self.data / DATABASE).result()

    def migrate(self) -> None:
        """Make the new database, as a copy of one that is made once for all tests."""
        new_database(self.data, self.environment, self.manage)

    def command(self) -> list[str]:
        """Return the command that serves."""
        options = ["-b", "127.0.0.1", "-p", str(self.port)]
        return [sys.executable, "-m", "daphne", *options, "games.asgi:application"]

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.log = (self.data / "server.log").open("ab")
        self.process = subprocess.Popen(
            self.command(),
            cwd=self.sources,
            env=self.environment,
            stdout=self.log,
            stderr=self.log,
        )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2):
                    return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError(self.output()) from None
                time.sleep(0.1)

    def output(self) -> str:
        """Return what the server has logged."""
        return (self.data / "server.log").read_text(errors="replace")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server process (and no other)."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=20)
            self.process = None
            self.log.close()
