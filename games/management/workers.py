"""Several server processes at one port: started, restarted when one dies, stopped together.

Each worker has its own listening socket at the shared port (SO_REUSEPORT), so that the kernel spreads the connections
evenly. The sockets are opened here and stay open: connections that come while a worker restarts wait in its queue and
are not refused. Where the system cannot do that, all workers listen on one socket.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from games.management import ends

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.2
# Longer than the workers themselves need to close.
END_SECONDS = 15
STEADY_SECONDS = 10
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
BACKLOG = 512


def check(count: int, host: str, *, is_shared: bool) -> None:
    """Raise CommandError unless so many processes can serve one house."""
    if count < 1:
        raise CommandError(f"WORKERS={count}: at least one process must serve.")
    if count == 1:
        return
    is_postgres = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    if not (is_postgres and is_shared):
        raise CommandError(f"WORKERS={count} needs PostgreSQL (DATABASE_URL=postgres://…) and Redis (REDIS_URL).")
    if ":" in host:
        raise CommandError(f"WORKERS={count} needs an IPv4 address or a name as HOST.")


def listen(host: str, port: int, count: int) -> list[socket.socket]:
    """Return `count` listening sockets at one port; one for all if the system cannot share a port."""
    can_share = hasattr(socket, "SO_REUSEPORT") and sys.platform == "linux"
    sockets: list[socket.socket] = []
    for _ in range(count if can_share else 1):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if can_share:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
        sockets.append(sock)
    return sockets


def end_with_parent() -> None:
    """End this worker when its parent process has gone, however that ended."""

    def wait() -> None:
        # Not through the buffered file: its lock would be held when this process ends.
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


@dataclass
class Worker:
    """A place for a server process, which is started again when it dies."""

    number: int
    sock: socket.socket
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    pause: float = field(default=FIRST_PAUSE)

    def start(self, environment: dict[str, str]) -> None:
        """Start the process; it inherits the listening socket."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-m", "django", "serve", "--fd", str(self.sock.fileno())],
            cwd=settings.BASE_DIR,
            env={**environment, "WORKER": str(self.number)},
            stdin=subprocess.PIPE,
            pass_fds=[self.sock.fileno()],
        )

    def look(self, environment: dict[str, str]) -> int | None:
        """Start the process if it is not running and its pause is over; return the pid of one that has died."""
        if self.process is None:
            if time.monotonic() >= self.start_at:
                self.start(environment)
            return None
        code = self.process.poll()
        if code is None:
            return None
        pid, lived = self.process.pid, time.monotonic() - self.started
        self.pause = FIRST_PAUSE if lived > STEADY_SECONDS else min(self.pause * 2, LONGEST_PAUSE)
        self.start_at, self.process = time.monotonic() + self.pause, None
        logger.error("worker %s ended (exit code %s); started again", self.number, code)
        return pid

    def end(self, until: float) -> None:
        """Wait for the terminating process until a time (monotonic), then kill it."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.error("worker %s did not end and is killed", self.number)
            self.process.kill()
            self.process.wait()


class House:
    """All workers of one port; `run` keeps them running until SIGTERM or SIGINT."""

    def __init__(self, sockets: list[socket.socket], count: int, **environment: str) -> None:
        self.workers = [Worker(n, sockets[n % len(sockets)]) for n in range(count)]
        self.environment = {**os.environ, "STAMMTISCH_DATA": str(settings.DATA_DIR), **environment}
        self._is_stopping = False

    def run(self) -> None:
        """Keep the workers running until told to stop, then end them all."""
        for number in ends.stop_signals():
            signal.signal(number, self._on_signal)
        try:
            while not self._is_stopping:
                for worker in self.workers:
                    if (pid := worker.look(self.environment)) is not None:
                        self.forget(pid)
                time.sleep(POLL_SECONDS)
        finally:
            self.close()

    def _on_signal(self, *_: Any) -> None:
        # A plain flag: a signal handler that takes a lock can wait for itself.
        self._is_stopping = True

    def close(self) -> None:
        """End all workers, and kill any that has not ended after END_SECONDS."""
        for worker in self.workers:
            if worker.process is not None:
                worker.process.terminate()
        until = time.monotonic() + END_SECONDS
        for worker in self.workers:
            worker.end(until)
            worker.sock.close()

    def forget(self, pid: int) -> None:
        """Remove a dead process's figures from the metrics."""
        if directory := self.environment.get("PROMETHEUS_MULTIPROC_DIR"):
            from prometheus_client import multiprocess

            multiprocess.mark_process_dead(pid, directory)  # type: ignore[no-untyped-call]
