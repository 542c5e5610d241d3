"""The one write path: one entry per command, answered again, acknowledged after the commit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import IntegrityError, transaction

from games.kernel.contract import Illegal
from games.models import LogEntry, Player, Table
from games.services import publication
from games.services.commands import HOUSE, Actor, Request
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.relay import TableNews
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


def head(table: Table) -> dict[str, object]:
    """Return the table's row and its log as they are stored."""
    return {
        "row": Table.objects.filter(pk=table.pk).values().get(),
        "log": list(table.entries.values()),
        "results": list(table.results.values()),
    }


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[publication.News]]:
    """Everything that is published."""
    heard: list[publication.News] = []
    monkeypatch.setattr(publication, "_listeners", [heard.append])
    return heard


def test_a_command_is_one_entry_with_its_events_dice_and_asker(start_table, host: Player) -> None:
    table = start_table()
    receipt = answer(table, choices_at(table)[0], command_id="c1")
    entry = table.entries.get(seq=2)
    assert receipt.seq == 2
    assert [e["type"] for e in entry.events] == [e.type for e in receipt.events]
    assert (entry.seat, entry.actor, entry.command["name"]) == (0, host, "bid")
    assert entry.dice == []


def test_the_same_command_sent_again_is_carried_out_once(start_table) -> None:
    table = start_table()
    choice = choices_at(table)[0]
    first = answer(table, choice, command_id="c1")
    before = head(table)
    again = answer(table, choice, command_id="c1")
    assert (again.seq, again.events, again.repeated) == (first.seq, first.events, True)
    assert head(table) == before


def test_a_repeated_id_answers_even_after_the_game_has_gone_on(start_table) -> None:
    table = start_table()
    first, second = choices_at(table)
    receipt = answer(table, first, command_id="c1")
    answer(table, second)
    answer(table, choices_at(table)[0])
    assert answer(table, first, command_id="c1").seq == receipt.seq


@pytest.mark.parametrize("is_of_house", [False, True])
def test_a_removed_player_who_repeats_an_id_is_not_told_what_came_of_it(
    start_table, host: Player, night, is_of_house: bool
) -> None:
    table = start_table()
    theirs = choices_at(table)[1]
    guest = table.seats.get(index=1).player
    request = Request("bid", theirs.options[0], "c", theirs.opened_at)
    if is_of_house:
        request = Request("table.leave", {}, "c")
    receipt = submit(table.pk, Actor(guest.pk), request)
    assert submit(table.pk, Actor(guest.pk), request).seq == receipt.seq
    membership.remove(night, host, guest.pk)
    with refused("removed"):
        submit(table.pk, Actor(guest.pk), request)


def test_two_players_may_use_the_same_id(start_table) -> None:
    table = start_table()
    first, second = choices_at(table)
    assert answer(table, first, command_id="c").seq == 2
    assert answer(table, second, command_id="c").seq == 3


def test_what_is_refused_changes_nothing(start_table, host: Player, told) -> None:
    table = start_table()
    choice = choices_at(table)[0]
    before = head(table)
    guest = table.seats.get(index=1).player_id
    for actor, request, code in (
        (host.pk, Request("bid", {"number": 9}, "a", choice.opened_at), "bad_args"),
        (host.pk, Request("bid", {"number": 1}, "b", 0), "stale"),
        (host.pk, Request("bid", {"number": 1}, "c", None), "no_basis"),
        (host.pk, Request("fly", {}, "d", 1), "not_open"),
        (host.pk, Request("timeout", {"seat": 1}, "e", 1), "not_open"),
        (host.pk, Request("close", {}, "f", 1), "not_open"),
        (host.pk, Request("table.dance", {}, "g"), "unknown_command"),
        (guest, Request("table.pause", {}, "h"), "not_host"),
        (host.pk, Request("bid", {"number": 1}, "", 1), "bad_command_id"),
        (host.pk, Request("bid", {"number": 1}, "x" * 49, 1), "bad_command_id"),
        (None, Request("fly", {}, "i"), "not_open"),
    ):
        with refused(code):
            submit(table.pk, Actor(actor), request)
    assert head(table) == before
    assert told == []


def test_a_spectator_a_stranger_and_the_removed_can_not_play(start_table, host: Player, night) -> None:
    table = start_table()
    choice = choices_at(table)[0]
    request = Request(choice.name, choice.options[0], "c", choice.opened_at)
    watcher, stranger = players.new_guest("Watcher"), players.new_guest("Stranger")
    membership.join(night, watcher)
    with refused("not_seated"):
        submit(table.pk, Actor(watcher.pk), request)
    with refused("removed"):
        submit(table.pk, Actor(stranger.pk), request)
    thrown_out = table.seats.get(index=1).player
    membership.remove(night, host, thrown_out.pk)
    with refused("removed"):
        submit(table.pk, Actor(thrown_out.pk), request)


