"""A house of one or several server processes on one database, to be hit with real signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server import ROOT, Server

SETTINGS = "tests.faults.houses.serving"


class House:
    """Servers on one data folder, or on one PostgreSQL database and one Redis."""

    kind: type[Server] = Server

    def __init__(self, folder: Path, servers: int = 1, **environment: str) -> None:
        self.servers = []
        for number in range(servers):
            data = folder / f"server-{number}"
            data.mkdir(parents=True)
            common = {"DJANGO_SETTINGS_MODULE": SETTINGS, **environment}
            self.servers.append(self.kind(data, **common))
        self._read: dict[Path, int] = {}
        self.keeper: subprocess.Popen[bytes] | None = None
        self._world: subprocess.Popen[str] | None = None

    @property
    def urls(self) -> list[str]:
        """Return where the servers are."""
        return [server.url for server in self.servers]

    def open(self) -> None:
        """Make the database and start all servers."""
        self.servers[0].migrate()
        for server in self.servers:
            server.start()

    def kill(self, pid: int) -> None:
        """Kill one of the house's own processes."""
        for server in self.servers:
            if server.process is not None and server.process.pid == pid:
                server.stop(signal.SIGKILL)
                return
        assert self.keeper is not None and self.keeper.pid == pid, f"{pid} is not of this house"
        self.stop_clock(signal.SIGKILL)
        self.start_clock()

    def revive(self) -> None:
        """Start the servers that are dead."""
        for server in self.servers:
            if server.process is None or server.process.poll() is not None:
                server.start()

    def repair(self) -> None:
        """Start what an earlier test has left dead, and forget what was logged."""
        self.revive()
        self._read = {path: path.stat().st_size for path in self._logs()}

    def restart(self, **environment: str) -> None:
        """Start all servers anew with another environment."""
        for server in self.servers:
            server.stop(signal.SIGKILL)
            server.environment.update(environment)
            server.start()

    def close(self) -> None:
        """End what was started."""
        self._end_world()
        self.stop_clock()
        for server in self.servers:
            server.stop()

    def world(self, *asked: Any) -> Any:
        """Ask the world (world.py) beside the servers and return its answer."""
        if self._world is None:
            with (self.servers[0].data / "world.err").open("ab") as errors:
                self._world = subprocess.Popen(
                    [sys.executable, "-m", "tests.faults.houses.world"],
                    cwd=ROOT,
                    env=self.servers[0].environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                )
        assert self._world.stdin is not None
        assert self._world.stdout is not None
        self._world.stdin.write(json.dumps(asked) + "\n")
        self._world.stdin.flush()
        if not (told := self._world.stdout.readline()):
            self._end_world()
            raise AssertionError((self.servers[0].data / "world.err").read_text())
        return json.loads(told)

    def _end_world(self) -> None:
        if self._world is not None:
            self._world.communicate(timeout=20)
            self._world = None

    def start_clock(self) -> None:
        """Run the clock as a process of its own, for servers with CLOCK=off."""
        log = (self.servers[0].data / "clock.log").open("ab")
        self.keeper = subprocess.Popen(
            [sys.executable, "manage.py", "run_clock"],
            cwd=ROOT,
            env={**self.servers[0].environment, "CLOCK": "thread"},
            stdout=log,
            stderr=log,
        )
        log.close()

    def stop_clock(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the clock's process (and no other)."""
        if self.keeper is not None:
            self.keeper.send_signal(how)
            self.keeper.wait(timeout=20)
            self.keeper = None

    def output(self) -> str:
        """Return what all processes have logged since the last `repair`."""
        texts = {path: path.read_bytes()[self._read.get(path, 0) :] for path in self._logs()}
        return "".join(text.decode(errors="replace") for text in texts.values())

    def _logs(self) -> list[Path]:
        folders = [server.data for server in self.servers]
        return [path for folder in folders for path in sorted(folder.glob("*.log"))]

    def memory(self, number: int = 0) -> int:
        """Return the resident memory of a server, in bytes."""
        process = self.servers[number].process
        assert process is not None
        pages = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def work(self, number: int = 0) -> float:
        """Return the processor time that a server has used, in seconds."""
        process = self.servers[number].process
        assert process is not None
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def unsent(self, number: int = 0) -> int:
        """Return how many bytes the system still holds for those who do not read (Linux)."""
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        port = f":{self.servers[number].port:04X}"
        return sum(int(row[4].split(":")[0], 16) for row in rows if row[1].endswith(port))
