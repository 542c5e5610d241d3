"""Secrets: long enough, stored as digests or not at all, and in no address but a screen's."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import DeviceMove, Night, Player
from games.ops.session_keys import stored
from games.services.hosting import device_transfer
from games.services.nights import membership, night_rights
from games.services.people import players
from tests.people.browsers import log_in, make_account
from tests.web.pages import browser_of, join_link, night_page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def kari(night):
    """A guest who is in."""
    player = players.new_guest("Kari")
    membership.join(night, player)
    return player


def test_a_join_link_and_a_tv_link_have_128_bits_and_are_not_stored(night):
    found = {night.token("join"), night.token("tv")}
    assert len(found) == 2
    assert all(len(bytes.fromhex(token)) * 8 == 128 for token in found)
    stored = str(list(Night.objects.values_list()))
    assert not any(token in stored for token in found)
    night.code_version += 1
    assert not found & {night.token("join"), night.token("tv")}


def test_a_tv_link_opens_no_seat_and_no_door(night):
    screen = Client()
    screen.get(reverse("tv", args=[night.public_id, night.token("tv")]))
    refused = screen.post(reverse("join_link", args=[night.public_id, night.token("tv")]), {"nickname": "Kari"})
    assert refused.status_code == 404
    assert screen.get(night_page(night)).status_code == 403


def test_another_phone_needs_a_secret_of_192_bits_that_is_stored_hashed(night, host, kari):
    move, secret = device_transfer.request_move(night, kari.pk)
    assert len(secret) * 6 >= 128
    assert len(move.number) == 6
    assert secret not in str(list(DeviceMove.objects.values_list()))
    device_transfer.approve_move(night, host, kari.pk, move.number)
    with pytest.raises(Illegal, match="move_gone"):
        device_transfer.use_move(move.number)
    assert device_transfer.use_move(secret) == kari
    with pytest.raises(Illegal, match="move_gone"):
        device_transfer.use_move(secret)


def test_no_two_phones_of_a_night_show_one_number(night, kari, monkeypatch):
    drawn = iter([5, 5, 5, 6])
    monkeypatch.setattr(device_transfer.secrets, "randbelow", lambda most: next(drawn))
    numbers = [device_transfer.request_move(night, kari.pk)[0].number for _ in range(2)]
    assert numbers == ["000005", "000006"]


def test_phones_that_wait_are_bounded(night, kari, monkeypatch):
    monkeypatch.setattr(device_transfer, "MOST_MOVES", 3)
    for _ in range(3):
        device_transfer.request_move(night, kari.pk)
    with pytest.raises(Illegal, match="too_many_tries"):
        device_transfer.request_move(night, kari.pk)


def test_a_session_key_has_more_than_128_bits(night):
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Kari"})
    key = browser.cookies["sessionid"]
    assert len(key.value) >= 32  # of 36 characters: 165 bits
    assert key["httponly"]
    assert key["samesite"] == "Lax"


def test_keys_of_sessions_are_stored_as_digests_that_open_nothing(night):
    make_account("kari")
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Kari"})
    log_in(browser)
    key = browser.cookies["sessionid"].value
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_key FROM django_session")
        found = {row[0] for row in cursor.fetchall()}
        cursor.execute("SELECT session_key FROM usersessions_usersession")
        found |= {row[0] for row in cursor.fetchall()}
    digest = str.__str__(stored(key))
    assert key not in found
    assert digest in found
    thief = Client()
    thief.cookies["sessionid"] = digest
    assert thief.get(night_page(night)).status_code == 403


def test_devices_are_known_and_ended_by_their_digests(night):
    make_account("kari")
    here, there = browser_of(), browser_of()
    log_in(here)
    log_in(there)
    page = here.get(reverse("usersessions_list"))
    shown = page.context["sessions"]
    assert sum(device.session_key == here.cookies["sessionid"].value for device in shown) == 1
    assert here.post(reverse("usersessions_list")).status_code == 302
    assert here.get(reverse("my_tokens")).status_code == 200
    assert there.get(reverse("my_tokens")).status_code == 302


def test_a_digest_that_is_read_is_not_digested_again_and_one_that_is_sent_is():
    key = "k" * 32
    assert stored(key) == stored(stored(key)) == key
    assert stored(key) != "l" * 32
    assert stored(str.__str__(stored(key))) != key


def test_no_page_and_no_address_of_the_api_takes_a_token_from_the_address(night, host):
    from games.services.people import accounts, tokens

    make_account("kari")
    user = Player.objects.get(user__username="kari").user
    _, secret = tokens.create(user, "mine", "play")
    assert accounts.own_player(user, "Kari") is not None
    for query in (f"?token={secret}", f"?access_token={secret}", f"?authorization={secret}"):
        answer = Client().get(f"/api/me/{query}")
        assert answer.status_code in (400, 401)
    assert Client().get("/api/me/", headers={"authorization": f"Bearer {secret}"}).status_code == 200
    assert night_rights.is_inside(night, host)
