"""The ends of servers: by signals, and when the process that started them has gone."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

_PR_SET_PDEATHSIG = 1
# A process of its own: it waits for the end of its input, which comes with the end of its parent.
_WATCH = "import os, sys; sys.stdin.read(); os.kill(int(sys.argv[1]), int(sys.argv[2]))"


def stop_signals() -> list[signal.Signals]:
    """Return the signals that end a server: Ctrl-C, SIGTERM, and a closed terminal (SIGHUP; Ctrl-Break on Windows).

    SIGHUP is not among them if it is ignored (nohup).
    """
    found = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        found.append(signal.SIGBREAK)
    elif signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found


def end_with_parent(heard: Callable[[bytes], None] | None = None, number: signal.Signals = signal.SIGTERM) -> None:
    """End this process when its parent has gone, however that ended: the parent holds the pipe of our input.

    `heard` gets each line that the parent writes, in a thread of its own; `number` is the signal that ends us.
    """

    def wait() -> None:
        # Not through the buffered file: its lock would be held when this process ends.
        rest = b""
        while data := os.read(sys.stdin.fileno(), 1024):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines if heard else ():
                heard(line)  # type: ignore[misc]  # mypy does not see the condition
        os.kill(os.getpid(), number)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def before_exec(number: signal.Signals) -> Callable[[], None] | None:
    """Return what a child has to do before it becomes another program, to get a signal when its parent has gone.

    For the `preexec_fn` of subprocess; None where the system cannot do that (`watch` does it there).
    """
    if sys.platform != "linux":
        return None
    # Loaded here: a child between fork and exec must not load libraries.
    prctl, parent = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it has gone meanwhile
            os._exit(1)

    return ask


def watch(process: subprocess.Popen[Any], number: signal.Signals) -> subprocess.Popen[bytes] | None:
    """Start a process that signals another one when this one has gone; None on Linux, where `before_exec` does it.

    Its end by `kill` ends the watch.
    """
    if sys.platform == "linux":
        return None
    command = [sys.executable, "-c", _WATCH, str(process.pid), str(int(number))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603 (our own program)
