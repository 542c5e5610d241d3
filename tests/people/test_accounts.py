"""Accounts: sign-up, login, whose a browser is, devices, mail; a guest stays a guest."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import cache
from django.urls import reverse

from games.models import Membership
from games.ops import environment
from games.services.nights import membership
from games.services.people import players
from tests.people.browsers import PASSWORD, log_in, make_account, player_in, sign_up
from tests.web.pages import browser_of, join_link, night_page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts_of_other_tests():
    cache.clear()


@pytest.fixture
def guest_browser(night):
    """A browser that has joined a night as a guest."""
    browser = browser_of()
    browser.post(join_link(night), {"nickname": "Kari"})
    return browser


@pytest.fixture
def account(db):
    return make_account()


def test_nobody_needs_an_account(guest_browser, night):
    assert guest_browser.get(night_page(night)).status_code == 200
    assert player_in(guest_browser).is_guest
    assert get_user_model().objects.count() == 0


def test_signing_up_asks_whose_the_guests_history_is_and_yes_keeps_it(guest_browser, night):
    guest = player_in(guest_browser)
    answer = sign_up(guest_browser)
    assert answer.url.startswith(reverse("account_claim"))
    assert player_in(guest_browser) == guest, "nothing is claimed in silence"
    assert "Were you Kari?" in guest_browser.get(answer.url).content.decode()
    guest_browser.post(answer.url, {"answer": "yes"})
    guest.refresh_from_db()
    assert guest.user.username == "kari"
    assert player_in(guest_browser) == guest


def test_no_leaves_the_guest_alone(guest_browser, night):
    guest = player_in(guest_browser)
    sign_up(guest_browser)
    guest_browser.post(reverse("account_claim"), {"answer": "no"})
    guest.refresh_from_db()
    assert guest.is_guest
    assert player_in(guest_browser).user.username == "kari"
    assert player_in(guest_browser) != guest


def test_logging_in_on_another_phone_gives_the_same_player(account):
    browser = browser_of()
    assert log_in(browser).url == reverse("me")
    assert player_in(browser) == account.player


def test_a_guest_who_logs_in_keeps_the_seat_until_they_have_said_whose_it_is(guest_browser, account, night):
    guest = player_in(guest_browser)
    answer = log_in(guest_browser)
    assert answer.url.startswith(reverse("account_claim"))
    assert player_in(guest_browser) == guest
    assert "still plays as Kari" in guest_browser.get(reverse("me")).content.decode()
    page = guest_browser.get(answer.url).content.decode()
    assert "Kari Nord" in page
    guest_browser.post(answer.url, {"answer": "yes"})
    assert players.current_player(guest.pk) == account.player
    assert player_in(guest_browser) == account.player
    assert Membership.objects.filter(night=night, player=account.player).exists()


def test_going_on_leads_to_this_house_only(guest_browser):
    sign_up(guest_browser)
    where = reverse("account_claim") + "?next=https://elsewhere.example/"
    sent = {"answer": "yes", "next": "//elsewhere.example/"}
    assert guest_browser.post(where, sent).url == reverse("me")


def test_a_browser_with_a_name_and_no_past_is_not_asked(db):
    browser = browser_of()
    browser.post(reverse("me"), {"nickname": "Kari"})
    guest = player_in(browser)
    assert sign_up(browser).url == reverse("me")
    assert player_in(browser) == guest
    assert get_user_model().objects.get().player == guest


@pytest.mark.parametrize("act", ["sign up", "log in", "claim", "take a seat"])
def test_the_session_has_another_key_afterwards(act, guest_browser, account, night):
    browser = guest_browser
    before = browser.session.session_key
    if act == "sign up":
        sign_up(browser, "somebody")
    elif act == "log in":
        log_in(browser)
    elif act == "claim":
        log_in(browser)
        before = browser.session.session_key
        browser.post(reverse("account_claim"), {"answer": "yes"})
    else:
        browser.post(join_link(night), {"nickname": "Kari"})
    assert browser.session.session_key != before


def test_a_session_that_was_that_guests_before_is_nobodys_after_the_claim(guest_browser, night):
    guest = player_in(guest_browser)
    other = browser_of(guest)
    sign_up(guest_browser)
    guest_browser.post(reverse("account_claim"), {"answer": "yes"})
    assert player_in(other) is None
    assert other.get(night_page(night)).status_code == 403


def test_after_a_new_password_other_devices_are_outside(account, night):
    here, there = browser_of(), browser_of()
    for browser in (here, there):
        log_in(browser)
    membership.join(night, account.player)
    new = "ein-becher-aus-leder"
    sent = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), sent).status_code == 302
    assert here.get(night_page(night)).status_code == 200
    assert player_in(there) is None
    assert there.get(night_page(night)).status_code == 403


def test_other_devices_are_listed_and_logged_out(account):
    here, there = browser_of(), browser_of()
    for browser in (here, there):
        log_in(browser)
    page = here.get(reverse("usersessions_list")).content.decode()
    assert page.count("this device") == 1
    here.post(reverse("usersessions_list"))
    assert player_in(here) == account.player
    assert player_in(there) is None


def test_logging_out_leaves_nobody_or_the_guest_who_was_never_joined(account, guest_browser):
    browser = browser_of()
    log_in(browser)
    browser.post(reverse("account_logout"))
    assert player_in(browser) is None
    guest = player_in(guest_browser)
    log_in(guest_browser)
    guest_browser.post(reverse("account_logout"))
    assert player_in(guest_browser) == guest


def test_logging_out_takes_a_form(account):
    browser = browser_of()
    log_in(browser)
    browser.get(reverse("account_logout"))
    assert player_in(browser) == account.player


def test_guessing_passwords_is_made_slow(account):
    browser = browser_of()
    answers = [log_in(browser, password=f"wrong {n}") for n in range(8)]
    said = answers[-1].content.decode()
    assert "Too many failed login attempts" in said
    assert "Too many failed login attempts" in log_in(browser).content.decode()


def test_too_many_forms_get_a_page_of_the_house(account):
    browser = browser_of()
    where, sent = reverse("account_reset_password"), {"email": "a@example.org"}
    answers = [browser.post(where, sent) for _ in range(24)]
    assert answers[-1].status_code == 429
    assert "Slow down a little" in answers[-1].content.decode()


def test_a_forgotten_password_is_reset_by_mail_below_the_houses_own_address(settings, db):
    settings.PUBLIC_URL = "https://pub.example"
    sign_up(browser_of(), email="kari@example.org")
    EmailAddress.objects.update(verified=True)
    mail.outbox.clear()
    browser = browser_of()
    sent = {"email": "kari@example.org"}
    browser.post(reverse("account_reset_password"), sent, headers={"host": "evil.example"})
    text = mail.outbox[0].body
    assert "evil" not in text
    link = re.search(r"https://pub\.example(/\S+)", text).group(1)
    form = browser.get(link, follow=True)
    where = form.redirect_chain[-1][0]
    new = "ein-becher-aus-leder"
    browser.post(where, {"password1": new, "password2": new})
    assert log_in(browser_of(), password=new).status_code == 302
    assert "used up" in browser_of().get(link, follow=True).content.decode()


def test_an_address_is_confirmed_by_mail(settings, db):
    settings.PUBLIC_URL = "https://pub.example"
    browser = browser_of()
    sign_up(browser, email="kari@example.org")
    link = re.search(r"https://pub\.example(/\S+)", mail.outbox[0].body).group(1)
    assert "kari@example.org" in browser.get(link).content.decode()
    browser.post(link)
    assert "not confirmed" not in browser.get(reverse("account_email")).content.decode()


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp://mail.example", "mail.example", 25, False, False),
        ("smtp+tls://me%40pub:a%2Fb@mail.example", "mail.example", 587, True, False),
        ("smtps://mail.example:4650", "mail.example", 4650, False, True),
    ],
)
def test_one_address_says_where_mail_goes(url, host, port, tls, ssl):
    found = environment.mail(url)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    if "@" in url:
        assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me@pub", "a/b")


def test_without_an_address_mail_goes_to_the_console():
    assert "console" in environment.mail("console:")["EMAIL_BACKEND"]
    with pytest.raises(environment.Unusable, match="EMAIL_URL"):
        environment.mail("imap://mail.example")


def test_the_admin_has_the_same_login_with_the_same_limits(account):
    browser = browser_of()
    answer = browser.get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    log_in(browser)
    assert browser.get(reverse("admin:login"), follow=True).status_code == 403