def test_nobody_plays_for_another_seat(start_table) -> None:
    table = start_table()
    mine, theirs = choices_at(table)
    answer(table, mine)
    request = Request("bid", theirs.options[0], "c", theirs.opened_at)
    with refused("not_open"):
        submit(table.pk, Actor(table.seats.get(index=0).player_id), request)


@pytest.mark.parametrize("status", ["lobby", "paused", "finished"])
def test_nothing_is_played_before_during_a_pause_or_after(open_table, host: Player, status: str) -> None:
    table = open_table()
    if status != "lobby":
        setup.start(table, host, "s")
        name = {"paused": "table.pause", "finished": "table.end"}[status]
        submit(table.pk, Actor(host.pk), Request(name, {}, "p"))
    code = {"lobby": "not_started"}.get(status, status)
    with refused(code):
        submit(table.pk, Actor(host.pk), Request("bid", {"number": 1}, "c", 1))


def test_an_unknown_table_is_refused(db: None) -> None:
    with refused("no_such_table"):
        submit(10**9, HOUSE, Request("bid", {}, "c"))


@pytest.mark.django_db(transaction=True)
def test_nothing_is_told_before_the_commit(start_table, told) -> None:
    table = start_table()
    told.clear()
    with transaction.atomic():
        receipt = answer(table, choices_at(table)[0])
        assert told == []
    news = [n for n in told if isinstance(n, TableNews)]
    assert [(n.entry.seq, n.entry.events) for n in news] == [(receipt.seq, receipt.events)]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_neither_told_nor_remembered(start_table, told) -> None:
    table = start_table()
    before = head(table)
    told.clear()
    with pytest.raises(RuntimeError), transaction.atomic():
        answer(table, choices_at(table)[0], command_id="c1")
        raise RuntimeError
    assert told == []
    assert head(table) == before
    assert {c.name for c in choices_at(table)} == {"bid"}
    assert not answer(table, choices_at(table)[0], command_id="c1").repeated


@pytest.mark.django_db(transaction=True)
def test_a_listener_that_fails_fails_no_command(start_table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(news: publication.News) -> None:
        raise ConnectionError("the push is only a hint")

    heard: list[publication.News] = []
    table = start_table()
    monkeypatch.setattr(publication, "_listeners", [broken, heard.append])
    assert answer(table, choices_at(table)[0]).seq == 2
    assert len(heard) == 1


def test_two_entries_can_never_have_one_number_or_one_id(start_table) -> None:
    table = start_table()
    entry = table.entries.get(seq=1)
    for changes in ({"seq": 1, "command_id": "new"}, {"seq": 2, "command_id": entry.command_id}):
        with pytest.raises(IntegrityError), transaction.atomic():
            LogEntry.objects.create(table=table, command={}, events=[], created_at=entry.created_at, **changes)


def test_a_finished_game_has_a_result_with_a_line_for_each_seat(start_table) -> None:
    table = start_table(numbers=3)
    while choices := [c for c in choices_at(table) if c.required]:
        answer(table, choices[0], option=choices[0].seat % len(choices[0].options))
    table.refresh_from_db()
    result = table.results.get()
    assert table.status == Table.Status.FINISHED
    assert table.entries.last().events[-1]["type"] == "table.dice_revealed"
    assert (result.seq, result.number, result.reason) == (table.seq, 1, "played")
    lines = {line.name: (line.rank, line.stats["rounds_won"]) for line in result.lines.all()}
    assert set(lines) == {"Hanna", "Guest 1"}
    assert sorted(rank for rank, _ in lines.values())[0] == 1


def test_a_table_plays_many_games_each_with_its_own_result(start_table) -> None:
    table = start_table(preset="dicey", sets=3, rounds=1, ties="nobody")
    while choices := [c for c in choices_at(table) if c.required]:
        answer(table, choices[0], option=choices[0].seat)
    assert list(table.results.order_by("number").values_list("number", "seq")) == [
        (1, 3),
        (2, 5),
        (3, 7),
    ]


def test_a_receipt_is_the_stored_entry(start_table) -> None:
    table = start_table(preset="dicey")
    for choice in choices_at(table):
        receipt = answer(table, choice)
        assert log.entries(table.pk)[-1].events == receipt.events
