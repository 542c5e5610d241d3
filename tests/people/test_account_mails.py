"""Mails about accounts: what a stranger who types an address causes, and what a new password takes."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPDataError
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import MailRecipient
from games.services.mails import recipients
from tests.people.browsers import PASSWORD, log_in, sign_up
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
VICTIM = "kari@example.org"
NEW = "ein-becher-aus-leder"


@pytest.fixture(autouse=True)
def _nobody_has_counted(settings: LazySettings) -> Iterator[None]:
    """Requests of one address are not what is counted here."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "reset_password": None, "signup": None}
    cache.clear()
    yield
    cache.clear()


def ask(address: str = VICTIM) -> HttpResponse:
    """Ask for a new password in a browser of one's own; the counts of requests are in the cache alone."""
    cache.clear()
    return browser_of().post(reverse("account_reset_password"), {"email": address}, follow=True)


def flood(times: int, address: str = VICTIM) -> None:
    for number in range(times):
        cache.clear()
        sign_up(browser_of(), f"stranger{number}", address)


def later(**by: float) -> None:
    """Let time pass for what is counted."""
    ago = timedelta(**by)
    for row in MailRecipient.objects.all():
        row.sent_at = [at - ago.total_seconds() for at in row.sent_at]
        row.asked_at = row.asked_at and row.asked_at - ago
        row.last_at -= ago
        row.save()


def confirm(address: str = VICTIM, name: str = "kari") -> None:
    sign_up(browser_of(), name, address)
    EmailAddress.objects.filter(user__username=name).update(verified=True, primary=True)
    mail.outbox.clear()
    later(days=2)


def paths(text: str) -> list[str]:
    return re.findall(r"http://[^/\s]+(/\S+)", text.partition("\n-- \n")[0])


def shown(page: HttpResponse) -> str:
    """Return a page without what is drawn anew for each browser."""
    return re.sub(r'nonce="[^"]*"|"X-CSRFToken": "[^"]*"', "", page.content.decode())


def test_a_stranger_causes_one_mail_a_day_and_three_in_all_to_an_address_that_nobody_confirmed() -> None:
    flood(40)
    for _ in range(5):
        ask()
    assert [each.to for each in mail.outbox] == [[VICTIM]]
    for day in range(10):
        later(days=1, seconds=1)
        flood(1, VICTIM.upper())
        for _ in range(3):
            ask()
        assert len(mail.outbox) == min(3, 2 + day)


def test_a_confirmed_address_gets_three_mails_an_hour_and_eight_a_day_whatever_causes_them() -> None:
    confirm()
    flood(3)
    for _ in range(5):
        ask()
    assert len(mail.outbox) == recipients.PER_HOUR
    for _ in range(9):
        later(hours=1, seconds=1)
        flood(2)
        ask()
    assert len(mail.outbox) == recipients.PER_DAY
    later(days=1)
    ask()
    assert len(mail.outbox) == recipients.PER_DAY + 1


@pytest.mark.parametrize(
    "other",
    ["KARI@Example.ORG", "kari+1@example.org", "kari+2@EXAMPLE.org.", "ｋari@example.org"],
)
def test_an_address_is_counted_however_it_is_written(other: str) -> None:
    assert recipients.normalised(other) == recipients.normalised(VICTIM)
    for address in (VICTIM, other, VICTIM, other):
        recipients.count(address, is_confirmation=False)
    assert recipients.count(VICTIM, is_confirmation=False) is None
    assert recipients.count("ola@example.org", is_confirmation=False) is not None


def test_dots_that_do_not_count_do_not_count() -> None:
    assert recipients.normalised("k.a.ri@googlemail.com") == recipients.normalised("kari+x@gmail.com")
    assert recipients.normalised("k.a@example.org") != recipients.normalised("ka@example.org")
    assert recipients.normalised("+tag@example.org") == "+tag@example.org"
    assert recipients.normalised("bert@köln.example") == recipients.normalised("bert@xn--kln-sna.example")


def test_one_text_names_all_accounts_of_a_confirmed_address() -> None:
    confirm()
    flood(12)
    mail.outbox.clear()
    later(days=2)
    ask()
    (text,) = [each.body for each in mail.outbox]
    assert text.index("kari,") < text.index("stranger0,") < text.index("stranger8,")
    assert "stranger9," not in text
    assert len(paths(text)) == 10
    first = paths(text)[0]
    form = (browser := browser_of()).get(first, follow=True)
    browser.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert log_in(browser_of(), "kari", NEW).status_code == 302


