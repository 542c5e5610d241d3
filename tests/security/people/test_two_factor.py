"""Two-factor login of the staff: whoever has the password alone gets nowhere."""

from __future__ import annotations

import re
import time
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import AuditEntry
from games.ops.doctor import staff
from games.services.people import two_factor

pytestmark = pytest.mark.django_db

PASSWORD = "a long word of ours"
LOGIN, CONFIRM, CODE, ON, OFF = (
    "/account/login/",
    "/account/confirm/",
    "/account/two-factor/code/",
    "/account/two-factor/on/",
    "/account/two-factor/off/",
)


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def boss() -> User:
    """A superuser who has answered about the house."""
    return User.objects.create_superuser("boss", password=PASSWORD)


def code_now(secret: str, shift: int = 0) -> str:
    return auth.format_hotp_value(auth.hotp_value(secret, int(time.time()) // 30 + shift))


def log_in(name: str = "boss") -> Client:
    client = Client()
    client.post(LOGIN, {"login": name, "password": PASSWORD})
    return client


def set_up(client: Client) -> str:
    """Set the app up by the pages, which ask for the password once more; return its secret."""
    assert client.get(ON)["Location"].startswith(CONFIRM)
    client.post(CONFIRM, {"password": PASSWORD})
    page = client.get(ON).content.decode()
    secret = re.search(r'id="app-key"[^>]*value="([A-Z2-7]+)"', page)
    assert secret, page
    client.post(ON, {"code": code_now(secret[1])})
    return secret[1]


def is_in(client: Client) -> bool:
    """Tell whether a browser is logged in, as far as the admin, the house's pages and the API know."""
    admin = client.get("/admin/").status_code == 200
    assert admin == (client.get("/account/two-factor/").status_code == 200)
    assert admin == (client.get("/account/password/").status_code == 200)
    assert admin == ("boss" in client.get("/me/").content.decode())
    return admin


def test_it_is_set_up_by_the_pages_and_then_asked_for(boss: User, django_capture_on_commit_callbacks: Any) -> None:
    first = log_in()
    assert is_in(first)
    first.post(CONFIRM, {"password": PASSWORD})
    assert "<svg" in first.get(ON).content.decode()
    assert first.post(ON, {"code": "000000"}).status_code == 200
    assert not two_factor.is_on(boss)
    first = log_in()
    with django_capture_on_commit_callbacks(execute=True):
        secret = set_up(first)
    assert two_factor.is_on(boss)
    assert len(re.findall(r"<code>\d{8}</code>", first.get("/account/two-factor/recovery/").content.decode())) == 10
    assert AuditEntry.objects.filter(act="two_factor_added", actor_name="boss").exists()
    second = Client()
    answer = second.post(f"{LOGIN}?next=/admin/", {"login": "boss", "password": PASSWORD, "next": "/admin/"})
    assert answer["Location"].startswith(CODE)
    assert not is_in(second)
    answer = second.post(CODE, {"code": code_now(secret, 1)})
    assert answer.status_code == 302
    assert is_in(second)


def test_an_enemy_with_the_password_alone_gets_nowhere(boss: User) -> None:
    set_up(log_in())
    enemy = log_in()
    for path in ("/admin/", "/admin/login/", "/admin/doctor/", "/account/tokens/", ON, OFF, "/account/email/"):
        assert enemy.get(path).status_code != 200, path
        assert enemy.post(path, {"password": PASSWORD, "username": "boss"}).status_code != 200, path
    assert enemy.get("/api/v1/me/").json() == Client().get("/api/v1/me/").json()
    answers = [enemy.post(CODE, {"code": f"{number:06}"}) for number in range(12)]
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert not is_in(enemy)
    assert two_factor.is_on(boss)


def test_guesses_at_the_code_are_limited_whatever_the_browser(boss: User) -> None:
    secret = set_up(log_in())
    for _ in range(5):
        log_in().post(CODE, {"code": "000000"})
    late = log_in()
    late.post(CODE, {"code": code_now(secret, 1)})
    assert not is_in(late)


def test_a_code_counts_once(boss: User) -> None:
    secret = set_up(log_in())
    code = code_now(secret, 1)
    owner, enemy = log_in(), log_in()
    owner.post(CODE, {"code": code})
    answer = enemy.post(CODE, {"code": f" {code[:3]} {code[3:]} "})
    assert is_in(owner) and not is_in(enemy)
    assert "This code is not right, or has been used." in answer.content.decode()


def test_a_recovery_code_stands_in_for_the_app_once(boss: User) -> None:
    first = log_in()
    set_up(first)
    code = re.findall(r"<code>(\d{8})</code>", first.get("/account/two-factor/recovery/").content.decode())[3]
    assert code in first.get("/account/two-factor/recovery/file/").content.decode()
    second, third = log_in(), log_in()
    second.post(CODE, {"code": code})
    third.post(CODE, {"code": code})
    assert is_in(second) and not is_in(third)


def test_a_new_password_by_mail_needs_the_code_all_the_same(boss: User) -> None:
    set_up(log_in())
    boss.set_password("another long word")
    boss.save()
    client = Client()
    client.post(LOGIN, {"login": "boss", "password": "another long word"})
    assert not is_in(client)


def test_the_command_helps_after_the_loss_of_a_phone(boss: User) -> None:
    set_up(log_in())
    call_command("two_factor", stdout=(out := StringIO()))
    assert out.getvalue() == "boss: a code\n"
    call_command("two_factor", "--remove", "boss", stdout=(out := StringIO()))
    assert "by the password alone" in out.getvalue()
    assert not Authenticator.objects.exists()
    assert is_in(log_in())
    assert AuditEntry.objects.filter(act="two_factor_removed", subject="boss").exists()
    for name, why in (("boss", "is asked for no code"), ("nobody", "There is no account")):
        with pytest.raises(CommandError, match=why):
            call_command("two_factor", "--remove", name)


def test_its_owner_switches_it_off(boss: User) -> None:
    client = log_in()
    set_up(client)
    assert "Then the password alone is enough" in client.get(OFF).content.decode()
    client.post(OFF)
    assert not Authenticator.objects.exists()
    assert is_in(log_in())


def test_it_is_for_the_staff_and_for_whoever_was_of_them(boss: User) -> None:
    assert Client().get("/account/two-factor/").status_code == 302
    User.objects.create_user("guest", password=PASSWORD)
    guest = log_in("guest")
    for path in ("/account/two-factor/", ON, OFF, "/account/two-factor/recovery/new/"):
        assert guest.get(path).status_code == 403, path
    assert "two-factor" not in guest.get("/me/").content.decode()
    client = log_in()
    set_up(client)
    User.objects.filter(pk=boss.pk).update(is_staff=False, is_superuser=False)
    assert client.get(OFF).status_code == 200


def test_the_secret_has_no_page_in_the_admin(boss: User) -> None:
    client = log_in()
    secret = set_up(client)
    assert client.get("/admin/mfa/authenticator/").status_code == 404
    assert secret not in client.get("/account/two-factor/").content.decode()


def test_the_doctor_recommends_it_where_the_house_is_on_the_internet(boss: User, settings: Any) -> None:
    settings.PUBLIC_URL, settings.BEHIND_TLS = "", False
    assert next(staff.second_factors()).state == "good"
    settings.PUBLIC_URL = "https://games.example.org"
    finding = next(staff.second_factors())
    assert finding.state == "look" and "1 of the staff" in finding.text and finding.remedy
    set_up(log_in())
    assert next(staff.second_factors()).state == "good"


@pytest.mark.parametrize(("language", "word"), [("de", "Zwei-Faktor-Anmeldung"), ("nb", "Tofaktorinnlogging")])
def test_its_pages_speak_the_languages_of_the_house(boss: User, language: str, word: str) -> None:
    client = log_in()
    client.cookies["django_language"] = language
    assert word in client.get("/account/two-factor/").content.decode()
