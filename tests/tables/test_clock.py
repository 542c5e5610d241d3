"""The clock: bots and sleepers, through the one write path, over restarts and pauses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import Night, Player, Table
from games.services import server_time
from games.services.clock import bots as clock_bots
from games.services.clock import clock
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import take_over
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db
SECONDS = 20


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time, in milliseconds, to be set: now[0]."""
    moment = [1_800_000_000_000]
    monkeypatch.setattr(server_time, "now_ms", lambda: moment[0])
    return moment


def at(moment: list[int]) -> datetime:
    return datetime.fromtimestamp(moment[0] / 1000, UTC)


def tick(moment: list[int], seconds: float = 0) -> int:
    """Let time pass, then run the clock once."""
    moment[0] += int(seconds * 1000)
    return clock.run_due(at(moment))


def act(table: Table, player: Player, name: str, /, **args: Any) -> None:
    submit(table.pk, Actor(player.pk), Request(f"table.{name}", args, new_command_id()))
    table.refresh_from_db()


def waiting(table: Table) -> list[int]:
    return [c.seat for c in choices_at(table) if c.required]


def test_a_deadline_is_set_for_each_open_decision_by_the_house_rule(start_table, now) -> None:
    table = start_table(preset="dicey")
    assert set(table.clocks.values()) == {now[0] + SECONDS * 1000}
    assert table.due_at == at(now) + timedelta(seconds=SECONDS)
    assert start_table().due_at is None


def test_a_player_who_is_faster_than_the_clock_loses_no_time(start_table, now, monkeypatch, caplog) -> None:
    """What was refused because the table had moved on is no fault, and puts nothing off."""
    table = start_table(preset="dicey")

    def overtaken(*asked: Any) -> None:
        for choice in [c for c in choices_at(table) if c.required]:
            answer(table, choice)
        raise Illegal("stale")

    monkeypatch.setattr(clock_bots, "submit", overtaken)
    assert tick(now, SECONDS) == 1
    table.refresh_from_db()
    assert table.due_at == at(now) + timedelta(seconds=SECONDS)
    assert "failed" not in caplog.text


def test_a_table_where_the_clock_fails_is_left_alone_for_a_while(start_table, now, monkeypatch, caplog) -> None:
    table = start_table(preset="dicey")

    def refuse(*asked: Any) -> None:
        raise Illegal("stale")

    monkeypatch.setattr(clock_bots, "submit", refuse)
    assert tick(now, SECONDS) == 1
    assert f"component=clock event=failed table={table.public_id} seq={table.seq}" in caplog.text
    table.refresh_from_db()
    assert table.due_at is not None


def test_nothing_happens_before_the_time_is_up(start_table, now) -> None:
    table = start_table(preset="dicey")
    assert tick(now, SECONDS - 0.1) == 0
    assert waiting(table) == [0, 1]


def test_a_time_out_acts_through_the_log(start_table, now) -> None:
    table = start_table(preset="dicey")
    assert tick(now, SECONDS) == 1
    assert waiting(table) == [1]
    entry = table.entries.get(seq=2)
    assert (entry.command["name"], entry.command["args"]) == ("timeout", {"seat": 0})
    assert (entry.actor, entry.seat) == (None, None)
    assert tick(now) == 1
    assert table.entries.count() == 3


def test_a_decision_that_stays_open_keeps_its_deadline(start_table, now) -> None:
    table = start_table(preset="dicey")
    deadline = table.clocks
    now[0] += 5000
    answer(table, choices_at(table)[0])
    table.refresh_from_db()
    assert table.clocks == {k: v for k, v in deadline.items() if k.startswith("1:")}


def test_a_deadline_survives_a_restart(start_table, now) -> None:
    table = start_table(preset="dicey")
    log.forget_all()
    assert tick(now, SECONDS) == 1
    assert waiting(table) == [1]


def test_two_clocks_do_no_harm(start_table, now) -> None:
    table = start_table(preset="dicey")
    now[0] += SECONDS * 1000
    seen_by_both = Table.objects.get(pk=table.pk)
    assert clock.act(Table.objects.get(pk=table.pk))
    entries = table.entries.count()
    for choice in [c for c in choices_at(table) if c.seat == 0]:
        assert choice.name == "take_back"
    first = table.entries.get(seq=2)
    again = Request("timeout", {"seat": 0}, first.command_id.split(":", 1)[1], at=seen_by_both.seq)
    assert submit(table.pk, Actor(), again).repeated
    assert clock.act(seen_by_both)
    assert table.entries.count() == entries


def test_a_pause_keeps_what_was_left(start_table, host: Player, now) -> None:
    table = start_table(preset="dicey")
    now[0] += 15_000
    act(table, host, "pause")
    assert set(table.clocks.values()) == {5000}
    assert table.due_at is None
    assert tick(now, 3600) == 0
    act(table, host, "resume")
    assert set(table.clocks.values()) == {now[0] + 5000}
    assert tick(now, 4.9) == 0
    assert tick(now, 0.2) == 1
    assert waiting(table) == [1]


def with_bots(open_table, host: Player, *levels: str, preset: str = "quick") -> Table:
    table = open_table(preset=preset, seats=1)
    for level in levels:
        setup.add_bot(table, host, level)
    setup.start(table, host, "s")
    table.refresh_from_db()
    return table


def run_until_idle(table: Table, rounds: int = 200) -> None:
    """Run the clock until nothing is due."""
    for _ in range(rounds):
        if not clock.run_due():
            return
    raise AssertionError("the clock never comes to rest")


