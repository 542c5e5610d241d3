"""The lease on the clock: of all processes of a house, one acts for bots and sleepers.

The holder renews the lease every RENEW_SECONDS; when it has died, another process takes the
lease over once it has run out, on the same computer at once. Only the database's time counts,
so the clocks of the machines may differ. A holder that could not renew in time does nothing
until it has asked again. The lease saves work; that two clocks do no harm is seen to elsewhere
(services/clock.py).
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from games.models import ClockLease, Table
from games.services import house_time

logger = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
RENEW_SECONDS = 2.0
"""How often the holder renews, and the others ask: taken over within the sum of the two."""

_ROW = "clock"
_TRIED = "tried"
_has_joined = False
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Lease:
    """The claim of this process to the clock."""

    def __init__(self) -> None:
        self.holder = f"{_here()}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self._is_held = False
        self._ask_at = 0.0
        self._lock = threading.Lock()

    @property
    def is_held(self) -> bool:
        """Tell whether this process held the clock when it last asked."""
        return self._is_held

    def hold(self) -> bool:
        """Tell whether this process may act now; asks the database when it is time to."""
        with self._lock:
            now = time.monotonic()
            if now >= self._ask_at:
                was_held, self._is_held = self._is_held, False
                self._is_held = self._take()
                # Counted from before the question: the lease lasts at least this long.
                self._ask_at = now + RENEW_SECONDS
                if self._is_held != was_held:
                    logger.info("the clock runs %s", "here" if self._is_held else "elsewhere")
            return self._is_held

    def _take(self) -> bool:
        """Take or renew the lease where it is ours, free or run out."""
        join_time()
        # Nobody's lease lasts that long: the database's clock was set back since.
        is_insane = Q(until__gt=Now() + timedelta(seconds=2 * LEASE_SECONDS))
        free = Q(holder=self.holder) | Q(until__lte=Now()) | is_insane
        mine = {
            "holder": self.holder,
            "until": Now() + timedelta(seconds=LEASE_SECONDS),
            "house_ms": house_time.now_ms(),
            "told_at": Now(),
        }
        row = ClockLease.objects.filter(pk=_ROW)
        if row.filter(free).update(**mine):
            return True
        if (holder := row.values_list("holder", flat=True).first()) is not None:
            return _is_dead(holder) and bool(row.filter(holder=holder).update(**mine))
        ClockLease.objects.bulk_create([ClockLease(_ROW, "", _LONG_AGO)], ignore_conflicts=True)
        return bool(row.filter(free).update(**mine))

    def release(self) -> None:
        """Let another process take over at once."""
        with self._lock:
            self._ask_at = 0.0
            if self._is_held:
                self._is_held = False
                ClockLease.objects.filter(pk=_ROW, holder=self.holder).update(until=_LONG_AGO)


def _is_dead(holder: str) -> bool:
    """Tell whether a holder was a process of this computer that is no more: nobody need wait for it."""
    where, number = holder.split(":")[:2] if holder.count(":") == 2 else ("", "")
    if where != _here() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _here() -> str:
    return socket.gethostname()[:24]


def join_time() -> None:
    """Go on with the house's time where the last clock left it, if anybody plays by it.

    As long since as the database says; where that was set back meanwhile, from the very moment.
    A process does it once; raises DatabaseError.
    """
    global _has_joined  # noqa: PLW0603
    if _has_joined:
        return
    told = ClockLease.objects.filter(pk=_ROW).values_list("house_ms", "told_at", Now()).first()
    house_ms, told_at, asked_at = told or (None, None, None)
    if house_ms is not None and told_at and Table.objects.filter(status=Table.Status.PLAYING).exists():
        since = (asked_at - told_at).total_seconds()
        house_time.go_on_from(house_ms + max(0.0, since) * 1000)
    _has_joined = True


def is_alive(within: float = 2 * LEASE_SECONDS) -> bool:
    """Tell whether some process has held the clock within so many seconds."""
    return _running(since=timedelta(seconds=within)).exists()


def is_held() -> bool:
    """Tell whether some process holds the clock now: a server runs on this database."""
    return _running(since=timedelta()).exists()


def _running(since: timedelta) -> QuerySet[ClockLease]:
    """Return the lease if it has not run out for so long, and is none of before a clock was set back."""
    latest = Now() + timedelta(seconds=2 * LEASE_SECONDS)
    return ClockLease.objects.filter(pk=_ROW, until__gt=Now() - since, until__lte=latest)


def try_writing() -> None:
    """Write something that says nothing; raises DatabaseError where no move could be written."""
    # Another number each time: SQLite writes nothing where nothing changes.
    told = {"until": _LONG_AGO, "house_ms": house_time.now_ms()}
    ClockLease.objects.update_or_create(pk=_TRIED, defaults=told)


process = Lease()
"""This process's own."""
