"""Game clocks kept by the house: pauses, throws, the way to it, restarts, bots, other processes, fallen flags."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from games.kernel.contract import FLAG, TIME_LIMIT, Illegal
from games.kernel.replay import fold_all
from games.management import log_check
from games.models import HouseClock, Player, Table
from games.plugin import game
from games.services import processes, server_time
from games.services.clock import clock, outages
from games.services.commands import Actor, Request, new_command_id
from games.services.tables import deadlines, host_commands, log, setup
from games.services.tables.commit import submit
from tests.conftest import choices_at
from tests.tables.host.host_commands import act

pytestmark = pytest.mark.django_db
MINUTE = 60_000
FREE = 12_000


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The house's time, in milliseconds, to be set: now[0]."""
    moment = [1_800_000_000_000]
    monkeypatch.setattr(server_time, "now_ms", lambda: moment[0])
    monkeypatch.setattr(outages, "_look_at", 0.0)
    monkeypatch.setattr(outages, "_has_looked", False)
    monkeypatch.setattr(processes, "_has_joined", True)
    return moment


@pytest.fixture
def wood(start_table: Any) -> Table:
    """A match to 3 at a real board, on the clock: game 1 runs, nobody has pressed."""
    table = start_table("chouette", "wood", format="match", match_length=3, clock="delay")
    give(table, 0, "begin_game")
    return table


def give(table: Table, seat: int, name: str, lag: int = 0, /, **args: Any) -> Any:
    """Give a command of a seat's person, whose way to the house took `lag` milliseconds."""
    player = table.seats.get(index=seat).player_id
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == name)
    return submit(table.pk, Actor(player), Request(name, args, new_command_id(), choice.opened_at, lag=lag))


def shown(table: Table) -> dict[str, Any]:
    state = log.state_of(Table.objects.get(pk=table.pk))
    return game("chouette").rules.view(state, None)["clock"]


def time_left(table: Table) -> dict[str, int]:
    return log.snapshot_of(Table.objects.get(pk=table.pk)).time_left()


def tick(moment: list[int], seconds: float) -> int:
    """Let time pass, then run the clock once."""
    moment[0] += int(seconds * 1000)
    return clock.run_due(datetime.fromtimestamp(moment[0] / 1000, UTC))


def test_the_seconds_beyond_the_free_ones_are_taken_from_the_reserve(wood: Table, now: list[int]) -> None:
    give(wood, 0, "press")
    assert time_left(wood) == {"1:flag": 6 * MINUTE + FREE}
    now[0] += 11_000
    give(wood, 1, "press")
    now[0] += 42_000
    give(wood, 0, "press")
    assert shown(wood)["left"] == [5 * MINUTE + 30_000, 6 * MINUTE]
    assert not list(log_check.faults(Table.objects.get(pk=wood.pk)))


def test_a_pause_takes_nothing_and_another_process_knows_the_clocks(wood: Table, host: Player, now: list[int]) -> None:
    give(wood, 0, "press")
    now[0] += 20_000
    act(wood, host, "pause")
    now[0] += 3_600_000
    assert time_left(wood) == {"1:flag": 6 * MINUTE - 8000}
    log.forget_all()
    act(wood, host, "resume")
    assert time_left(wood) == {"1:flag": 6 * MINUTE - 8000}
    give(wood, 1, "press")
    assert shown(wood)["left"] == [6 * MINUTE, 6 * MINUTE - 8000]


@pytest.mark.parametrize(("lag", "charged"), [(0, 8000), (400, 7600), (1000, 7000), (60_000, 7000), (-5, 8000)])
def test_the_way_to_the_house_is_not_charged_one_second_at_most(
    wood: Table, now: list[int], lag: int, charged: int
) -> None:
    give(wood, 0, "press")
    now[0] += 20_000
    give(wood, 1, "press", lag)
    assert shown(wood)["left"][1] == 6 * MINUTE - charged


