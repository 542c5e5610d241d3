"""The house's own PostgreSQL and Redis, on spare ports of this computer.

For trying out several server processes without any setup: started from the installed programs, reachable from this
computer only, and with passwords, because other users may have accounts on it. Their data is in the house's folder.
Only servers started here are stopped here. They end, too, when the process that started them is killed.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.management.processes import ends

HOST = "127.0.0.1"
START_SECONDS = 60
FORMER_SECONDS = 10
SUPERUSER, ROLE, DATABASE = "keeper", "stammtisch", "stammtisch"
_FIRST_ROLE = "stammtisch_before"
_POSTGRES_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/local/opt/postgresql*/bin")


def free_port(*taken: int) -> int:
    """Return a free port of this computer that is not in `taken`."""
    while True:
        with socket.socket() as sock:
            sock.bind((HOST, 0))
            port = int(sock.getsockname()[1])
        if port not in taken:
            return port


def _program(name: str, package: str) -> str:
    """Return the path of a program; raises CommandError with the way to install it."""
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
    end_signal = signal.SIGTERM
    """The signal that stops it at once without losing data."""

    def __init__(self, folder: Path, *taken: int) -> None:
        """`taken` are ports that other servers will listen on."""
        self.folder = folder / self.name
        self.port = free_port(*taken)
        self.process: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if _is_root() else None

    def _spawn(self, command: list[str], is_up: Callable[[], bool], text: str = "", **options: Any) -> None:
        """Start the process, with `text` as its input, and wait until it answers.

        Raises CommandError with its log.
        """
        log = self.folder / "log"
        with log.open("ab") as file:
            self.process = subprocess.Popen(  # noqa: S603 (an installed program, no shell)
                command,
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=file,
                # Ctrl-C is not for this process: `stop` ends it when the house is closed.
                start_new_session=True,
                preexec_fn=ends.before_exec(self.end_signal),  # noqa: PLW1509 (one system call, prepared before)
                **options,
            )
        self._watch = ends.watch(self.process, self.end_signal)
        with suppress(OSError), self.process.stdin as standard_input:  # type: ignore[union-attr]
            standard_input.write(text.encode())
        until = time.monotonic() + START_SECONDS
        while not is_up():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise CommandError(f"{self.name} does not start: {log.read_text()[-1500:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the process, if it was started."""
        if self._watch is not None:
            self._watch.kill()
            self._watch.wait()
            self._watch = None
        if self.process is not None:
            self.process.send_signal(self.end_signal)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


