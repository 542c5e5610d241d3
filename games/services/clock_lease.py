"""The lease on the clock: of all processes of a house, one acts for bots and sleepers.

The holder renews the lease every RENEW_SECONDS; when it has died, another process takes the
lease over once it has run out. Only the database's time counts, so the clocks of the machines
may differ. A holder that could not renew in time does nothing until it has asked again. The
lease saves work; that two clocks do no harm is seen to elsewhere (services/clock.py).
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta

from django.db.models import Q
from django.db.models.functions import Now

from games.models import ClockLease

logger = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
RENEW_SECONDS = 2.0
"""How often the holder renews, and the others ask: taken over within the sum of the two."""

_ROW = "clock"
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Lease:
    """The claim of this process to the clock."""

    def __init__(self) -> None:
        self.holder = f"{socket.gethostname()[:24]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
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
        free = Q(holder=self.holder) | Q(until__lte=Now())
        mine = {"holder": self.holder, "until": Now() + timedelta(seconds=LEASE_SECONDS)}
        row = ClockLease.objects.filter(pk=_ROW)
        if row.filter(free).update(**mine):
            return True
        if row.exists():
            return False
        ClockLease.objects.bulk_create([ClockLease(_ROW, "", _LONG_AGO)], ignore_conflicts=True)
        return bool(row.filter(free).update(**mine))

    def release(self) -> None:
        """Let another process take over at once."""
        with self._lock:
            self._ask_at = 0.0
            if self._is_held:
                self._is_held = False
                ClockLease.objects.filter(pk=_ROW, holder=self.holder).update(until=_LONG_AGO)


def is_alive(within: float = 2 * LEASE_SECONDS) -> bool:
    """Tell whether some process has held the clock within so many seconds."""
    return ClockLease.objects.filter(until__gt=Now() - timedelta(seconds=within)).exists()


def is_held() -> bool:
    """Tell whether some process holds the clock now: a server runs on this database."""
    return ClockLease.objects.filter(until__gt=Now()).exists()


process = Lease()
"""This process's own."""
