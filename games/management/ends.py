"""The signals that close a house."""

from __future__ import annotations

import signal


def heeded() -> list[signal.Signals]:
    """Return the signals that end a server: Ctrl-C, SIGTERM, and a terminal that is closed.

    The last one is left ignored where somebody wants that (nohup).
    """
    found = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found
