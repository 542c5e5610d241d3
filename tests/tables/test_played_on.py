"""A Box that leaves in the middle of a game: a bot plays it out on the Box's account."""

from __future__ import annotations

from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Command, Illegal
from games.models import DELETED_NAME, Night, Player, Seat, Table, Tally
from games.services.clock import clock
from games.services.people import deletion, players
from games.services.rolls import roll_files
from games.services.tables import log, setup
from tests import seeds, snapshots
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import FEW_CHECKERS, act, whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table) -> Table:
    """A chouette of three in the middle of a game of few checkers."""
    table = start_table("chouette", "german", seats=3, start_position=FEW_CHECKERS)
    answer(table, next(c for c in choices_at(table) if c.required))
    table.refresh_from_db()
    return table


def box_of(table: Table) -> int:
    return int(log.state_of(table).game.box)


@snapshots.kept()
def play_to_the_end(table: Table) -> None:
    """Let people answer for themselves and the clock act for the bot."""
    while not table.results.exists():
        play_a_step(table)


def play_a_step(table: Table) -> None:
    """Let a person answer who is asked, or else the clock act for the bot."""
    table.refresh_from_db()
    people = [c for c in choices_at(table) if c.required and table.seats.get(index=c.seat).player_id]
    if people:
        answer(table, people[0])
    else:
        assert clock.act(table)
    table.refresh_from_db()


def test_the_bot_takes_the_seat_until_the_game_is_over_and_the_result_is_the_leavers(table) -> None:
    seat = table.seats.get(index=box_of(table))
    leaver, name = seat.player, seat.name
    receipt = act(table, leaver, "leave")
    assert [e.type for e in receipt.events] == ["table.left", "seat_left", "table.bot_plays_on"]
    seat.refresh_from_db()
    assert (seat.player, seat.bot_level, seat.name) == (None, "noisy", name), "the weakest bot, under the old name"
    whole(table)
    play_to_the_end(table)
    line = table.results.get().lines.get(seat=seat.index)
    assert (line.player, line.is_bot, line.name) == (leaver, False, name)
    seat.refresh_from_db()
    assert (seat.player, seat.bot_level) == (None, "")
    whole(table)


def test_the_dice_of_the_bot_are_nobodys(start_table, monkeypatch: pytest.MonkeyPatch) -> None:
    # By these dice the bot comes to roll: a bot that drops the first double has none of its own.
    seeds.fix(monkeypatch, "dice of a bot")
    table = start_table("chouette", "german", seats=3)
    while log.state_of(table).game is None or log.state_of(table).game.stage == "opening":
        answer(table, next(c for c in choices_at(table) if c.required))
        table.refresh_from_db()
    seat = table.seats.get(index=box_of(table))
    leaver: Player = seat.player
    left_at = act(table, leaver, "leave").seq

    def rolled(*, by_bot: bool) -> list[roll_files.TableRoll]:
        found = roll_files.of_table(table)
        return [each for each in found if each.roll.seat == seat.index and (each.seq > left_at) == by_bot]

    while not rolled(by_bot=True):
        play_a_step(table)
    assert {each.thrower for each in rolled(by_bot=True)} == {roll_files.Thrower(f"{seat.name} 🤖")}
    own = [row for row in roll_files.file_rows([table], of=leaver) if row[2] == seat.name]
    kinds = {roll_files.SEAL, roll_files.TIP}
    assert rolled(by_bot=False), "the opening roll"
    assert len([row for row in own if row[3] not in kinds]) == len(rolled(by_bot=False)), "also in the leaver's file"


def test_whoever_left_comes_back_to_their_own_seat_when_the_game_is_over(table) -> None:
    seat = table.seats.get(index=box_of(table))
    leaver: Player = seat.player
    act(table, leaver, "leave")
    with pytest.raises(Illegal, match="join_later"):
        act(table, leaver, "join")
    play_to_the_end(table)
    act(table, leaver, "join")
    assert table.seats.get(player=leaver).index == seat.index
    assert table.seats.count() == 3
    whole(table)


def test_the_host_gives_the_bots_seat_to_nobody(table, host) -> None:
    index = box_of(table)
    act(table, table.seats.get(index=index).player, "leave")
    for name in ("substitute", "kick", "forfeit"):
        with pytest.raises(Illegal):
            act(table, host, name, seat=index, **({"bot": "net"} if name == "substitute" else {}))
    whole(table)


def test_a_box_that_times_out_for_good_is_followed_by_a_bot_too(table, host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules let it go when its time for a play has run out twice: here every time-out does."""
    rules = plugin.game("chouette").rules
    sound = rules.decide

    def strict(state: Any, command: Any, dice: Any, seq: int) -> Any:
        return sound(state, Command("leave", None, command.args) if command.name == "timeout" else command, dice, seq)

    monkeypatch.setattr(rules, "decide", strict)
    receipt = act(table, host, "play_on", seat=box_of(table))
    assert [e.type for e in receipt.events][1:] == ["seat_left", "table.vacated", "table.bot_plays_on"]
    assert table.seats.get(index=box_of(table)).bot_level
    whole(table)


def test_the_bot_that_plays_out_a_leavers_game_is_no_seat_of_the_next_table(table, host) -> None:
    leaver = table.seats.get(index=box_of(table)).player
    if leaver == host:
        host = table.seats.exclude(player=leaver).first().player
        Night.objects.filter(pk=table.night_id).update(host=host)
    act(table, leaver, "leave")
    assert table.seats.get(index=box_of(table)).bot_level, "a bot plays it out"
    act(table, host, "end")
    table.refresh_from_db()
    following = setup.play_again(table, host)
    assert not following.seats.exclude(bot_level="").exists()
    assert leaver.nickname not in following.seats.values_list("name", flat=True)
    deletion.delete(leaver)
    assert not Seat.objects.filter(name=leaver.nickname).exists()


def test_the_next_table_has_the_names_that_people_have_now(table, host) -> None:
    player = table.seats.exclude(player=host).first().player
    players.rename(player, "Newname")
    act(table, host, "end")
    table.refresh_from_db()
    assert "Newname" in setup.play_again(table, host).seats.values_list("name", flat=True)


def test_a_leaver_who_is_deleted_meanwhile_keeps_the_result_and_no_name(table, host) -> None:
    seat = table.seats.get(index=box_of(table))
    leaver = seat.player
    act(table, leaver, "leave")
    if leaver == host:
        Night.objects.filter(pk=table.night_id).update(host=table.seats.exclude(player=None).first().player)
    deletion.delete(leaver)
    play_to_the_end(table)
    line = table.results.get().lines.get(seat=seat.index)
    assert (line.player, line.is_bot, line.name) == (leaver, False, DELETED_NAME)
    assert not Tally.objects.filter(player=leaver).exists(), "and no place in the leaderboards"
    whole(table)
