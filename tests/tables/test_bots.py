"""Bots at the table: what they do aside, and that one who never comes back holds up nobody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError
from prometheus_client import REGISTRY

from games import plugin
from games.kernel.contract import Illegal
from games.models import LogEntry, Player, Table
from games.services.clock import bot_threads, clock
from games.services.clock import bots as clock_bots
from games.services.commands import Actor, Request
from games.services.tables import setup
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def bots() -> Any:
    return plugin.game("dummygame").bots


@pytest.fixture
def with_bots(open_table, host: Player):
    """Start a table of the host and some bots."""

    def make(count: int = 1, seats: int = 1, preset: str = "quick") -> Table:
        table = open_table(preset=preset, seats=seats)
        for _ in range(count):
            setup.add_bot(table, host, "low")
        setup.start(table, host, "s")
        table.refresh_from_db()
        return table

    return make


def run_until_idle(rounds: int = 200) -> int:
    """Run the clock until nothing is due; return how many rounds that took."""
    for number in range(rounds):
        if not clock.run_due():
            return number
    raise AssertionError("the clock never comes to rest")


def commands(table: Table) -> list[str]:
    return list(LogEntry.objects.filter(table=table).values_list("command__name", flat=True))


# Aside.


def test_a_bot_is_asked_aside_once_an_entry_for_what_is_not_required(with_bots, bots, monkeypatch) -> None:
    asked: list[Any] = []

    def aside(view: Any, choices: Any, level: str, seed: int) -> None:
        asked.append((view, choices, level, seed))

    monkeypatch.setattr(bots, "aside", aside, raising=False)
    table = with_bots(2)
    run_until_idle()
    view, _, level, seed = asked[0]
    assert level == "low"
    assert seed >= 0
    assert view["bid"] == 1, "the bot's own view"
    assert {(c.name, c.required) for each in asked for c in each[1]} == {("take_back", False)}
    assert len(asked) == 3, "one has bid and is asked, then both have bid and are asked"
    table.refresh_from_db()
    assert table.due_at is None, "the clock rests until something happens"
    answer(table, next(c for c in choices_at(table) if c.name == "bid"))
    run_until_idle()
    assert len(asked) > 3


def test_what_a_bot_does_aside_is_its_seats_command(with_bots, bots, monkeypatch) -> None:
    once = iter([("take_back", {})])
    monkeypatch.setattr(bots, "aside", lambda *args: next(once, None), raising=False)
    table = with_bots()
    run_until_idle()
    entry = LogEntry.objects.get(table=table, command__name="take_back")
    assert (entry.seat, entry.actor, entry.command["args"]) == (1, None, {})
    assert commands(table) == ["table.start", "bid", "take_back", "bid"]


def raises(*args: Any) -> Any:
    raise RuntimeError("the bot fell off its chair")


@pytest.mark.parametrize(
    "aside", [raises, lambda *args: ("fly", {}), lambda *args: 7, lambda *args: ("take_back", None)]
)
def test_a_bot_that_fails_aside_holds_up_nobody(with_bots, bots, monkeypatch, aside) -> None:
    monkeypatch.setattr(bots, "aside", aside, raising=False)
    table = with_bots(2)
    run_until_idle()
    assert commands(table) == ["table.start", "bid", "bid"]
    assert [c.seat for c in choices_at(table) if c.required] == [0]


def test_bots_who_answer_each_other_aside_come_to_an_end(with_bots, bots, monkeypatch) -> None:
    """Here the bots have something to say whatever is said."""
    rules = plugin.game("dummygame").rules
    sound, decide = rules.choices, rules.decide

    def chatty(state: Any, seat: Any) -> Any:
        found = sound(state, seat)
        talk = plugin.Choice("talk", seat, 1, required=False)
        return (*found, talk) if seat is not None and not state.over else found

    def talking(state: Any, command: Any, dice: Any, seq: int) -> Any:
        from games.kernel.contract import Decision, Event

        return Decision((Event("said"),), state) if command.name == "talk" else decide(state, command, dice, seq)

    monkeypatch.setattr(rules, "choices", chatty)
    monkeypatch.setattr(rules, "decide", talking)
    monkeypatch.setattr(bots, "aside", lambda *args: ("talk", {}), raising=False)
    table = with_bots(2)
    run_until_idle()
    said = commands(table)
    assert said.count("bid") == 2, "they play all the same"
    in_a_row = max(map(len, "".join("t" if c == "talk" else " " for c in said).split()))
    assert in_a_row <= 4


# Stalling.


@pytest.fixture
def stalled(bots, monkeypatch, settings) -> Iterator[list[int]]:
    """Bots that never come back from their thoughts, until the test is over; a list of asks."""
    settings.BOT_SECONDS = 0.4
    over, asked = threading.Event(), []

    def choose(view: Any, choices: Any, level: str, seed: int) -> Any:
        asked.append(view["round"])
        over.wait(60)
        return "bid", choices[0].options[0]

    monkeypatch.setattr(bots, "choose", choose)
    yield asked
    over.set()
    for threads in bot_threads._stalled.values():
        for thread in threads:
            thread.join(10)


def act_until_bid(table: Table, count: int) -> None:
    """Let the clock look at a table until so many have bid."""
    while commands(table).count("bid") < count:
        clock.act(Table.objects.get(pk=table.pk))


def test_a_bot_that_never_answers_is_replaced_by_a_legal_answer(with_bots, stalled) -> None:
    table = with_bots()
    act_until_bid(table, 1)
    assert [c.seat for c in choices_at(table) if c.required] == [0]


def test_while_a_bot_thinks_the_others_at_the_table_go_on(with_bots, stalled) -> None:
    table = with_bots(preset="dicey")
    deadline = table.clocks
    assert clock.act(Table.objects.get(pk=table.pk))
    table.refresh_from_db()
    assert commands(table) == ["table.start"], "it still thinks"
    assert (table.clocks, table.due_at is None) == (deadline, False)
    answer(table, choices_at(table)[0])
    act_until_bid(table, 2)


def test_a_game_whose_bots_all_stall_is_asked_no_more_until_one_comes_back(with_bots, stalled) -> None:
    table = with_bots(2, seats=0, preset="endless")
    act_until_bid(table, 12)
    assert len(stalled) <= bot_threads.MOST_STALLED + 1
    assert bot_threads.is_stalled("dummygame")


# Getting on.


def count(event: str) -> float:
    return REGISTRY.get_sample_value("stammtisch_bot_faults_total", {"event": event}) or 0.0


@pytest.fixture
def refused(monkeypatch) -> Any:
    """Rules that refuse whatever the seats ask, and listen to the clock alone."""
    rules = plugin.game("dummygame").rules
    decide = rules.decide

    def deaf(state: Any, command: Any, dice: Any, seq: int) -> Any:
        if command.seat is not None:
            raise Illegal("not_open", name=command.name)
        return decide(state, command, dice, seq)

    monkeypatch.setattr(rules, "decide", deaf)
    return rules


def test_a_bot_that_does_not_get_on_is_told_and_the_clock_plays_for_it(with_bots, refused, caplog) -> None:
    before = count("stuck")
    table = with_bots(2, seats=0)
    run_until_idle()
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert set(commands(table)) == {"table.start", "timeout"}
    assert count("stuck") - before == commands(table).count("timeout")
    assert f"component=bot event=stuck table={table.public_id} seat=0 seq=1" in caplog.text


def test_a_repeated_answer_is_no_progress(with_bots, monkeypatch, caplog) -> None:
    """An id that was used before is answered from the log: nothing new has happened."""
    table = with_bots(2, seats=0)
    assert clock.act(Table.objects.get(pk=table.pk))
    old = table.entries.get(seq=2).command_id.split(":", 1)[1]
    monkeypatch.setattr(clock_bots, "answer_of_house", lambda *asked: Request("bid", {"number": 1}, old))
    assert not clock.act(Table.objects.get(pk=table.pk))
    assert "component=bot event=stuck" in caplog.text


def test_a_database_that_is_away_is_no_fault_of_a_bots(with_bots, monkeypatch, caplog) -> None:
    table = with_bots(2, seats=0)

    def away(*asked: Any) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(clock_bots, "submit", away)
    before = count("failed"), count("stuck")
    with pytest.raises(OperationalError):
        clock.act(Table.objects.get(pk=table.pk))
    assert (count("failed"), count("stuck")) == before
    assert "component=bot" not in caplog.text


def test_what_a_bot_meant_for_a_table_that_has_gone_on_is_refused(with_bots) -> None:
    """Two processes look at one table at two moments: the later look counts."""
    table = with_bots(3, seats=0, preset="polite")
    seen = Table.objects.get(pk=table.pk)
    assert clock.act(Table.objects.get(pk=table.pk))
    entries = table.entries.count()
    assert clock.act(seen), "somebody was faster, which is no fault"
    assert table.entries.count() == entries
    request = Request("bid", {"number": 1}, "bot:1:1:1:bid", 1, at=1)
    with pytest.raises(Illegal, match="stale"):
        submit(table.pk, Actor(bot_seat=1), request)


# Waiting.


def test_a_bot_may_leave_others_time_and_only_so_much(with_bots, bots, monkeypatch) -> None:
    wanted = [True]
    monkeypatch.setattr(bots, "waits", lambda view, choices: wanted[0], raising=False)
    table = with_bots(2, seats=0)
    for _ in range(3):
        assert clock.act(Table.objects.get(pk=table.pk)), "it will be looked at again"
    assert commands(table) == ["table.start"]
    wanted[0] = False
    assert clock.act(Table.objects.get(pk=table.pk))
    assert commands(table) == ["table.start", "bid"]
    wanted[0] = True
    monkeypatch.setattr(clock_bots, "PATIENCE_SECONDS", 0.0)
    assert clock.act(Table.objects.get(pk=table.pk))
    assert commands(table)[:3] == ["table.start", "bid", "bid"]


def test_a_bot_does_not_answer_before_the_time_that_the_choice_says(with_bots, monkeypatch) -> None:
    """What came before it, such as a showdown, is seen that long; people may answer at once."""
    rules, late = plugin.game("dummygame").rules, [30]
    sound = rules.choices

    def slow(state: Any, seat: Any) -> Any:
        return tuple(replace(choice, not_before=late[0]) for choice in sound(state, seat))

    monkeypatch.setattr(rules, "choices", slow)
    table = with_bots(2, seats=0)
    for _ in range(3):
        assert clock.act(Table.objects.get(pk=table.pk)), "it will be looked at again"
    assert commands(table) == ["table.start"]
    late[0] = 0
    assert clock.act(Table.objects.get(pk=table.pk))
    assert commands(table) == ["table.start", "bid"]


def test_a_bot_that_fails_to_say_whether_it_waits_plays(with_bots, bots, monkeypatch) -> None:
    monkeypatch.setattr(bots, "waits", raises, raising=False)
    table = with_bots(2, seats=0)
    run_until_idle()
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


def test_a_bot_leaves_time_to_people_and_not_to_bots(with_bots):
    """The host sits on seat 0, bots on the others."""
    table = with_bots(count=2)
    assert clock_bots._hears(table, [0, 1])
    assert not clock_bots._hears(table, [1, 2])
