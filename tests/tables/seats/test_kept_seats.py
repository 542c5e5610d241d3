"""Seats of people without a phone: who acts for them, what the log tells, and how a phone takes them over."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from games.kernel.contract import Illegal
from games.models import LogEntry, Membership, Night, Player, ResultLine, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import claims, device_transfer, kept_seats
from games.services.house_rules.cards import card_mark
from games.services.logs import log_views
from games.services.nights import agreement, membership
from games.services.people import bans, deletion, merging
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.snapshot import Hand
from tests.conftest import choices_at
from tests.tables.host.host_commands import act, whole
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def account(make_player) -> Player:
    """A player with an account."""
    player = make_player("Kari A")
    player.user = User.objects.create_user("kari")
    player.save()
    return player


@pytest.fixture
def lobby(open_table) -> Table:
    """A table with the host and one guest with a phone."""
    return open_table("dummygame", "endless", seats=2)


@pytest.fixture
def table(lobby: Table, host: Player) -> Table:
    """The same with Kari, who has no phone, on seat 2; it plays."""
    kept_seats.seat_person(lobby, host, "Kari")
    setup.start(lobby, host, new_command_id())
    lobby.refresh_from_db()
    return lobby


def person(table: Table, index: int) -> Player:
    found = table.seats.get(index=index).player
    assert found is not None
    return found


def bid_for(table: Table, by: Player, seat: int, **more: Any) -> log.Receipt:
    """Bid for a seat as somebody."""
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == "bid")
    request = Request("bid", choice.options[0], new_command_id(), choice.opened_at, seat=seat, **more)
    return submit(table.pk, Actor(by.pk), request)


def seat_json(table: Table, index: int) -> dict[str, Any]:
    found = log_views.snapshot(table.pk).table
    assert found is not None
    return found["seats"][index]


# Sitting down


def test_a_person_without_a_phone_is_a_guest_of_the_night_with_the_card_accepted(lobby, host) -> None:
    kept_seats.seat_person(lobby, host, " Kari ")
    seat = lobby.seats.get(index=2)
    member = Membership.objects.get(player=seat.player)
    assert (seat.name, member.status, member.keeper) == ("Kari", "in", host)
    assert seat.accepted_at is not None
    assert seat.nonce
    assert seat_json(lobby, 2)["keeper"] == {"player": host.pk, "name": "Hanna"}
    assert seat_json(lobby, 1)["keeper"] is None


@pytest.mark.parametrize(
    ("name", "code"), [("", "nickname_empty"), ("a\u202eb", "nickname_characters"), ("x" * 97, "nickname_long")]
)
def test_a_name_that_is_none_seats_nobody(lobby, host, name: str, code: str) -> None:
    before = Player.objects.count()
    with refused(code):
        kept_seats.seat_person(lobby, host, name)
    assert (lobby.seats.count(), Player.objects.count()) == (2, before)


def test_a_full_table_and_a_full_night_take_nobody_and_leave_no_guest(lobby, night: Night, host) -> None:
    before = Player.objects.count()
    night.cap = 2
    night.save()
    with refused("night_full"):
        kept_seats.seat_person(lobby, host, "Kari")
    night.cap = 60
    night.save()
    most = setup.seat_bounds(lobby)[1]
    for number in range(most - 2):
        kept_seats.seat_person(lobby, host, f"Kari {number}")
    with refused("table_full"):
        kept_seats.seat_person(lobby, host, "One more")
    assert Player.objects.count() == before + most - 2


def test_only_host_and_scorekeeper_seat_somebody(lobby, host) -> None:
    guest = person(lobby, 1)
    with refused("not_host"):
        kept_seats.seat_person(lobby, guest, "Kari")
    kept_seats.name_scorekeeper(lobby, host, guest.pk)
    lobby.refresh_from_db()
    kept_seats.seat_person(lobby, guest, "Kari")
    assert Membership.objects.get(player=person(lobby, 2)).keeper == guest


def test_changed_rules_are_accepted_for_them_by_their_keeper_alone(lobby, host) -> None:
    kept_seats.seat_person(lobby, host, "Kari")
    lobby.seats.update(accepted_at=None)
    mark = card_mark(lobby.preset, lobby.options)
    others, kari = (lobby.seats.get(index=index).seat_id for index in (1, 2))
    with refused("not_keeper"):
        kept_seats.accept_for(lobby, person(lobby, 1), kari, mark=mark)
    with refused("not_keeper"):
        kept_seats.accept_for(lobby, host, others, mark=mark)
    with refused("seat_empty"):
        kept_seats.accept_for(lobby, host, "s999999", mark=mark)
    with refused("card_changed"):
        kept_seats.accept_for(lobby, host, kari, mark="")
    kept_seats.accept_for(lobby, host, kari, mark=mark)
    assert [seat.accepted_at is not None for seat in lobby.seats.order_by("index")] == [False, False, True]


def test_somebody_without_a_phone_joins_a_table_that_runs(start_table, host) -> None:
    table = start_table("dummygame", "endless", seats=2)
    kept_seats.seat_person(table, host, "Kari")
    seat = table.seats.get(index=2)
    assert (seat.name, seat.accepted_at is not None) == ("Kari", True)
    whole(table)


def test_somebody_without_a_phone_takes_an_empty_seat_of_a_table_that_runs(table, host) -> None:
    act(table, host, "kick", seat=1)
    kept_seats.seat_person(table, host, "Bo", instead_of=1)
    assert (table.seats.get(index=1).name, seat_json(table, 1)["keeper"]["player"]) == ("Bo", host.pk)
    bid_for(table, host, 1)
    whole(table)


# Acting


def test_the_keeper_acts_and_the_log_tells_who_acted_for_whom(table, host) -> None:
    receipt = bid_for(table, host, 2)
    row = LogEntry.objects.get(table=table, seq=receipt.seq)
    assert (row.actor, row.seat) == (host, 2)
    told = row.events[0]
    assert (told["type"], told["data"]) == ("table.entered", {"seat": 2, "by": "Hanna", "by_player": host.pk})
    whole(table)


def test_what_one_does_for_oneself_is_not_said_to_be_entered(table, host) -> None:
    assert bid_for(table, host, 0).events[0].type != "table.entered"
    assert bid_for(table, person(table, 1), 1).events[0].type != "table.entered"


def test_an_act_for_a_seat_that_one_does_not_keep_changes_nothing(table, host) -> None:
    guest = person(table, 1)
    for seat, code in ((2, "not_keeper"), (0, "not_keeper"), (9, "bad_argument")):
        with refused(code):
            submit(table.pk, Actor(guest.pk), Request("bid", {"number": 1}, new_command_id(), 1, seat=seat))
    assert table.entries.count() == 1


def test_at_a_table_on_the_screen_nobody_acts_for_somebody_with_a_phone(table, host, night, make_player) -> None:
    watcher = make_player("Watcher")
    membership.join(night, watcher)
    act(table, host, "scorekeeper", player=watcher.pk)
    before = table.entries.count()
    for by, seat in ((host, 1), (watcher, 1), (watcher, 0)):
        with refused("not_keeper"):
            bid_for(table, by, seat)
    assert table.entries.count() == before


def typed_tie(start_table, host: Player) -> Table:
    """Return a table of two whose bids are equal, so that each throws a real die."""
    table = start_table("dummygame", "dicey", seats=2, dice="typed")
    for seat in (0, 1):
        choice = next(c for c in choices_at(table) if c.seat == seat and c.name == "bid")
        by = person(table, seat)
        submit(table.pk, Actor(by.pk), Request("bid", {"number": 1}, new_command_id(), choice.opened_at))
    return table


def type_for(table: Table, by: Player, seat: int) -> log.Receipt:
    """Type a die for a seat as somebody."""
    choice = next(c for c in choices_at(table) if c.seat == seat and c.name == "type_die")
    request = Request("type_die", {"dice": [seat + 1]}, new_command_id(), choice.opened_at, seat=seat)
    return submit(table.pk, Actor(by.pk), request)


def test_with_real_dice_host_and_scorekeeper_enter_for_people_with_phones_and_all_are_told(
    start_table, host, night, make_player
) -> None:
    table = typed_tie(start_table, host)
    entered = type_for(table, host, 1)
    assert entered.events[0].audience is None
    assert entered.events[0].data == {"seat": 1, "by": "Hanna", "by_player": host.pk}
    watcher = make_player("Watcher")
    membership.join(night, watcher)
    act(table, host, "scorekeeper", player=watcher.pk)
    assert type_for(table, watcher, 0).events[0].data["by"] == "Watcher"


def test_what_is_sealed_nobody_enters_for_somebody_with_a_phone_with_real_dice_either(start_table, host) -> None:
    table = start_table("dummygame", "dicey", seats=2, dice="typed")
    with refused("not_keeper"):
        bid_for(table, host, 1)


def test_for_somebody_with_a_phone_who_has_not_accepted_the_rules_nothing_is_entered(start_table, host, guest) -> None:
    table, late = typed_tie(start_table, host), guest()
    act(table, host, "substitute", seat=1, player=late.pk)
    with refused("not_accepted"):
        type_for(table, host, 1)
    act(table, late, "accept")
    type_for(table, host, 1)


def test_bots_and_empty_seats_are_nobodys_to_act_for(table, host) -> None:
    act(table, host, "substitute", seat=1, bot="low")
    with refused("not_keeper"):
        bid_for(table, host, 1)
    act(table, host, "kick", seat=2)
    with refused("not_keeper"):
        bid_for(table, host, 2)


def test_the_keeper_lets_them_leave_and_nobody_leaves_for_somebody_with_a_phone(table, host) -> None:
    def leave(seat: int) -> log.Receipt:
        return submit(table.pk, Actor(host.pk), Request("table.leave", {}, new_command_id(), seat=seat))

    with refused("not_keeper"):
        leave(1)
    assert [event.type for event in leave(2).events][:1] == ["table.left"]
    assert table.seats.get(index=2).player is None
    whole(table)


def test_the_scorekeeper_keeps_all_such_seats_of_the_table_from_then_on(table, host) -> None:
    guest = person(table, 1)
    act(table, host, "scorekeeper", player=guest.pk)
    assert seat_json(table, 2)["keeper"] == {"player": guest.pk, "name": "Guest 1"}
    bid_for(table, guest, 2)


@pytest.mark.parametrize("who", ["kari", "stranger", "nonsense"])
def test_only_a_member_with_a_phone_is_named_scorekeeper(table, host, make_player, who: str) -> None:
    player: Any = {"kari": person(table, 2).pk, "stranger": make_player("Stranger").pk, "nonsense": "1"}[who]
    with refused({"kari": "no_phone", "stranger": "no_such_player", "nonsense": "bad_argument"}[who]):
        act(table, host, "scorekeeper", player=player)
    with refused("not_host"):
        act(table, person(table, 1), "scorekeeper", player=host.pk)


# Reading


def test_a_keepers_device_reads_a_kept_seat_only_while_its_person_holds_it(table, host) -> None:
    bid_for(table, host, 2)
    now = log_views.snapshot(table.pk)
    assert now.view(now.reader(host.pk))["bid"] is None
    assert now.view(now.reader(host.pk, Hand(2)))["bid"] is not None
    assert now.reader(host.pk, Hand(None)).seat is None


def test_nobody_reads_a_seat_that_they_do_not_keep(table, host) -> None:
    now, guest = log_views.snapshot(table.pk), person(table, 1)
    for reader in (now.reader(guest.pk, Hand(2)), now.reader(host.pk, Hand(1)), now.reader(None, Hand(2))):
        assert reader.seat is None


def test_a_keeper_is_told_which_of_their_seats_are_asked_and_others_nothing(table, host) -> None:
    def asked() -> dict[int, bool]:
        return {each["seat"]: each["asked"] for each in log_views.snapshot(table.pk).kept(host.pk)}

    assert asked() == {0: True, 2: True}
    bid_for(table, host, 2)
    assert asked() == {0: True, 2: False}
    assert log_views.snapshot(table.pk).kept(person(table, 1).pk) == []


# Going


def test_when_the_keeper_is_shown_the_door_the_host_keeps(lobby, night, host) -> None:
    guest = person(lobby, 1)
    kept_seats.name_scorekeeper(lobby, host, guest.pk)
    lobby.refresh_from_db()
    kept_seats.seat_person(lobby, guest, "Kari")
    membership.remove(night, host, guest.pk)
    lobby.refresh_from_db()
    assert lobby.scorekeeper is None
    assert seat_json(lobby, 1)["keeper"] == {"player": host.pk, "name": "Hanna"}


def test_a_person_without_a_phone_is_shown_the_door_and_banned_as_anybody(table, night, host, staff) -> None:
    kari = person(table, 2)
    bans.ban(kari, staff)
    assert table.seats.get(index=2).player is None
    assert Membership.objects.get(player=kari).status == "kicked"
    with refused("not_keeper"):
        bid_for(table, host, 2)


def test_who_is_deleted_leaves_no_name_in_what_they_entered(table, night, host) -> None:
    guest = person(table, 1)
    act(table, host, "scorekeeper", player=guest.pk)
    bid_for(table, guest, 2)
    deletion.delete(guest)
    assert "Guest 1" not in repr(list(LogEntry.objects.filter(table=table).values_list("events", flat=True)))
    assert seat_json(table, 2)["keeper"]["player"] == host.pk
    whole(table)


# Going on with a phone


def go_on(night: Night, kari: Player, by: Player, host: Player) -> Player | None:
    """Ask to be Kari on a phone, and let the host or the keeper approve the number."""
    move, secret = device_transfer.request_move(night, kari.pk)
    if by == host:
        device_transfer.approve_move(night, host, kari.pk, move.number)
    else:
        device_transfer.approve_for(by, kari.pk, move.number)
    return device_transfer.use_move(secret)


@pytest.mark.parametrize("who", ["host", "scorekeeper"])
def test_a_seat_is_taken_over_with_a_phone_at_once_when_host_or_scorekeeper_approve(table, night, host, who) -> None:
    kari, guest = person(table, 2), person(table, 1)
    if who == "scorekeeper":
        act(table, host, "scorekeeper", player=guest.pk)
    assert go_on(night, kari, guest if who == "scorekeeper" else host, host) == kari
    assert seat_json(table, 2)["keeper"] is None
    assert LogEntry.objects.filter(table=table).latest("seq").events[0]["type"] == "table.taken_over"
    with refused("not_keeper"):
        submit(table.pk, Actor(host.pk), Request("table.leave", {}, new_command_id(), seat=2))
    bid_for(table, kari, 2)
    assert log_views.snapshot(table.pk).reader(host.pk, Hand(2)).seat is None
    whole(table)


def test_nobody_else_approves_and_without_a_word_nothing_is_taken_over(table, night, host) -> None:
    kari, guest = person(table, 2), person(table, 1)
    move, secret = device_transfer.request_move(night, kari.pk)
    with refused("not_keeper"):
        device_transfer.approve_for(guest, kari.pk, move.number)
    with refused("not_keeper"):
        device_transfer.refuse_for(guest, kari.pk)
    with refused("wrong_number"):
        device_transfer.approve_for(host, kari.pk, "000000" if move.number != "000000" else "111111")
    assert device_transfer.use_move(secret) is None
    assert agreement.has_request(host)
    assert not agreement.has_request(guest)


def test_a_phone_that_took_over_is_asked_first_from_then_on(table, night, host, settings) -> None:
    settings.VETO_SECONDS = 60
    kari = person(table, 2)
    assert go_on(night, kari, host, host) == kari
    assert go_on(night, kari, host, host) is None


def test_a_host_speaks_as_far_as_their_night(table, night, host, make_player) -> None:
    """Somebody who has been at another host's night is not given away by this one's word."""
    kari, other = person(table, 2), make_player("Otto")
    elsewhere = membership.host_night(other, "Elsewhere")
    Membership.objects.create(night=elsewhere, player=kari, keeper=other)
    assert go_on(night, kari, host, host) is None


def test_a_keeper_speaks_for_the_night_where_they_keep_somebody_and_for_no_other(
    table, night, host, make_player
) -> None:
    kari, other = person(table, 2), make_player("Otto")
    elsewhere = membership.host_night(other, "Elsewhere")
    Membership.objects.create(night=elsewhere, player=kari, keeper=other)
    move, secret = device_transfer.request_move(night, kari.pk)
    assert not device_transfer.approve_for(other, kari.pk, move.number)
    assert not agreement.has_request(other)
    assert not device_transfer.approve_move(elsewhere, other, kari.pk, move.number)
    assert device_transfer.use_move(secret) is None
    assert device_transfer.approve_for(host, kari.pk, move.number)
    assert device_transfer.use_move(secret) == kari


def test_a_scorekeeper_of_a_table_that_has_ended_approves_no_phone(table, night, host) -> None:
    kari, guest = person(table, 2), person(table, 1)
    act(table, host, "scorekeeper", player=guest.pk)
    act(table, host, "end")
    following = setup.play_again(Table.objects.get(pk=table.pk), host)
    kept_seats.name_scorekeeper(following, host, host.pk)
    move, secret = device_transfer.request_move(night, kari.pk)
    with refused("not_keeper"):
        device_transfer.approve_for(guest, kari.pk, move.number)
    assert device_transfer.use_move(secret) is None
    assert not agreement.has_request(guest)


def test_nobody_without_a_phone_becomes_the_host(table, night, host) -> None:
    kari, guest = person(table, 2), person(table, 1)
    with refused("no_phone"):
        membership.give_host(night, host, kari.pk)
    page = browser_of(host).get(f"/night/{night.public_id}/").content.decode()
    assert f'id="host-{guest.pk}"' in page and f'id="host-{kari.pk}"' not in page
    assert f'id="door-{kari.pk}"' in page


def test_a_banned_hosts_night_goes_to_somebody_with_a_phone_or_is_closed(table, night, host) -> None:
    guest, chief = person(table, 1), User.objects.create_superuser("chief")
    bans.ban(host, chief)
    night.refresh_from_db()
    assert night.host == guest
    bans.ban(guest, chief)
    night.refresh_from_db()
    assert night.status == Night.Status.CLOSED


def test_an_account_claims_what_they_played_without_waiting_for_a_phone(table, night, host, account, settings):
    settings.VETO_SECONDS = 60
    kari = person(table, 2)
    membership.join(night, account)
    claim = claims.create(night, account, kari.pk)
    assert claims.decide(night, host, claim.pk, True).is_done
    assert person(table, 2) == account
    assert seat_json(table, 2)["keeper"] is None
    bid_for(table, account, 2)


def test_joining_to_somebody_with_a_phone_leaves_nobody_to_act_for_them(table, host, night, make_player) -> None:
    kari, phone = person(table, 2), make_player("Kari too")
    membership.join(night, phone)
    merging.merge(kari, phone)
    assert not Membership.objects.filter(player=phone, keeper__isnull=False).exists()


# The evening


def test_the_next_table_has_them_and_the_scorekeeper_again(table, host) -> None:
    guest = person(table, 1)
    act(table, host, "scorekeeper", player=guest.pk)
    act(table, host, "end")
    following = setup.play_again(table, host)
    assert following.scorekeeper == guest
    assert seat_json(following, 2)["keeper"]["player"] == guest.pk
    assert following.seats.get(index=2).accepted_at is not None


def test_one_device_plays_a_whole_game_for_everybody_and_the_result_is_each_ones(open_table, host) -> None:
    table = open_table("dummygame", "quick", seats=1)
    for name in ("Kari", "Bo"):
        kept_seats.seat_person(table, host, name)
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    while table.status == "playing":
        choice = next(c for c in choices_at(table) if c.required)
        args = choice.options[0]
        submit(
            table.pk,
            Actor(host.pk),
            Request(choice.name, args, new_command_id(), choice.opened_at, seat=choice.seat),
        )
        table.refresh_from_db()
    lines = ResultLine.objects.filter(result__table=table)
    assert {line.name for line in lines} == {"Hanna", "Kari", "Bo"}
    assert all(line.player_id for line in lines)
    whole(table)


# Before play, by the API


def test_the_scorekeeper_is_named_and_changed_rules_are_accepted_by_the_api_before_play(lobby, host) -> None:
    kept_seats.seat_person(lobby, host, "Kari")
    api, where = browser_of(host), f"/api/tables/{lobby.public_id}/"
    answer = api.post(f"{where}scorekeeper/", {"player": host.pk}, content_type="application/json")
    assert (answer.status_code, answer.json()["scorekeeper"]["name"]) == (200, "Hanna")
    kari = person(lobby, 2)
    refusal = api.post(f"{where}scorekeeper/", {"player": kari.pk}, content_type="application/json")
    assert refusal.json()["code"] == "no_phone"
    lobby.seats.update(accepted_at=None)
    others, kept_id = (lobby.seats.get(index=index).seat_id for index in (1, 2))
    by_number = api.post(f"{where}seats/", {"seat": 2, "mark": "old"}, content_type="application/json")
    assert by_number.json()["code"] == "seat_number"
    stale = api.post(f"{where}seats/", {"seat": kept_id, "mark": "old"}, content_type="application/json")
    assert stale.json()["code"] == "card_changed"
    mark = api.get(f"{where}rules/").json()["mark"]
    kept = api.post(f"{where}seats/", {"seat": kept_id, "mark": mark}, content_type="application/json")
    assert kept.status_code == 201
    assert [seat["accepted"] for seat in kept.json()["seats"]] == [False, False, True]
    other = api.post(f"{where}seats/", {"seat": others, "mark": mark}, content_type="application/json")
    assert other.json()["code"] == "not_keeper"
