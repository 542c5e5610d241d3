"""GNU Backgammon's process: started at the first question, asked one question after the other.

A process that is silent, dies or answers what can't be is ended, and the next question starts another one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any

from chouette.analysis.engine import EngineFailed, EngineGone

_SCRIPT = Path(__file__).with_name("script.py")
_BANNER = re.compile(r"GNU Backgammon (\S+)")
_MARK = b"@answer "
_NANOSECOND = 1e-9
_MOST_LINES = 1000


class GnubgProcess:
    """The program with the script that answers; `seconds` is how long an answer may take.

    The time that the process waited for a processor is not counted: it runs with the lowest precedence.
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command, self.seconds = [*command], seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._lines: Queue[bytes] = Queue(_MOST_LINES)
        self._asked, self._version = 0, ""

    @property
    def version(self) -> str:
        """The program's version; raises EngineFailed where it does not start."""
        if not self._version:
            self._start()
        return self._version

    @property
    def pid(self) -> int | None:
        """The number of the running process; None while there is none."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def ask(self, question: Mapping[str, Any]) -> object:
        """Return the values of an answer; ends the process where there is none."""
        if self._process is None:
            self._start()
        self._asked += 1
        self._write({"id": self._asked, **question})
        answer = self._answer(self._asked)
        if "values" not in answer:
            raise EngineFailed(str(answer.get("error")))
        return answer["values"]

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            # A question that the process did not live to read is flushed into a pipe without an end.
            with suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()
        if self._home is not None:
            self._home.cleanup()
            self._home = None

    def _start(self) -> None:
        """Start the process and wait until it is ready."""
        self.close()
        self._home = tempfile.TemporaryDirectory(prefix="gnubg-")
        # By its name alone, in a folder of its own: the program reads a path as Latin-1, whatever the locale.
        shutil.copyfile(_SCRIPT, Path(self._home.name) / _SCRIPT.name)
        command = [*self.command, "--tty", "--quiet", "--no-rc", "--python", _SCRIPT.name]
        environment = {**os.environ, "HOME": self._home.name, "LC_ALL": "C.UTF-8"}
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd=self._home.name,
            )
        except OSError as why:
            raise EngineGone(f"it does not start: {why}") from why
        self._lines = Queue(_MOST_LINES)
        # Windows waits for no pipe: a thread does.
        threading.Thread(target=_pass_on, args=(self._process, self._lines), name="gnubg", daemon=True).start()
        self._write({})
        self._answer(0)

    def _write(self, question: Mapping[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as why:
            self.close()
            raise EngineGone("the process has ended") from why

    def _answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a question by its number."""
        until = time.monotonic() + self.seconds - self._waited()
        try:
            while True:
                line = self._line(until)
                if line.startswith(_MARK):
                    answer = json.loads(line[len(_MARK) :])
                    if answer["id"] != number:
                        raise EngineFailed("an answer to another question")
                    return dict(answer)
                if banner := _BANNER.match(line.decode(errors="replace")):
                    self._version = self._version or banner[1]
        except (ValueError, KeyError, TypeError) as why:
            self.close()
            raise EngineFailed("an answer that can't be read") from why
        except EngineFailed:
            self.close()
            raise

    def _line(self, until: float) -> bytes:
        """Return the next line of the process; it is waited for until a moment plus the time without a processor."""
        assert self._process is not None  # noqa: S101
        while True:
            left = until + self._waited() - time.monotonic()
            if left <= 0:
                raise EngineGone(f"it was silent for {self.seconds:g} s")
            with suppress(Empty):
                line = self._lines.get(timeout=left)
                if not line.endswith(b"\n"):
                    raise EngineGone(f"the process has ended ({self._process.wait()})")
                return line.rstrip(b"\r\n")

    def _waited(self) -> float:
        """Return for how many seconds in all the process has waited for a processor; 0 where that is not told."""
        assert self._process is not None  # noqa: S101
        try:
            threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
            return sum(int(each.read_text(encoding="ascii").split()[1]) for each in threads) * _NANOSECOND
        except (OSError, ValueError, IndexError):
            return 0.0


def _pass_on(process: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    """Put the lines that a process writes into a queue, and what has no line's end as the last."""
    assert process.stdout is not None  # noqa: S101
    with process.stdout as pipe:
        line = b"\n"
        while line.endswith(b"\n"):
            line = pipe.readline()
            while not _has_put(lines, line):
                if process.poll() is not None:
                    return


def _has_put(lines: Queue[bytes], line: bytes) -> bool:
    """Put a line into a queue; return False if that stays full for a second."""
    try:
        lines.put(line, timeout=1)
    except Full:
        return False
    return True
