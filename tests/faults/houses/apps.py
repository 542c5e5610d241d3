"""The app that lets a server end itself at a statement (last_statement.py)."""

from __future__ import annotations

import os
from pathlib import Path

from django.apps import AppConfig


class LastStatementConfig(AppConfig):
    """Installs the bound of the environment, if there is one."""

    name = "tests.faults.houses"
    label = "fault_houses"

    def ready(self) -> None:
        """Install it."""
        from tests.faults.houses import last_statement

        if place := os.environ.get(last_statement.VARIABLE):
            last_statement.install(Path(place))
