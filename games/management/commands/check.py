"""Check everything that needs no server: settings and installed games, then every table."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.commands import check

from games.management import preparation

# Django's own options; with one of them only Django's checks run.
NARROWER = ("tags", "deploy", "list_tags", "databases")


class Command(check.Command):
    """`manage.py check`: Django's checks, and the checks of the logs."""

    help = "Check the settings, and prove every table's log, state, results and dice; exit code 1 on a fault."

    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Run Django's checks; without options for these, go on to the tables."""
        super().handle(*app_labels, **options)
        if app_labels or any(options.get(name) for name in NARROWER):
            return
        preparation.check()
        call_command("check_logs", stdout=self.stdout)
