"""Check that every text is translated into every language."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.translations import catalogs, extraction

MOST_LISTED = 60


class Command(BaseCommand):
    """`manage.py check_translations`."""

    help = "Fail when a text is missing, fuzzy or has other placeholders in a language."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the catalogues, merged with the texts of the sources if gettext is installed."""
        if extraction.is_possible():
            with extraction.merged_catalogs() as merged:
                found = [f"{t}: {f}" for t, s in merged.items() for f in catalogs.faults(s)]
        elif os.environ.get("REQUIRE_ALL") == "1":
            raise CommandError("GNU gettext is required and missing.")
        else:
            self.stdout.write("Without GNU gettext only the catalogs are checked, not the sources.")
            paths = catalogs.catalog_paths()
            found = [f"{path}: {fault}" for path in paths for fault in catalogs.faults(path)]
        if found:
            raise CommandError("\n".join([*found[:MOST_LISTED], f"{len(found)} texts to do."]))
        self.stdout.write("Every text is translated.")
