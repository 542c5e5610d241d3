"""The signals that end a server."""

from __future__ import annotations

import signal


def stop_signals() -> list[signal.Signals]:
    """Return the signals that end a server: Ctrl-C, SIGTERM, and a closed terminal (SIGHUP).

    SIGHUP is not among them if it is ignored (nohup).
    """
    found = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found
