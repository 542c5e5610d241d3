"""Nights: who gets in by which door, and what only the host may do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.kernel.contract import Illegal
from games.models import DeviceMove, Membership, Night, Player, Table
from games.models.night import CODE_ALPHABET, CODE_LENGTH
from games.services.chat import chat
from games.services.commands import Actor, Request
from games.services.hosting import device_transfer, kept_seats, take_over
from games.services.house_rules.cards import card_mark
from games.services.nights import membership, night_rights
from games.services.people import players
from games.services.tables import setup
from games.services.tables.commit import submit

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def guest() -> Player:
    return players.new_guest("Gast")


def test_a_room_code_has_five_characters_and_no_vowels_or_look_alikes(night: Night) -> None:
    assert len(night.code) == CODE_LENGTH == 5
    assert not set(CODE_ALPHABET) & set("AEIOU01LZ25S8BV")


def test_a_code_opens_the_night_however_it_is_typed(night: Night) -> None:
    typed = f" {night.code[:2].lower()}-{night.code[2:].lower()} "
    assert membership.find_by_code(typed) == night


@pytest.mark.parametrize("code", ["", "     ", "AEIOU", "XXXXX", "x" * 500, "'; --"])
def test_a_wrong_code_opens_nothing(night: Night, code: str) -> None:
    with refused("wrong_code"):
        membership.find_by_code(code)


def test_the_host_is_in_and_guests_join_once(night: Night, guest: Player, host: Player) -> None:
    assert night_rights.is_inside(night, host)
    assert membership.join(night, guest) == membership.join(night, guest)
    assert night.memberships.count() == 2


def test_a_rotated_code_ends_the_old_code_and_the_old_links(night: Night, host: Player) -> None:
    code, join, tv = night.code, night.token("join"), night.token("tv")
    membership.rotate_code(night, host)
    night.refresh_from_db()
    with refused("wrong_code"):
        membership.find_by_code(code)
    for token, purpose in ((join, "join"), (tv, "tv")):
        with refused("wrong_link"):
            membership.find_by_token(night.public_id, token, purpose)
    assert membership.find_by_code(night.code) == night
    assert membership.find_by_token(night.public_id, night.token("join"), "join") == night


def test_a_link_for_one_purpose_opens_no_other_door(night: Night) -> None:
    with refused("wrong_link"):
        membership.find_by_token(night.public_id, night.token("join"), "tv")
    with refused("wrong_link"):
        membership.find_by_token(membership.host_night(night.host, "x").public_id, night.token("tv"), "tv")


def test_a_locked_night_takes_nobody_new(night: Night, host: Player, guest: Player) -> None:
    known = players.new_guest("Known")
    membership.join(night, known)
    membership.set_lock(night, host, True)
    with refused("night_locked"):
        membership.join(night, guest)
    assert membership.join(night, known).status == Membership.Status.IN
    membership.set_lock(night, host, False)
    assert membership.join(night, guest)


def test_a_full_night_takes_nobody_more(night: Night, host: Player, guest: Player) -> None:
    membership.set_admission(night, host, by_hand=False, cap=2)
    membership.join(night, guest)
    with refused("night_full"):
        membership.join(night, players.new_guest("Third"))
    for cap in (1, 0, -1, 501):
        with refused("bad_cap"):
            membership.set_admission(night, host, by_hand=False, cap=cap)


def test_who_is_admitted_by_hand_waits_outside(night: Night, host: Player, guest: Player) -> None:
    membership.set_admission(night, host, by_hand=True, cap=10)
    assert membership.join(night, guest).status == Membership.Status.WAITING
    assert not night_rights.is_inside(night, guest)
    membership.admit(night, host, guest.pk)
    assert night_rights.is_inside(night, guest)
    with refused("no_such_player"):
        membership.admit(night, host, guest.pk)


def test_who_is_shown_the_door_is_out_of_every_seat_and_stays_out(night: Night, host: Player, open_table) -> None:
    waiting, playing = open_table(seats=3), open_table()
    thrown_out = waiting.seats.get(index=1).player
    setup.vacate(playing, host, playing.seats.get(index=1).seat_id)
    setup.sit(playing, thrown_out, accept=True)
    setup.start(playing, host, "s")
    membership.remove(night, host, thrown_out.pk)
    assert [s.name for s in waiting.seats.order_by("index")] == ["Hanna", "Guest 2"]
    assert [s.index for s in waiting.seats.order_by("index")] == [0, 1]
    assert playing.seats.get(index=1).player is None
    playing.refresh_from_db()
    assert playing.entries.last().events[0]["type"] == "table.kicked"
    with refused("removed"):
        membership.join(night, thrown_out)
    with refused("host_stays"):
        membership.remove(night, host, host.pk)


def test_a_closed_night_has_no_code_and_its_tables_are_broken_off(
    night: Night, host: Player, start_table, guest: Player
) -> None:
    table = start_table()
    code = night.code
    membership.close(night, host)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert not table.results.exists()
    for act in (
        lambda: membership.join(night, guest),
        lambda: membership.set_lock(night, host, True),
        lambda: membership.close(night, host),
        lambda: setup.open_table(night, host, "dummygame", "quick", {}),
        lambda: device_transfer.request_move(night, guest.pk),
    ):
        with refused("night_closed"):
            act()
    with refused("wrong_code"):
        membership.find_by_code(code)


def test_a_table_that_waits_when_its_night_is_closed_is_put_away_empty(night: Night, host: Player, open_table) -> None:
    table = open_table()
    setup.add_bot(table, host, "low")
    kept_seats.name_scorekeeper(table, host, host.pk)
    membership.close(night, host)
    table.refresh_from_db()
    assert (table.status, table.seats.count(), table.scorekeeper, table.archived_at is not None) == (
        Table.Status.LOBBY, 0, None, True,
    )  # fmt: skip


def test_nothing_is_done_at_a_table_of_a_closed_night(night: Night, host: Player, guest: Player, open_table) -> None:
    membership.join(night, guest)
    table, over = open_table(), open_table()
    waiting = players.new_guest("Waits")
    Membership.objects.create(night=night, player=waiting, status=Membership.Status.WAITING)
    setup.start(over, host, "s")
    submit(over.pk, Actor(host.pk), Request("table.end", {}, "e"))
    mark, seat_id = card_mark(table.preset, table.options), table.seats.get(index=1).seat_id
    membership.close(night, host)
    acts = {
        "sit": lambda: setup.sit(table, guest),
        "accept": lambda: setup.sit(table, guest, accept=True, mark=mark),
        "add_bot": lambda: setup.add_bot(table, host, "low"),
        "vacate": lambda: setup.vacate(table, host, seat_id),
        "move": lambda: setup.move(table, host, seat_id, -1),
        "change_rules": lambda: setup.change_rules(table, host, "dicey", {}),
        "start": lambda: setup.start(table, host, "t"),
        "play_again": lambda: setup.play_again(over, host),
        "seat_person": lambda: kept_seats.seat_person(table, host, "Kari"),
        "accept_for": lambda: kept_seats.accept_for(table, host, seat_id, mark=mark),
        "scorekeeper": lambda: kept_seats.name_scorekeeper(table, host, guest.pk),
        "bring": lambda: membership.bring(night, host, "Kari"),
        "admit": lambda: membership.admit(night, host, waiting.pk),
        "chat": lambda: chat.say(table.pk, host.pk, "hello"),
        "open_table": lambda: setup.open_table(night, host, "dummygame", "quick", {}),
    }
    for name, act in acts.items():
        # Each finds the night as it was when its own request began.
        for row in (night, table.night, over.night):
            row.status = Night.Status.OPEN
        with pytest.raises(Illegal) as refusal:
            act()
        assert refusal.value.code == "night_closed", name
    assert night.tables.count() == 2


def test_only_the_host_may(night: Night, guest: Player, open_table) -> None:
    table = open_table()
    membership.join(night, guest)
    for act in (
        lambda: membership.set_lock(night, guest, True),
        lambda: membership.rotate_code(night, guest),
        lambda: membership.close(night, guest),
        lambda: membership.remove(night, guest, night.host_id),
        lambda: membership.admit(night, guest, guest.pk),
        lambda: membership.set_admission(night, guest, by_hand=False, cap=9),
        lambda: membership.give_host(night, guest, guest.pk),
        lambda: device_transfer.approve_move(night, guest, night.host_id, "000000"),
        lambda: setup.open_table(night, guest, "dummygame", "quick", {}),
        lambda: setup.change_rules(table, guest, "dicey", {}),
        lambda: setup.add_bot(table, guest, "low"),
        lambda: setup.move(table, guest, table.seats.get(index=0).seat_id, 1),
        lambda: setup.start(table, guest, "x"),
        lambda: setup.vacate(table, guest, table.seats.get(index=0).seat_id),
    ):
        with refused("not_host"):
            act()


def test_a_member_takes_over_only_when_the_host_is_long_gone(night: Night, host: Player, guest: Player) -> None:
    membership.join(night, guest)
    with refused("host_is_here"):
        take_over.take_over(night, guest)
    Night.objects.update(host_away_since=datetime.now(UTC) - timedelta(seconds=200))
    with refused("host_is_here"):
        take_over.take_over(night, guest)
    Night.objects.update(host_away_since=datetime.now(UTC) - timedelta(seconds=301))
    with refused("not_inside"):
        take_over.take_over(night, players.new_guest("Stranger"))
    take_over.take_over(night, guest)
    night.refresh_from_db()
    assert night.host == guest
    with refused("host_is_here"):
        take_over.take_over(night, host)


def test_another_phone_goes_on_once_and_only_when_the_host_approves(night: Night, host: Player, guest: Player) -> None:
    membership.join(night, guest)
    move, secret = device_transfer.request_move(night, guest.pk)
    assert device_transfer.use_move(secret) is None
    with refused("wrong_number"):
        device_transfer.approve_move(night, host, guest.pk, "x" + move.number[1:])
    device_transfer.approve_move(night, host, move.player_id, move.number)
    assert device_transfer.use_move(secret) == guest
    with refused("move_gone"):
        device_transfer.use_move(secret)


def test_the_number_alone_moves_nobody_and_grows_old(night: Night, host: Player, guest: Player) -> None:
    membership.join(night, guest)
    move, secret = device_transfer.request_move(night, guest.pk)
    with refused("move_gone"):
        device_transfer.use_move(move.number)
    assert secret not in str(DeviceMove.objects.values())
    DeviceMove.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    with refused("wrong_number"):
        device_transfer.approve_move(night, host, move.player_id, move.number)
    with refused("move_gone"):
        device_transfer.use_move(secret)


@pytest.mark.parametrize("player_id", [0, -1, 10**12, 10**30])
def test_somebody_who_is_not_there_is_refused(night: Night, host: Player, player_id: int) -> None:
    for act in (
        lambda: membership.admit(night, host, player_id),
        lambda: membership.remove(night, host, player_id),
        lambda: membership.give_host(night, host, player_id),
        lambda: device_transfer.request_move(night, player_id),
    ):
        with refused("no_such_player"):
            act()


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b"])
def test_a_night_needs_a_name(host: Player, name: str) -> None:
    with refused("night_name"):
        membership.host_night(host, name)


def test_everything_that_changes_a_night_is_told(night: Night, host: Player, guest: Player) -> None:
    membership.join(night, guest)
    membership.set_lock(night, host, True)
    membership.rotate_code(night, host)
    membership.give_host(night, host, guest.pk)
    membership.close(night, guest)
    told = list(night.events.order_by("pk").values_list("type", flat=True))
    assert told == ["night_opened", "joined", "locked", "code_rotated", "host_changed", "closed"]
