"""Log lines of an outage: while a database or Redis is away, the first of each kind, then their number once a minute.

Every request, room and round of the clock meets the same fault: without this a minute of it fills the log with
thousands of tracebacks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import InterfaceError, OperationalError

QUIET_SECONDS = 60.0
MOST_KINDS = 50
_MOST_CAUSES = 10
_REDIS = ("ConnectionError", "TimeoutError", "BusyLoadingError")


@dataclass
class _Outage:
    """A kind of fault: when a line of it was last written, and how many have been left out since."""

    told_at: float
    logger: str
    level: int
    left_out: int = 0


class OutageFilter(logging.Filter):
    """Lets the first line of an outage through, and of those after it their number once a minute.

    An outage is what the driver of a database or of Redis raises where it can't get on, and a lost connection: in a
    record's traceback or among its arguments. All handlers of a process count together: each record is looked at once.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is written."""
        if (decided := record.__dict__.get("is_told")) is None:
            decided = record.__dict__["is_told"] = _is_told(record)
        return bool(decided)


_outages: dict[str, _Outage] = {}
_lock = threading.Lock()
_timer: threading.Timer | None = None


def _is_told(record: logging.LogRecord) -> bool:
    if (kind := next(_kinds(record), "")) == "":
        return True
    now = time.monotonic()
    with _lock:
        found = _outages.get(kind)
        if found is not None and (found.left_out or now - found.told_at < QUIET_SECONDS):
            found.left_out += 1
            _count_later()
            return False
        if len(_outages) >= MOST_KINDS:
            _outages.clear()
        _outages[kind] = _Outage(now, record.name, record.levelno)
    return True


def _kinds(record: logging.LogRecord) -> Iterator[str]:
    """Yield the faults of an outage in a record, by their class and first words."""
    raised = record.exc_info[1] if record.exc_info else None
    given = record.args if isinstance(record.args, tuple) else ()
    for each in (raised, *given):
        for error in _chain(each):
            if _is_outage(error):
                yield f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"


def _chain(error: object) -> Iterator[BaseException]:
    """Yield an error and those from which it was raised."""
    for _ in range(_MOST_CAUSES):
        if not isinstance(error, BaseException):
            return
        yield error
        error = error.__cause__ or error.__context__


def _is_outage(error: BaseException) -> bool:
    if isinstance(error, OperationalError | InterfaceError | ConnectionError | TimeoutError):
        return True
    kind = type(error)
    return kind.__module__.startswith("redis") and kind.__name__ in _REDIS


def _count_later() -> None:
    """Write the numbers in a minute, unless that is planned already."""
    global _timer  # noqa: PLW0603
    if _timer is None:
        _timer = threading.Timer(QUIET_SECONDS, tell)
        _timer.daemon = True
        _timer.start()


def tell() -> None:
    """Write a line for each outage of which lines have been left out, with their number."""
    global _timer  # noqa: PLW0603
    lines: list[tuple[str, int, dict[str, Any]]] = []
    with _lock:
        _timer = None
        for kind, found in _outages.items():
            if found.left_out:
                # An error's text may repeat what somebody typed.
                about = {"kind": kind.partition(":")[0], "count": found.left_out}
                lines.append((found.logger, found.level, about))
                found.left_out, found.told_at = 0, time.monotonic()
    for name, level, about in lines:
        text = "component=outage event=goes_on: %(count)s more lines in the last minute: %(kind)s"
        logging.getLogger(name).log(level, text, about, extra={"component": "outage", "event": "goes_on"})


def forget() -> None:
    """Count anew (tests)."""
    global _timer  # noqa: PLW0603
    with _lock:
        _outages.clear()
        if _timer is not None:
            _timer.cancel()
        _timer = None
