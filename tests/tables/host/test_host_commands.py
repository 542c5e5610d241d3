"""What the host may do at a running table, and what whoever leaves may do."""

from __future__ import annotations

import pytest

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Player, ResultLine, Table
from games.services.commands import Actor, Request
from games.services.nights import membership, night_rights
from games.services.people import players
from games.services.tables import log
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import act

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


HOST_ACTS = ["pause", "resume", "kick", "substitute", "forfeit", "play_on", "nudge", "close", "end"]


@pytest.mark.parametrize("name", HOST_ACTS)
def test_only_the_host_may(start_table, name: str) -> None:
    table = start_table()
    with refused("not_host"):
        act(table, table.seats.get(index=1).player, name, seat=0, bot="low")
    assert table.entries.count() == 1


@pytest.mark.parametrize("name", HOST_ACTS)
def test_nothing_of_this_before_the_start_or_after_the_end(open_table, start_table, host: Player, name: str) -> None:
    with refused("not_started"):
        act(open_table(), host, name, seat=1)
    table = start_table()
    act(table, host, "end")
    with refused("finished"):
        act(table, host, name, seat=1)


@pytest.mark.parametrize("seat", [None, -1, 2, 99, 10**30, "0", True, 1.0, [], {}])
@pytest.mark.parametrize("name", ["kick", "substitute", "forfeit", "play_on", "nudge"])
def test_a_seat_that_is_not_there_is_refused(start_table, host: Player, name: str, seat: object) -> None:
    table = start_table()
    with refused("bad_argument"):
        act(table, host, name, seat=seat, bot="low")
    assert table.entries.count() == 1


def test_pausing_stops_play_until_the_host_goes_on(start_table, host: Player) -> None:
    table = start_table()
    act(table, host, "pause")
    with refused("paused"):
        answer(table, choices_at(table)[0])
    for name in ("pause", "play_on", "forfeit", "close"):
        with refused("paused"):
            act(table, host, name, seat=1)
    act(table, host, "resume")
    with refused("not_paused"):
        act(table, host, "resume")
    assert answer(table, choices_at(table)[0]).seq == 4


def test_who_leaves_keeps_the_seats_game_for_a_substitute(start_table, host: Player, night: Night) -> None:
    table = start_table()
    leaver = table.seats.get(index=1).player
    receipt = act(table, leaver, "leave")
    assert receipt.events[0].data == {"seat": 1, "name": "Guest 1"}
    with refused("not_seated"):
        act(table, leaver, "leave")
    with refused("not_seated"):
        submit(table.pk, Actor(leaver.pk), Request("bid", {"number": 1}, "c", 1))
    newcomer = players.new_guest("Newcomer")
    with refused("no_such_player"):
        act(table, host, "substitute", seat=1, player=newcomer.pk)
    membership.join(night, newcomer)
    act(table, host, "substitute", seat=1, player=newcomer.pk)
    assert table.seats.get(index=1).player == newcomer
    act(table, newcomer, "accept")
    assert answer(table, choices_at(table)[1]).seq == 5


def test_nobody_sits_on_two_seats(start_table, host: Player) -> None:
    table = start_table(seats=3)
    act(table, host, "kick", seat=1)
    with refused("seated"):
        act(table, host, "substitute", seat=1, player=host.pk)


@pytest.mark.parametrize("player", ["7", True, None, 1.5, -1, 10**12, 10**30])
def test_a_substitute_must_be_somebody(start_table, host: Player, player: object) -> None:
    table = start_table()
    with pytest.raises(Illegal) as refusal:
        act(table, host, "substitute", seat=1, player=player)
    assert refusal.value.code in {"bad_argument", "no_such_player"}


@pytest.mark.parametrize("level", ["", "grandmaster", 3, True, ["low"], {}])
def test_a_substitute_bot_has_a_level_of_the_game(start_table, host: Player, level: object) -> None:
    table = start_table()
    with refused("bad_level"):
        act(table, host, "substitute", seat=1, bot=level)


def test_a_bot_takes_a_seat_as_it_is(start_table, host: Player) -> None:
    table = start_table()
    answer(table, choices_at(table)[1])
    act(table, host, "substitute", seat=1, bot="low")
    seat = table.seats.get(index=1)
    assert (seat.player, seat.bot_level) == (None, "low")
    assert {c.name for c in choices_at(table) if c.seat == 1} == {"take_back"}
    assert table.due_at is None, "the bot has bid already"


