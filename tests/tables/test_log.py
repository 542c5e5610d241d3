"""The log is the truth: the state is a cache of it, and every planted fault is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import plugin
from games.kernel import replay
from games.models import LogEntry, Player, ResultLine, Table
from games.services.commands import Actor, Request
from games.services.tables import cache, commit, log, setup
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db


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
    cache.forget_all()
    cache.keep(behind)
    assert [c.name for c in choices_at(table)] == ["take_back", "bid"]
    assert answer(table, choices_at(table)[1]).seq == 3


def test_tables_that_play_stay_known_and_resting_ones_make_room(start_table, monkeypatch) -> None:
    """However many tables play at once, none is read again for every move; those of past evenings go."""
    one = log.snapshot_of(start_table())
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(cache, "time", clock)
    monkeypatch.setattr(cache, "MOST_RESTING", 2)
    monkeypatch.setattr(cache, "MOST_KEPT", 5)
    cache.forget_all()

    def kept() -> list[int]:
        return [number for number in range(1, 10) if cache.get(number) is not None]

    for number in range(1, 5):
        cache.keep(replace(one, table_id=number))
    assert kept() == [1, 2, 3, 4]
    clock.now += cache.REST_SECONDS - 1
    cache.keep(replace(one, table_id=1))
    clock.now += 2
    cache.keep(replace(one, table_id=5))
    assert kept() == [1, 5]
    for number in range(6, 10):
        cache.keep(replace(one, table_id=number))
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


def edit_entry(table: Table, seq: int, change: Callable[[LogEntry], None]) -> None:
    entry = table.entries.get(seq=seq)
    change(entry)
    entry.save()


def first_with_dice(table: Table) -> LogEntry:
    return next(entry for entry in table.entries.order_by("seq") if entry.dice)


def other_face(table: Table) -> None:
    entry = first_with_dice(table)
    entry.dice[0] = entry.dice[0] % 6 + 1
    entry.save()


def lost_dice(table: Table) -> None:
    entry = first_with_dice(table)
    entry.dice = entry.dice[1:]
    entry.save()


def edit_event(table: Table) -> None:
    """Let one event say something else than what was played."""

    def change(entry: LogEntry) -> None:
        entry.events = entry.events[:1] if len(entry.events) > 1 else []

    edit_entry(table, 5, change)


def unreadable(table: Table) -> None:
    def change(entry: LogEntry) -> None:
        entry.events = [{"data": {}}]

    edit_entry(table, 4, change)


def other_options(table: Table) -> None:
    options = {**table.options, "turn_seconds": 599}
    Table.objects.filter(pk=table.pk).update(options=options)


def other_state(table: Table) -> None:
    state = dict(table.state)
    state["mats_out"] = 99
    Table.objects.filter(pk=table.pk).update(state=state)


FAULTS: dict[str, tuple[Callable[[Table], Any], str]] = {
    "a missing entry": (lambda t: t.entries.get(seq=3).delete(), "entry 3 is missing"),
    "a missing end": (lambda t: t.entries.get(seq=t.seq).delete(), "the log ends at"),
    "a missing start": (lambda t: t.entries.get(seq=1).delete(), "entry 1 is missing"),
    "no log at all": (lambda t: t.entries.all().delete(), "ends at 0"),
    "another face": (other_face, "is not what seed and salt say"),
    "a die too few": (lost_dice, "dice in the log"),
    "another seed": (
        lambda t: Table.objects.filter(pk=t.pk).update(dice_seed="0" * 64),
        "commitment is not what was told",
    ),
    "another event": (edit_event, ""),
    "an unreadable event": (unreadable, "can't be read"),
    "other house rules": (other_options, "options is not what was told"),
    "another state": (other_state, "not what the log leads to"),
    "other points": (lambda t: ResultLine.objects.filter(seat=0).update(points=77), "other lines"),
    "another rank": (lambda t: ResultLine.objects.filter(seat=0).update(rank=9), "other lines"),
    "other figures": (lambda t: ResultLine.objects.filter(seat=1).update(stats={}), "other lines"),
    "a missing line": (lambda t: ResultLine.objects.filter(seat=1).delete(), "other lines"),
    "a missing seat": (lambda t: t.seats.get(index=2).delete(), "the log has the seats"),
    "a missing result": (lambda t: t.results.all().delete(), "outcomes at"),
    "a wrong status": (
        lambda t: Table.objects.filter(pk=t.pk).update(status="playing"),
        "the game is over",
    ),
    "a game that is gone": (
        lambda t: Table.objects.filter(pk=t.pk).update(game_id="poker"),
        "not installed",
    ),
}


def found_by_check_logs(start_table, plant: Callable[[Table], Any]) -> tuple[Table, str]:
    """Return a played table in which something was planted, and what the check of logs says."""
    table = play_out(start_table("chicago", "bavarian", seats=3))
    plant(table)
    log.forget_all()
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 1 tables have faults"):
        call_command("check_logs", stdout=out)
    return table, out.getvalue()


@pytest.mark.parametrize("name", FAULTS)
def test_check_logs_finds(start_table, sealed_dice, name: str) -> None:
    plant, words = FAULTS[name]
    table, out = found_by_check_logs(start_table, plant)
    assert words in out
    assert table.public_id in out


def other_throw(table: Table) -> None:
    def change(entry: LogEntry) -> None:
        entry.throw = {**entry.throw, "server": "0" * 64}

    edit_entry(table, table.entries.exclude(throw=None).values_list("seq", flat=True)[1], change)


CHAIN_FAULTS: dict[str, tuple[Callable[[Table], Any], str]] = {
    "another face": (other_face, "are not what the chains say"),
    "another link": (other_throw, "are not what the chains say"),
    "another seed": (lambda t: Table.objects.filter(pk=t.pk).update(dice_seed="0" * 64), "not what was told"),
    "a throw too many": (
        lambda t: Table.objects.filter(pk=t.pk).update(chains={**t.chains, "k": t.chains["k"] + 1}),
        "not where the log left them",
    ),
}


@pytest.mark.parametrize("name", CHAIN_FAULTS)
def test_check_logs_finds_of_chains(start_table, name: str) -> None:
    plant, words = CHAIN_FAULTS[name]
    _, out = found_by_check_logs(start_table, plant)
    assert words in out


CLOCK_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a lost deadline": ({"clocks": {}}, "has no deadline"),
    "a clock that is not to look": ({"due_at": None}, "the clock is not to look"),
    "a state of an entry to come": ({"state_seq": 99}, "the cached state is of entry 99"),
    "a state of another entry": ({"state_seq": 1}, "not what the log leads to"),
}


@pytest.mark.parametrize("name", CLOCK_FAULTS)
def test_check_logs_finds_in_a_running_game(start_table, monkeypatch, name: str) -> None:
    monkeypatch.setattr(commit, "STATE_EVERY", 1)
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
