"""Compile the translations without GNU gettext."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.management.translations import catalogs


class Command(BaseCommand):
    """`manage.py compile_translations`."""

    help = "Compile every *.po of the project that is newer than its *.mo (needs no GNU gettext)."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile every changed catalogue."""
        for path in catalogs.compile_changed():
            self.stdout.write(f"compiled {path}")
