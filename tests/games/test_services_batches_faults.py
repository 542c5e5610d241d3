"""Batches when something is not as it should be: the database, another process, rights."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError

from games.kernel.contract import Illegal
from games.models import LogEntry, Result, Table
from games.services import batches, known, ledger, writer
from games.services.play import Actor, Request
from tests.games.batch_acts import Answers, fail, next_request, take

pytestmark = pytest.mark.django_db(transaction=True)
MakeTable = Callable[..., Table]


def test_a_batch_that_the_database_refuses_leaves_nothing_and_says_so(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table()
    ledger.snapshot_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(6))
    with monkeypatch.context() as patched:
        patched.setattr(batches.rows, "move_on", _full)
        take([answers.asked(table, request, seat)])
    assert isinstance(answers.told[-1], OperationalError)
    table.refresh_from_db()
    assert table.seq == 1 and LogEntry.objects.filter(table=table).count() == 1
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 2


def _full(*args: object) -> None:
    raise OperationalError("database or disk is full")


def test_another_processs_entry_is_seen_before_a_batch_decides(start_table: MakeTable) -> None:
    table = start_table()
    behind = ledger.snapshot_of(table)
    answers, rng = Answers(), random.Random(7)
    for _ in range(4):
        seat, request = next_request(table, rng)
        batches.submit(table.pk, Actor(table.seats.get(index=seat).player_id), request)
    known.forget_all()
    known.keep(behind)
    seat, request = next_request(table, rng)
    known.forget_all()
    known.keep(behind)
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 6
    call_command("check_logs", stdout=StringIO())


def test_the_stored_state_is_a_few_entries_old_at_most_and_the_log_tells_the_rest(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "STATE_EVERY", 4)
    table = start_table("chicago", "classic", seats=3)
    answers, rng = Answers(), random.Random(8)
    lags = set()
    for step in range(30):
        seat, request = next_request(table, rng)
        take([answers.asked(table, request, seat)])
        table.refresh_from_db()
        lags.add(table.seq - table.state_seq)
        if step % 7 == 0:
            ledger.forget_all()
    assert max(lags) == 3
    call_command("check_logs", stdout=StringIO())


def test_who_is_no_longer_in_at_the_night_plays_no_more(start_table: MakeTable) -> None:
    table = start_table()
    ledger.snapshot_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(9))
    asked = answers.asked(table, request, seat)
    table.night.memberships.filter(player_id=asked.actor.player_id).update(status="kicked")
    take([asked])
    assert isinstance(answers.told[-1], Illegal)
    assert answers.told[-1].code == "removed"


def test_a_thread_that_waits_gets_its_receipt_or_what_wasfaild(start_table: MakeTable) -> None:
    table = start_table()
    seat, request = next_request(table, random.Random(10))
    actor = Actor(table.seats.get(index=seat).player_id)
    assert writer.submit(table.pk, actor, request).seq == 2
    assert writer.submit(table.pk, actor, request).repeated
    with pytest.raises(Illegal, match="bad_command_id"):
        writer.submit(table.pk, actor, Request("x", {}, ""))
    assert Result.objects.count() == 0


def test_a_fault_of_the_house_does_not_end_the_writer(start_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = start_table()
    seat, request = next_request(table, random.Random(11))
    actor = Actor(table.seats.get(index=seat).player_id)
    with monkeypatch.context() as patched:
        patched.setattr(writer, "_take", fail)
        with pytest.raises(ZeroDivisionError):
            writer.submit(table.pk, actor, request)
    assert writer.submit(table.pk, actor, request).seq == 2
