"""The door and the chat: undoing what the host did, muting, and names that look like the host's."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import KeptLine, Membership, Night, Player
from games.services.chat import chat
from games.services.nights import membership, night_rights
from games.services.people import bans, merging, players
from tests.web.pages import browser_of, night_do, night_page

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture
def kari(night: Night) -> Player:
    player = players.new_guest("Kari")
    membership.join(night, player)
    return player


def status_of(night: Night, player: Player) -> str:
    """Return the status of a player's membership."""
    return str(night.memberships.get(player=player).status)


# Shown the door, and let in again.


def test_who_was_shown_the_door_is_let_in_again_with_one_tap(night, host, kari) -> None:
    membership.remove(night, host, kari.pk)
    browser = browser_of(host)
    assert night_do(night, "readmit") in browser.get(night_page(night)).content.decode()
    browser.post(night_do(night, "readmit"), {"player": kari.pk})
    assert night_rights.is_inside(night, kari)
    assert night_do(night, "readmit") not in browser.get(night_page(night)).content.decode()
    assert browser_of(kari).get(night_page(night)).status_code == 200


def test_nobody_but_the_host_sees_who_was_shown_the_door_or_lets_them_in(night, host, kari, make_player) -> None:
    ola = make_player("Ola")
    membership.join(night, ola)
    membership.remove(night, host, kari.pk)
    assert night_do(night, "readmit") not in browser_of(ola).get(night_page(night)).content.decode()
    for player in (ola, kari):
        with refused("not_host"):
            membership.readmit(night, player, kari.pk)
    assert not night_rights.is_inside(night, kari)


def test_a_banned_player_and_one_who_was_never_there_are_not_let_in_again(night, host, kari, make_player) -> None:
    bans.ban(kari, User.objects.create_user("bar", is_staff=True))
    assert night_do(night, "readmit") not in browser_of(host).get(night_page(night)).content.decode()
    for player in (kari, make_player("Stranger")):
        with refused("no_such_player"):
            membership.readmit(night, host, player.pk)


def test_a_full_night_and_a_closed_one_let_nobody_in_again(night, host, kari, make_player) -> None:
    membership.remove(night, host, kari.pk)
    membership.set_admission(night, host, by_hand=False, cap=2)
    membership.join(night, make_player("Ola"))
    with refused("night_full"):
        membership.readmit(night, host, kari.pk)
    membership.close(night, host)
    with refused("night_closed"):
        membership.readmit(night, host, kari.pk)


# Muted.


def test_who_is_muted_chats_at_no_table_of_the_night_until_the_host_lets_them(night, host, kari, open_table) -> None:
    table = open_table(seats=2)
    browser = browser_of(host)
    browser.post(night_do(night, "mute"), {"player": kari.pk})
    for text in ("Ouch!", "Buy my watches."):
        with refused("muted"):
            chat.say(table.pk, kari.pk, text)
    assert night_do(night, "unmute") in browser.get(night_page(night)).content.decode()
    browser.post(night_do(night, "unmute"), {"player": kari.pk})
    assert chat.say(table.pk, kari.pk, "Sorry.")


def test_lines_that_wait_for_the_end_of_the_game_go_when_their_sender_is_muted(night, host, kari, open_table) -> None:
    table = open_table(seats=2)
    KeptLine.objects.create(table=table, player=kari, name="Kari", text="Later.")
    membership.mute(night, host, kari.pk)
    assert not KeptLine.objects.exists()


def test_leaving_by_the_door_and_coming_back_or_being_joined_ends_no_muting(night, host, kari, open_table) -> None:
    table = open_table(seats=2)
    membership.mute(night, host, kari.pk)
    membership.remove(night, host, kari.pk)
    membership.readmit(night, host, kari.pk)
    other = players.new_guest("Kari's tablet")
    membership.join(night, other)
    merging.merge(kari, other)
    with refused("muted"):
        chat.say(table.pk, other.pk, "Hello.")


def test_nobody_mutes_the_host_or_anybody_without_being_the_host(night, host, kari) -> None:
    with refused("host_stays"):
        membership.mute(night, host, host.pk)
    with refused("not_host"):
        membership.mute(night, kari, host.pk)


def test_a_muted_member_who_becomes_the_host_chats(night, host, kari, open_table) -> None:
    table = open_table(seats=2)
    membership.mute(night, host, kari.pk)
    membership.give_host(night, host, kari.pk)
    assert chat.say(table.pk, kari.pk, "Hello.")


# Names that look like the host's.


@pytest.mark.parametrize("name", ["Hanna", "hanna", "Hаnnа", "H4nna", "Hânna"])
def test_who_comes_under_the_hosts_name_waits_until_the_host_says_yes(night, host, name) -> None:
    guest = players.new_guest(name)
    assert membership.join(night, guest).status == Membership.Status.WAITING
    assert not night_rights.is_inside(night, guest)
    browser_of(host).post(night_do(night, "admit"), {"player": guest.pk})
    assert night_rights.is_inside(night, guest)


def test_who_waits_for_their_name_chooses_another_one_and_is_in(night) -> None:
    guest = players.new_guest("Hanna")
    membership.join(night, guest)
    browser = browser_of(guest)
    page = browser.get(night_page(night)).content.decode()
    link = reverse("join_link", args=[night.public_id, membership.invitation(night, guest)])
    assert "Your name looks like" in page
    assert link in page
    browser.post(link, {"nickname": "Hanne"})
    assert status_of(night, guest) == Membership.Status.IN


def test_another_name_lets_nobody_in_where_the_host_admits_by_hand_or_has_locked(night, host) -> None:
    guest = players.new_guest("Hanna")
    membership.join(night, guest)
    membership.set_admission(night, host, by_hand=True, cap=9)
    players.rename(guest, "Hanne")
    assert status_of(night, guest) == Membership.Status.WAITING
    second = players.new_guest("Hanna")
    membership.join(night, second)
    membership.set_admission(night, host, by_hand=False, cap=9)
    membership.set_lock(night, host, True)
    players.rename(second, "Hannes")
    assert status_of(night, second) == Membership.Status.WAITING


def test_nobody_who_is_in_takes_the_hosts_name(night, host, kari) -> None:
    with refused("nickname_of_host"):
        players.rename(kari, "Hanna")
    with refused("nickname_of_host"):
        membership.bring(night, kari, "Hanna")
    kari.refresh_from_db()
    assert kari.nickname == "Kari"
    players.rename(host, "HANNA")
    assert membership.bring(night, host, "Hanna")
