"""Closing for sure: a server that is told to stop ends, even if a request never does.

Daphne waits for what still runs, and now and then for something that never ends. What was
acknowledged is stored, so after CLOSE_SECONDS the process ends all the same.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

CLOSE_SECONDS = 10
_REACTOR = "twisted.internet.reactor"


def watch() -> None:
    """See to it that this process ends soon after its server was told to; daphne only."""
    reactor: Any = sys.modules.get(_REACTOR)
    if reactor is not None:
        reactor.addSystemEventTrigger("before", "shutdown", end_soon)


def end_soon() -> None:
    """End the process in CLOSE_SECONDS, if it has not ended by itself."""
    timer = threading.Timer(CLOSE_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()
