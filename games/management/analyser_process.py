"""The analyser beside a server: a process of its own, started again when it ends, and ended with the server."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games.management import locks
from games.ops.logs import log_event
from games.services import tasks
from games.services.grades import jobs

logger = logging.getLogger(__name__)

OFF = "off"
COMMAND = (sys.executable, "-m", "django", "analyser", "--end-with-parent")
LOOK_SECONDS = 0.2
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
STEADY_SECONDS = 60.0
ENGINE_SECONDS = 60.0
"""The time between two looks whether somebody has installed an engine."""
END_SECONDS = 5.0
"""The analyser ends after its present choice, or is killed: its game is then graded at the next start."""


class AnalyserState(Enum):
    """The state of the analyser of a database."""

    RUNS = "runs"
    OFF = "off"
    NO_ENGINE = "no engine"
    ENDED = "ended"


def state() -> AnalyserState:
    """Return what the analyser of this database does; one that was started by hand counts, too."""
    if locks.is_analysing():
        return AnalyserState.RUNS
    if settings.ANALYSER == OFF:
        return AnalyserState.OFF
    return AnalyserState.ENDED if jobs.has_engine() else AnalyserState.NO_ENGINE


def words(now: AnalyserState | None = None) -> str:
    """Return in the current language what the analyser does now, and with which engine."""
    now = now or state()
    engine = tasks.row(jobs.TASK).done_by
    if now is AnalyserState.RUNS:
        return _("It runs, with %(engine)s.") % {"engine": engine} if engine else _("It runs.")
    if now is AnalyserState.OFF:
        return _("It is switched off: ANALYSER=off.")
    if now is AnalyserState.NO_ENGINE:
        return _("No engine is installed: %(how)s.") % {"how": jobs.how_to_get_engines()}
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
        while not self._stop.is_set():
            started = time.monotonic()
            text = self._run()
            if self._stop.is_set():
                return
            is_steady = time.monotonic() - started > STEADY_SECONDS
            pause = FIRST_PAUSE if is_steady else min(pause * 2, LONGEST_PAUSE)
            log_event(logger, logging.ERROR, "analyser", "ended", text=f"{text}; started again", seconds=round(pause))
            self._stop.wait(pause)

    def _run(self) -> str:
        """Run the process to its end, or end it when told to stop; return how it ended."""
        try:
            process = self._start()
        except OSError as error:
            return str(error)
        while process.poll() is None:
            if self._stop.wait(LOOK_SECONDS):
                _end(process)
        process.stdin.close()  # type: ignore[union-attr]
        return f"exit code {process.returncode}"

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process; it holds the other end of a pipe, and so hears of the end of this one."""
        environment = {**os.environ, "STAMMTISCH_DATA": str(settings.DATA_DIR), "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(  # noqa: S603 (our own program)
            self._command,
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.PIPE,
            # Ctrl-C is not for this process: it is ended when the house is closed.
            start_new_session=True,
        )


def _end(process: subprocess.Popen[Any]) -> None:
    """End a process, by force if it does not end by itself."""
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
