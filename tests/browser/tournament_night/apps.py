"""The app that gives a server process its false clock (false_clock.py)."""

from __future__ import annotations

import os
from pathlib import Path

from django.apps import AppConfig


class FalseClockConfig(AppConfig):
    """Installs the false clock of the environment, if there is one, when all apps are loaded."""

    name = "tests.browser.tournament_night"
    label = "false_clock"

    def ready(self) -> None:
        """Install it."""
        from tests.browser.tournament_night import false_clock

        if place := os.environ.get(false_clock.VARIABLE):
            false_clock.install(Path(place))
