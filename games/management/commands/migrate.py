"""Bring the database up to this version: Django's command, without looking over pages and admin first."""

from __future__ import annotations

from typing import Any

from django.core.checks import Tags
from django.core.management.commands import migrate

from games.management import preparation


class Command(migrate.Command):
    """`manage.py migrate`."""

    requires_system_checks = [Tags.database]

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database of another version, else do the steps; raises CommandError."""
        preparation.refuse_other_versions()
        super().handle(*args, **options)
