"""Windows or macOS as this house's modules see them: what they lack is hidden, and files are locked as on Windows.

Only modules of the house and its games are deceived about what is there; packages ask `sys.platform` themselves, and
know these systems. What Windows refuses (a folder that is opened, a file that is renamed, replaced or deleted while
any process of the house has it open, a name with a colon) is refused to all of them.

The window of Windows' console is closed by SIGUSR1.
"""

# What pathlib calls is replaced here.
# ruff: noqa: PTH112, PTH115, PTH121, PTH123, PTH208

from __future__ import annotations

import asyncio
import builtins
import ctypes
import errno
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

OURS = {"games", "chouette", "chicago", "__main__"}
HIDDEN = {
    "win32": {
        "modules": {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix", "readline"},
        "os": {
            *("nice", "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "setuid", "setsid", "getpgid"),
            *("killpg", "wait", "WNOHANG", "statvfs", "ST_RDONLY", "uname", "getloadavg", "sched_getaffinity"),
            *("sched_setscheduler", "sched_param", "SCHED_IDLE", "setpriority", "PRIO_PROCESS", "mkfifo", "chown"),
            *("fchmod", "fchown", "sysconf", "pipe2", "set_blocking", "major", "minor", "O_DIRECTORY", "O_NOFOLLOW"),
            *("sync", "fdatasync", "openpty", "ttyname", "sendfile", "register_at_fork", "process_cpu_count"),
        },
        "signal": {"SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGQUIT", "SIGPIPE", "SIGALRM", "SIGSTOP"},
        "socket": {"SO_REUSEPORT", "AF_UNIX", "socketpair_of_unix", "SO_BINDTODEVICE"},
        "time": {"clock_gettime", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "tzset", "pthread_getcpuclockid"},
    },
    "darwin": {
        "modules": set(),
        "os": {"sched_getaffinity", "sched_setscheduler", "sched_param", "SCHED_IDLE", "pipe2", "posix_fadvise"},
        "signal": {"SIGRTMIN", "SIGPOLL", "SIGPWR"},
        "socket": {"SO_BINDTODEVICE", "SO_PASSCRED"},
        "time": {"CLOCK_BOOTTIME"},
    },
}
"""What our modules do not find: whole modules, and names of others."""
_real_import = builtins.__import__
_real_rename, _real_kill, _Popen = os.rename, os.kill, subprocess.Popen
_BAD_NAME = re.compile(r"""[<>:"|?*\x00-\x1f]|[. ]$""")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
CLOSED_EVENT, CLOSED_CODE, CLOSED_SECONDS = 2, 0xC000013A & 0xFF, 5


def pretend(system: str) -> None:
    """Let this process, and all that it starts, be on "win32" or "darwin"."""
    own = HIDDEN[system]
    if system == "win32":
        others = _windows()
    else:
        others = {"sys": {"platform": "darwin"}}
        sys.addaudithook(_refuse_linux)
    hidden: dict[str, types.ModuleType] = {}
    for name in ("os", "signal", "socket", "time", "sys", "subprocess", "select", "ctypes", "msvcrt"):
        if name != "msvcrt" or system == "win32":
            hidden[name] = _Seen(name, own.get(name, set()), others.get(name, {}))
    builtins.__import__ = _importing(hidden, own["modules"])


class _Seen(types.ModuleType):
    """A module without some of its names, and with others."""

    def __init__(self, name: str, hidden: set[str], others: dict[str, Any]) -> None:
        super().__init__(name)
        self.__dict__.update(_hidden=hidden, _real=sys.modules.get(name), **others)

    def __getattr__(self, name: str) -> Any:
        if name in self._hidden:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} (on this system)")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._real, name, value)


def _importing(seen: dict[str, types.ModuleType], missing: set[str]) -> Callable[..., Any]:
    """Return an import that deceives our own modules alone."""

    def import_(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        caller = str((globals or {}).get("__name__", "")).partition(".")[0]
        if level or caller not in OURS:
            return _real_import(name, globals, locals, fromlist, level)
        root = name.partition(".")[0]
        if root in missing:
            raise ModuleNotFoundError(f"No module named {name!r} (on this system)", name=name)
        if root in seen and (root == name or not fromlist):
            return seen[root]
        return _real_import(name, globals, locals, fromlist, level)

    return import_


# Windows


def _windows() -> dict[str, dict[str, Any]]:
    """Let files, processes and signals be as on Windows; return the names that our modules find there."""
    sys.addaudithook(_refuse)
    os.rename = _rename
    os.symlink = _no_symlink
    os.fsync = _fsync(os.fsync)
    # Folders are no descriptors there.
    shutil._use_fd_functions = False
    subprocess.Popen = _WindowsPopen
    asyncio.AbstractEventLoop.add_signal_handler = _no_handler
    asyncio.SelectorEventLoop.add_signal_handler = _no_handler
    kernel = _Kernel()
    return {
        "sys": {"platform": "win32"},
        "os": {"name": "nt", "kill": _kill, "startfile": lambda path: None},
        "signal": {"SIGBREAK": signal.SIGUSR2, "CTRL_C_EVENT": 0, "CTRL_BREAK_EVENT": 1},
        "socket": {"SO_EXCLUSIVEADDRUSE": socket.SO_REUSEADDR},
        "select": {"select": _select},
        "subprocess": {
            "CREATE_NEW_PROCESS_GROUP": 0x200,
            "BELOW_NORMAL_PRIORITY_CLASS": 0x4000,
            "IDLE_PRIORITY_CLASS": 0x40,
            "Popen": _WindowsPopen,
        },
        "ctypes": {"WinDLL": lambda name: kernel, "WINFUNCTYPE": ctypes.CFUNCTYPE, "CDLL": _library},
        "msvcrt": {"LK_NBLCK": 2, "LK_LOCK": 1, "LK_UNLCK": 0, "locking": _locking},
    }


def _denied(path: object) -> PermissionError:
    return PermissionError(errno.EACCES, "The process cannot access the file because it is being used", str(path))


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses, whoever asks for it."""
    if event == "open" and isinstance(arguments[0], str | bytes):
        path = os.fsdecode(arguments[0])
        if path.startswith(("/proc", "/sys", "/etc/localtime")) and not _is_asked_here():
            raise FileNotFoundError(errno.ENOENT, "There is no such file on Windows", path)
        if not path.startswith(("/dev", "/proc", "/sys")):
            _refuse_name(path)
            if os.path.isdir(path):
                raise PermissionError(errno.EACCES, "A folder is not opened", path)
    elif event in {"os.remove", "os.rmdir"}:
        _refuse_open(os.fsdecode(arguments[0]))
    elif event == "os.rename":
        for path in arguments[:2]:
            _refuse_open(os.fsdecode(path))
        _refuse_name(os.fsdecode(arguments[1]))
    elif event == "os.mkdir":
        _refuse_name(os.fsdecode(arguments[0]))


def _refuse_linux(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what macOS does not have: the folders /proc and /sys."""
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(("/proc", "/sys/")):
        raise FileNotFoundError(errno.ENOENT, "There is no such file on macOS", arguments[0])


def _is_asked_here() -> bool:
    """Tell whether this module or a package asks, not one of ours: the reading of /proc is hidden from ours alone."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if name == __name__ and frame.f_code.co_name in {"_is_open", "_of_the_house"}:
            return True
        if name in OURS - {"__main__"}:
            return False
        frame = frame.f_back
    return True


def _refuse_name(path: str) -> None:
    for part in Path(path).parts:
        if part not in {"/", ".", ".."} and (_BAD_NAME.search(part) or _RESERVED.fullmatch(part)):
            raise OSError(errno.EINVAL, "The file name is not correct", path)


def _refuse_open(path: str) -> None:
    """Raise PermissionError for what any process of the house has open, or something in it, or works in."""
    if os.path.lexists(path) and _is_open(os.path.realpath(path)):
        raise _denied(path)


def _is_open(path: str) -> bool:
    below = path.rstrip("/") + "/"
    for process in _of_the_house():
        places = [f"/proc/{process}/cwd"]
        try:
            places += [f"/proc/{process}/fd/{fd}" for fd in os.listdir(f"/proc/{process}/fd")]
        except OSError:
            continue
        for place in places:
            try:
                found = os.readlink(place)
            except OSError:
                continue
            if found == path or found.startswith(below):
                return True
    return False


def _of_the_house() -> list[str]:
    """Return the processes that have the same hidden system and data folder as this one, itself among them."""
    mark = f"STAMMTISCH_DATA={os.environ.get('STAMMTISCH_DATA', '')}\0".encode()
    found = ["self"]
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    environment = file.read() + b"\0"
            except OSError:
                continue
            if mark in environment and b"HIDDEN_SYSTEM=" in environment:
                found.append(name)
    return found


def _rename(source: Any, target: Any, **options: Any) -> None:
    """Rename as Windows does: nothing is replaced."""
    if os.path.lexists(target) and not os.path.samefile(source, target):
        raise FileExistsError(errno.EEXIST, "There is such a file already", str(source), None, str(target))
    _real_rename(source, target, **options)


def _no_symlink(*_arguments: Any, **_options: Any) -> None:
    raise OSError(errno.EPERM, "A required privilege is not held by the client")


def _fsync(real: Callable[[Any], None]) -> Callable[[Any], None]:
    import fcntl

    def sync(fd: Any) -> None:
        number = fd if isinstance(fd, int) else fd.fileno()
        if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "A file that is only read is not synced")
        real(fd)

    return sync


def _no_handler(*_arguments: Any) -> None:
    raise NotImplementedError


def _kill(pid: int, number: int) -> None:
    """End a process at once, whatever the signal: that is what os.kill does on Windows."""
    _real_kill(pid, signal.SIGKILL)


def _library(name: str | None, *arguments: Any, **options: Any) -> Any:
    if name is None:
        raise TypeError("bad argument type for built-in operation")
    return ctypes.CDLL(name, *arguments, **options)


def _select(readers: Any, writers: Any, faults: Any, seconds: float | None = None) -> Any:
    for each in (*readers, *writers, *faults):
        if not isinstance(each, socket.socket):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
    return select.select(readers, writers, faults, seconds)


class _WindowsPopen(_Popen):  # type: ignore[type-arg]
    """A process as Windows starts it: no function before it, no descriptors but the three, no session of its own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options.get("preexec_fn") is not None:
            raise ValueError("preexec_fn is not supported on Windows platforms")
        if options.pop("pass_fds", ()):
            raise ValueError("pass_fds not supported on Windows.")
        if options.pop("user", None) or options.pop("group", None) or options.pop("extra_groups", None):
            raise ValueError("The 'user' parameter is not supported on the current platform")
        options["start_new_session"] = bool(options.pop("creationflags", 0) & 0x200)
        super().__init__(*arguments, **options)

    def terminate(self) -> None:
        self.kill()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            _real_kill(self.pid, signal.SIGKILL if number == signal.SIGTERM else number)


def _locking(fd: int, mode: int, count: int) -> None:
    """Lock bytes from the place of a file on, by Linux' locks of an open file, which are like Windows'."""
    import fcntl
    import struct

    kind = fcntl.F_UNLCK if mode == 0 else fcntl.F_WRLCK
    asked = struct.pack("hhqqi4x", kind, os.SEEK_CUR, 0, count, 0)
    until = time.monotonic() + (10 if mode == 1 else 0)
    while True:
        try:
            fcntl.fcntl(fd, fcntl.F_OFD_SETLK, asked)
            return
        except OSError as error:
            if error.errno not in {errno.EAGAIN, errno.EACCES}:
                raise
            if time.monotonic() >= until:
                raise OSError(errno.EACCES if mode == 2 else errno.EDEADLK, "Locked by another process") from None
            time.sleep(1)


class _Kernel:
    """kernel32 as far as the house calls it."""

    def SetPriorityClass(self, process: Any, kind: int) -> int:
        return 1

    def K32GetProcessMemoryInfo(self, process: Any, counters: Any, size: int) -> int:
        counters[2] = 123_456_789
        return 1

    def SetConsoleCtrlHandler(self, handler: Any, is_added: int) -> int:
        """Call a handler, in a thread, when SIGUSR1 comes; when it returns, or after some seconds, end the process."""

        def close() -> None:
            thread = threading.Thread(target=handler, args=(CLOSED_EVENT,), daemon=True)
            thread.start()
            thread.join(CLOSED_SECONDS)
            os._exit(CLOSED_CODE)

        signal.signal(signal.SIGUSR1, lambda *_: threading.Thread(target=close, daemon=True).start())
        return 1
