"""The house's clock in the database: the house's time, and whether a process runs the clock.

Every process that runs the clock writes this every RENEW_SECONDS. Only the database's time counts here,
so the clocks of the machines may differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from games.models import HouseClock, Table
from games.services import server_time

VALID_SECONDS = 6.0
"""Seconds for which the clock counts as running after a process has written its row."""
RENEW_SECONDS = 2.0

ROW = "clock"
"""The key of the house's clock in the database."""
_TRIED = "tried"
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

_has_joined = False
_after_joining: list[Callable[[], object]] = []
_renew_at = 0.0
_is_running_here = False


def note_running() -> None:
    """Write that this process runs the clock, and the house's time, every RENEW_SECONDS; raises DatabaseError."""
    global _renew_at, _is_running_here  # noqa: PLW0603
    now = time.monotonic()
    if now < _renew_at:
        return
    _is_running_here = False
    join_time()
    renewal = {"until": Now() + timedelta(seconds=VALID_SECONDS), "house_ms": server_time.now_ms(), "told_at": Now()}
    # A row just written by another process need not be renewed; one written before a clock was set back is ignored.
    is_old = Q(until__lt=Now() + timedelta(seconds=VALID_SECONDS - RENEW_SECONDS / 2))
    is_insane = Q(until__gt=Now() + timedelta(seconds=2 * VALID_SECONDS))
    row = HouseClock.objects.filter(pk=ROW)
    if not row.filter(is_old | is_insane).update(**renewal) and not row.exists():
        HouseClock.objects.bulk_create([HouseClock(ROW, _LONG_AGO)], ignore_conflicts=True)
        row.update(**renewal)
    _renew_at, _is_running_here = now + RENEW_SECONDS, True


def stop() -> None:
    """Write that this process no longer runs the clock; others that do will soon write again."""
    global _renew_at, _is_running_here  # noqa: PLW0603
    _renew_at = 0.0
    if _is_running_here:
        _is_running_here = False
        HouseClock.objects.filter(pk=ROW).update(until=_LONG_AGO)


def is_running_here() -> bool:
    """Tell whether this process runs the clock."""
    return _is_running_here


def is_alive(within: float = 2 * VALID_SECONDS) -> bool:
    """Tell whether a process has run the clock within the last `within` seconds."""
    return _running(since=timedelta(seconds=within)).exists()


def is_running() -> bool:
    """Tell whether a process runs the clock now, and so a server uses this database."""
    return _running(since=timedelta()).exists()


def _running(since: timedelta) -> QuerySet[HouseClock]:
    """Return the row if it was valid within `since`, and was not written before a clock was set back."""
    latest = Now() + timedelta(seconds=2 * VALID_SECONDS)
    return HouseClock.objects.filter(pk=ROW, until__gt=Now() - since, until__lte=latest)


def after_joining(act: Callable[[], object]) -> None:
    """Have a function called once this process has joined the house's time, before its first command or act."""
    _after_joining.append(act)


def join_time() -> None:
    """Continue the house's time from the last clock's, if any table is playing; then do what waits for it.

    The time passed since is taken from the database; if its clock was set back meanwhile, none is added.
    A process does this once; raises DatabaseError.
    """
    global _has_joined  # noqa: PLW0603
    if _has_joined:
        return
    row = HouseClock.objects.filter(pk=ROW).values_list("house_ms", "told_at", Now()).first()
    house_ms, written_at, now = row or (None, None, None)
    if house_ms is not None and written_at and Table.objects.filter(status=Table.Status.PLAYING).exists():
        since = (now - written_at).total_seconds()
        server_time.set_time(house_ms + max(0.0, since) * 1000)
    _has_joined = True
    for act in _after_joining:
        act()


def try_writing() -> None:
    """Write a row without meaning; raises DatabaseError if the database does not take writes."""
    # A different number each time, because SQLite writes nothing if nothing changes.
    values = {"until": _LONG_AGO, "house_ms": server_time.now_ms()}
    HouseClock.objects.update_or_create(pk=_TRIED, defaults=values)
