"""Messages to systemd: the house is open, lives, closes (the protocol of sd_notify(3)).

Without NOTIFY_SOCKET, which systemd sets for a unit of Type=notify, nothing is sent.
"""

from __future__ import annotations

import socket
import sys
import time
from contextlib import suppress

from django.conf import settings

_beaten_at = float("-inf")


def tell(state: str) -> None:
    """Send a state such as "READY=1"; a manager that does not listen is no fault of the house."""
    address = settings.NOTIFY_SOCKET
    if sys.platform == "win32" or not address:
        return
    # An abstract socket's name begins with a zero byte, written as @.
    place = f"\0{address[1:]}" if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(state.encode(), place)


def beat_seconds() -> float:
    """Return the seconds between two beats: a third of WatchdogSec; 0 without a watchdog."""
    return float(settings.WATCHDOG_USEC) / 3_000_000


def beat() -> None:
    """Say that the house lives, as often as the manager wants to hear it."""
    global _beaten_at  # noqa: PLW0603
    every, now = beat_seconds(), time.monotonic()
    if every and now - _beaten_at >= every:
        _beaten_at = now
        tell("WATCHDOG=1")
