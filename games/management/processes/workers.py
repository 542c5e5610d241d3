"""Several server processes at one port: started, restarted when one dies or hangs, stopped together.

Each worker has its own listening socket at the shared port (SO_REUSEPORT), so that the kernel spreads the connections
evenly. The sockets are opened here and stay open: while a worker hangs or starts, the others accept its connections
(games/management/processes/worker_line.py). Where the system cannot do that, all workers listen on one socket.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from games.management.processes import ends
from games.ops.logs import log_event
from games.ops.system import service_manager

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.2
# Longer than the workers themselves need to close.
END_SECONDS = 15
STEADY_SECONDS = 10
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
BACKLOG = 512
# A worker that is silent for so long: others accept its connections; it is killed.
SILENT_SECONDS, HANG_SECONDS = 3.0, 15.0
# A slow computer loads the house for a long time before the first beat.
LOAD_SECONDS = 180.0


def check(count: int, host: str, *, is_shared: bool) -> None:
    """Raise CommandError unless so many processes can serve one house."""
    if count < 1:
        raise CommandError(f"WORKERS={count}: at least one process must serve.")
    if count == 1:
        return
    if sys.platform == "win32":
        raise CommandError(f"WORKERS={count}: on Windows one process serves the house. Take WORKERS away.")
    is_postgres = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
    if not (is_postgres and is_shared):
        raise CommandError(f"WORKERS={count} needs PostgreSQL (DATABASE_URL=postgres://…) and Redis (REDIS_URL).")
    if ":" in host:
        raise CommandError(f"WORKERS={count} needs an IPv4 address or a name as HOST.")


def listen(host: str, port: int, count: int) -> list[socket.socket]:
    """Return `count` listening sockets at one port; one for all if the system cannot share a port."""
    can_share = sys.platform == "linux"
    sockets: list[socket.socket] = []
    for _ in range(count if can_share else 1):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
        sockets.append(sock)
    return sockets


def _let_pass(fd: int) -> None:
    """Let nobody wait for a pipe that is full or empty."""
    if sys.platform != "win32":  # where no workers are
        os.set_blocking(fd, False)


@dataclass
class Worker:
    """A place for a server process, which is started again when it dies or hangs."""

    number: int
    sock: socket.socket
    by_ipv6: Sequence[int] = ()
    """The sockets of IPv6, which all workers share."""
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    pause: float = field(default=FIRST_PAUSE)
    beats: int = -1
    """The pipe of its beats."""
    heard_at: float = 0.0
    has_beaten: bool = False

    def start(self, environment: dict[str, str], sockets: Sequence[int]) -> None:
        """Start the process; it inherits the listening sockets of all workers, by IPv6 too, and its pipe of beats."""
        self.started = self.heard_at = time.monotonic()
        self.has_beaten = False
        own, (self.beats, beating) = self.sock.fileno(), os.pipe()
        _let_pass(self.beats)
        places = ["--fd", str(own), "--all-fds", ",".join(map(str, sockets)), "--beats", str(beating)]
        places += ["--ipv6", ",".join(map(str, self.by_ipv6))]
        try:
            self.process = subprocess.Popen(  # noqa: S603 (our own program)
                [sys.executable, "-m", "django", "serve", *places],
                cwd=settings.BASE_DIR,
                env={**environment, "WORKER": str(self.number)},
                stdin=subprocess.PIPE,
                pass_fds=[*sockets, *self.by_ipv6, beating],
            )
        finally:
            os.close(beating)
        _let_pass(self._line())

    def _line(self) -> int:
        """Return the descriptor of the process's input."""
        return self.process.stdin.fileno()  # type: ignore[union-attr]

    def look(self, environment: dict[str, str], sockets: Sequence[int]) -> int | None:
        """Start the process if it is not running and its pause is over, kill it if it hangs.

        Returns the pid of one that has died.
        """
        if self.process is None:
            if time.monotonic() >= self.start_at:
                self.start(environment, sockets)
            return None
        code = self.process.poll()
        if code is None:
            self._listen()
            return None
        os.close(self.beats)
        self.process.stdin.close()  # type: ignore[union-attr]
        pid, lived = self.process.pid, time.monotonic() - self.started
        self.pause = FIRST_PAUSE if lived > STEADY_SECONDS else min(self.pause * 2, LONGEST_PAUSE)
        self.start_at, self.process = time.monotonic() + self.pause, None
        logger.error("worker %s ended (exit code %s); started again", self.number, code)
        return pid

    def _listen(self) -> None:
        """Note the beats of the process; kill one that hangs."""
        now = time.monotonic()
        with suppress(BlockingIOError):
            if os.read(self.beats, 1024):
                self.heard_at, self.has_beaten = now, True
        silent = now - self.heard_at
        if silent > (HANG_SECONDS if self.has_beaten else LOAD_SECONDS):
            log_event(
                logger, logging.ERROR, "worker", "hangs", worker=self.number, seconds=round(silent), text="killed"
            )
            self.process.kill()  # type: ignore[union-attr]
            # So that it is not killed again before it has ended.
            self.heard_at = now

    def accepts(self) -> bool:
        """Tell whether the process takes its connections: it has beaten, a moment ago."""
        return self.process is not None and self.has_beaten and time.monotonic() - self.heard_at < SILENT_SECONDS

    def tell(self, line: str) -> None:
        """Write a line to the process."""
        if self.process is not None:
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(self._line(), f"{line}\n".encode())

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


class PortWorkers:
    """All workers of one port; `run` keeps them running until SIGTERM or SIGINT."""

    def __init__(
        self, sockets: list[socket.socket], count: int, by_ipv6: Sequence[int] = (), **environment: str
    ) -> None:
        self.workers = [Worker(n, sockets[n % len(sockets)], by_ipv6) for n in range(count)]
        self.sockets = [sock.fileno() for sock in sockets]
        self.environment = {**os.environ, "STAMMTISCH_DATA": str(settings.DATA_DIR), **environment}
        self._is_stopping = False
        self._accepting: set[int] = set()
        self._looked_at = time.monotonic()

    def run(self) -> None:
        """Keep the workers running until told to stop, then end them all."""
        for number in ends.stop_signals():
            signal.signal(number, self._on_signal)
        try:
            while not self._is_stopping:
                self._forgive_own_silence()
                for worker in self.workers:
                    if (pid := worker.look(self.environment, self.sockets)) is not None:
                        self.forget(pid)
                self._share_connections()
                service_manager.beat()
                time.sleep(POLL_SECONDS)
        finally:
            self.close()

    def _forgive_own_silence(self) -> None:
        """Count no silence of the workers while this process was stopped itself (Ctrl-Z stops all of them)."""
        now = time.monotonic()
        if now - self._looked_at > SILENT_SECONDS:
            for worker in self.workers:
                worker.heard_at = now
        self._looked_at = now

    def _share_connections(self) -> None:
        """Let the workers accept the connections of those that hang or start."""
        accepting = {worker.number for worker in self.workers if worker.accepts()}
        if accepting == self._accepting:
            return
        if not self._accepting:
            service_manager.tell("READY=1")
        self._accepting = accepting
        if len(self.sockets) > 1:
            silent = [str(each.sock.fileno()) for each in self.workers if each.number not in accepting]
            for worker in self.workers:
                worker.tell(",".join(silent))

    def _on_signal(self, *_: Any) -> None:
        # A plain flag: a signal handler that takes a lock can wait for itself.
        self._is_stopping = True

    def close(self) -> None:
        """End all workers, and kill any that has not ended after END_SECONDS."""
        service_manager.tell("STOPPING=1")
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