def test_a_flag_falls_by_itself_a_second_late_and_a_press_on_its_way_comes_first(wood: Table, now: list[int]) -> None:
    give(wood, 0, "press")
    assert tick(now, 372.4) == 0
    with pytest.raises(Illegal, match="flag_fell"):
        give(wood, 1, "press", 100)
    give(wood, 1, "press", 400)
    assert shown(wood)["left"] == [6 * MINUTE, 0]
    give(wood, 0, "press")
    assert tick(now, 12.9) == 0
    assert tick(now, 0.2) == 1
    wood.refresh_from_db()
    last = wood.entries.order_by("-seq")[0]
    assert (last.command["name"], last.command["args"], last.actor) == (FLAG, {"seat": 1}, None)
    assert wood.status == Table.Status.FINISHED
    assert not list(log_check.faults(wood))


def test_two_processes_let_a_flag_fall_once(wood: Table, now: list[int]) -> None:
    give(wood, 0, "press")
    now[0] += 400_000
    seen_by_both = Table.objects.get(pk=wood.pk)
    assert clock.act(Table.objects.get(pk=wood.pk))
    entries = wood.entries.count()
    assert clock.act(seen_by_both)
    assert wood.entries.count() == entries


def test_after_a_restart_no_clock_shows_less(wood: Table, now: list[int]) -> None:
    give(wood, 0, "press")
    now[0] += 20_000
    HouseClock.objects.create(name=processes.ROW, until=datetime(2000, 1, 1, tzinfo=UTC), house_ms=now[0])
    before = time_left(wood)
    now[0] += 400_000
    log.forget_all()
    assert outages.make_up() == 1
    assert time_left(wood) == before
    assert tick(now, 0) == 0
    outages._look_at = 0.0  # another process that starts at the same moment
    assert outages.make_up() == 1
    assert time_left(wood) == before
    give(wood, 1, "press")
    assert shown(wood)["left"] == [6 * MINUTE, 6 * MINUTE - 8000]


