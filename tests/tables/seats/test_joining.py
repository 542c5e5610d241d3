"""Coming and going at a table that runs: who may take which seat, and what leaving does."""

from __future__ import annotations

from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services.commands import Actor, Request
from games.services.logs import log_views
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.seating import joining
from tests import snapshots
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import FEW_CHECKERS, act, whole

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def table(start_table) -> Table:
    """A table of two that goes on and takes up to four."""
    return start_table(preset="endless", seats=2)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving is carried out by the rules at once."""
    config = plugin.game("dummygame")
    monkeypatch.setattr(type(config), "leaving", plugin.LEAVING_AT_ONCE)


def seat_of(table: Table, player: Player) -> int | None:
    return table.seats.filter(player=player).values_list("index", flat=True).first()


def gone(table: Table) -> tuple[int, ...]:
    table.refresh_from_db()
    return plugin.game(table.game_id).rules.gone(log.state_of(table))


@snapshots.kept()
def next_set(table: Table) -> None:
    """Let everybody bid until the set is over."""
    played = table.results.count()
    while table.results.count() == played:
        answer(table, next(c for c in choices_at(table) if c.required))


# Joining.


def test_a_member_joins_with_a_seat_and_a_log_entry_of_their_own(table, guest) -> None:
    late = guest()
    assert joining.is_open(table)
    receipt = act(table, late, "join")
    joined = {"seat": 2, "name": "Late", "player": late.pk, "bot": False}
    assert [e.type for e in receipt.events] == ["table.joined", "seat_joined"]
    assert receipt.events[0].data == joined
    seat = table.seats.get(index=2)
    assert (seat.player, seat.name) == (late, "Late")
    assert seat.accepted_at is not None
    assert [c.seat for c in choices_at(table)] == [0, 1], "they play from the next set on"
    next_set(table)
    assert {c.seat for c in choices_at(table)} == {0, 1, 2}
    whole(table)


def test_a_result_has_lines_for_those_only_who_had_a_part(table, guest) -> None:
    late, leaver = guest(), table.seats.get(index=1).player
    act(table, late, "join")
    next_set(table)
    assert [ln.seat for ln in table.results.get(number=1).lines.order_by("seat")] == [0, 1]
    act(table, leaver, "leave")
    act(table, table.night.host, "forfeit", seat=1)
    next_set(table)
    second = table.results.get(number=2).lines.order_by("seat")
    assert [(ln.seat, ln.player) for ln in second][1:] == [(1, leaver), (2, late)]
    next_set(table)
    assert [ln.seat for ln in table.results.get(number=3).lines.order_by("seat")] == [0, 2]
    whole(table)


def test_the_host_adds_bots_and_members_and_nobody_else_does(table, host, guest) -> None:
    late = guest()
    for args in ({"bot": "low"}, {"player": late.pk}, {"seat": 2}):
        with refused("not_host"):
            act(table, late, "join", **args)
    assert act(table, host, "join", bot="low").events[0].data["bot"] is True
    with refused("bad_level"):
        act(table, host, "join", bot="grandmaster")
    act(table, host, "join", player=late.pk)
    assert [bool(s.bot_level) for s in table.seats.order_by("index")] == [False, False, True, False]
    for args in ({"seat": 3}, {"player": "x"}, {"player": True}):
        with refused("bad_argument"):
            act(table, host, "join", **args)


def test_who_may_not_join(table, host, guest) -> None:
    with refused("seated"):
        act(table, host, "join")
    with refused("removed"):
        act(table, players.new_guest("Stranger"), "join")
    shown_out = guest("Rude")
    membership.remove(table.night, host, shown_out.pk)
    with refused("removed"):
        act(table, shown_out, "join")
    late = guest()
    act(table, host, "pause")
    assert not joining.is_open(table)
    with refused("paused"):
        act(table, late, "join")
    act(table, host, "resume")
    act(table, late, "join")
    act(table, host, "join", bot="low")
    later = guest("Later")
    assert not joining.is_open(table)
    with refused("table_full"):
        act(table, later, "join")
    whole(table)


def test_a_game_that_takes_nobody_in_says_so(start_table, open_table, guest) -> None:
    late = guest()
    for table in (start_table(preset="quick"), start_table("chicago", "classic", seats=3, rounds=2)):
        assert not joining.is_open(table)
        with refused("no_newcomers"):
            act(table, late, "join")
    with refused("not_started"):
        act(open_table(), late, "join")


def test_a_repeated_id_is_one_seat(table, guest) -> None:
    late = guest()
    request = Request("table.join", {}, "j")
    first = submit(table.pk, Actor(late.pk), request)
    again = submit(table.pk, Actor(late.pk), request)
    assert (again.seq, again.repeated) == (first.seq, True)
    assert table.seats.count() == 3


# Leaving, and coming back.


def test_who_leaves_at_once_is_out_by_the_rules_and_takes_their_own_seat_back(at_once, table, guest) -> None:
    late, leaver = guest(), table.seats.get(index=1).player
    act(table, late, "join")
    next_set(table)
    receipt = act(table, leaver, "leave")
    assert [e.type for e in receipt.events][:2] == ["table.left", "seat_left"]
    assert (gone(table), seat_of(table, leaver)) == ((1,), None)
    act(table, leaver, "join")
    assert (gone(table), seat_of(table, leaver)) == ((), 1)
    assert table.seats.count() == 3
    whole(table)


def test_a_newcomer_never_gets_the_seat_of_somebody_else(at_once, table, guest) -> None:
    act(table, guest(), "join")
    next_set(table)
    act(table, table.seats.get(index=1).player, "leave")
    later = guest("Later")
    act(table, later, "join")
    assert seat_of(table, later) == 3


def test_where_the_host_decides_a_seat_waits_and_its_player_may_come_back(table, host) -> None:
    leaver = table.seats.get(index=1).player
    act(table, leaver, "leave")
    assert gone(table) == ()
    assert [e.type for e in act(table, leaver, "join").events] == ["table.joined"]
    assert seat_of(table, leaver) == 1
    assert {c.seat for c in choices_at(table)} == {0, 1}


def test_while_the_game_is_paused_a_seat_that_is_left_waits(at_once, table, host) -> None:
    leaver = table.seats.get(index=1).player
    act(table, host, "pause")
    act(table, leaver, "leave")
    assert (gone(table), seat_of(table, leaver)) == ((), None)
    act(table, leaver, "join")
    assert seat_of(table, leaver) == 1


def test_whom_the_host_took_off_only_the_host_lets_back(table, host, guest) -> None:
    act(table, guest(), "join")
    next_set(table)
    kicked = table.seats.get(index=1).player
    act(table, host, "kick", seat=1)
    for _ in range(2):
        with refused("taken_off"):
            act(table, kicked, "join")
        if gone(table) == ():
            act(table, host, "forfeit", seat=1)
    act(table, host, "join", player=kicked.pk)
    assert seat_of(table, kicked) == 1


def test_nobody_plays_on_from_a_seat_that_is_gone(at_once, table, host, guest) -> None:
    act(table, guest(), "join")
    next_set(table)
    act(table, table.seats.get(index=1).player, "leave")
    with refused("seat_gone"):
        act(table, host, "substitute", seat=1, bot="low")
    for name, code in (("kick", "seat_empty"), ("forfeit", "bad_argument"), ("play_on", "bad_argument")):
        with refused(code):
            act(table, host, name, seat=1)


def test_a_bot_whose_seat_is_given_up_is_gone_and_bids_no_more(table, host) -> None:
    act(table, host, "join", bot="low")
    next_set(table)
    act(table, host, "forfeit", seat=2)
    assert (gone(table), table.seats.get(index=2).bot_level) == ((2,), "")
    assert table.due_at is None
    next_set(table)
    line = table.results.get(number=2).lines.get(seat=2)
    assert (line.is_bot, line.player) == (True, None)
    whole(table)


def test_a_seat_that_the_rules_give_up_by_the_clock_is_freed(
    table, host, guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game may let whoever sleeps too long leave for good: here every time-out does."""
    act(table, guest(), "join")
    next_set(table)
    rules = plugin.game("dummygame").rules
    sound, sleeper = rules.decide, table.seats.get(index=1).player

    def strict(state: Any, command: Any, dice: Any, seq: int) -> Any:
        if command.name == "timeout":
            command = type(command)("leave", None, command.args)
        return sound(state, command, dice, seq)

    monkeypatch.setattr(rules, "decide", strict)
    receipt = act(table, host, "play_on", seat=1)
    assert [e.type for e in receipt.events] == ["table.played_on", "seat_left", "table.vacated"]
    assert receipt.events[-1].data == {"seat": 1, "name": sleeper.nickname}
    assert seat_of(table, sleeper) is None
    whole(table)


