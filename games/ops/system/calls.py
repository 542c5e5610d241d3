"""Calls of the operating system that Windows or macOS lack, each with what takes its place there.

No other module of the house imports what one of these systems lacks (tests/architecture/test_systems.py).
"""

from __future__ import annotations

import atexit
import ctypes
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl
    import resource

IS_WINDOWS = sys.platform == "win32"
LOWEST = 19
"""The niceness of what runs only where nothing else wants the processor."""

# Locks

_LOCKED_AT, _LOCKED_BYTES = 1 << 30, 1 << 29
"""Windows lets nobody else read what is locked: the bytes that are locked are far behind the end of every file."""
_LOCK_SECONDS = 0.1


def lock(fd: int, *, wait: bool = False, is_shared: bool = False) -> bool:
    """Lock a file until it is closed; return False if another process holds the lock.

    Any number of processes hold a shared lock at once, and none meanwhile one that is not.
    """
    if sys.platform != "win32":
        kind = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        try:
            fcntl.flock(fd, kind | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True
    # A shared lock is a byte of one's own, the other kind all bytes.
    at, count = (os.getpid() % _LOCKED_BYTES, 1) if is_shared else (0, _LOCKED_BYTES)
    while not _lock_bytes(fd, _LOCKED_AT + at, count):
        if not wait:
            return False
        time.sleep(_LOCK_SECONDS)
    return True


def _lock_bytes(fd: int, at: int, count: int) -> bool:
    """Lock bytes of a file on Windows; return False where another one holds some of them."""
    if sys.platform == "win32":
        os.lseek(fd, at, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, count)
        except PermissionError:
            return False
        finally:
            os.lseek(fd, 0, os.SEEK_SET)
    return True


# Files

MAY_MOVE_OPEN_FILES = sys.platform != "win32"
"""True where a file that is open can be renamed, replaced and deleted."""


def is_read_only(folder: Path) -> bool:
    """Tell whether the disk of a folder can't be written; False where the system does not tell. Raises OSError."""
    if sys.platform == "win32":
        return False
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


# Processes

if sys.platform == "win32":
    KILL = signal.SIGTERM
    APART, LATER = subprocess.CREATE_NEW_PROCESS_GROUP, subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    KILL = signal.SIGKILL
    APART = LATER = 0
"""KILL is the signal by which a process ends at once. `creationflags` of a process: APART hears no Ctrl-C of the
terminal (elsewhere `start_new_session` says so); LATER leaves the processor to others (elsewhere `let_give_way`)."""
_IDLE_CLASS, _LATER_CLASS = 0x40, 0x4000
_THIS_PROCESS = -1


def give_way(niceness: int) -> None:
    """Let this process, and those that it starts, leave the processor to others; with LOWEST to all others."""
    if sys.platform == "win32":
        _kernel().SetPriorityClass(ctypes.c_void_p(_THIS_PROCESS), _IDLE_CLASS if niceness >= LOWEST else _LATER_CLASS)
        return
    with suppress(OSError):
        os.nice(niceness)
    if sys.platform == "linux" and niceness >= LOWEST:
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def let_give_way(pid: int, niceness: int) -> None:
    """Let another process leave the processor to others; on Windows it was started so (LATER)."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, niceness)


def memory() -> int:
    """Return this process's memory in bytes; where the system does not tell that, the most that it ever was."""
    if sys.platform == "win32":
        return _memory_on_windows()
    else:
        try:
            return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
        except OSError:
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            return most if sys.platform == "darwin" else most * 1024


def _memory_on_windows() -> int:
    # PROCESS_MEMORY_COUNTERS: its own size and a number in 32 bits each, then sizes, of which the second is meant.
    counters = (ctypes.c_size_t * 10)()
    ctypes.cast(counters, ctypes.POINTER(ctypes.c_uint32))[0] = ctypes.sizeof(counters)
    at = 8 // ctypes.sizeof(ctypes.c_size_t) + 1
    _kernel().K32GetProcessMemoryInfo(ctypes.c_void_p(_THIS_PROCESS), counters, ctypes.sizeof(counters))
    return int(counters[at])


# Connections

MOST_SOCKETS = 480 if sys.platform == "win32" else sys.maxsize
"""So many connections an event loop takes: on Windows it waits by `select`, which knows 512."""


def raise_descriptors(most: int) -> None:
    """Raise the limit of file descriptors up to a number, as far as the system allows: shells begin with few."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = most if hard == resource.RLIM_INFINITY else min(hard, most)
        if soft != resource.RLIM_INFINITY and soft < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def descriptors(most: int) -> int:
    """Return the limit of file descriptors, at most a number where there is none."""
    if sys.platform != "win32":
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return most if soft == resource.RLIM_INFINITY else soft
    return most


def keep_port(sock: socket.socket) -> None:
    """Let a socket listen at a port whose last connections are still closing, and at none of another program's."""
    if sys.platform == "win32":
        # There SO_REUSEADDR means to listen beside the other program.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


# The desktop


def has_desktop() -> bool:
    """Tell whether whoever has started the house sees windows of this computer: no service, and nobody by SSH."""
    if "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in {"win32", "darwin"}:
        return True
    return not {"DISPLAY", "WAYLAND_DISPLAY"}.isdisjoint(os.environ)


# The window of Windows' console

_CLOSE, _LOGOFF, _SHUTDOWN = 2, 5, 6
_CLOSE_SECONDS = 15.0
_handlers: list[Any] = []
"""The functions that Windows calls: it does not keep them."""


def heed_closed_window(close: Callable[[], object]) -> None:
    """Call a function, in a thread, when the window of Windows' console is closed, or the user logs off.

    The process has some 5 seconds then. Elsewhere a signal says so (games/management/processes/ends.py).
    """
    if sys.platform != "win32":
        return
    is_over = threading.Event()
    atexit.register(is_over.set)

    def heed(event: int) -> int:
        if event not in (_CLOSE, _LOGOFF, _SHUTDOWN):
            return 0
        close()
        # Windows ends the process when this returns.
        is_over.wait(_CLOSE_SECONDS)
        return 1

    handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(heed)
    _handlers.append(handler)
    _kernel().SetConsoleCtrlHandler(handler, 1)


def _kernel() -> Any:
    """Return Windows' kernel32."""
    if sys.platform != "win32":
        raise OSError("Windows alone has kernel32.")
    return ctypes.WinDLL("kernel32")
