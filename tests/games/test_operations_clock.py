"""The clock's lease: one process acts, another takes over, whatever their own clocks say."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from games.models import ClockLease
from games.services import clock_lease
from games.services.clock_lease import Lease


@pytest.fixture
def later(monkeypatch):
    """Let this process's clock (not the database's) go on."""
    now = [1000.0]
    monkeypatch.setattr(clock_lease.time, "monotonic", lambda: now[0])

    def go(seconds: float) -> None:
        now[0] += seconds

    return go


def run_out() -> None:
    ClockLease.objects.update(until=Now() - timedelta(seconds=0.1))


def test_of_several_processes_exactly_one_holds_the_clock(db):
    leases = [Lease() for _ in range(5)]
    assert [lease.hold() for lease in leases] == [True, False, False, False, False]
    assert [lease.hold() for lease in leases] == [True, False, False, False, False]


def test_a_holder_that_died_is_followed_when_its_lease_has_run_out(db, later):
    dead, heir = Lease(), Lease()
    assert dead.hold()
    assert not heir.hold()
    later(clock_lease.RENEW_SECONDS)
    assert not heir.hold()
    run_out()
    later(clock_lease.RENEW_SECONDS)
    assert heir.hold()
    assert clock_lease.LEASE_SECONDS + clock_lease.RENEW_SECONDS <= 10


def test_a_holder_that_slept_too_long_asks_before_it_acts(db, later):
    sleeper, heir = Lease(), Lease()
    assert sleeper.hold()
    run_out()
    assert heir.hold()
    later(clock_lease.RENEW_SECONDS)
    assert not sleeper.hold()


def test_the_lease_outlasts_the_time_between_two_renewals(db):
    assert Lease().hold()
    left = ClockLease.objects.filter(until__gt=Now() + timedelta(seconds=3))
    assert left.exists()
    assert clock_lease.RENEW_SECONDS * 2 < clock_lease.LEASE_SECONDS


def test_between_two_renewals_the_database_is_not_asked(db, django_assert_num_queries):
    lease = Lease()
    lease.hold()
    with django_assert_num_queries(0):
        assert all(lease.hold() for _ in range(100))


def test_who_stops_hands_the_clock_over_at_once(db, later):
    first, second = Lease(), Lease()
    assert first.hold()
    assert not second.hold()
    second.release()
    assert clock_lease.is_held()
    first.release()
    assert not clock_lease.is_held()
    assert second.hold()
    assert not first.hold()


def test_a_holder_that_cannot_ask_does_not_act(db, later, monkeypatch):
    lease = Lease()
    assert lease.hold()
    later(clock_lease.RENEW_SECONDS)

    def fails() -> bool:
        raise OperationalError("the database has gone")

    monkeypatch.setattr(lease, "_take", fails)
    for _ in range(2):
        with pytest.raises(OperationalError):
            lease.hold()
    monkeypatch.undo()


def test_the_lease_is_made_where_there_is_none(db):
    ClockLease.objects.all().delete()
    assert Lease().hold()
    assert clock_lease.is_alive()
