"""Many at once at one table: the log stays gapless and every command counts once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection

from games.kernel.contract import Illegal
from games.management import log_check
from games.models import Table
from games.services import ledger
from games.services.play import Actor, Request, submit
from tests.conftest import choices_at

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
    ledger.forget_all()
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