def test_a_kicked_player_can_watch_and_not_play(start_table, host: Player) -> None:
    table = start_table()
    kicked = table.seats.get(index=1).player
    act(table, host, "kick", seat=1)
    assert night_rights.is_inside(table.night, kicked)
    with refused("not_seated"):
        submit(table.pk, Actor(kicked.pk), Request("bid", {"number": 1}, "c", 1))
    with refused("seat_empty"):
        act(table, host, "kick", seat=1)


def test_a_forfeit_is_what_the_rules_make_of_leaving(start_table, host: Player) -> None:
    table = start_table()
    events = act(table, host, "forfeit", seat=1).events
    assert [e.type for e in events] == [
        *("table.forfeited", "seat_left", "set_ended", "game_over", "table.dice_revealed"),
    ]
    assert table.status == Table.Status.FINISHED
    assert [line.name for line in table.results.get().lines.all()] == ["Hanna", "Guest 1"]


def test_a_sleepers_turn_is_played_as_the_clock_would(start_table, host: Player) -> None:
    table = start_table()
    act(table, host, "play_on", seat=1)
    assert [c.seat for c in choices_at(table) if c.required] == [0]
    with refused("bad_argument"):
        act(table, host, "play_on", seat=1)


def test_an_open_ended_table_is_closed_with_a_result_where_the_rules_allow(start_table, host: Player) -> None:
    closed = start_table(preset="endless")
    answer(closed, choices_at(closed)[0])
    with refused("bids_are_out"):
        act(closed, host, "close")
    answer(closed, choices_at(closed)[-1])
    act(closed, host, "close")
    assert (closed.status, closed.results.get().reason) == (Table.Status.FINISHED, "closed")
    with refused("not_open_ended"):
        act(start_table(), host, "close")


def test_a_table_broken_off_has_no_result_and_shows_its_dice(start_table, host: Player) -> None:
    table = start_table()
    events = act(table, host, "end").events
    assert [e.type for e in events] == ["table.broken_off", "table.dice_revealed"]
    assert events[1].data["seed"] == table.dice_seed
    assert table.status == Table.Status.FINISHED
    assert not table.results.exists()


def test_the_house_commands_are_idempotent_too(start_table, host: Player) -> None:
    table = start_table()
    request = Request("table.pause", {}, "p")
    first = submit(table.pk, Actor(host.pk), request)
    again = submit(table.pk, Actor(host.pk), request)
    assert (again.seq, again.repeated) == (first.seq, True)


def test_the_result_of_a_seat_that_was_left_is_that_of_whoever_left_it(start_table, host: Player) -> None:
    table = start_table(seats=2)
    leaver = table.seats.get(index=1).player
    submit(table.pk, Actor(leaver.pk), Request("table.leave", {}, "bye"))
    act(table, host, "forfeit", seat=1)
    line = ResultLine.objects.get(result__table=table, seat=1)
    assert (line.player, line.name) == (leaver, leaver.nickname)


def test_the_host_takes_back_what_a_seat_told_of_a_real_table(start_table, host: Player) -> None:
    table = start_table(seats=3, game="chicago", preset="mats")
    first = log.state_of(table).on_turn
    seat = table.seats.get(index=first)
    told = next(choice for choice in choices_at(table) if choice.name == "enter_result")
    submit(table.pk, Actor(seat.player_id), Request(told.name, told.options[-1], "told", told.opened_at))
    with refused("not_host"):
        act(table, table.seats.exclude(player=host).first().player, "take_back", seat=first)
    with refused("nothing_to_take_back"):
        act(table, host, "take_back", seat=(first + 1) % 3)
    events = act(table, host, "take_back", seat=first).events
    assert [event.type for event in events] == ["table.taken_back", "turn_taken_back"]
    table.refresh_from_db()
    assert log.state_of(table).on_turn == first
    with refused("nothing_to_take_back"):
        act(table, host, "take_back", seat=first)
    assert AuditEntry.objects.filter(act="table_take_back").count() == 1


def test_where_the_house_rules_say_so_the_host_sets_the_order_of_play(start_table, host: Player) -> None:
    table = start_table(seats=4, game="chouette", preset="german", line_order="by_hand")
    with refused("not_host"):
        act(table, table.seats.get(index=1).player, "place", seat=3, to=0)
    events = act(table, host, "place", seat=3, to=0).events
    assert [event.type for event in events] == ["table.placed", "line_set"]
    assert events[1].data["line"] == [3, 0, 1, 2]
    for bad in (3, 4, -1, None, "0", True):
        with refused("bad_argument"):
            act(table, host, "place", seat=2, to=bad)
    rolled = start_table(seats=4, game="chouette", preset="german")
    with refused("not_open"):
        act(rolled, host, "place", seat=3, to=0)
