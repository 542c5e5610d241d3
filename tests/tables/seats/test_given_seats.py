"""A seat given to a person with a phone who has not accepted the rules: no clock, no loss, no result.

And for people without a phone the acceptance by who seats them, as an event of the log.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Player, ResultLine, Seat, Table
from games.services.clock import clock
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.house_rules.cards import card_mark
from games.services.people import deletion
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.conftest import choices_at
from tests.tables.host.host_commands import act, whole
from tests.tables.seats.test_kept_seats import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(start_table) -> Table:
    """A table of three with a time for each bid."""
    return start_table("dummygame", "quick", seats=3, turn_seconds=20)


def bid(table: Table, seat: int, by: Player | None = None) -> None:
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == "bid")
    player = by or table.seats.get(index=seat).player
    submit(table.pk, Actor(player.pk), Request("bid", choice.options[0], new_command_id(), choice.opened_at))
    table.refresh_from_db()


def clocks(table: Table) -> set[str]:
    table.refresh_from_db()
    return {key.split(":")[0] for key in table.clocks}


def played_out(table: Table, *, without: int) -> None:
    """End a table of quick bids: the host forfeits a seat, the others bid."""
    while table.status == "playing":
        for seat in (0, 1, 2):
            open_now = [c for c in choices_at(table) if c.seat == seat and c.name == "bid"]
            if open_now and seat != without:
                bid(table, seat)


def test_a_seat_whose_person_has_not_accepted_has_no_clock_and_gets_all_the_time_with_acceptance(
    timed, host, guest
) -> None:
    late = guest()
    assert clocks(timed) == {"0", "1", "2"}
    act(timed, host, "substitute", seat=1, player=late.pk)
    assert clocks(timed) == {"0", "2"}
    act(timed, host, "pause")
    act(timed, host, "resume")
    assert clocks(timed) == {"0", "2"}
    act(timed, late, "accept")
    assert clocks(timed) == {"0", "1", "2"}
    left = log.snapshot_of(Table.objects.get(pk=timed.pk)).time_left()
    assert left["1"] > 19_000
    whole(timed)


def test_the_clock_and_the_host_play_no_turn_of_somebody_who_has_not_accepted(timed, host, guest) -> None:
    late = guest()
    act(timed, host, "substitute", seat=1, player=late.pk)
    bid(timed, 0)
    bid(timed, 2)
    clock.act(Table.objects.get(pk=timed.pk))
    before = timed.entries.count()
    with refused("not_accepted"):
        act(timed, host, "play_on", seat=1)
    assert timed.entries.count() == before


def test_somebody_who_was_seated_without_a_page_open_has_no_lost_game_in_their_history(timed, host, guest) -> None:
    late = guest()
    act(timed, host, "substitute", seat=1, player=late.pk)
    act(timed, host, "forfeit", seat=1)
    assert not timed.seats.filter(player=late).exists()
    played_out(timed, without=1)
    assert not ResultLine.objects.filter(player=late).exists()
    whole(timed)


def test_a_game_that_ends_while_somebody_has_not_accepted_is_nobodys_at_that_seat(start_table, host, guest) -> None:
    table, late = start_table("chicago", "classic", seats=3, rounds=0), guest()
    ben = table.seats.get(index=1).player
    act(table, host, "substitute", seat=1, player=late.pk)
    act(table, host, "close")
    lines = {line.seat: line.player for line in ResultLine.objects.filter(result__table=table)}
    assert lines[1] is None and ben not in lines.values() and late not in lines.values()


def test_who_did_not_accept_changes_nothing_for_whom_the_game_is_when_the_seat_is_freed(
    start_table, host, guest
) -> None:
    table, late = start_table("chicago", "classic", seats=3, rounds=0), guest()
    ben = table.seats.get(index=1).player
    act(table, host, "substitute", seat=1, player=late.pk)
    act(table, host, "kick", seat=1)
    act(table, host, "close")
    assert ResultLine.objects.get(result__table=table, seat=1).player == ben


@pytest.mark.parametrize("how", ["kick", "leave", "substitute"])
def test_leaving_costs_nothing_before_acceptance_and_its_price_after_it(start_table, host, guest, how: str) -> None:
    table = start_table("chicago", "forfeits", seats=4)
    for is_accepted, late in ((False, guest("Carla")), (True, guest("Dora"))):
        act(table, host, "substitute", seat=2, player=late.pk)
        if is_accepted:
            act(table, late, "accept")
        before = log.state_of(table).players[2].forfeits
        goes(table, host, late, how)
        assert log.state_of(table).players[2].forfeits - before == (3 if is_accepted else 0)
    whole(table)


def goes(table: Table, host: Player, late: Player, how: str) -> None:
    if how == "leave":
        act(table, late, "leave")
    else:
        act(table, host, how, seat=2, **({"bot": "easy"} if how == "substitute" else {}))


@pytest.mark.parametrize("name", ["join", "substitute"])
def test_nobody_with_a_phone_is_taken_to_accept_by_being_seated(start_table, host, guest, name: str) -> None:
    table, late = start_table("dummygame", "endless", seats=2), guest()
    where = {"seat": 1} if name == "substitute" else {}
    (event, *_) = act(table, host, name, player=late.pk, adult=True, in_person=True, **where).events
    assert event.data["accepted"] is False
    seat = table.seats.get(player=late)
    assert seat.accepted_at is None
    with refused("accept_first"):
        bid_anything(table, late)
    with refused("not_keeper"):
        act_for(table, host, seat, "table.accept")
    act(table, late, "accept")
    whole(table)


def bid_anything(table: Table, player: Player) -> None:
    submit(table.pk, Actor(player.pk), Request("bid", {"number": 1}, new_command_id(), 1))


def act_for(table: Table, by: Player, seat: Seat, name: str, **args: Any) -> log.Receipt:
    return submit(table.pk, Actor(by.pk), Request(name, args, new_command_id(), seat=seat.index))


# For people without a phone


def accepted(events: Any) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == "table.accepted"]


def last(table: Table) -> Any:
    return log.entries(table.pk)[-1].events


def test_who_seats_somebody_without_a_phone_at_a_running_table_accepts_for_them_as_an_event(start_table, host) -> None:
    table = start_table("dummygame", "endless", seats=3)
    kept_seats.seat_person(table, host, "Karl")
    assert accepted(last(table)) == [{"seat": 3, "name": "Karl", "by": "Hanna", "by_player": host.pk}]
    act(table, host, "kick", seat=1)
    kept_seats.seat_person(table, host, "Per", instead_of=1)
    assert accepted(last(table)) == [{"seat": 1, "name": "Per", "by": "Hanna", "by_player": host.pk}]
    whole(table)


def test_what_was_accepted_for_somebody_in_the_waiting_room_is_an_event_of_the_first_entry(
    open_table, host, guest
) -> None:
    table = open_table("dummygame", "endless", seats=1)
    scorekeeper = guest("Sven")
    kept_seats.name_scorekeeper(table, host, scorekeeper.pk)
    kept_seats.seat_person(Table.objects.get(pk=table.pk), scorekeeper, "Karl")
    kept_seats.seat_person(table, host, "Per")
    setup.start(table, host, new_command_id())
    told = accepted(log.entries(table.pk)[0].events)
    assert [(data["name"], data["by"]) for data in told] == [("Karl", "Sven"), ("Per", "Hanna")]
    whole(table)


def test_changed_rules_are_accepted_anew_by_who_accepts_them_now(open_table, host, guest) -> None:
    table = open_table("dummygame", "endless", seats=1)
    kept_seats.seat_person(table, host, "Karl")
    scorekeeper = guest("Sven")
    kept_seats.name_scorekeeper(table, host, scorekeeper.pk)
    setup.change_rules(Table.objects.get(pk=table.pk), host, "quick", {})
    changed = Table.objects.get(pk=table.pk)
    mark = card_mark(changed.preset, changed.options)
    kept_seats.accept_for(changed, scorekeeper, changed.seats.get(index=1).seat_id, mark=mark)
    setup.sit(changed, host, accept=True)
    setup.start(Table.objects.get(pk=table.pk), host, new_command_id())
    assert [data["by"] for data in accepted(log.entries(table.pk)[0].events)] == ["Sven"]


def test_the_next_table_does_not_say_that_somebody_accepted_for_who_came_with_a_phone(open_table, host, guest) -> None:
    table = open_table("dummygame", "endless", seats=1)
    kept_seats.seat_person(table, host, "Karl")
    setup.start(table, host, new_command_id())
    late = guest()
    act(table, host, "substitute", seat=1, player=late.pk)
    act(table, late, "accept")
    act(table, host, "end")
    following = setup.play_again(Table.objects.get(pk=table.pk), host)
    setup.start(following, host, new_command_id())
    assert accepted(log.entries(following.pk)[0].events) == []


def test_the_question_about_age_is_asked_for_somebody_without_a_phone_at_a_running_table_too(start_table, host) -> None:
    table = start_table("chicago", "forfeits", seats=3, adults_only=True)
    act(table, host, "kick", seat=1)
    with refused("adults_only"):
        kept_seats.seat_person(table, host, "Karl", instead_of=1)
    kept_seats.seat_person(table, host, "Karl", instead_of=1, is_adult=True)
    assert [data["name"] for data in accepted(last(table))] == ["Karl"]


def test_a_deleted_player_leaves_no_name_in_what_they_accepted_for_others(open_table, host, guest) -> None:
    table = open_table("dummygame", "endless", seats=1)
    scorekeeper = guest("Sven")
    kept_seats.name_scorekeeper(table, host, scorekeeper.pk)
    kept_seats.seat_person(Table.objects.get(pk=table.pk), scorekeeper, "Karl")
    setup.start(Table.objects.get(pk=table.pk), host, new_command_id())
    deletion.delete(scorekeeper)
    assert "Sven" not in repr([entry.events for entry in log.entries(table.pk)])
    whole(table)
