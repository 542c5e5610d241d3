"""A PostgreSQL and a Redis of a test's own, on spare ports, to be stopped and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.server import free_port

OWNER = "postgres"
SECONDS = 60


def postgres_bin() -> Path | None:
    """Return the folder of PostgreSQL's programs, None where it is not installed."""
    kept = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    found = shutil.which("initdb")
    return kept[-1] if kept else Path(found).resolve().parent if found else None


def are_there() -> bool:
    """Tell whether both servers are installed, with the client libraries."""
    try:
        import channels_redis  # noqa: F401
        import psycopg  # noqa: F401
    except ImportError:
        return False
    return postgres_bin() is not None and shutil.which("redis-server") is not None


class Backend:
    """A server process that is started, ended by a signal, and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """Return the command line."""
        raise NotImplementedError

    def ask(self) -> None:
        """Ask the server something; raises while it does not answer."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, **_as_owner(self)
            )
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                return self.ask()
            except Exception:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how: signal.Signals) -> None:
        """End the server (and no other)."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=SECONDS)
            self.process = None


def _as_owner(backend: Backend) -> dict[str, Any]:
    """Return under whom a server runs: PostgreSQL refuses to run as root."""
    is_root = os.getuid() == 0 and isinstance(backend, Postgres)
    return {"user": OWNER, "group": OWNER, "extra_groups": []} if is_root else {}


class Postgres(Backend):
    """PostgreSQL with one database; SIGQUIT ends it as a crash would, SIGINT in good order."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.url = f"postgres://tests@127.0.0.1:{self.port}/postgres"
        if os.getuid() == 0:
            shutil.chown(folder, OWNER)
        command = [self._program("initdb"), "-D", f"{folder}/data", "-U", "tests", "-A", "trust"]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        subprocess.run(
            [*command, "-E", "UTF8", "--no-sync"],
            env=environment,
            check=True,
            capture_output=True,
            cwd="/",
            **_as_owner(self),
        )

    def _program(self, name: str) -> str:
        folder = postgres_bin()
        assert folder is not None
        return str(folder / name)

    def command(self) -> list[str]:
        """Return the command line: its power never fails here, so nothing waits for the disk."""
        options = {"listen_addresses": "127.0.0.1", "fsync": "off", "max_connections": "200"}
        given = [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        sockets = str(self.folder)
        program = self._program("postgres")
        return [program, "-D", f"{sockets}/data", "-p", str(self.port), "-k", sockets, *given]

    def ask(self) -> None:
        """Connect."""
        import psycopg

        psycopg.connect(self.url, connect_timeout=2).close()


class Redis(Backend):
    """Redis, which keeps nothing on the disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        """Return the command line."""
        given = {"port": self.port, "bind": "127.0.0.1", "save": "", "dir": self.folder}
        return ["redis-server", *[part for k, v in given.items() for part in (f"--{k}", str(v))]]

    def ask(self) -> None:
        """Ping."""
        self._client().ping()

    def flush(self) -> None:
        """Forget everything."""
        self._client().flushall()

    def _client(self) -> Any:
        import redis

        return redis.Redis.from_url(self.url, socket_timeout=5)


class Backends:
    """Both, in a temporary folder that PostgreSQL's user may enter."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="stammtisch-faults-"))
        self.folder.chmod(0o755)
        for name in ("postgres", "redis"):
            (self.folder / name).mkdir()
        self.postgres = Postgres(self.folder / "postgres")
        self.redis = Redis(self.folder / "redis")

    @property
    def environment(self) -> dict[str, str]:
        """Return the addresses, as a server's environment names them."""
        return {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.redis.url}

    def start(self) -> None:
        """Start both."""
        self.postgres.start()
        self.redis.start()

    def stop(self) -> None:
        """End both and delete what they kept."""
        self.postgres.stop(signal.SIGINT)
        self.redis.stop(signal.SIGTERM)
        shutil.rmtree(self.folder)
