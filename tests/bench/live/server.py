"""The processes of the live benchmark: servers under daphne or uvicorn, load, and what they use."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.server import ROOT, START_SECONDS, free_port

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def rss_kb(pid: int) -> int:
    """Return the resident memory of a process, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


class Servers:
    """One or more server processes of one ASGI application, with their own data folder."""

    def __init__(self, app: str, data: Path, server: str, workers: int, environment: Mapping[str, str]) -> None:
        self.data = data
        self.ports = [free_port() for _ in range(workers)]
        self._environment = {**os.environ, **environment}
        self._log = (data / "server.log").open("ab")
        self._processes = [self._start(app, server, port) for port in self.ports]
        for port, process in zip(self.ports, self._processes, strict=True):
            self._wait(port, process)

    def _start(self, app: str, server: str, port: int) -> subprocess.Popen[bytes]:
        command = {
            "daphne": ["daphne", "-b", "127.0.0.1", "-p", str(port), app],
            "uvicorn": [
                *["uvicorn", "--host", "127.0.0.1", "--port", str(port), "--no-access-log"],
                *["--ws-per-message-deflate", "false", "--log-level", "warning", app],
            ],
        }[server]
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=self._environment,
            stdout=self._log,
            stderr=self._log,
        )

    def _wait(self, port: int, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=2).close()
                return
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    self.stop()
                    raise AssertionError(self.output()) from None
                time.sleep(0.05)

    def output(self) -> str:
        """Return what the servers have logged."""
        return (self.data / "server.log").read_text(errors="replace")

    def cpu(self) -> float:
        """Return the processor time used so far by all, in seconds."""
        return sum(cpu_seconds(process.pid) for process in self._processes)

    def rss(self) -> int:
        """Return the resident memory of all, in kB."""
        return sum(rss_kb(process.pid) for process in self._processes)

    def stop(self) -> None:
        """End the processes, the hard way: with thousands of open lines, there is no rest."""
        for process in self._processes:
            process.send_signal(signal.SIGKILL)
        for process in self._processes:
            process.wait(timeout=20)
        self._log.close()


class Crowd:
    """Load processes, each with its share of the tables."""

    def __init__(self, size: int) -> None:
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.bench.live.load"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(size)
        ]
        self._shares = [0] * size

    def seat(self, tables: list[dict[str, Any]], *, speaks: bool) -> None:
        """Open the lines of more tables, shared out among the processes."""
        size = len(self._processes)
        for index in range(size):
            share = tables[index::size]
            self._shares[index] += len(share)
            self._order(index, {"do": "seat", "tables": share, "speaks": speaks})
        for index in range(size):
            self._answer(index)

    def play(self, tables: int, **order: Any) -> None:
        """Let `tables` tables begin to play; `reached` and `results` follow."""
        size = len(self._processes)
        for index, share in enumerate(self._shares):
            part = min(share, len(range(index, tables, size)))
            self._order(index, {"do": "play", "tables": part, **order})

    def reached(self) -> None:
        """Wait until every process has reached the next moment of its play."""
        for index in range(len(self._processes)):
            self._answer(index)

    def results(self) -> list[dict[str, Any]]:
        """Return what each process has measured."""
        return [self._answer(index) for index in range(len(self._processes))]

    def _order(self, index: int, order: dict[str, Any]) -> None:
        stdin = self._processes[index].stdin
        assert stdin is not None
        stdin.write(json.dumps(order) + "\n")
        stdin.flush()

    def _answer(self, index: int) -> dict[str, Any]:
        stdout = self._processes[index].stdout
        assert stdout is not None
        if not (line := stdout.readline()):
            raise AssertionError("a load process broke off")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.kill()
            process.wait(timeout=20)
