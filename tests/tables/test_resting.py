"""Tables of bots alone play only for pages that watch; a table with a person never rests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from games.management import log_check
from games.models import Night, Player, Table
from games.services import server_time
from games.services.clock import clock
from games.services.commands import new_command_id
from games.services.hosting import kept_seats
from games.services.nights import membership
from games.services.seats import bot_tables
from games.services.tables import setup
from tests.ops.test_commands import said
from tests.tables.host.host_commands import act

pytestmark = pytest.mark.django_db


@pytest.fixture
def of_bots(open_table: Callable[..., Table], host: Player) -> Table:
    """A running table of two bots, whose game does not end by itself."""
    return bots_table(open_table, host, people=0)


def bots_table(open_table: Callable[..., Table], host: Player, people: int, **changes: object) -> Table:
    table = open_table("dummygame", "endless", seats=people, **changes)
    for _ in range(2):
        setup.add_bot(table, host, "low")
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    return table


def pass_unwatched(seconds: float = 76) -> None:
    """Let so many seconds pass since any page watched a table."""
    Table.objects.update(watched_at=server_time.now() - timedelta(seconds=seconds))


def entries_made(table: Table, rounds: int = 10) -> int:
    """Run the clock and return how many entries it has made at a table."""
    before = Table.objects.values_list("seq", flat=True).get(pk=table.pk)
    for _ in range(rounds):
        clock.run_due()
    table.refresh_from_db()
    return table.seq - before


def test_a_table_of_bots_alone_rests_when_no_page_has_watched_for_a_minute(of_bots: Table) -> None:
    assert entries_made(of_bots) > 0, "whoever starts it looks at it"
    pass_unwatched(60)
    assert entries_made(of_bots) > 0, "a page may have left up to a minute ago"
    pass_unwatched()
    assert entries_made(of_bots) == 0
    assert of_bots.due_at is None
    assert clock.run_due() == 0, "it costs the clock nothing"
    assert log_check.faults(of_bots) == []


def test_a_table_that_nobody_ever_watched_rests(of_bots: Table) -> None:
    Table.objects.update(watched_at=None)
    assert entries_made(of_bots) == 0


def test_a_resting_table_goes_on_at_the_first_page(of_bots: Table) -> None:
    pass_unwatched()
    assert entries_made(of_bots) == 0
    bot_tables.note_watched([of_bots.pk])
    assert entries_made(of_bots) > 0


def test_a_page_that_comes_while_the_clock_looks_is_not_missed(of_bots: Table) -> None:
    pass_unwatched()
    seen = Table.objects.get(pk=of_bots.pk)
    assert bot_tables.is_to_rest(seen, seen.seats.all())
    bot_tables.note_watched([of_bots.pk])
    assert not bot_tables.let_rest(seen)
    assert entries_made(of_bots) > 0


def test_a_note_of_before_the_house_s_time_was_set_back_keeps_no_table_awake_for_long(of_bots: Table) -> None:
    pass_unwatched(-3600)
    assert entries_made(of_bots) == 0


def test_a_table_with_a_person_never_rests(open_table: Callable[..., Table], host: Player) -> None:
    table = bots_table(open_table, host, people=1, turn_seconds=5)
    Table.objects.update(watched_at=None)
    assert entries_made(table) > 0
    Table.objects.update(due_at=server_time.now(), clocks=dict.fromkeys(table.clocks, 0))
    assert entries_made(table) > 0, "the clock plays for a phone that sleeps"


def test_a_table_with_a_person_without_a_phone_never_rests(open_table: Callable[..., Table], host: Player) -> None:
    table = open_table("dummygame", "endless", seats=0)
    kept_seats.seat_person(table, host, "Kari")
    setup.add_bot(table, host, "low")
    setup.start(table, host, new_command_id())
    Table.objects.update(watched_at=None)
    assert entries_made(table) > 0


def test_a_table_that_the_last_person_has_left_to_bots_rests_as_well(
    open_table: Callable[..., Table], host: Player
) -> None:
    table = bots_table(open_table, host, people=1)
    act(table, host, "substitute", seat=0, sitter=host.pk, bot="low")
    pass_unwatched()
    assert entries_made(table) == 0
    assert table.due_at is None


def test_what_the_host_does_at_a_resting_table_works_and_it_rests_on(of_bots: Table, host: Player) -> None:
    pass_unwatched()
    assert entries_made(of_bots) == 0
    act(of_bots, host, "pause")
    act(of_bots, host, "resume")
    assert entries_made(of_bots) == 0
    assert of_bots.due_at is None


def test_a_night_with_a_resting_table_closes_as_any_other(of_bots: Table, night: Night, host: Player) -> None:
    pass_unwatched()
    assert entries_made(of_bots) == 0
    membership.close(night, host)
    of_bots.refresh_from_db()
    assert of_bots.status == Table.Status.FINISHED
    assert log_check.faults(of_bots) == []


def test_the_demo_s_tables_rest_too() -> None:
    said("demo")
    running = Table.objects.filter(status=Table.Status.PLAYING)
    assert {table.watched_at is not None for table in running} == {True}
    pass_unwatched()
    for _ in range(5):
        clock.run_due()
    assert not running.exclude(due_at=None).exists()


def test_a_note_costs_one_statement_for_all_tables_and_touches_none_with_a_person(
    open_table: Callable[..., Table], host: Player, of_bots: Table, django_assert_num_queries
) -> None:
    with_person = bots_table(open_table, host, people=1)
    Table.objects.update(watched_at=None, due_at=None)
    with django_assert_num_queries(1):
        bot_tables.note_watched([of_bots.pk, with_person.pk])
    of_bots.refresh_from_db()
    with_person.refresh_from_db()
    assert of_bots.watched_at is not None
    assert (with_person.watched_at, with_person.due_at) == (None, None)
