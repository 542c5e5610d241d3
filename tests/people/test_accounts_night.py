"""Accounts at a night: one's own data, claims by the host's word, bans."""

import json

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Player
from games.services.hosting import claims
from games.services.nights import membership, night_rights
from games.services.people import bans, players
from tests.people.browsers import PASSWORD, log_in, make_account, player_in, sign_up
from tests.web.pages import browser_of, join_link, night_do, night_page, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts_of_other_tests():
    cache.clear()


@pytest.fixture
def account(db):
    return make_account()


@pytest.fixture
def guest_browser(night):
    """A browser that has joined a night as a guest."""
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Kari"})
    return browser


def test_my_data_need_the_password_of_an_account(account):
    browser = browser_of()
    log_in(browser)
    for name in ("my_data_file", "my_data_delete"):
        answer = browser.post(reverse(name), {"password": "wrong", "sure": "on"})
        assert answer.status_code == 403
        assert "This is not your password." in answer.content.decode()
    answer = browser.post(reverse("my_data_file"), {"password": PASSWORD})
    assert "attachment" in answer["Content-Disposition"]
    assert json.loads(answer.content)["account"]["username"] == "kari"
    assert Player.objects.get(user=account).deleted_at is None


def test_passwords_cannot_be_guessed_there_either(account):
    browser = browser_of()
    log_in(browser)
    answers = [browser.post(reverse("my_data_file"), {"password": "x"}) for _ in range(12)]
    assert answers[-1].status_code == 429
    assert browser.post(reverse("my_data_file"), {"password": PASSWORD}).status_code == 429


def test_a_guest_takes_along_and_deletes_by_ticking_a_box(guest_browser):
    guest = player_in(guest_browser)
    data = json.loads(guest_browser.post(reverse("my_data_file")).content)
    assert data["player"]["nickname"] == "Kari"
    answer = guest_browser.post(reverse("my_data_delete"))
    assert answer.status_code == 400
    assert "Tick the box first." in answer.content.decode()
    guest_browser.post(reverse("my_data_delete"), {"sure": "on"})
    guest.refresh_from_db()
    assert guest.deleted_at is not None
    assert player_in(guest_browser) is None


def test_deleting_an_account_logs_out_and_frees_the_name(account):
    browser = browser_of()
    log_in(browser)
    browser.post(reverse("my_data_delete"), {"sure": "on", "password": PASSWORD})
    assert browser.get(reverse("account_email")).status_code == 302
    assert log_in(browser).status_code == 200
    assert sign_up(browser_of()).status_code == 302


def test_the_host_is_asked_on_the_night_page_and_confirms_there(night, host, account):
    old_phone, new_phone = browser_of(), browser_of()
    old_phone.post(join_link(night), {"nickname": "Kari"})
    guest = player_in(old_phone)
    log_in(new_phone)
    new_phone.post(join_link(night), {"nickname": "Kari Nord"})
    where = reverse("night_claim", args=[night.public_id])
    assert where in new_phone.get(night_page(night)).content.decode()
    assert "Kari" in new_phone.get(where).content.decode()
    new_phone.post(where, {"player": guest.pk})
    page = browser_of(host).get(night_page(night)).content.decode()
    claim = read(page).all("button", name="claim")[0].attrs["value"]
    assert "says:" not in new_phone.get(night_page(night)).content.decode().split("night-feed")[0]
    assert new_phone.post(night_do(night, "claim_confirm"), {"claim": claim}).status_code == 403
    browser_of(host).post(night_do(night, "claim_confirm"), {"claim": claim})
    assert players.current_player(guest.pk) == account.player
    assert old_phone.get(night_page(night)).status_code == 403, "that phone logs in now"


def test_a_guest_without_an_account_cannot_claim(night, guest_browser):
    other = players.new_guest("Uli")
    membership.join(night, other)
    where = reverse("night_claim", args=[night.public_id])
    assert guest_browser.post(where, {"player": other.pk}).url.startswith(reverse("account_login"))
    assert claims.waiting(night) == []


def test_going_on_on_another_phone_is_not_for_accounts(night, account):
    membership.join(night, account.player)
    again = reverse("move_ask", args=[night.public_id, night.token("join")])
    answer = browser_of().post(again, {"player": account.player.pk})
    assert "log in on this phone instead" in answer.content.decode()


def test_the_banned_are_nobody_and_cannot_come_back_as_somebody_else(night, guest_browser, django_user_model):
    staff = django_user_model.objects.create_superuser("chief")
    guest = player_in(guest_browser)
    bans.ban(guest, staff)
    assert guest_browser.get(night_page(night)).status_code == 403
    other = membership.host_night(players.new_guest("Otto"), "Friday")
    answer = guest_browser.post(join_link(other), {"nickname": "Somebody else"})
    assert "lets you in no more" in answer.content.decode()
    assert guest_browser.post(reverse("host"), {"nickname": "X", "name": "Y"}).status_code == 403
    assert guest_browser.get(reverse("my_data")).status_code == 200, "their data are theirs"
    bans.lift(Player.objects.get(pk=guest.pk), staff)
    guest_browser.post(join_link(other), {"nickname": "Kari"})
    assert guest_browser.get(night_page(other)).status_code == 200
    assert guest_browser.get(night_page(night)).status_code == 403, "a kick holds"


def test_a_banned_host_hands_over_or_closes(night, host, django_user_model):
    staff = django_user_model.objects.create_superuser("chief")
    alone = membership.host_night(host, "Alone")
    kari = players.new_guest("Kari")
    membership.join(night, kari)
    bans.ban(host, staff)
    night.refresh_from_db()
    alone.refresh_from_db()
    assert night.host == kari
    assert not night_rights.is_inside(night, host)
    assert alone.status == "closed"
