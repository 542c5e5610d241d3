"""The archive: tables that are left out of a night's lists. Their logs and results stay."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Night, Table
from games.services import audit
from games.services.publication import table_changed
from games.services.tables import log


def is_over(table: Table) -> bool:
    """Tell whether a table has ended, or never began and its night is closed."""
    never_began = table.status == Table.Status.LOBBY
    is_late = never_began and table.night.status == Night.Status.CLOSED
    return is_late or table.status == Table.Status.FINISHED


@transaction.atomic
def archive(table: Table, by: AbstractBaseUser) -> Table:
    """Archive a table that is over; raises `not_finished`, `is_archived`."""
    table = log.lock(table.pk)
    if not is_over(table):
        raise Illegal("not_finished")
    if table.archived_at is not None:
        raise Illegal("is_archived")
    _set(table, datetime.now(UTC), "table_archived", by)
    return table


@transaction.atomic
def restore(table: Table, by: AbstractBaseUser) -> Table:
    """Show a table in its night's lists again; raises `not_archived`."""
    table = log.lock(table.pk)
    if table.archived_at is None:
        raise Illegal("not_archived")
    _set(table, None, "table_restored", by)
    return table


def _set(table: Table, at: datetime | None, act: str, by: AbstractBaseUser) -> None:
    """Save the time of archiving, notify the table's browsers, and write the audit."""
    table.archived_at = at
    table.save(update_fields=["archived_at"])
    subject = f"{table.game_id} {table.number}"
    audit.note(act, by, subject, night=table.night, table=table.public_id)
    table_changed(table)
