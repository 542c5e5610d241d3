"""The computer's clock jumps, dies with its process, or meets a table that raises; the house's goes on."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now
from prometheus_client import REGISTRY

from games.models import HouseClock, Night, Table
from games.server import health
from games.services import processes, server_time
from games.services.clock import clock
from games.services.tables import deadlines
from tests.server import ROOT, Server

HOUR = 3600.0


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    monkeypatch.setattr(server_time, "_offset", server_time._offset)
    monkeypatch.setattr(processes, "_has_joined", False)
    monkeypatch.setattr(processes, "_renew_at", 0.0)


@pytest.fixture
def set_clock(monkeypatch):
    """Set the computer's clock forward (or back) by so many seconds."""
    true = time.time

    def by(seconds: float) -> None:
        monkeypatch.setattr(server_time.time, "time", lambda: true() + seconds)

    return by


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_the_houses_time_goes_on_when_the_computers_clock_jumps_and_the_figures_say_so(set_clock, jump):
    before = server_time.now_ms()
    set_clock(jump)
    assert 0 <= server_time.now_ms() - before < 60_000
    assert abs(server_time.jump() - jump) < 60
    health.sample()
    assert abs(REGISTRY.get_sample_value("stammtisch_clock_jump_seconds") - jump) < 60


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_turn_ends_when_its_time_is_up_and_not_before_whatever_the_clock_says(
    start_table, set_clock, monkeypatch, jump
):
    table = start_table("dummygame", "endless", turn_seconds=30)
    set_clock(jump)
    clock.run_due()
    table.refresh_from_db()
    assert table.seq == 1
    steady = server_time._steady
    monkeypatch.setattr(server_time, "_steady", lambda: steady() + 31)
    clock.run_due()
    table.refresh_from_db()
    assert table.seq > 1


def told(seconds_ago: float, house_ms: int) -> None:
    """Leave the clock's row as a process left it that has died."""
    HouseClock.objects.all().delete()
    then = Now() - timedelta(seconds=seconds_ago)
    HouseClock.objects.create(name="clock", until=datetime(2000, 1, 1, tzinfo=UTC), house_ms=house_ms)
    HouseClock.objects.update(told_at=then, until=then + timedelta(seconds=6))


@pytest.mark.parametrize(("ago", "gone_on"), [(-HOUR, 0.0), (20.0, 20.0)])
def test_a_restart_after_the_clock_was_set_back_goes_on_from_where_the_house_was(start_table, ago, gone_on):
    start_table("dummygame", "endless", turn_seconds=30)
    was = server_time.now_ms() + int(HOUR * 1000)
    told(ago, was)
    processes.note_running()
    assert 0 <= server_time.now_ms() - was - gone_on * 1000 < 10_000


def test_a_row_of_before_the_clock_was_set_back_says_nothing_and_is_written_anew(db):
    told(-HOUR, server_time.now_ms())
    assert not processes.is_alive()
    assert not processes.is_running()
    processes.note_running()
    assert processes.is_alive()


def test_a_claim_of_before_the_clock_was_set_back_keeps_nobody_from_a_table(start_table):
    table = start_table("dummygame", "endless", turn_seconds=30)
    now = server_time.now()
    Table.objects.filter(pk=table.pk).update(due_at=now, claimed_by="dead", claimed_until=now + timedelta(hours=1))
    assert clock._claimed(now) == [table.pk]


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_does_not_get_on_is_not_ready(start_table):
    table = start_table("dummygame", "endless", turn_seconds=30)
    processes.note_running()
    assert health._database()["clock"] is True
    late = server_time.now() - timedelta(seconds=health.LATE_SECONDS + 1)
    Table.objects.filter(pk=table.pk).update(due_at=late)
    assert health._database()["clock"] is False
    assert health._clock_lag() > health.LATE_SECONDS


# A round goes on


def test_a_round_goes_on_past_a_table_that_raises(start_table, monkeypatch, caplog):
    """Even where the failure can't be put down at the table itself."""
    bad, good = (start_table("dummygame", "endless", turn_seconds=30) for _ in range(2))
    long_ago = server_time.now() - timedelta(seconds=60)
    for table in (bad, good):
        clocks = dict.fromkeys(Table.objects.get(pk=table.pk).clocks, 0)
        Table.objects.filter(pk=table.pk).update(due_at=long_ago, clocks=clocks)
    Table.objects.filter(pk=bad.pk).update(due_at=long_ago - timedelta(seconds=1))
    act, postpone = clock.act, deadlines.postpone

    def fails(function):
        def called(table, *args):
            if table.pk == bad.pk:
                raise RuntimeError("broken")
            return function(table, *args)

        return called

    monkeypatch.setattr(clock, "act", fails(act))
    monkeypatch.setattr(deadlines, "postpone", fails(postpone))
    count = REGISTRY.get_sample_value("stammtisch_clock_failures_total")
    assert clock.run_due() == 2
    good.refresh_from_db()
    assert good.seq > 1
    assert f"the clock failed at table {bad.pk}" in caplog.text
    assert REGISTRY.get_sample_value("stammtisch_clock_failures_total") > count


def test_hostless_tables_are_paused_past_one_that_raises(start_table, monkeypatch, caplog):
    bad, good = (start_table("dummygame", "endless") for _ in range(2))
    Night.objects.update(host_away_since=datetime(2020, 1, 1, tzinfo=UTC))
    submit = clock.submit

    def submits(table_id, *args):
        if table_id == bad.pk:
            raise RuntimeError("broken")
        return submit(table_id, *args)

    monkeypatch.setattr(clock, "submit", submits)
    clock.pause_hostless()
    good.refresh_from_db()
    assert good.status == Table.Status.PAUSED
    assert f"the clock failed at table {bad.pk}" in caplog.text


# After a crash

BOTS = """
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
host = players.new_guest("Hanna")
night = membership.host_night(host, "Thursday")
table = setup.open_table(night, host, "dummygame", "endless", {})
for _ in range(2):
    setup.add_bot(table, host, "%s")
setup.start(table, host, "start")
"""


@pytest.mark.day(parts=17, turn=6)
@pytest.mark.server
@pytest.mark.timeout(180)
def test_an_idle_house_after_a_crash_runs_its_clock_at_once(tmp_path: Path):
    """Nobody knocks at this one: not even a monitor."""
    server = Server(tmp_path, BOT_DELAY="0.05")
    server.migrate()
    server.manage("shell", "-v", "0", "-c", BOTS % "low")
    for _ in range(2):
        with (tmp_path / "idle.log").open("ab") as log:
            process = subprocess.Popen(server.command(), cwd=ROOT, env=server.environment, stdout=log, stderr=log)
        try:
            start, until = entries(tmp_path), time.monotonic() + 60
            while entries(tmp_path) < start + 3:
                assert time.monotonic() < until, (tmp_path / "idle.log").read_text()
                time.sleep(0.1)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def entries(data: Path) -> int:
    with closing(sqlite3.connect(data / "stammtisch.sqlite3", timeout=20)) as database:
        return database.execute("SELECT count(*) FROM games_logentry").fetchone()[0]
