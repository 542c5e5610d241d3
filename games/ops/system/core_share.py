"""The processors' time that this process may use, where a container or a service manager limits it (Linux).

Such a limit counts what gives way, too: within it, what has the lowest precedence takes the time of all others.
"""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

GROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def core_share() -> float:
    """Return how many processors' time this process' control group has: 0.25 is a quarter of one; inf without limit."""
    with suppress(OSError, ValueError):
        for line in OWN.read_text(encoding="utf-8").splitlines():
            _number, names, path = line.split(":", 2)
            if not names or "cpu" in names.split(","):
                with suppress(OSError, ValueError):
                    return _limit(path.lstrip("/"), is_first_version=bool(names))
    return math.inf


def _limit(path: str, *, is_first_version: bool) -> float:
    """Return the limit of a group; raises OSError where its files are not, ValueError for words that are unknown."""
    if is_first_version:
        quota, period = (
            (GROUPS / "cpu" / path / f"cpu.cfs_{each}_us").read_text(encoding="ascii") for each in ("quota", "period")
        )
    else:
        quota, period = (GROUPS / path / "cpu.max").read_text(encoding="ascii").split()
    return math.inf if quota.strip() in ("max", "-1") else int(quota) / int(period)
