"""Many at once at one table: the log stays gapless and every command counts once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest
from django.db import connection

from games.kernel.contract import Illegal
from games.management import log_check
from games.models import Player, Table
from games.services.commands import Actor, Request
from games.services.hosting import device_transfer, kept_seats
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.conftest import choices_at
from tests.tables.host.host_commands import named

pytestmark = [pytest.mark.django_db(transaction=True)]

T = TypeVar("T")
THREADS = 6


def at_once(*works: Callable[[], T]) -> list[T]:
    """Run everything in threads of its own, each with its own database connection."""

    def run(work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, w) for w in works]]


def assert_sound(table: Table) -> None:
    """Assert that log, state, dice and results agree."""
    log.forget_all()
    table.refresh_from_db()
    assert log_check.faults(table) == []


def test_players_who_act_at_once_get_one_gapless_log(start_table) -> None:
    table = start_table(preset="dicey", seats=4)
    actors = {s.index: Actor(s.player_id) for s in table.seats.all()}

    def play(seat: int) -> int:
        accepted = 0
        while True:
            fresh = Table.objects.get(pk=table.pk)
            mine = [c for c in choices_at(fresh) if c.seat == seat and c.required]
            if fresh.status == Table.Status.FINISHED:
                return accepted
            for choice in mine:
                request = Request(
                    choice.name,
                    choice.options[seat],
                    f"{seat}-{choice.opened_at}",
                    choice.opened_at,
                )
                try:
                    accepted += not submit(table.pk, actors[seat], request).repeated
                except Illegal as refusal:
                    assert refusal.code in {"stale", "not_open", "finished"}

    accepted = at_once(*[lambda seat=seat: play(seat) for seat in actors])
    assert_sound(table)
    assert table.seq == sum(accepted) + 1
    assert len(set(accepted)) == 1, "everybody bid in every round"


def test_one_command_sent_many_times_at_once_is_one_entry(start_table) -> None:
    table = start_table()
    choice = choices_at(table)[0]
    actor = Actor(table.seats.get(index=0).player_id)
    request = Request(choice.name, choice.options[0], "same", choice.opened_at)
    receipts = at_once(*[lambda: submit(table.pk, actor, request)] * THREADS)
    assert {r.seq for r in receipts} == {2}
    assert [r.repeated for r in receipts].count(False) == 1
    assert_sound(table)


def test_of_many_answers_to_one_decision_one_is_accepted(start_table) -> None:
    table = start_table(numbers=9)
    choice = choices_at(table)[0]
    actor = Actor(table.seats.get(index=0).player_id)

    def bid(number: int) -> str:
        args = {"number": number + 1}
        try:
            submit(table.pk, actor, Request("bid", args, f"c{number}", choice.opened_at))
        except Illegal as refusal:
            return refusal.code
        return "accepted"

    answers = at_once(*[lambda number=number: bid(number) for number in range(THREADS)])
    assert sorted(answers) == ["accepted", *["not_open"] * (THREADS - 1)]
    assert_sound(table)


def test_of_those_who_join_at_once_each_gets_a_seat_while_there_is_one(start_table, night) -> None:
    table = start_table(preset="endless", seats=2)
    late = [players.new_guest(f"Late {n}") for n in range(4)]
    for player in late:
        membership.join(night, player)

    def join(player: Player) -> str:
        try:
            submit(table.pk, Actor(player.pk), Request("table.join", {}, "join"))
        except Illegal as refusal:
            return refusal.code
        return "joined"

    told = at_once(*[lambda player=player: join(player) for player in late])
    assert sorted(told) == ["joined", "joined", "table_full", "table_full"]
    assert sorted(table.seats.values_list("index", flat=True)) == [0, 1, 2, 3]
    assert_sound(table)


def test_joining_and_leaving_while_others_play_loses_nothing(start_table, night) -> None:
    table = start_table(preset="endless", seats=3)
    late = players.new_guest("Late")
    membership.join(night, late)
    actors = {s.index: Actor(s.player_id) for s in table.seats.all()}

    def play(seat: int) -> None:
        for number in range(60):
            mine = [c for c in choices_at(Table.objects.get(pk=table.pk)) if c.seat == seat]
            for choice in [c for c in mine if c.required]:
                request = Request(choice.name, choice.options[0], f"{number}", choice.opened_at)
                with contextlib.suppress(Illegal):
                    submit(table.pk, actors[seat], request)

    def come_and_go() -> None:
        for number in range(10):
            for name in ("table.join", "table.leave"):
                submit(table.pk, Actor(late.pk), Request(name, {}, f"{name} {number}"))

    at_once(come_and_go, *[lambda seat=seat: play(seat) for seat in actors])
    assert table.seats.count() == 4
    assert_sound(table)


def outcome(work: Callable[[], object]) -> str:
    """Return "done", or the code of the refusal."""
    try:
        work()
    except Illegal as refusal:
        return refusal.code
    return "done"


def test_of_two_phones_that_go_on_at_once_as_somebody_without_one_gets_the_seat(start_table, night, host) -> None:
    table = start_table("dummygame", "endless", seats=2)
    kept_seats.seat_person(table, host, "Kari")
    kari = table.seats.get(index=2).player
    asked = [device_transfer.request_move(night, kari.pk) for _ in range(2)]
    for move, _ in asked:
        device_transfer.approve_move(night, host, kari.pk, move.number)
    works = [partial(outcome, partial(device_transfer.use_move, secret)) for _, secret in asked]
    assert sorted(at_once(*works)) == ["done", "move_gone"]
    assert [entry.events[0]["type"] for entry in table.entries.all()].count("table.taken_over") == 1
    assert_sound(table)


def test_of_many_who_take_back_at_once_one_takes_one_act_back(start_table, host) -> None:
    table = start_table("chouette", "wood", seats=3, line_order="by_hand")
    for name, option in (("begin_game", 0), ("offer", -1)):
        choice = next(c for c in choices_at(table) if c.seat == 0 and c.name == name)
        submit(table.pk, Actor(host.pk), Request(name, choice.options[option], name, choice.opened_at))
    seen = Table.objects.get(pk=table.pk).seq
    own = next(c for c in choices_at(table) if c.seat == 0 and c.name == "take_back")
    told = named(table, "table.take_back", {"seat": 0})
    requests = [Request("table.take_back", told, f"host-{n}", seen) for n in range(THREADS - 1)]
    requests.append(Request("take_back", {}, "own", own.opened_at))
    works = [partial(outcome, partial(submit, table.pk, Actor(host.pk), request)) for request in requests]
    assert sorted(at_once(*works)) == ["done", *["stale"] * (THREADS - 1)]
    assert log.state_of(Table.objects.get(pk=table.pk)).game.stage == "wood"
    assert_sound(table)


def test_tables_of_bots_that_one_host_starts_at_once_are_counted_one_after_the_other(host: Player, settings) -> None:
    settings.BOTS_PER_HOST = 2
    tables = []
    for name in ("One", "Two", "Three"):
        tables.append(setup.open_table(membership.host_night(host, name), host, "dummygame", "endless", {}))
        for _ in range(2):
            setup.add_bot(tables[-1], host, "low")

    def start(table: Table) -> bool:
        with contextlib.suppress(Illegal):
            setup.start(Table.objects.get(pk=table.pk), Player.objects.get(pk=host.pk), "start")
            return True
        return False

    assert sorted(at_once(*(partial(start, table) for table in tables))) == [False, False, True]
    assert Table.objects.filter(status=Table.Status.PLAYING).count() == 1
