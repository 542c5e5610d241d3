"""Guessers are slowed down, and shut nobody out who is innocent."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Player
from games.services import rate_limit
from games.services.nights import membership, newcomers, room_codes
from games.services.people import players
from tests.people.browsers import PASSWORD, log_in, make_account, sign_up
from tests.web.pages import browser_of, join_link

pytestmark = pytest.mark.django_db
PUB, ELSEWHERE = "192.0.2.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


def wrong_codes(count: int, address: str = PUB) -> None:
    for _ in range(count):
        with pytest.raises(Illegal):
            room_codes.by_code("QQQQQ", address)


def test_ten_wrong_codes_of_a_pubs_address_do_not_refuse_the_right_one(make_player):
    owner = browser_of(REMOTE_ADDR=PUB)
    owner.post(reverse("host"), {"name": "Thursday", "nickname": "Hanna"})
    night = Player.objects.get(nickname="Hanna").hosted.get()
    wrong_codes(30)
    assert browser_of(REMOTE_ADDR=PUB).post(reverse("join"), {"code": night.code}).status_code == 302
    assert browser_of(REMOTE_ADDR=PUB).post(reverse("join"), {"code": "QQQQQ"}).status_code == 429
    # Elsewhere the address has used up its tries, for the right code too.
    wrong_codes(10, ELSEWHERE)
    assert browser_of(REMOTE_ADDR=ELSEWHERE).post(reverse("join"), {"code": night.code}).status_code == 429


def test_who_comes_in_by_a_link_opens_the_door_of_their_address_to_the_code(night):
    wrong_codes(10)
    with pytest.raises(Illegal, match="too_many_tries"):
        room_codes.by_code(night.code, PUB)
    browser_of(REMOTE_ADDR=PUB).post(join_link(night), {"nickname": "Kari"})
    assert room_codes.by_code(night.code, PUB) == night


@pytest.fixture
def regular(make_player) -> Player:
    """Somebody who has come here for weeks."""
    player = make_player("Ruth")
    membership.join(membership.host_night(make_player("Otto"), "Last week"), player)
    Player.objects.filter(pk=player.pk).update(created_at=datetime.now(UTC) - timedelta(days=20))
    return Player.objects.get(pk=player.pk)


def test_a_known_device_counts_by_itself_and_no_flood_refuses_it(night, regular):
    wrong_codes(10)
    for number in range(600):
        rate_limit.note("code_house", "all")
        assert number < 600
    with pytest.raises(Illegal, match="too_many_tries"):
        room_codes.by_code(night.code, ELSEWHERE)
    assert room_codes.by_code(night.code, PUB, regular) == night
    assert browser_of(regular, REMOTE_ADDR=PUB).post(reverse("join"), {"code": night.code}).status_code == 302


def test_a_known_device_guesses_no_more_than_an_address(night, regular):
    for _ in range(10):
        with pytest.raises(Illegal, match="wrong_code"):
            room_codes.by_code("QQQQQ", PUB, regular)
    with pytest.raises(Illegal, match="too_many_tries"):
        room_codes.by_code(night.code, PUB, regular)


def test_nobody_is_known_by_a_night_of_their_own_or_since_today(night, make_player):
    fresh, alone = make_player("Fresh"), make_player("Alone")
    membership.join(night, fresh)
    membership.host_night(alone, "Of my own")
    Player.objects.filter(pk=alone.pk).update(created_at=datetime.now(UTC) - timedelta(days=9))
    assert not newcomers.is_known(fresh)
    assert not newcomers.is_known(Player.objects.get(pk=alone.pk))


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("nonsense", "nonsense"),
        ("", ""),
    ],
)
def test_an_address_of_ipv6_counts_as_its_network(address, counts_as):
    assert network_of(address) == counts_as


def test_ipv6_counts_by_its_network_at_every_door(night):
    for number in range(10):
        browser_of(REMOTE_ADDR=f"2001:db8:1:2::{number + 1:x}").post(reverse("join"), {"code": "QQQQQ"})
    neighbour, other = "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"
    assert browser_of(REMOTE_ADDR=neighbour).post(reverse("join"), {"code": night.code}).status_code == 429
    assert browser_of(REMOTE_ADDR=other).post(reverse("join"), {"code": night.code}).status_code == 302
    for number in range(20):
        sign_up(browser_of(REMOTE_ADDR=f"2001:db8:1:2::{number + 1:x}"), f"guest{number}")
    assert sign_up(browser_of(REMOTE_ADDR=neighbour), "kari").status_code == 429
    assert sign_up(browser_of(REMOTE_ADDR=other), "kari").status_code == 302


def flood(username: str = "kari", count: int = 30) -> None:
    """Try wrong passwords from many addresses."""
    for number in range(count):
        log_in(browser_of(REMOTE_ADDR=f"10.0.{number}.1"), username, "wrong-as-can-be")


def known_to(username: str, **meta: str) -> Client:
    """Return a browser that has been logged in and is not now."""
    browser = browser_of(**meta)
    assert log_in(browser, username).status_code == 302
    browser.post(reverse("account_logout"))
    return browser


def test_wrong_passwords_of_others_do_not_refuse_the_owner_on_a_known_device():
    make_account("kari")
    cache.clear()
    browser = known_to("kari")
    flood()
    assert log_in(browser_of(REMOTE_ADDR="10.9.9.9"), "kari").status_code == 200
    assert log_in(browser, "kari").status_code == 302


def test_wrong_passwords_of_one_address_do_not_refuse_known_devices_there(django_user_model):
    make_account("kari")
    cache.clear()
    browser = known_to("kari", REMOTE_ADDR=PUB)
    for number in range(40):
        log_in(browser_of(REMOTE_ADDR=PUB), f"nobody{number}", "wrong-as-can-be")
    assert log_in(browser, "kari").status_code == 302


def test_the_admin_gets_in_on_a_known_device_whatever_others_try(django_user_model):
    django_user_model.objects.create_superuser("chief", password=PASSWORD)
    browser = known_to("chief")
    flood("chief")
    assert log_in(browser, "chief").status_code == 302
    assert browser.get(reverse("admin:index")).status_code == 200


def test_a_known_device_has_five_tries_of_its_own():
    make_account("kari")
    cache.clear()
    browser = known_to("kari")
    for _ in range(5):
        assert log_in(browser, "kari", "wrong-as-can-be").status_code == 200
    assert log_in(browser, "kari").status_code == 200


def test_a_device_is_known_to_the_accounts_that_logged_in_there_alone():
    make_account("kari")
    make_account("ola", "Ola")
    cache.clear()
    browser = known_to("ola")
    flood("kari")
    assert log_in(browser, "kari").status_code == 200
    browser.cookies["device"] = browser.cookies["device"].value + "x"
    assert log_in(browser, "kari").status_code == 200


def test_an_account_counts_by_its_id_however_it_was_named():
    browser = browser_of()
    sign_up(browser, "kari", "kari@example.org")
    cache.clear()
    names = ("kari", "KARI", "Kari", "kari@example.org", "Kari@Example.ORG", "kari")
    for number, name in enumerate(names[:5]):
        headers = {"host": f"host{number}.example"}
        stranger = browser_of(REMOTE_ADDR=f"10.0.{number}.1", headers=headers)
        log_in(stranger, name, "wrong-as-can-be")
    assert log_in(browser_of(REMOTE_ADDR="10.0.99.1"), "kari").status_code == 200


def test_who_is_logged_in_confirms_a_password_whatever_others_try():
    make_account("kari")
    cache.clear()
    browser = browser_of()
    log_in(browser, "kari")
    flood()
    answer = browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer.status_code == 302


def test_the_password_that_deleting_asks_for_counts_by_the_account():
    make_account("kari")
    make_account("ola", "Ola")
    cache.clear()
    other, mine = browser_of(REMOTE_ADDR=PUB), browser_of(REMOTE_ADDR=PUB)
    log_in(other, "ola")
    log_in(mine, "kari")
    for _ in range(12):
        other.post(reverse("my_data_delete"), {"sure": "on", "password": "wrong-as-can-be"})
    told = mine.post(reverse("my_data_delete"), {"sure": "on", "password": "wrong-as-can-be"})
    assert "This is not your password" in told.content.decode()


def test_signing_up_does_not_tell_whether_an_address_is_taken(mailoutbox):
    first = sign_up(browser_of(), "kari", "kari@example.org")
    again = sign_up(browser_of(), "ola", "KARI@example.org")
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"])
    fresh = sign_up(browser_of(), "nils", "nils@example.org")
    assert (again.status_code, again["Location"]) == (fresh.status_code, fresh["Location"])


def test_adding_an_address_does_not_tell_whether_it_is_taken():
    sign_up(browser_of(), "kari", "kari@example.org")
    make_account("ola", "Ola")
    cache.clear()
    browser = browser_of()
    log_in(browser, "ola")
    told = []
    for address in ("kari@example.org", "free@example.org"):
        answer = browser.post(reverse("account_email"), {"action_add": "", "email": address}, follow=True)
        told.append((answer.status_code, answer.redirect_chain, "already" in answer.content.decode()))
        browser.post(reverse("account_email"), {"action_remove": "", "email": address})
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["home", "me", "players", "api_me", "my_data"])
def test_a_page_made_for_one_browser_is_kept_by_no_cache(name, night, make_player):
    player = players.new_guest("Kari")
    membership.join(night, player)
    said = browser_of(player).get(reverse(name))["Cache-Control"]
    assert "no-store" in said
    assert "private" in said


def test_an_answer_that_sets_a_session_is_kept_by_no_cache(night):
    answer = browser_of().post(join_link(night), {"nickname": "Kari"})
    assert answer["Cache-Control"] == "private, no-store"


def test_what_is_the_same_for_all_may_be_kept():
    assert "Cache-Control" not in browser_of().get(reverse("rules_index"))
