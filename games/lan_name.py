"""The house's name in the LAN, such as stammtisch.local: kept in the data folder, for all its processes.

The name outlives a restart, so that a printed card leads to the same house (games/management/announcing.py).
"""

from __future__ import annotations

import json
import time
from contextlib import suppress

from django.conf import settings

FILE = "lan_name.json"
SECONDS = 3.0
_last_name: tuple[float, str] = (-SECONDS, "")


def kept() -> str:
    """Return the name that the house had last; "" if it never had one."""
    return _read_name()[0]


def announced() -> str:
    """Return the name that is announced now; "" for none. Asked at every request, read every few seconds."""
    global _last_name  # noqa: PLW0603
    at, name = _last_name
    if time.monotonic() >= at + SECONDS:
        found, is_announced = _read_name()
        name = found if is_announced else ""
        _last_name = time.monotonic(), name
    return name


def keep(name: str, *, is_announced: bool) -> None:
    """Keep the name, and whether it is announced."""
    global _last_name  # noqa: PLW0603
    (settings.DATA_DIR / FILE).write_text(json.dumps({"name": name, "is_announced": is_announced}))
    _last_name = (-SECONDS, "")


def _read_name() -> tuple[str, bool]:
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((settings.DATA_DIR / FILE).read_text())
        return str(found["name"]), bool(found["is_announced"])
    return "", False