class Postgres(LocalServer):
    """A PostgreSQL with one database, owned by a role without further rights."""

    name = "postgresql"
    # Its "fast shutdown".
    end_signal = signal.SIGINT

    def __init__(self, folder: Path, *taken: int) -> None:
        super().__init__(folder, *taken)
        self.secrets = Secrets(folder / "postgresql.secrets", ("superuser", "house"))

    @property
    def url(self) -> str:
        """The address of the database, with the password of its role."""
        return self._url(ROLE, self.secrets["house"], DATABASE)

    def _url(self, role: str, password: str, database: str) -> str:
        return f"postgres://{role}:{password}@{HOST}:{self.port}/{database}"

    @property
    def public_url(self) -> str:
        """The address without the password."""
        return f"postgres://{ROLE}@{HOST}:{self.port}/{DATABASE}"

    def start(self) -> None:
        """Make the database if it is missing, and serve it."""
        initdb, postgres = (_program(n, "postgresql") for n in ("initdb", "postgres"))
        self._make_folder()
        data = self.folder / "data"
        _wait_for_former(data)
        is_open = (data / "PG_VERSION").exists() and not self.secrets.are_there()
        environment = {**os.environ, "LC_ALL": "C"}
        if not (data / "PG_VERSION").exists():
            self._make_cluster(initdb, data, environment)
        places = ["-p", str(self.port), "-c", f"listen_addresses={HOST}"]
        places += ["-c", "unix_socket_directories=", "-c", "password_encryption=scram-sha-256"]
        command = [postgres, "-D", str(data), *places]
        self._spawn(command, lambda: self._is_up(is_open), **self._as_user(), env=environment)
        try:
            if is_open:
                self._close_to_strangers(data)
            self._make_role()
        except BaseException:
            self.stop()
            raise

    def _make_folder(self) -> None:
        """Make the folder, owned by the user that PostgreSQL runs as; raises CommandError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.user:
            shutil.chown(self.folder, self.user)
            _check_enters(self.user, self.folder)

    def _as_user(self) -> dict[str, Any]:
        """Return the options that run a program of PostgreSQL as its user."""
        return {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}

    def _make_cluster(self, initdb: str, data: Path, environment: dict[str, str]) -> None:
        """Make an empty database cluster whose connections need a password. Raises CommandError."""
        password_file = self.folder / "password"
        password_file.write_text(self.secrets["superuser"])
        if self.user:
            shutil.chown(password_file, self.user)
        options = ["-U", SUPERUSER, "-A", "scram-sha-256", f"--pwfile={password_file}", "-E", "UTF8"]
        try:
            done = subprocess.run(  # noqa: S603 (an installed program, no shell)
                [initdb, "-D", str(data), *options],
                **self._as_user(),
                env=environment,
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            password_file.unlink()
        if done.returncode:
            self.secrets.path.unlink(missing_ok=True)
            raise CommandError(f"PostgreSQL makes no database: {done.stderr.strip()}")

    def _is_up(self, is_open: bool = False) -> bool:
        """Tell whether it accepts connections: it listens a moment before it does."""
        import psycopg

        try:
            self._connect(is_open).close()
        except psycopg.Error:
            return False
        return True

    def _connect(self, is_open: bool = False) -> Any:
        """Connect as the superuser."""
        import psycopg

        password = "" if is_open else self.secrets["superuser"]
        url = self._url(ROLE if is_open else SUPERUSER, password, "template1")
        return psycopg.connect(url, connect_timeout=2, autocommit=True)

    def _close_to_strangers(self, data: Path) -> None:
        """Protect a database of an earlier version, open to all users of the computer, with passwords.

        Its only role was a superuser, and the house's data was in the database `postgres`.
        """
        from psycopg import sql

        with self._connect(is_open=True) as line:
            password = sql.Literal(self.secrets["superuser"])
            line.execute(
                sql.SQL("CREATE ROLE {} SUPERUSER LOGIN PASSWORD {}").format(sql.Identifier(SUPERUSER), password)
            )
        pages = data / "pg_hba.conf"
        pages.write_text(f"host all all {HOST}/32 scram-sha-256\n")
        with self._connect() as line:
            line.execute("SELECT pg_reload_conf()")
            line.execute(f"ALTER DATABASE postgres RENAME TO {DATABASE}")
            line.execute("CREATE DATABASE postgres")
            line.execute(f"ALTER ROLE {ROLE} RENAME TO {_FIRST_ROLE}")

    def _make_role(self) -> None:
        """Make the house's role and database if they are missing; set the role's password."""
        from psycopg import sql

        with self._connect() as line:
            if not line.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                line.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE")
            line.execute(sql.SQL(f"ALTER ROLE {ROLE} PASSWORD {{}}").format(sql.Literal(self.secrets["house"])))
            if not line.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                line.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
            line.execute(f"ALTER DATABASE {DATABASE} OWNER TO {ROLE}")
            line.execute(f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC")
        self._hand_over()

    def _hand_over(self) -> None:
        """Make the house's role the owner of everything that a superuser has created in its database."""
        import psycopg

        url = self._url(SUPERUSER, self.secrets["superuser"], DATABASE)
        with psycopg.connect(url, connect_timeout=5) as line:
            line.execute(f"ALTER SCHEMA public OWNER TO {ROLE}")
            for kind, letters in (("TABLE", "rp"), ("VIEW", "v"), ("SEQUENCE", "S")):
                for (name,) in line.execute(_OF_OTHERS, [list(letters), ROLE]).fetchall():
                    line.execute(f"ALTER {kind} {name} OWNER TO {ROLE}")


