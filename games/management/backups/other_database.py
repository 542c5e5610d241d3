"""Another database under Django's connection, for as long as a context lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from django.db import connection

Prove: TypeAlias = Callable[[], None]
"""A function that brings the connected database up to this version, and raises CommandError if it has faults."""


@contextmanager
def connected_to(**place: Any) -> Iterator[None]:
    """Connect Django to another database inside the context."""
    kept = {name: connection.settings_dict[name] for name in place}
    connection.close()
    connection.settings_dict.update(place)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(kept)