def test_bots_play_by_themselves_and_wait_for_people(open_table, host: Player) -> None:
    table = with_bots(open_table, host, "low", "wild")
    run_until_idle(table)
    assert waiting(table) == [0]
    assert table.entries.count() == 3
    while waiting(table):
        answer(table, next(c for c in choices_at(table) if c.required))
        run_until_idle(table)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert log_check.faults(table) == []
    lines = table.results.get().lines.order_by("seat")
    assert [line.is_bot for line in lines] == [False, True, True]


def test_a_table_of_bots_plays_to_the_end(open_table, host: Player) -> None:
    table = open_table("chicago", "bavarian", seats=0, pause_between=0)
    for level in plugin.game("chicago").bot_levels:
        setup.add_bot(table, host, level)
    setup.start(table, host, "s")
    run_until_idle(table, 2000)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert log_check.faults(table) == []


def raises(*args: Any) -> Any:
    raise RuntimeError("the bot fell off its chair")


@pytest.mark.parametrize(
    "choose",
    [
        raises,
        lambda *args: ("bid", {"number": 99}),
        lambda *args: ("fly", {}),
        lambda *args: ("bid", None),
        lambda *args: None,
        lambda *args: ("bid", {"number": object()}),
    ],
)
def test_a_bot_that_fails_or_cheats_is_replaced_by_a_legal_answer(
    open_table, host: Player, monkeypatch: pytest.MonkeyPatch, choose: Any
) -> None:
    monkeypatch.setattr(plugin.game("dummygame").bots, "choose", choose)
    table = with_bots(open_table, host, "low")
    run_until_idle(table)
    assert waiting(table) == [0]
    assert table.entries.count() == 2


def test_a_bot_sees_its_seats_view_only(open_table, host: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    bots = plugin.game("dummygame").bots
    choose = bots.choose

    def watching(view: Any, choices: Any, level: str, seed: int) -> Any:
        seen.append((view, choices))
        return choose(view, choices, level, seed)

    monkeypatch.setattr(bots, "choose", watching)
    table = with_bots(open_table, host, "low")
    answer(table, choices_at(table)[0], option=2)
    run_until_idle(table)
    view, choices = seen[0]
    assert view["seats"][0]["has_bid"] is True
    assert view["bid"] is None
    assert {c.seat for c in choices} == {1}


def test_a_failure_at_one_table_does_not_stop_the_others(start_table, now, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = start_table(preset="dicey"), start_table(preset="dicey")
    Table.objects.filter(pk=broken.pk).update(state={"nonsense": 1})
    log.forget_all()
    assert tick(now, SECONDS) == 2
    assert waiting(sound) == [1]
    broken.refresh_from_db()
    assert broken.due_at is not None
    assert broken.entries.count() == 1


def test_tables_are_paused_when_the_host_has_been_gone_for_five_minutes(
    start_table, night: Night, host: Player
) -> None:
    table = start_table()
    clock.set_host_presence(night.pk, host.pk, is_here=False)
    start = datetime.now(UTC)
    assert clock.pause_hostless(start + timedelta(seconds=299)) == 0
    assert clock.pause_hostless(start + timedelta(seconds=301)) == 1
    table.refresh_from_db()
    assert table.status == Table.Status.PAUSED
    assert table.entries.last().events[0]["data"] == {"why": "host_away"}
    guest = table.seats.get(index=1).player
    Night.objects.update(host_away_since=start - timedelta(seconds=301))
    take_over.take_over(Night.objects.get(pk=night.pk), guest)
    act(table, guest, "resume")


def test_a_host_who_comes_back_in_time_pauses_nothing(start_table, night, host) -> None:
    table = start_table()
    clock.set_host_presence(night.pk, host.pk, is_here=False)
    clock.set_host_presence(night.pk, host.pk, is_here=True)
    assert clock.pause_hostless(datetime.now(UTC) + timedelta(hours=1)) == 0
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING


def test_a_guest_who_goes_is_not_the_host(start_table, night) -> None:
    table = start_table()
    clock.set_host_presence(night.pk, table.seats.get(index=1).player_id, is_here=False)
    assert clock.pause_hostless(datetime.now(UTC) + timedelta(hours=1)) == 0


def test_bots_among_themselves_need_no_host(open_table, night: Night, host: Player) -> None:
    table = open_table(seats=0)
    for _ in range(2):
        setup.add_bot(table, host, "low")
    setup.start(table, host, "s")
    clock.set_host_presence(night.pk, host.pk, is_here=False)
    assert clock.pause_hostless(datetime.now(UTC) + timedelta(hours=1)) == 0


def test_a_host_whom_another_process_has_seen_since_has_not_gone(night: Night, host: Player) -> None:
    """What one process says of its own silence does not outdo a later sign of life that another one wrote."""
    slack = clock.SEEN_SLACK_SECONDS
    Night.objects.filter(pk=night.pk).update(host_seen_at=datetime.now(UTC), host_away_since=None)
    clock.set_host_presence(night.pk, host.pk, is_here=False, seen_ago=slack + 30)
    night.refresh_from_db()
    assert night.host_away_since is None
    Night.objects.filter(pk=night.pk).update(host_seen_at=datetime.now(UTC) - timedelta(seconds=slack + 60))
    clock.set_host_presence(night.pk, host.pk, is_here=False, seen_ago=slack + 30)
    night.refresh_from_db()
    assert night.host_away_since is not None
