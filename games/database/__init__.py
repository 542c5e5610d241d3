"""Connections to PostgreSQL: those of the pages are few and shared, all others have their own.

A page is made in a thread of its own that lives as long as its request. The threads of the
sockets, the writer and the clock keep a connection each, so that moves never wait for pages.
"""

from __future__ import annotations

import threading

_of_thread = threading.local()


def mark_page() -> None:
    """Let this thread share the pages' connections from now on; the main thread never does."""
    if threading.current_thread() is not threading.main_thread():
        _of_thread.is_page = True


def is_page() -> bool:
    """Tell whether this thread makes a page."""
    return getattr(_of_thread, "is_page", False)
