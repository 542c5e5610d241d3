"""The log is the truth: the state is a cache of it, and every planted fault is found."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import plugin
from games.kernel import replay
from games.models import Player, Table
from games.services.commands import Actor, Request
from games.services.tables import deciding, log, setup, snapshot
from games.services.tables.commit import submit
from tests import snapshots
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db


@snapshots.kept()
def play_out(table: Table, entries: int = 10**6) -> Table:
    """Answer choices until the game is over or the log has `entries`."""
    while table.seq < entries:
        required = [c for c in choices_at(table) if c.required]
        if not required:
            break
        answer(table, required[0], option=table.seq % len(required[0].options))
    table.refresh_from_db()
    return table


@pytest.fixture(params=[("dummygame", "dicey"), ("chicago", "bavarian"), ("chicago", "tschigg")])
def played(request: pytest.FixtureRequest, start_table) -> Table:
    """A finished table."""
    return play_out(start_table(*request.param, seats=3))


def test_a_finished_table_holds_together(played: Table) -> None:
    out = StringIO()
    call_command("check_logs", stdout=out)
    assert out.getvalue() == "1 tables checked, no fault.\n"
    assert played.status == Table.Status.FINISHED


def test_the_state_can_be_rebuilt_from_the_log_alone(start_table) -> None:
    table = play_out(start_table("chicago", "bavarian", seats=3), entries=12)
    kept = log.state_of(table)
    Table.objects.update(rules_version=0, state=None)
    log.forget_all()
    table.refresh_from_db()
    assert log.state_of(table) == kept
    answer(table, choices_at(table)[0])


def test_a_cached_state_of_other_rules_is_not_used(start_table) -> None:
    table = start_table()
    Table.objects.update(rules_version=999, state={"of": "another time"})
    log.forget_all()
    assert answer(table, choices_at(table)[0]).seq == 2
    table.refresh_from_db()
    assert table.rules_version == plugin.game("dummygame").rules.version


def test_another_process_that_wrote_is_noticed(start_table) -> None:
    """This process's cache is behind the row: the row wins."""
    table = start_table()
    behind = log.snapshot_of(table)
    answer(table, choices_at(table)[0])
    snapshot.forget_all()
    snapshot.keep(behind)
    assert [c.name for c in choices_at(table)] == ["take_back", "bid"]
    assert answer(table, choices_at(table)[1]).seq == 3


def test_tables_that_play_stay_known_and_resting_ones_make_room(start_table, monkeypatch) -> None:
    """However many tables play at once, none is read again for every move; those of past evenings go."""
    one = log.snapshot_of(start_table())
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(snapshot, "time", clock)
    monkeypatch.setattr(snapshot, "MOST_RESTING", 2)
    monkeypatch.setattr(snapshot, "MOST_KEPT", 5)
    snapshot.forget_all()

    def kept() -> list[int]:
        return [number for number in range(1, 10) if snapshot.cached(number) is not None]

    for number in range(1, 5):
        snapshot.keep(replace(one, table_id=number))
    assert kept() == [1, 2, 3, 4]
    clock.now += snapshot.REST_SECONDS - 1
    snapshot.keep(replace(one, table_id=1))
    clock.now += 2
    snapshot.keep(replace(one, table_id=5))
    assert kept() == [1, 5]
    for number in range(6, 10):
        snapshot.keep(replace(one, table_id=number))
    assert kept() == [5, 6, 7, 8, 9]


def test_a_lost_cache_in_the_middle_changes_nothing(start_table) -> None:
    table = start_table("chicago", "bavarian", seats=3)
    while table.status != Table.Status.FINISHED:
        log.forget_all()
        play_out(table, entries=table.seq + 1)
    call_command("check_logs", stdout=StringIO())


def test_an_entry_belongs_to_one_table(start_table) -> None:
    one, other = start_table(), start_table()
    answer(one, choices_at(one)[0])
    assert (one.entries.count(), other.entries.count()) == (2, 1)
    assert replay.first_gap([e.seq for e in log.entries(other.pk)]) is None


CLOCK_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a lost deadline": ({"clocks": {}}, "has no deadline"),
    "a clock that is not to look": ({"due_at": None}, "the clock is not to look"),
    "a state of an entry to come": ({"state_seq": 99}, "the cached state is of entry 99"),
    "a state of another entry": ({"state_seq": 1}, "not what the log leads to"),
}


@pytest.mark.parametrize("name", CLOCK_FAULTS)
def test_check_logs_finds_in_a_running_game(start_table, monkeypatch, name: str) -> None:
    monkeypatch.setattr(deciding, "STATE_EVERY", 1)
    table = play_out(start_table("chicago", "bavarian", seats=3), entries=6)
    call_command("check_logs", stdout=StringIO())
    change, words = CLOCK_FAULTS[name]
    Table.objects.filter(pk=table.pk).update(**change)
    log.forget_all()
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 1 tables have faults"):
        call_command("check_logs", stdout=out)
    assert words in out.getvalue()


def test_check_logs_looks_at_the_tables_it_is_given(start_table, open_table) -> None:
    sound, broken, unstarted = start_table(), start_table(), open_table()
    broken.entries.all().delete()
    out = StringIO()
    call_command("check_logs", sound.public_id, unstarted.public_id, stdout=out)
    assert out.getvalue() == "2 tables checked, no fault.\n"
    with pytest.raises(CommandError, match="no such table: nothere"):
        call_command("check_logs", "nothere")


def test_a_table_broken_off_holds_together(start_table, host: Player) -> None:
    table = play_out(start_table("chicago", "bavarian", seats=3), entries=7)
    submit(table.pk, Actor(host.pk), Request("table.end", {}, "e"))
    call_command("check_logs", stdout=StringIO())


def test_a_started_table_can_not_be_put_back(start_table, host: Player) -> None:
    """The seats of entry 1 are those that the log is folded with, whoever leaves later."""
    table = start_table(seats=3)
    submit(table.pk, Actor(host.pk), Request("table.forfeit", named(table, "table.forfeit", {"seat": 2}), "f"))
    log.forget_all()
    Table.objects.update(state=None)
    table.refresh_from_db()
    assert len(log.state_of(table).players) == 3
    assert setup.seat_bounds(table) == (2, 4)