def test_playing_again_keeps_those_who_are_still_there(at_once, table, host, guest) -> None:
    act(table, guest(), "join")
    next_set(table)
    act(table, table.seats.get(index=1).player, "leave")
    act(table, host, "close")
    assert [s.name for s in setup.play_again(table, host).seats.order_by("index")] == [
        *("Hanna", "Late"),
    ]


def test_the_host_closes_a_chouette_between_two_games_and_it_is_played_again_by_all(start_table, host, guest) -> None:
    table = start_table("chouette", "german", seats=3, start_position=FEW_CHECKERS)
    act(table, guest(), "join")
    answer(table, next(c for c in choices_at(table) if c.required))
    with refused("not_between_games"):
        act(table, host, "close")
    while not table.results.exists():
        answer(table, next(c for c in choices_at(table) if c.required))
    act(table, host, "close")
    shown = log_views.snapshot(table.pk).table
    assert (shown["status"], shown["broken_off"]) == ("finished", False)
    assert table.results.count() == 1
    following = setup.play_again(table, host)
    assert [s.name for s in following.seats.order_by("index")] == [
        *("Hanna", "Guest 1", "Guest 2", "Late"),
    ]
    setup.start(following, host, "again")
    whole(following)


def test_a_table_broken_off_says_so(table, host) -> None:
    act(table, host, "end")
    assert log_views.snapshot(table.pk).table["broken_off"] is True


def test_money_games_and_matches_seat_two_and_a_chouette_as_many_as_its_rules(open_table, host) -> None:
    for preset in ("money", "match"):
        with refused("table_full"):
            open_table("chouette", preset, seats=3)
        setup.start(open_table("chouette", preset, seats=2), host, "s")
    setup.start(open_table("chouette", "german", seats=8, max_players=8), host, "s")
    with refused("table_full"):
        open_table("chouette", "german", seats=4, max_players=3)
    with refused("too_few_seats"):
        setup.start(open_table("chouette", "german", seats=2), host, "s")