@pytest.mark.parametrize("wants", [True, False])
def test_the_page_of_a_confirmation_also_leads_to_a_new_password_of_that_account(wants: bool) -> None:
    sign_up(browser_of(), "kari", VICTIM)
    (link,) = paths(mail.outbox[0].body)
    browser = browser_of()
    assert "a new password" in browser.get(link).content.decode()
    assert not EmailAddress.objects.get().verified, "a scanner that opens links confirms nothing"
    answer = browser.post(link, {"new_password": "yes"} if wants else {}, follow=True)
    assert EmailAddress.objects.get().verified
    if wants:
        browser.post(answer.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert log_in(browser_of(), "kari", NEW if wants else PASSWORD).status_code == 302


def test_a_link_whose_address_another_account_has_confirmed_meanwhile_leads_to_no_password() -> None:
    flood(1)
    (link,) = paths(mail.outbox[0].body)
    confirm()
    answer = browser_of().post(link, {"new_password": "yes"}, follow=True)
    assert all("password" not in where for where, _status in answer.redirect_chain)
    assert not EmailAddress.objects.get(user__username="stranger0").verified


def test_the_pages_say_the_same_each_time_and_of_every_address() -> None:
    confirm("ola@example.org", "ola")
    flood(1)
    addresses = (VICTIM, "ola@example.org", "nobody@example.org")
    told = {shown(ask(address)) for address in addresses for _ in range(7)}
    assert len(told) == 1
    signed_up = set()
    for number, address in enumerate([VICTIM, "ola@example.org", "fresh@example.org"] * 2):
        cache.clear()
        answer = sign_up(browser_of(), f"more{number}", address)
        said = [str(each).replace(address, "…") for each in answer.wsgi_request._messages]  # type: ignore[attr-defined]
        signed_up.add((answer.status_code, answer["Location"], *(each for each in said if "…" in each)))
    assert len(signed_up) == 1


def test_who_has_an_account_of_the_staffs_making_confirms_its_address_and_gets_a_new_password() -> None:
    User.objects.create_user("barkeeper", email="Bar@example.org")
    ask("bar@example.org")
    (sent,) = mail.outbox
    assert sent.to == ["bar@example.org"]
    answer = browser_of().post(paths(sent.body)[0], {"new_password": "yes"}, follow=True)
    assert "/password/reset/" in answer.redirect_chain[-1][0]


def test_an_address_of_no_account_reads_so_within_the_same_limits() -> None:
    for _ in range(6):
        ask("nobody@example.org")
    assert [each.subject for each in mail.outbox] == ["No account with this address"] * recipients.PER_HOUR


@pytest.mark.parametrize(("error", "mails"), [(SMTPDataError(451, "later"), 2), (TimeoutError(), 1)])
def test_a_mail_of_which_nobody_knows_whether_it_arrived_is_counted(
    monkeypatch: pytest.MonkeyPatch, error: Exception, mails: int
) -> None:
    whole = EmailMultiAlternatives.send

    def fails(message: EmailMultiAlternatives, *args: object) -> int:
        whole(message)
        raise error

    monkeypatch.setattr(EmailMultiAlternatives, "send", fails)
    sign_up(browser_of(), "kari", VICTIM)
    monkeypatch.undo()
    ask()
    assert len(mail.outbox) == mails


def test_a_mail_that_the_server_does_not_take_is_told_and_not_counted(settings: LazySettings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    answer = sign_up(browser := browser_of(), "kari", VICTIM)
    assert answer.status_code == 302
    assert "could not be sent" in browser.get(answer["Location"]).content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    ask()
    assert [each.to for each in mail.outbox] == [[VICTIM]]


def test_the_database_learns_no_address_of_a_stranger() -> None:
    ask("nobody@example.org")
    assert not any("nobody" in str(value) for row in MailRecipient.objects.values() for value in row.values())


def test_what_an_address_got_is_kept_as_long_as_it_limits_something() -> None:
    flood(1)
    ask("nobody@example.org")
    assert recipients.forget_old(timezone.now()) == 0
    later(days=1, seconds=1)
    assert recipients.forget_old(timezone.now()) == 1
    later(days=60)
    assert recipients.forget_old(timezone.now()) == 0, "an account waits to see its address confirmed"
    User.objects.all().delete()
    assert recipients.forget_old(timezone.now()) == 1


def test_mails_of_the_house_have_an_id_below_the_senders_domain(settings: LazySettings) -> None:
    settings.DEFAULT_FROM_EMAIL = "The pub <pub@games.example.org>"
    ask()
    assert re.fullmatch(r"<\S+@games\.example\.org>", str(mail.outbox[0].message()["Message-ID"]))


@pytest.mark.django_db(transaction=True)
def test_processes_that_ask_at_once_send_no_more() -> None:
    barrier, found = threading.Barrier(8), list[Any]()

    def process() -> None:
        barrier.wait()
        try:
            found.append(recipients.count(VICTIM, is_confirmation=True))
        finally:
            connection.close()

    threads = [threading.Thread(target=process) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [each is not None for each in found].count(True) == 1
    assert MailRecipient.objects.get().confirmations == 1


def test_a_logged_in_stranger_who_adds_and_removes_an_address_causes_no_more() -> None:
    confirm("ola@example.org", "ola")
    browser = Client()
    log_in(browser, "ola")
    for _ in range(4):
        cache.clear()
        browser.post(reverse("account_email"), {"action_add": "", "email": VICTIM})
        browser.post(reverse("account_email"), {"action_send": "", "email": VICTIM})
        browser.post(reverse("account_email"), {"action_remove": "", "email": VICTIM})
    assert [each.to for each in mail.outbox] == [[VICTIM]]
