"""PostgreSQL and Redis of the house's own, on spare ports of this computer.

For trying out several server processes without setting anything up: from the installed
programs, reachable from this computer only, with their data in one folder. Nothing is
started or stopped that was not started here.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

HOST = "127.0.0.1"
START_SECONDS = 60
USER = "stammtisch"
_POSTGRES_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/local/opt/postgresql*/bin")


def free_port() -> int:
    """Return a port of this computer that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind((HOST, 0))
        return int(sock.getsockname()[1])


def _program(name: str, package: str) -> str:
    """Return where a program is; raises CommandError with how to get it."""
    if found := shutil.which(name):
        return found
    for pattern in _POSTGRES_FOLDERS:
        folders = sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
        for folder in folders:
            if (folder / name).exists():
                return str(folder / name)
    raise CommandError(f"{name} is missing (on Debian and Ubuntu: apt install {package}).")


class LocalServer:
    """A server process of ours, and the folder of its data."""

    name = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / self.name
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None

    def _spawn(self, command: list[str], is_up: Callable[[], bool], **options: Any) -> None:
        """Start the process and wait until it answers; raises CommandError with its log."""
        log = self.folder / "log"
        with log.open("ab") as file:
            self.process = subprocess.Popen(  # noqa: S603 (an installed program, no shell)
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                # Ctrl-C is for us: we stop it when the house is closed.
                start_new_session=True,
                **options,
            )
        until = time.monotonic() + START_SECONDS
        while not is_up():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise CommandError(f"{self.name} does not start: {log.read_text()[-1500:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the process, if it was started."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def answers(self) -> bool:
        """Tell whether something listens at the port."""
        try:
            socket.create_connection((HOST, self.port), timeout=1).close()
        except OSError:
            return False
        return True


class Postgres(LocalServer):
    """A PostgreSQL with one database, whose users from this computer need no password."""

    name = "postgresql"

    @property
    def url(self) -> str:
        """The address of the database."""
        return f"postgres://{USER}@{HOST}:{self.port}/postgres"

    def start(self) -> None:
        """Make the database where there is none, and serve it."""
        initdb, postgres = (_program(n, "postgresql") for n in ("initdb", "postgres"))
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.user:
            shutil.chown(self.folder, self.user)
        data = str(self.folder / "data")
        environment = {**os.environ, "LC_ALL": "C"}
        if not (self.folder / "data" / "PG_VERSION").exists():
            done = subprocess.run(  # noqa: S603 (an installed program, no shell)
                [initdb, "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8"],
                user=self.user,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise CommandError(f"PostgreSQL makes no database: {done.stderr.strip()}")
        places = ["-p", str(self.port), "-c", f"listen_addresses={HOST}"]
        places += ["-c", "unix_socket_directories="]
        command = [postgres, "-D", data, *places]
        self._spawn(command, self._is_up, user=self.user, env=environment)

    def _is_up(self) -> bool:
        """Tell whether it takes connections: it listens a moment before it does."""
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def stop(self) -> None:
        """End it at once, with nothing lost: SIGINT is its "fast shutdown"."""
        if self.process is not None:
            import signal

            self.process.send_signal(signal.SIGINT)
        super().stop()


class Redis(LocalServer):
    """A Redis that keeps nothing: it only passes on what happens."""

    name = "redis"

    @property
    def url(self) -> str:
        """The address of the Redis."""
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Serve."""
        server = _program("redis-server", "redis-server")
        self.folder.mkdir(parents=True, exist_ok=True)
        options = ["--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        self._spawn([server, *options, "--dir", str(self.folder)], self.answers)


def folder_for(data: Path) -> Path:
    """Return where the servers keep their data.

    PostgreSQL runs as another user where we are root, who must be able to get there.
    """
    if os.geteuid() != 0:
        return data / "scaled"
    import tempfile

    folder = Path(tempfile.gettempdir()) / "stammtisch-scaled"
    folder.mkdir(mode=0o755, exist_ok=True)
    return folder
