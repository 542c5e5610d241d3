"""A house on Windows and on macOS, as far as a Linux can tell: what they lack is hidden (tests/systems/hidden)."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.live.client import Client
from tests.live.servers.test_socket_server import OPEN_A_TABLE, chooser, reaches
from tests.server import ROOT, free_port

HIDDEN = Path(__file__).with_name("hidden")
SECONDS = 180
COMPRESS = """
from games.models import Table
from games.services.storage import log_files
table = Table.objects.get(public_id={table!r})
Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED)
log_files.compress(table.pk)
"""


class House:
    """A house of another system in a folder with spaces and umlauts, at a console that knows cp1252 alone."""

    def __init__(self, system: str, home: Path) -> None:
        self.data, self.port = home / "Jörg Müller (Wirt) & Söhne", free_port()
        self.data.mkdir()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "HIDDEN_SYSTEM": system,
            "PYTHONPATH": str(HIDDEN),
            "PYTHONIOENCODING": "cp1252",
            "STAMMTISCH_DATA": str(self.data),
            "DJANGO_SETTINGS_MODULE": "tests.serving",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PUBLIC_URL": self.url,
            "LAN_NAME": "off",
            "ANALYSER": "on",
            "BROWSER": "true",
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.printed = b""

    def run(self, *words: str, **changed: str) -> tuple[int, str]:
        """Run a command to its end; return its code and what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**self.environment, **changed},
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return done.returncode, (done.stdout + done.stderr).decode("cp1252", errors="replace")

    def manage(self, *words: str) -> str:
        """Run a command that does what it is asked for; return what it printed."""
        code, printed = self.run(*words)
        assert code == 0, printed
        return printed

    def open(self, command: str) -> None:
        """Open the house in a terminal, and wait until it is ready."""
        ours, theirs = pty.openpty()
        self.printed = b""
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", command],
            cwd=ROOT,
            env=self.environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, args=(ours,), daemon=True)
        self._reader.start()
        until = time.monotonic() + SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=20):
                    return
            except OSError:
                assert self.process.poll() is None and time.monotonic() < until, self.text()
                time.sleep(0.2)

    def _read(self, terminal: int) -> None:
        try:
            while data := os.read(terminal, 4096):
                self.printed += data
        except OSError:  # the other end is closed
            os.close(terminal)

    def text(self) -> str:
        return self.printed.decode("cp1252", errors="replace")

    def close(self, how: signal.Signals) -> None:
        """Close the house as its user does; it ends in order."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(timeout=SECONDS)
        self.process = None
        self._reader.join(SECONDS)
        assert "Closed. Everything that was played is kept." in self.text(), self.text()
        assert "Traceback" not in self.text(), self.text()

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """A house of the system that the test names."""
    house = House(request.param, tmp_path)
    yield house
    house.end()


async def _play(house: House, evening: dict[str, Any], entries: int) -> None:
    players = [Client(house.url, evening["table"], cookie, chooser(7)) for cookie in evening["cookies"]]
    async with asyncio.timeout(SECONDS):
        games = [asyncio.create_task(player.play()) for player in players]
        await reaches(players[0], entries)
    for game in games:
        game.cancel()


@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "house",
    [
        pytest.param("win32", marks=pytest.mark.day(parts=2, turn=0)),
        pytest.param("darwin", marks=pytest.mark.day(parts=4, turn=1)),
    ],
    indirect=True,
)
def test_a_house_opens_plays_is_backed_up_and_restored_and_closes(house: House) -> None:
    is_windows = house.environment["HIDDEN_SYSTEM"] == "win32"
    assert "prepared" in house.manage("prepare")
    house.open("play")
    page = Path(unquote(urlsplit(re.search(r"QR code: (file:\S+)", house.text())[1]).path))
    assert "<svg" in page.read_text(encoding="utf-8") and house.url in page.read_text(encoding="utf-8")
    assert page.parent == house.data

    code, printed = house.run("serve", PORT=str(free_port()))
    assert code and "is open already (process" in printed
    evening = json.loads(house.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])
    asyncio.run(_play(house, evening, 12))
    assert "INFO" in house.manage("log_level", "INFO")
    house.manage("backup", str(house.data / "Süß.backup"))
    assert "is whole" in house.manage("check_backup", str(house.data / "Süß.backup"))
    _code, printed = house.run("doctor", "--json")
    findings = {each["topic"]: each["state"] for each in json.loads(printed)}
    assert (findings["database"], findings["server"]) == ("good", "good"), printed
    assert "no fault" in house.manage("check_logs")
    house.manage("shell", "-v", "0", "-c", COMPRESS.format(table=evening["table"]))
    assert len([*house.data.glob("logs/*.gz")]) == 1
    house.close(signal.SIGINT)
    assert "started again" not in house.text()

    assert "is kept: " in (told := house.manage("restore", str(house.data / "Süß.backup"))) and "Restored" in told
    assert "no fault" in house.manage("check_logs")
    house.manage("analyser", "--once")
    house.open("serve")
    # The window of Windows' console is closed; elsewhere the terminal.
    house.close(signal.SIGUSR1 if is_windows else signal.SIGHUP)
    assert [path.name for path in house.data.iterdir() if path.name.startswith((".backup-", ".restore-"))] == []


@pytest.mark.parametrize("house", ["win32"], indirect=True)
def test_windows_refuses_several_processes_with_a_sentence(house: House) -> None:
    code, printed = house.run("serve", WORKERS="3")
    assert code and "on Windows one process serves the house" in printed and "Traceback" not in printed
    code, printed = house.run("serve_scaled")
    assert code and "serve_scaled needs Linux or macOS" in printed and "Traceback" not in printed


# What is hidden is hidden, and what is refused is refused


def _as_ours(program: str, system: str, folder: Path) -> str:
    """Run a program as if it were a module of the house's; return what it printed."""
    text = (
        f"exec(compile({program!r}, 'planted', 'exec'), {{'__name__': 'games.planted', '__builtins__': __builtins__}})"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=folder,
        env={**os.environ, "HIDDEN_SYSTEM": system, "PYTHONPATH": str(HIDDEN), "STAMMTISCH_DATA": str(folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout + done.stderr


OFFENCES = {
    "import resource": "ModuleNotFoundError: No module named 'resource'",
    "import fcntl": "ModuleNotFoundError: No module named 'fcntl'",
    "from pwd import getpwnam": "ModuleNotFoundError: No module named 'pwd'",
    "import os; os.nice(1)": "AttributeError",
    "import os; os.fork()": "AttributeError",
    "from os import sched_getaffinity": "ImportError",
    "import signal; signal.SIGHUP": "AttributeError",
    "import signal; signal.SIGKILL": "AttributeError",
    "import socket; socket.SO_REUSEPORT": "AttributeError",
    "import asyncio; asyncio.new_event_loop().add_signal_handler(2, print)": "NotImplementedError",
    "from pathlib import Path; Path('a').symlink_to('b')": "PermissionError: [Errno 1]",
    "import os; os.open('.', os.O_RDONLY)": "PermissionError",
    "open('a', 'w'); from pathlib import Path; Path('b').touch(); f = open('a'); Path('b').replace('a')": "Permission",
    "from pathlib import Path; Path('a').touch(); f = open('a'); Path('a').rename('b')": "PermissionError",
    "from pathlib import Path; Path('a').touch(); f = open('a'); Path('a').unlink()": "PermissionError",
    "from pathlib import Path; Path('d').mkdir(); f = open('d/a', 'w'); Path('d').rename('e')": "PermissionError",
    "from pathlib import Path; Path('a').touch(); Path('b').touch(); Path('a').rename('b')": "FileExistsError",
    "open('12:30.backup', 'w')": "OSError: [Errno 22]",
    "open('a', 'w'); import os; os.fsync(open('a'))": "OSError: [Errno 9]",
    "import os; r, w = os.pipe(); import select; select.select([r], [], [], 0)": "OSError: [Errno 10038]",
    "import subprocess, sys; subprocess.Popen([sys.executable], preexec_fn=print)": "ValueError",
}


@pytest.mark.parametrize("planted", OFFENCES)
def test_what_windows_lacks_or_refuses_is_met(planted: str, tmp_path: Path) -> None:
    assert OFFENCES[planted] in _as_ours(planted, "win32", tmp_path)


def test_another_process_of_the_house_keeps_its_files(tmp_path: Path) -> None:
    held = "f = open('a', 'w'); print('open', flush=True); import time; time.sleep(60)"
    holder = subprocess.Popen(
        [sys.executable, "-c", held],
        cwd=tmp_path,
        env={**os.environ, "HIDDEN_SYSTEM": "win32", "PYTHONPATH": str(HIDDEN), "STAMMTISCH_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline() == b"open\n"
        found = _as_ours("from pathlib import Path; Path('a').unlink()", "win32", tmp_path)
        assert "PermissionError" in found
        ended = f"import os; os.kill({holder.pid}, 0); print('ended')"
        assert "ended" in _as_ours(ended, "win32", tmp_path)
        assert holder.wait(timeout=SECONDS) == -signal.SIGKILL
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_locks_of_windows_exclude_each_other_as_linux_locks_do(tmp_path: Path) -> None:
    """Whole ones each other and shared ones; shared ones only whole ones. What is locked can be read."""
    program = """
import os, subprocess, sys
from games.ops.system import calls
mine = [os.open("lock", os.O_RDWR | os.O_CREAT) for _ in range(3)]
os.write(mine[0], b"4711")
found = [calls.lock(mine[0]), calls.lock(mine[1]), calls.lock(mine[1], is_shared=True)]
found.append(os.read(os.open("lock", os.O_RDONLY), 9) == b"4711")
os.close(mine[0])
found += [calls.lock(mine[1], is_shared=True), calls.lock(mine[2])]
os.close(mine[1])
print([*found, calls.lock(mine[2])])
"""
    wanted = "[True, False, False, True, True, False, True]"
    for system in ("win32", "darwin"):
        found = _as_ours(f"import sys; sys.path.insert(0, {str(ROOT)!r}){program}", system, tmp_path)
        assert wanted in found, (system, found)
        (tmp_path / "lock").unlink()


def test_macos_has_no_proc_and_no_idle_class(tmp_path: Path) -> None:
    assert "FileNotFoundError" in _as_ours("open('/proc/self/statm')", "darwin", tmp_path)
    assert "AttributeError" in _as_ours("import os; os.SCHED_IDLE", "darwin", tmp_path)
    assert "darwin" in _as_ours("import sys; print(sys.platform)", "darwin", tmp_path)
