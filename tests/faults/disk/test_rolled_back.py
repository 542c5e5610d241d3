"""What a transaction read and wrote is known to the process only once it is committed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import transaction

from games.models import Table
from games.services.tables import log, snapshot
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db(transaction=True)


class _Fault(Exception):
    """Something broke before the commit."""


def _write_an_entry(table: Table) -> Table:
    """Have somebody answer a choice; return the row as it stands then."""
    answer(table, next(c for c in choices_at(table) if c.required))
    return log.lock(table.pk)


def test_what_is_rolled_back_is_not_kept(start_table: Callable[..., Table]) -> None:
    """The same seq then holds another entry: what was kept would be taken for it."""
    table = start_table()
    log.forget_all()
    with pytest.raises(_Fault), transaction.atomic():
        row = _write_an_entry(table)
        snapshot.forget_all()
        assert log.snapshot_of(row).seq == 2
        raise _Fault
    assert snapshot.cached(table.pk) is None
    answer(table, choices_at(table)[0], option=-1)
    call_command("check_logs")
    kept = snapshot.cached(table.pk)
    assert kept is not None
    log.forget_all()
    table.refresh_from_db()
    assert log.state_of(table) == kept.state


def test_a_row_that_a_rollback_left_ahead_of_its_log_is_not_kept(start_table: Callable[..., Table]) -> None:
    table = start_table()
    log.forget_all()
    with pytest.raises(_Fault), transaction.atomic():
        row = _write_an_entry(table)
        raise _Fault
    assert row.seq == 2
    row.state = None
    log.snapshot_of(row)
    assert snapshot.cached(table.pk) is None


def test_what_is_committed_is_kept(start_table: Callable[..., Table]) -> None:
    table = start_table()
    log.forget_all()
    with transaction.atomic():
        log.snapshot_of(log.lock(table.pk))
        assert snapshot.cached(table.pk) is None
    kept = snapshot.cached(table.pk)
    assert kept is not None and kept.seq == 1