# The sequences of a table's columns change owner with the table.
_OF_OTHERS = """
SELECT c.oid::regclass::text FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = ANY(%s)
AND c.relowner <> (SELECT oid FROM pg_roles WHERE rolname = %s)
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))
"""


class Redis(LocalServer):
    """A Redis without storage: it only passes on messages, to clients with the password."""

    name = "redis"

    def __init__(self, folder: Path, *taken: int) -> None:
        super().__init__(folder, *taken)
        self.password = secrets.token_urlsafe(30)

    @property
    def url(self) -> str:
        """The address of the Redis, with its password."""
        return f"redis://:{self.password}@{HOST}:{self.port}/0"

    @property
    def public_url(self) -> str:
        """The address without the password."""
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Start the server."""
        server = _program("redis-server", "redis-server")
        self.folder.mkdir(parents=True, exist_ok=True)
        configuration = {"port": self.port, "bind": HOST, "save": '""', "appendonly": "no"}
        configuration |= {"dir": f'"{self.folder}"', "requirepass": self.password}
        # By its standard input: all users of the machine can read a command line.
        text = "".join(f"{key} {value}\n" for key, value in configuration.items())
        self._spawn([server, "-"], self._is_up, text=text)

    def _is_up(self) -> bool:
        """Tell whether it answers with the password."""
        import redis

        try:
            return bool(redis.Redis.from_url(self.url, socket_timeout=2).ping())
        except redis.RedisError:
            return False


class Secrets:
    """Passwords made once and kept in a file that only its owner can read."""

    def __init__(self, path: Path, names: tuple[str, ...]) -> None:
        self.path, self.names = path, names

    def are_there(self) -> bool:
        """Tell whether the passwords have been made."""
        return self.path.exists()

    def __getitem__(self, name: str) -> str:
        if not self.path.exists():
            made = {each: secrets.token_urlsafe(30) for each in self.names}
            new = self.path.with_name(f"{self.path.name}.{os.getpid()}")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new.touch(mode=0o600)
            new.write_text(json.dumps(made))
            new.replace(self.path)
        found: dict[str, str] = json.loads(self.path.read_text())
        return found[name]


def _wait_for_former(data: Path) -> None:
    """Wait until the PostgreSQL of an earlier start has ended, which does so by itself when that start was killed.

    Raises CommandError, with the way on, if it goes on.
    """
    until = time.monotonic() + FORMER_SECONDS
    while (former := _running_in(data)) is not None:
        if time.monotonic() > until:
            raise CommandError(
                f"PostgreSQL runs in {data} already (process {former}). If `serve_scaled` is open elsewhere, close "
                f"it there. If it was killed, end what it left by `kill -INT {former}`, and start again."
            )
        time.sleep(0.2)


def _running_in(data: Path) -> int | None:
    """Return the process of the PostgreSQL that serves a data folder; None without one."""
    try:
        number = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(number, 0)
    except PermissionError:
        return number
    except (OSError, ValueError):
        return None
    # A computer that was switched off leaves the file, and gives the number to another program.
    with suppress(OSError):
        name = Path(f"/proc/{number}/comm").read_text(encoding="utf-8", errors="replace")
        return number if "postgres" in name else None
    return number


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def folder_for(data: Path) -> Path:
    """Return the folder of the servers' data, in the house's own folder."""
    folder = data / "scaled"
    folder.mkdir(parents=True, exist_ok=True)
    if _is_root():
        # PostgreSQL runs as another user, who must be able to reach its own folder.
        for each in (data, folder):
            each.chmod(0o711)
    return folder


def _check_enters(user: str, folder: Path) -> None:
    """Raise CommandError, with the remedy, if a user cannot enter a folder."""
    done = subprocess.run(  # noqa: S603 (our own words)
        ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)],
        user=user,
        group=user,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise CommandError(
            f"PostgreSQL does not run as root, and the user {user} can't get to {folder}. Start this as "
            "another user, or let STAMMTISCH_DATA name a folder that others may go through (chmod o+x)."
        )
