"""Check that every table's log, state, dice and results agree."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, transaction

from games.management import log_check
from games.management.backups import archive, sqlite
from games.models import Table
from games.services.tables import log


class Command(BaseCommand):
    """`manage.py check_logs`."""

    help = "Prove log == state == results == dice for every table; exit code 1 on a fault."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the public ids of the tables to check."""
        parser.add_argument("tables", nargs="*", help="public ids; all tables if none is given")

    def handle(self, *args: Any, tables: list[str], **options: Any) -> None:
        """Check the tables one by one, each while it is locked against writes; raises CommandError for faults."""
        try:
            ids = _ids(tables)
            bad = sum(self._is_bad(table_id) for table_id in ids)
        except DatabaseError as error:
            text = archive.told(error, sqlite.path_of_house().parent)
            raise CommandError(f"The logs can't be read. {text}") from None
        if bad:
            raise CommandError(f"{bad} of {len(ids)} tables have faults.")
        self.stdout.write(f"{len(ids)} tables checked, no fault.")

    def _is_bad(self, table_id: int) -> bool:
        """Check one table and print its faults."""
        with transaction.atomic():
            table = log.lock(table_id)
            found = log_check.faults(table)
        for fault in found:
            self.stdout.write(f"{table.public_id} ({table}): {fault}")
        return bool(found)


def _ids(tables: list[str]) -> list[int]:
    """Return the keys of tables by their public ids, of all if none is given; raises CommandError, DatabaseError."""
    chosen = Table.objects.order_by("pk")
    if tables:
        chosen = chosen.filter(public_id__in=tables)
        if missing := set(tables) - set(chosen.values_list("public_id", flat=True)):
            raise CommandError(f"no such table: {', '.join(sorted(missing))}")
    return list(chosen.values_list("pk", flat=True))
