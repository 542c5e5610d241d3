"""A part of this computer for a house: a share of a core and so many megabytes, as a small computer has (Linux).

By control groups where they may be made, else by `systemd-run`; where neither is allowed there is no small box.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 100_000
_ENTER = 'for group; do shift; [ "$group" = -- ] && break; echo $$ > "$group/cgroup.procs" || exit 1; done; exec "$@"'


class NotAllowedError(Exception):
    """This computer lets nobody here set a part of it aside."""


def group_of(pid: int | str, controller: str) -> Path:
    """Return the folder of a process' control group: of version 2, or of a controller of version 1."""
    is_new = (GROUPS / "cgroup.controllers").exists()
    for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _number, names, path = line.split(":", 2)
        if (not names) if is_new else (controller in names.split(",")):
            return (GROUPS if is_new else GROUPS / controller) / path.lstrip("/")
    raise OSError(f"no control group for {controller}")


def _groups(core: float, megabytes: int) -> dict[Path, dict[str, str]]:
    """Return the folders of the control groups to make, with what is to be written to their files."""
    name, quota, most = f"stammtisch-{os.getpid()}", str(int(core * PERIOD_US)), str(megabytes << 20)
    if (GROUPS / "cgroup.controllers").exists():
        own = group_of("self", "")
        # A group that has processes of its own lets none below it have limits.
        base = own if own == GROUPS else own.parent
        return {base / name: {"cpu.max": f"{quota} {PERIOD_US}", "memory.max": most}}
    return {
        group_of("self", "cpu") / name: {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": quota},
        group_of("self", "memory") / name: {"memory.limit_in_bytes": most},
    }


@contextmanager
def small_box(core: float, megabytes: int) -> Iterator[list[str]]:
    """Yield what a command is begun with that is to have no more than that; raises NotAllowedError."""
    made: list[Path] = []
    try:
        try:
            for folder, files in _groups(core, megabytes).items():
                folder.mkdir()
                made.append(folder)
                for name, value in files.items():
                    (folder / name).write_text(value)
            begin = ["sh", "-c", _ENTER, "sh", *map(str, made), "--"]
        except OSError as error:
            begin = _by_systemd(core, megabytes, error)
        yield begin
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def _by_systemd(core: float, megabytes: int, error: OSError) -> list[str]:
    """Return what systemd begins such a command with, if it does."""
    limits = ["-p", f"CPUQuota={core:.0%}", "-p", f"MemoryMax={megabytes}M"]
    for kind in ([], ["--user"]):
        begin = ["systemd-run", *kind, "--scope", "--quiet", *limits]
        if _succeeds([*begin, "true"]):
            return begin
    raise NotAllowedError(f"neither control groups ({error}) nor systemd-run are allowed here") from error


def _succeeds(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def used(pid: int) -> str:
    """Return how much of its part a process' group has used, in words: periods without a rest of its share, memory."""
    told = dict(line.split() for line in (group_of(pid, "cpu") / "cpu.stat").read_text().splitlines())
    share = int(told["nr_throttled"]) / max(1, int(told["nr_periods"]))
    memory = group_of(pid, "memory")
    peaks = [memory / name for name in ("memory.peak", "memory.max_usage_in_bytes")]
    peak = next((int(path.read_text()) >> 20 for path in peaks if path.exists()), 0)
    return f"its share of the core was used up in {share:.0%} of the periods; memory and kept files {peak} MB at most"
