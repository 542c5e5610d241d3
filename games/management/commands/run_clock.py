"""The clock as a process of its own, for a house with several server processes."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.realtime import broadcast, clock_thread


class Command(BaseCommand):
    """`manage.py run_clock`."""

    requires_migrations_checks = True
    help = "Act for bots and sleepers until Ctrl-C; the servers then run with CLOCK=off."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the clock's thread until a signal comes."""
        if not broadcast.is_shared():
            self.stderr.write("Without REDIS_URL pages learn of its acts only when they ask.")
        told_to_stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: told_to_stop.set())
        settings.CLOCK = "thread"
        broadcast.start()
        clock_thread.start()
        self.stdout.write("The clock is running.")
        self.stdout.flush()
        told_to_stop.wait()
        clock_thread.stop()
        self.stdout.write("The clock has stopped.")
