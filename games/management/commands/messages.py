"""Update the catalogues with the texts of the sources."""

from __future__ import annotations

import shutil
from typing import Any

import polib
from django.core.management.base import BaseCommand, CommandError

from games.management.translations import catalogs, extraction


class Command(BaseCommand):
    """`manage.py messages`."""

    help = "Collect the marked texts of every app into its catalogs (needs GNU gettext)."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the merged catalogues in place, and print the number of texts left to translate."""
        if not extraction.is_possible():
            raise CommandError("GNU gettext is needed for this: install the package gettext.")
        with extraction.merged_catalogs() as merged:
            for target, source in merged.items():
                if not len(polib.pofile(str(source))):
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
                left = sum(1 for _ in catalogs.faults(target))
                self.stdout.write(f"{target}: {left} to do")
