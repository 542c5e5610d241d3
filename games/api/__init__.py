"""The HTTP API: the same functions as the live connection, by requests (docs/protocol.md §8)."""

from __future__ import annotations

import sys

_UNUSED = ("django.contrib.postgres", "markdown", "pygments", "requests")
"""Libraries that REST framework takes in for pages and fields that the house has not: 11 MB a process."""


def _load_without(*names: str) -> None:
    """Load the part of REST framework that takes in other libraries, as where those that nobody has loaded are not."""
    hidden = [name for name in names if name not in sys.modules]
    # By the import system's own rule None is a module that is not there.
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        import rest_framework.compat  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]


_load_without(*_UNUSED)