@pytest.mark.parametrize("jump", [-3600, 3600])
def test_a_jump_of_the_computers_clock_costs_no_reserve_and_gives_none(
    wood: Table, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    give(wood, 0, "press")
    true, before = time.time, time_left(wood)["1:flag"]
    monkeypatch.setattr(time, "time", lambda: true() + jump)
    log.forget_all()
    assert clock.run_due() == 0
    assert before - MINUTE < time_left(wood)["1:flag"] <= before
    give(wood, 1, "press")
    assert 5 * MINUTE < shown(wood)["left"][1] <= 6 * MINUTE


def test_of_two_who_press_at_once_the_first_one_counts_and_the_other_loses_nothing(wood: Table, now: list[int]) -> None:
    first, second = (next(c for c in choices_at(wood) if c.seat == seat and c.name == "press") for seat in (0, 1))
    people = [wood.seats.get(index=seat).player_id for seat in (0, 1)]
    requests = [Request("press", {}, new_command_id(), choice.opened_at) for choice in (first, second)]
    submit(wood.pk, Actor(people[0]), requests[0])
    entries = wood.entries.count()
    now[0] += 200
    with pytest.raises(Illegal, match="stale"):
        submit(wood.pk, Actor(people[1]), requests[1])
    submit(wood.pk, Actor(people[0]), requests[0])  # the same tap, sent again
    assert wood.entries.count() == entries
    assert shown(wood)["left"] == [6 * MINUTE] * 2
    assert time_left(wood) == {"1:flag": 6 * MINUTE + FREE - 200}


def test_nobody_at_a_table_can_give_a_clock_time(wood: Table, host: Player, now: list[int]) -> None:
    give(wood, 0, "press")
    for name in (outages.STOOD_STILL, FLAG, TIME_LIMIT):
        with pytest.raises(Illegal):
            submit(wood.pk, Actor(host.pk), Request(name, {"ms": 1000, "seat": 0}, new_command_id(), wood.seq))


def test_a_bots_clock_does_not_run(open_table: Any, host: Player, now: list[int]) -> None:
    table = open_table("chouette", "match", seats=1, match_length=3, clock="delay", grace_seconds=0)
    setup.add_bot(table, host, "noisy")
    setup.start(table, host, new_command_id())
    for _ in range(60):
        table.refresh_from_db()
        state = log.state_of(table)
        if state.clock is not None and state.clock.runs == 1:
            break
        open_now = [c for c in choices_at(table) if c.seat == 0 and c.required and c.name != "cube"]
        if open_now:
            give(table, 0, open_now[0].name, **open_now[0].options[0])
        else:
            tick(now, 5)
    assert state.clock.runs == 1
    assert not any(FLAG in key for key in time_left(table))
    now[0] += 3_600_000
    table.refresh_from_db()
    (choice,) = [c for c in choices_at(table) if c.seat == 1 and c.required][:1]
    request = Request(choice.name, choice.options[0], new_command_id(), choice.opened_at)
    submit(table.pk, Actor(bot_seat=1), request)
    assert shown(table)["left"][1] == 6 * MINUTE


def test_the_time_limit_of_a_match_stands_in_a_pause_and_ends_it(
    start_table: Any, host: Player, now: list[int]
) -> None:
    table = start_table("chouette", "wood", format="match", match_length=3, match_minutes=10, score_first=1)
    assert time_left(table) == {"time_limit": 10 * MINUTE}
    act(table, host, "pause")
    now[0] += 30 * MINUTE
    act(table, host, "resume")
    assert tick(now, 599) == 0
    assert tick(now, 2) == 1
    table.refresh_from_db()
    assert (table.status, log.state_of(table).ended["winner"]) == (Table.Status.FINISHED, 0)


@pytest.mark.parametrize("seed", range(4))
def test_over_random_pauses_restarts_and_pings_reserves_fall_by_what_was_thought(
    wood: Table, host: Player, now: list[int], seed: int
) -> None:
    """Reserve and what elapsed beyond the free seconds are together what was given; a replay has the same."""
    rng = random.Random(seed)
    give(wood, 0, "press")
    left, seat = [6 * MINUTE, 6 * MINUTE], 1
    for _ in range(25):
        thought, lag = 0, rng.choice([0, 0, 150, 5000])
        for _ in range(rng.randrange(3)):
            took = rng.choice([0, 2000, 9000, 15_000])
            now[0] += took
            thought += took
            _interrupted(rng, wood, host, now)
        give(wood, seat, "press", lag)
        left[seat] -= max(0, thought - min(lag, deadlines.MOST_LAG_MS) - FREE)
        assert shown(wood)["left"] == left
        seat = 1 - seat
    table = Table.objects.get(pk=wood.pk)
    entries = log.entries(table.pk)
    assert fold_all(game("chouette").rules, table.options, 2, entries) == log.state_of(table)


def _interrupted(rng: random.Random, table: Table, host: Player, now: list[int]) -> None:
    """Let the host pause, or the house restart, or neither."""
    what = rng.choice(["pause", "restart", ""])
    if what == "pause":
        act(table, host, "pause")
        now[0] += rng.randrange(100_000)
        act(table, host, "resume")
    elif what == "restart":
        HouseClock.objects.update_or_create(
            name=processes.ROW, defaults={"until": datetime(2000, 1, 1, tzinfo=UTC), "house_ms": now[0]}
        )
        now[0] += rng.randrange(3000, 100_000)
        log.forget_all()
        outages._look_at, outages._has_looked = 0.0, False
        outages.make_up()


def test_the_host_puts_a_clock_in_at_a_running_match_and_after_a_restart_no_clock_shows_less(
    start_table: Any, host: Player, now: list[int]
) -> None:
    table = start_table("chouette", "wood", format="match", match_length=3)
    with pytest.raises(Illegal):
        submit(table.pk, Actor(host.pk), Request("table.clock", {"rules": {"clock": "none"}}, new_command_id()))
    rules, words = host_commands.offered_game_clocks(table)[0]
    assert "12 seconds" in words
    submit(table.pk, Actor(host.pk), Request("table.clock", {"rules": rules}, new_command_id()))
    table.refresh_from_db()
    assert host_commands.offered_game_clocks(table) == []
    give(table, 0, "begin_game")
    assert shown(table)["left"] == [6 * MINUTE] * 2
    give(table, 0, "press")
    now[0] += 20_000
    before = time_left(table)
    log.forget_all()
    assert time_left(table) == before == {"1:flag": 6 * MINUTE - 8000}
    assert not list(log_check.faults(Table.objects.get(pk=table.pk)))
