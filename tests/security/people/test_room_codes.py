"""Doors: codes are not guessed, links lead where the house is, the admin is for the staff."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.ops.requests import admin_door
from games.ops.shared_cache import SharedCache
from games.services import rate_limit
from games.services.nights import room_codes
from tests.people.browsers import log_in, make_account, sign_up
from tests.web.pages import browser_of, join_link, night_page

pytestmark = pytest.mark.django_db
EVIL = {"host": "evil.example"}


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def rates(settings, monkeypatch):
    """Set how many a minute there may be of a kind."""

    def put(**wanted: str) -> None:
        for scope, rate in wanted.items():
            monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], scope, rate)

    return put


# Guessing.


def test_wrong_codes_by_the_api_and_by_the_site_count_together(night, guest):
    player = guest("Kari")
    for _ in range(5):
        browser_of().post(reverse("join"), {"code": "QQQQQ"})
    answers = [api_join(browser_of(player), "QQQQQ") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429]
    assert answers[-1].json()["code"] in ("too_many_tries", "too_many")
    # Another guest of the same address has no tries of their own, before they are known for a day.
    assert api_join(browser_of(guest("Nils")), night.code).json()["code"] == "too_many_tries"


def api_join(browser, code):
    return browser.post("/api/nights/join/", {"code": code}, content_type="application/json")


def test_wrong_codes_of_many_addresses_are_bounded_together(night, rates):
    rates(code_house="20/min")
    for number in range(20):
        with pytest.raises(Illegal, match="wrong_code"):
            room_codes.by_code("QQQQQ", f"10.0.0.{number}")
    with pytest.raises(Illegal, match="too_many_tries"):
        room_codes.by_code(night.code, "10.0.1.1")
    # The link and the QR code open the night all the same.
    assert browser_of().get(join_link(night)).status_code == 200
    assert browser_of().post(join_link(night), {"nickname": "Kari"}).status_code == 302


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Too many tries"),
        ("de", "Zu viele Versuche"),
        ("nb", "For mange forsøk"),
        ("fr", "Trop d’essais"),
        ("it", "Troppi tentativi"),
    ],
)
def test_who_has_no_tries_left_is_told_how_long_to_wait(language, said):
    browser = browser_of(headers={"accept-language": language})
    for _ in range(11):
        page = browser.post(reverse("join"), {"code": "QQQQQ"})
    assert page.status_code == 429
    assert said in page.content.decode()


def test_tries_at_the_same_moment_are_all_counted(rates):
    for _ in range(7):
        rate_limit.note("join", "moment")
    rates(join="8/min")
    rate_limit.check("join", "moment")
    rates(join="7/min")
    with pytest.raises(Illegal) as refused:
        rate_limit.check("join", "moment")
    assert 1 <= refused.value.params["seconds"] <= rate_limit.WINDOW_SECONDS


def test_a_flood_of_new_guests_of_one_address_is_stopped(night, rates):
    rates(guest="5/min")
    answers = [browser_of().post(join_link(night), {"nickname": f"Guest {n}"}).status_code for n in range(7)]
    assert answers == [302] * 5 + [429] * 2
    elsewhere = browser_of(REMOTE_ADDR="10.0.0.9")
    assert elsewhere.post(join_link(night), {"nickname": "Kari"}).status_code == 302


def test_signing_up_is_limited_for_an_address():
    answers = [sign_up(browser_of(), f"guest{n}").status_code for n in range(21)]
    assert answers == [302] * 20 + [429]
    assert sign_up(browser_of(REMOTE_ADDR="10.0.0.9"), "kari").status_code == 302


def test_the_password_of_an_account_is_not_guessed_even_from_many_addresses():
    make_account("kari")
    for number in range(6):
        log_in(browser_of(REMOTE_ADDR=f"10.0.0.{number}"), "kari", "wrong-as-can-be")
    assert log_in(browser_of(REMOTE_ADDR="10.0.1.1"), "kari").status_code == 200


def test_without_redis_each_process_counts_and_redis_away_fails_nothing():
    away = SharedCache("redis://127.0.0.1:1/0", {})
    assert away.add("tries", 0, 60) is True
    assert away.incr("tries") == 1
    assert away.get("tries") == 1
    assert away.add("tries", 0, 60) is False


# Links.


def test_no_link_begins_with_the_host_that_was_asked_for(night, host):
    browser = browser_of(host)
    for where in (night_page(night), reverse("tv", args=[night.public_id, night.token("tv")])):
        page = browser.get(where, headers=EVIL)
        assert page.status_code == 200
        assert "evil.example" not in page.content.decode()
    page = browser.get(night_page(night), headers=EVIL).content.decode()
    assert "http://testserver/j/" in page


def test_links_and_mails_begin_with_public_url(night, host, settings):
    settings.PUBLIC_URL = "https://games.example.org"
    page = browser_of(host).get(night_page(night), headers=EVIL).content.decode()
    assert f"https://games.example.org{join_link(night)}" in page
    assert "evil.example" not in page


def test_a_mail_for_a_new_password_never_names_the_host_that_was_asked_for():
    browser = browser_of()
    sign_up(browser, "kari", "kari@example.org")
    EmailAddress.objects.update(verified=True)
    mail.outbox.clear()
    Client().post(reverse("account_reset_password"), {"email": "kari@example.org"}, headers=EVIL)
    sent = mail.outbox[0]
    assert "evil.example" not in f"{sent.subject}{sent.body}{sent.extra_headers}"
    assert "http://testserver/account/password/reset/" in sent.body


@pytest.mark.parametrize(
    ("name", "port", "url"),
    [
        ("192.168.0.7", "8000", "http://192.168.0.7:8000"),
        ("192.168.0.7", "80", "http://192.168.0.7"),
        ("fd00::7", "8000", "http://[fd00::7]:8000"),
        ("/run/house.sock", "None", "http://localhost"),
        ("unknown", "0", "http://localhost"),
    ],
)
def test_on_a_network_of_ones_own_links_lead_to_where_the_connection_arrived(name, port, url, rf):
    from games.web.links import base_url

    assert base_url(rf.get("/", SERVER_NAME=name, SERVER_PORT=port, headers=EVIL)) == url


# The admin.


@pytest.fixture
def chief(django_user_model):
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("chief", password="x"))
    return client


def status(browser: Client, **meta: str) -> int:
    return browser.get(reverse("admin:index"), **meta).status_code


def test_the_admin_is_kept_to_its_networks(chief, settings):
    settings.ADMIN_NETWORKS = ["127.0.0.1", "192.168.7.0/24", "fd00::/8"]
    for address in ("127.0.0.1", "192.168.7.20", "::ffff:192.168.7.1", "fd00::1"):
        assert status(chief, REMOTE_ADDR=address) == 200
    for address in ("192.168.8.1", "10.0.0.1", "::1", "", "nonsense"):
        assert status(chief, REMOTE_ADDR=address) == 404
        assert chief.get("/admin", REMOTE_ADDR=address).status_code == 404
        assert chief.post(reverse("admin:login"), REMOTE_ADDR=address).status_code == 404
        assert chief.get("/admin/no-such-page/", REMOTE_ADDR=address).status_code == 404


def test_a_forwarded_address_opens_the_admin_to_nobody_without_our_proxy(chief, settings):
    settings.ADMIN_NETWORKS = ["127.0.0.1"]
    forged = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}
    assert status(chief, **forged) == 404
    settings.PROXIES = ["127.0.0.1"]
    assert status(chief, REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="127.0.0.1, 10.0.0.1") == 404


def test_the_admin_is_kept_to_its_host_names(chief, settings):
    settings.ADMIN_HOSTS = ["staff.example.org"]
    assert status(chief, headers={"host": "staff.example.org"}) == 200
    assert status(chief, headers={"host": "games.example.org"}) == 404
    assert chief.get(reverse("home")).status_code == 200


def test_guests_see_the_same_nothing_as_anywhere_else(chief, settings):
    settings.ADMIN_NETWORKS = ["192.0.2.1"]
    here = chief.get(reverse("admin:index")).content.decode()
    nowhere = chief.get("/nowhere/").content.decode()
    for title in ("There is nothing here",):
        assert title in here
        assert title in nowhere


@pytest.mark.parametrize(
    ("path", "is_admins"),
    [("/back/", True), ("/back", True), ("/back/x/", True), ("/backroom/", False), ("/", False)],
)
def test_the_admin_can_be_put_elsewhere(path, is_admins, settings):
    settings.ADMIN_PATH = "/back/"
    assert admin_door.is_admins(path) is is_admins
