"""Run the clock as a process of its own, for a house with several server processes."""

from __future__ import annotations

import signal
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.live import clock_thread
from games.live.rooms import relay
from games.management.processes import ends
from games.ops.diagnosis import log_level

LOOK_SECONDS = 0.2


class Command(BaseCommand):
    """`manage.py run_clock`."""

    requires_system_checks = []
    requires_migrations_checks = True
    help = "Act for bots and sleepers until Ctrl-C, whenever no other process does."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the clock's thread until a signal comes."""
        if not relay.is_shared():
            self.stderr.write("Without REDIS_URL pages learn of its acts only when they ask.")
        # A plain list: a signal handler that takes a lock can wait for itself.
        signals: list[int] = []
        for number in ends.stop_signals():
            signal.signal(number, lambda each, _: signals.append(each))
        settings.CLOCK = "thread"
        log_level.start_following()
        relay.start()
        clock_thread.start()
        self.stdout.write("The clock is running.")
        self.stdout.flush()
        while not signals:
            time.sleep(LOOK_SECONDS)
        clock_thread.stop()
        self.stdout.write("The clock has stopped.")
