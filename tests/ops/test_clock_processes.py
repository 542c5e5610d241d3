"""The clock in several processes: each acts at the tables it has claimed, whatever their own clocks say."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from games.live import clock_thread
from games.models import HouseClock, Table
from games.services import processes, server_time
from games.services.clock import clock


@pytest.fixture
def later(monkeypatch):
    """Let this process's clock (not the database's) go on."""
    now = [1000.0]
    monkeypatch.setattr(processes.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(processes, "_renew_at", 0.0)

    def go(seconds: float) -> None:
        now[0] += seconds

    return go


@pytest.fixture
def due(start_table):
    """Three tables that wait for the clock."""
    tables = [start_table("dummygame", "endless", turn_seconds=30) for _ in range(3)]
    Table.objects.update(due_at=server_time.now() - timedelta(seconds=1))
    return sorted(table.pk for table in tables)


@pytest.fixture
def as_process(monkeypatch):
    """Claim as one of several processes."""

    def claimed(name: str, after: float = 0.0) -> list[int]:
        monkeypatch.setattr(clock, "PROCESS", name)
        return sorted(clock._claimed(server_time.now() + timedelta(seconds=after)))

    return claimed


# Claims


def test_of_several_processes_exactly_one_acts_at_a_table(due, as_process):
    claimed = [as_process(str(number)) for number in range(5)]
    assert claimed == [due, [], [], [], []]
    assert as_process("0") == due


def test_each_process_takes_what_is_free(due, as_process):
    Table.objects.exclude(pk=due[0]).update(due_at=None)
    assert as_process("first") == due[:1]
    Table.objects.update(due_at=server_time.now() - timedelta(seconds=1))
    assert as_process("second") == due[1:]
    assert as_process("first") == due[:1]


def test_the_tables_of_a_process_that_died_are_claimed_by_another_when_its_time_is_up(due, as_process):
    assert as_process("dead") == due
    assert as_process("heir", after=clock.CLAIM_SECONDS - 0.5) == []
    assert as_process("heir", after=clock.CLAIM_SECONDS + 0.1) == due
    assert clock.CLAIM_SECONDS <= 10


def test_a_process_that_slept_too_long_claims_anew_before_it_acts(due, as_process):
    assert as_process("sleeper") == due
    assert as_process("heir", after=clock.CLAIM_SECONDS + 0.1) == due
    assert as_process("sleeper", after=clock.CLAIM_SECONDS + 0.2) == []


def test_a_claim_is_not_written_anew_for_every_act(due, as_process, django_assert_num_queries):
    assert as_process("first") == due
    with django_assert_num_queries(1):
        assert as_process("first") == due
    before = Table.objects.get(pk=due[0]).claimed_until
    assert as_process("first", after=clock.CLAIM_SECONDS / 2 + 0.1) == due
    assert Table.objects.get(pk=due[0]).claimed_until > before


def test_a_process_that_stops_hands_its_tables_over_at_once(due, as_process):
    assert as_process("first") == due
    clock.release()
    assert as_process("second") == due


def test_where_a_table_is_claimed_elsewhere_nothing_is_done_here(due):
    until = server_time.now() + timedelta(seconds=clock.CLAIM_SECONDS)
    Table.objects.filter(pk=due[0]).update(claimed_by="other", claimed_until=until)
    assert clock.run_due() == 2


# The row of the clock


def test_between_two_tellings_the_database_is_not_asked(db, later, django_assert_num_queries):
    processes.note_running()
    with django_assert_num_queries(0):
        for _ in range(100):
            processes.note_running()


def test_the_clock_counts_as_running_longer_than_it_takes_to_say_so_again(db, later):
    processes.note_running()
    left = HouseClock.objects.filter(until__gt=Now() + timedelta(seconds=3))
    assert left.exists()
    assert processes.RENEW_SECONDS * 2 < processes.VALID_SECONDS


def test_a_clock_that_stopped_is_not_running_until_another_says_so(db, later):
    processes.note_running()
    assert processes.is_running() and processes.is_running_here()
    processes.stop()
    assert not processes.is_running() and not processes.is_running_here()
    processes.note_running()  # as another process does within RENEW_SECONDS
    assert processes.is_running()


def test_a_clock_that_cannot_say_so_does_not_act(db, later, monkeypatch):
    def fails() -> None:
        raise OperationalError("the database has gone")

    monkeypatch.setattr(processes, "note_running", fails)
    monkeypatch.setattr(clock_thread, "close_old_connections", lambda: None)
    monkeypatch.setattr(clock, "run_due", lambda: pytest.fail("acted"))
    assert not clock_thread.run_round(with_hosts=True)


def test_the_row_is_made_where_there_is_none(db, later):
    HouseClock.objects.all().delete()
    processes.note_running()
    assert processes.is_alive()
