"""The analyser beside a server: a process of its own, started again when it ends, and ended with the server.

One that ends the same way again and again has a fault that no start mends: it is given up, until the house is started
anew or the staff lets it try again. What it does now is a row of the database, for all processes of the house.
"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils.translation import gettext as _

from games.management import locks
from games.management.processes import child
from games.ops.logs import log_event
from games.services import tasks
from games.services.grades import jobs

logger = logging.getLogger(__name__)

OFF = "off"
COMMAND = tuple(child.command("analyser", "--end-with-parent"))
T = TypeVar("T")
LOOK_SECONDS = 0.2
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
STEADY_SECONDS = 60.0
MOST_ENDS = 5
"""So often it may end the same way; an end after GOOD_SECONDS is the first again."""
GOOD_SECONDS = 3600.0
TRY_LOOK_SECONDS = 5.0
"""The time between two looks whether the staff lets it try again."""
ENGINE_SECONDS = 60.0
"""The time between two looks whether somebody has installed an engine."""
END_SECONDS = 5.0
"""The analyser ends after its present choice, or is killed: its game is then graded at the next start."""
LONGEST_LINE = 300


class AnalyserState(Enum):
    """The state of the analyser of a database."""

    RUNS = "runs"
    OFF = "off"
    NO_ENGINE = "no engine"
    ENDED = "ended"
    GIVEN_UP = "given up"


def state() -> AnalyserState:
    """Return what the analyser of this database does; one that was started by hand counts, too."""
    if locks.is_analysing():
        return AnalyserState.RUNS
    if settings.ANALYSER == OFF:
        return AnalyserState.OFF
    if not jobs.has_engine():
        return AnalyserState.NO_ENGINE
    return AnalyserState.GIVEN_UP if tasks.row(jobs.TASK).given_up else AnalyserState.ENDED


def words(now: AnalyserState | None = None) -> str:
    """Return a sentence in the current language about the analyser's work now and its engine."""
    now = now or state()
    row = tasks.row(jobs.TASK)
    engine = row.done_by
    if now is AnalyserState.RUNS:
        return _("It runs, with %(engine)s.") % {"engine": engine} if engine else _("It runs.")
    if now is AnalyserState.OFF:
        return _("It is switched off: ANALYSER=off.")
    if now is AnalyserState.NO_ENGINE:
        return _("No engine is installed: %(how)s.") % {"how": jobs.how_to_get_engines()}
    if now is AnalyserState.GIVEN_UP:
        text = _("It ended %(count)s times the same way and is not started again: %(why)s")
        return text % {"count": MOST_ENDS, "why": row.given_up}
    return _("It does not run.")


def beside() -> AbstractContextManager[object]:
    """Return what keeps the analyser running beside this server; nothing where it is switched off."""
    return nullcontext() if settings.ANALYSER == OFF else KeptProcess()


class KeptProcess:
    """Keeps a process running from `with` to its end, once there is an engine; by default the analyser's."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = list(command)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="analyser", daemon=True)
        self._ends: list[ProcessEnd] = []

    def __enter__(self) -> KeptProcess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _keep(self) -> None:
        """Start the process again and again until told to stop; the pause grows while it ends at once."""
        pause = FIRST_PAUSE
        while not jobs.has_engine():
            if self._stop.wait(ENGINE_SECONDS):
                return
        if (row := _in_database(tasks.row, jobs.TASK)) and row.given_up:
            log_event(logger, logging.WARNING, "analyser", "tried_again", text=f"it was given up: {row.given_up}")
            _in_database(tasks.note_trying, jobs.TASK)
        while not self._stop.is_set():
            end = self._run()
            if self._stop.is_set():
                return
            if self._is_given_up(end):
                self._wait_for_another_try()
                pause = FIRST_PAUSE
                continue
            pause = FIRST_PAUSE if end.seconds > STEADY_SECONDS else min(pause * 2, LONGEST_PAUSE)
            text = f"{end.text}; started again"
            log_event(logger, logging.ERROR, "analyser", "ended", text=text, seconds=round(pause))
            self._stop.wait(pause)

    def _is_given_up(self, end: ProcessEnd) -> bool:
        """Count an end; give the process up, and say so, where it is one of many that were the same."""
        is_same = bool(self._ends) and self._ends[-1].kind == end.kind and end.seconds < GOOD_SECONDS
        self._ends = [*self._ends, end] if is_same else [end]
        # What ends because the database is away is to work again with it.
        if not _in_database(tasks.row, jobs.TASK):
            self._ends = []
        if len(self._ends) < MOST_ENDS or not _in_database(tasks.note_given_up, jobs.TASK, end.text):
            return False
        self._ends = []
        text = f"{end.text}; {MOST_ENDS} times the same, so it is not started again before the next start of the house"
        log_event(logger, logging.ERROR, "analyser", "given_up", text=text)
        return True

    def _wait_for_another_try(self) -> None:
        """Wait until the staff lets the process try again, or this one is told to stop."""
        while not self._stop.wait(TRY_LOOK_SECONDS):
            row = _in_database(tasks.row, jobs.TASK)
            if row and not row.given_up:
                return

    def _run(self) -> ProcessEnd:
        """Run the process to its end, or end it when told to stop; return how it ended."""
        started = time.monotonic()
        try:
            process = self._start()
        except OSError as error:
            return ProcessEnd(str(error), 0.0)
        # A thread of its own: a full pipe would hold the process up.
        errors = _Errors(process)
        while process.poll() is None:
            if self._stop.wait(LOOK_SECONDS):
                _end(process)
        process.stdin.close()  # type: ignore[union-attr]
        last = errors.last_line()
        text = f"exit code {process.returncode}"
        return ProcessEnd(f"{text}: {last}" if last else text, time.monotonic() - started)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process; it holds the other end of a pipe, and so hears of the end of this one."""
        return subprocess.Popen(  # noqa: S603 (our own program)
            self._command,
            cwd=settings.BASE_DIR,
            env=child.environment(OMP_NUM_THREADS="1"),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C is not for this process: it is ended when the house is closed.
            start_new_session=True,
        )


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """The end of a process: exit code and last line, and how long it ran."""

    text: str
    seconds: float

    @property
    def kind(self) -> str:
        """The text without its numbers, which are of this or that table or process, and with the exit code."""
        code, _colon, line = self.text.partition(":")
        return code + re.sub(r"[0-9]+", "", line)


class _Errors:
    """The errors of a process: passed on to this one's, with the last line kept."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._pipe: Any = process.stderr
        self._last = ""
        self._thread = threading.Thread(target=self._pass_on, name="analyser's errors", daemon=True)
        self._thread.start()

    def _pass_on(self) -> None:
        with self._pipe as pipe:
            for line in pipe:
                text = line.decode(errors="replace")
                sys.stderr.write(text)
                sys.stderr.flush()
                self._last = " ".join(text.split())[:LONGEST_LINE] or self._last

    def last_line(self) -> str:
        """Return the last line once the process has ended; what it started itself may hold the pipe for longer."""
        self._thread.join(END_SECONDS)
        return self._last


def try_again() -> None:
    """Let the process that keeps the analyser start it again."""
    tasks.note_trying(jobs.TASK)


def _in_database(act: Callable[..., T], *args: Any) -> T | None:
    """Do something with the database in a thread of this process; return None where it is away."""
    try:
        return act(*args)
    except DatabaseError:
        return None
    finally:
        connections.close_all()


def _end(process: subprocess.Popen[Any]) -> None:
    """End a process, by force if it does not end by itself."""
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
