"""Batches when something is not as it should be: the database, another process, rights."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, OperationalError

from games import plugin
from games.kernel.contract import Illegal
from games.models import LogEntry, Result, Table
from games.services.commands import Actor, Request
from games.services.tables import commit, deciding, log, queue, snapshot
from games.services.tables.decisions import Submission
from tests.tables.commit.commits import Answers, fail, next_request, take
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)
MakeTable = Callable[..., Table]


def test_a_batch_that_the_database_refuses_leaves_nothing_and_says_so(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table()
    log.snapshot_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(6))
    with monkeypatch.context() as patched:
        patched.setattr(commit.sql, "update_tables", _full)
        take([answers.asked(table, request, seat)])
    assert isinstance(answers.told[-1], OperationalError)
    table.refresh_from_db()
    assert table.seq == 1 and LogEntry.objects.filter(table=table).count() == 1
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 2


def test_what_the_database_refuses_for_one_fails_no_neighbour(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [start_table() for _ in range(5)]
    bad, insert = tables[2].pk, commit.sql.insert

    def refuses(entries: list[Any], now: object) -> None:
        insert(entries, now)
        if any(table_id == bad for table_id, _ in entries):
            raise IntegrityError("planted")

    monkeypatch.setattr(commit.sql, "insert", refuses)
    answers, rng = Answers(), random.Random(12)
    asked = []
    for table in tables:
        seat, request = next_request(table, rng)
        asked.append(answers.asked(table, request, seat))
    asked.insert(3, answers.asked(tables[2], Request("nonsense", {}, "n", 1)))
    take(asked)
    kinds = [type(told).__name__ for told in answers.told]
    assert kinds == ["Receipt", "Receipt", "IntegrityError", "Illegal", "Receipt", "Receipt"]
    assert [LogEntry.objects.filter(table=table).count() for table in tables] == [2, 2, 1, 2, 2]
    call_command("check_logs", stdout=StringIO())


def test_a_fault_of_a_game_fails_its_own_command_alone(start_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table, other = start_table("chicago", "classic", seats=2), start_table("dummygame")
    answers, rng = Answers(), random.Random(13)
    asked = []
    for each in (table, other):
        seat, request = next_request(each, rng)
        asked.append(answers.asked(each, request, seat))
    monkeypatch.setattr(plugin.game("dummygame").rules, "decide", fail)
    take(asked)
    assert answers.told[0].seq == 2 and isinstance(answers.told[1], ZeroDivisionError)


def test_a_command_that_is_accepted_elsewhere_meanwhile_is_answered_from_the_log(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the id was looked up before the other process had committed."""
    table, other = start_table(), start_table()
    answers, rng = Answers(), random.Random(14)
    nudge = Request("table.nudge", named(table, "table.nudge", {"seat": 1}), "n")
    take([answers.asked(table, nudge)])
    accepted, asked = log.accepted, []

    def blind(ids: Any) -> Any:
        asked.append(list(ids))
        return accepted(asked[-1]) if len(asked) > 2 else {}

    monkeypatch.setattr(log, "accepted", blind)
    seat, request = next_request(other, rng)
    take([answers.asked(table, nudge), answers.asked(other, request, seat)])
    first, second, third = answers.told
    assert (second.seq, second.repeated, second.events) == (first.seq, True, first.events)
    assert third.seq == 2 and not third.repeated
    assert LogEntry.objects.filter(table=table).count() == 2


def _full(*args: object) -> None:
    raise OperationalError("database or disk is full")


def test_another_processs_entry_is_seen_before_a_batch_decides(start_table: MakeTable) -> None:
    table = start_table()
    behind = log.snapshot_of(table)
    answers, rng = Answers(), random.Random(7)
    for _ in range(4):
        seat, request = next_request(table, rng)
        commit.submit(table.pk, Actor(table.seats.get(index=seat).player_id), request)
    snapshot.forget_all()
    snapshot.keep(behind)
    seat, request = next_request(table, rng)
    snapshot.forget_all()
    snapshot.keep(behind)
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 6
    call_command("check_logs", stdout=StringIO())


def test_the_stored_state_is_a_few_entries_old_at_most_and_the_log_tells_the_rest(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "STATE_EVERY", 4)
    table = start_table("chicago", "classic", seats=3)
    answers, rng = Answers(), random.Random(8)
    lags = set()
    for step in range(30):
        seat, request = next_request(table, rng)
        take([answers.asked(table, request, seat)])
        table.refresh_from_db()
        lags.add(table.seq - table.state_seq)
        if step % 7 == 0:
            log.forget_all()
    assert max(lags) == 3
    call_command("check_logs", stdout=StringIO())


def test_a_state_that_is_due_in_the_middle_of_a_batch_is_stored(start_table: MakeTable) -> None:
    table = start_table()
    host, answers = table.night.host, Answers()
    nudge = Request("table.nudge", named(table, "table.nudge", {"seat": 1}), "n")
    seat, request = next_request(table, random.Random(9))
    nudged = Submission(table.pk, Actor(host.pk), nudge, answers.told.append)
    take([nudged, answers.asked(table, request, seat)])
    assert [told.seq for told in answers.told] == [2, 3]
    table.refresh_from_db()
    assert (table.seq, table.state_seq) == (3, 3)
    log.forget_all()
    call_command("check_logs", stdout=StringIO())


def test_who_is_no_longer_in_at_the_night_plays_no_more(start_table: MakeTable) -> None:
    table = start_table()
    log.snapshot_of(table)
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
    assert queue.submit(table.pk, actor, request).seq == 2
    assert queue.submit(table.pk, actor, request).repeated
    with pytest.raises(Illegal, match="bad_command_id"):
        queue.submit(table.pk, actor, Request("x", {}, ""))
    assert Result.objects.count() == 0


def test_a_fault_of_the_house_does_not_end_the_writer(start_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = start_table()
    seat, request = next_request(table, random.Random(11))
    actor = Actor(table.seats.get(index=seat).player_id)
    with monkeypatch.context() as patched:
        patched.setattr(commit, "commit", fail)
        with pytest.raises(ZeroDivisionError):
            queue.submit(table.pk, actor, request)
    assert queue.submit(table.pk, actor, request).seq == 2
