"""The doctor says of each part of the house how it is, and what mends it."""

from __future__ import annotations

import http.client
import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.management import call_command
from django.db import OperationalError
from django.test import AsyncClient, Client, RequestFactory
from django.utils import timezone

from games import scopes
from games.management.backups import archive
from games.models import HouseClock
from games.ops import logs, schema_version
from games.ops.doctor import backups, checks, ground, mails, network
from games.ops.doctor.findings import Finding, wrong
from games.services.regions import written
from tests.mails.conftest import Server, server

__all__ = ["server"]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _data(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.BACKUP_FOLDER = tmp_path, tmp_path / "backups"


def only(found: Any) -> Finding:
    (one,) = found
    return one


def test_each_finding_that_has_to_be_mended_says_how() -> None:
    found = checks.examine()
    topics = {each.topic for each in found}
    assert {"versions", "settings", "database", "disk", "data", "backups", "server", "Redis", "mail"} <= topics
    assert {"public address", "TLS", "proxy headers", "phones", "time zone"} <= topics
    assert all(each.remedy for each in found if each.state == "wrong")
    assert all(each.text for each in found)


def test_the_command_tells_it_to_programs_and_ends_with_one_where_something_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "CHECKS", (checks.versions,))
    out = StringIO()
    call_command("doctor", "--json", stdout=out)
    assert json.loads(out.getvalue())[0].keys() == {"topic", "state", "text", "remedy"}

    def broken() -> Any:
        raise OSError("no disk")

    monkeypatch.setattr(checks, "CHECKS", (broken,))
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor", stdout=(out := StringIO()))
    assert "WRONG  doctor  This could not be looked at: no disk" in out.getvalue()


def test_what_fails_for_want_of_the_database_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_need(name: str) -> Any:
        def check() -> Any:
            raise OperationalError("no such table: games_houseclock")

        check.__name__ = name
        return check

    def lacking() -> Any:
        return [wrong("database", "It lacks 32 migrations.", "Prepare it.")]

    parts = [in_need("clock"), in_need("servers")]
    monkeypatch.setattr(checks, "CHECKS", (lacking, *parts))
    *_first, last = found = checks.examine()
    assert len(found) == 2 and last.state == "wrong"
    assert written.names(("clock", "server")) in last.text
    monkeypatch.setattr(checks, "CHECKS", parts)
    assert [each.topic for each in checks.examine()] == ["clock", "server"]


def test_a_database_of_a_newer_version_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_version, "later_migrations", lambda connection: ["9999_later"])
    found = only(checks.database())
    assert found.state == "wrong"
    assert "newer version of the house has been at this database (9999_later)" in found.text


def test_a_full_disk_is_wrong_before_it_stops_play(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, state in ((50, "wrong"), (500, "look"), (5000, "good")):
        monkeypatch.setattr(checks.shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free * checks.MB))
        assert only(checks.disk()).state == state


def test_the_last_backup_is_known_by_its_age(settings: Any, tmp_path: Path) -> None:
    assert only(backups.last_one()).state == "look"
    for days, state in ((1, "good"), (9, "look")):
        (tmp_path / archive.LAST).write_text((datetime.now(UTC) - timedelta(days=days)).isoformat())
        assert only(backups.last_one()).state == state


def test_a_clock_that_was_set_back_is_wrong() -> None:
    HouseClock.objects.all().delete()
    assert [each.topic for each in checks.clock()] == ["time zone"]
    ahead = datetime.now(UTC) + timedelta(hours=2)
    HouseClock.objects.create(name="clock", until=ahead, told_at=ahead)
    assert next(checks.clock()).state == "wrong"


def test_a_test_mail_is_sent(settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL, settings.PUBLIC_URL = "pub@games.example.org", "https://games.example.org"
    assert mails.send_test("host@example.org").state == "good"
    assert mail.outbox[0].to == ["host@example.org"]
    assert mail.outbox[0].extra_headers["Message-ID"].endswith("@games.example.org>")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 2
    assert only(mails.mails()).state == "wrong"
    assert mails.send_test("host@example.org").state == "wrong"
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert mails.send_test("host@example.org").state == "look"


@pytest.mark.parametrize(
    ("public_url", "sender", "missing"),
    [
        ("", "pub@games.example.org", ["PUBLIC_URL"]),
        ("https://games.example.org", "stammtisch@localhost", ["EMAIL_FROM"]),
        ("https://games.example.org", "pub@stammtisch.local", ["EMAIL_FROM"]),
        ("https://games.example.org", "The pub", ["EMAIL_FROM"]),
        ("", "stammtisch@localhost", ["PUBLIC_URL", "EMAIL_FROM"]),
        ("https://games.example.org", "The pub <pub@games.example.org>", []),
    ],
)
def test_mail_that_cannot_go_out_or_arrive_is_wrong_and_said_at_the_start_with_its_remedy(
    server: Server, settings: Any, public_url: str, sender: str, missing: list[str]
) -> None:
    settings.PUBLIC_URL, settings.DEFAULT_FROM_EMAIL = public_url, sender
    found = list(mails.mails())
    assert [each.state for each in found] == (["wrong"] * len(missing) or ["good"])
    assert all(f"Set {name}" in each.remedy for name, each in zip(missing, found, strict=False))
    said = [each for each in logs.start_warnings() if "EMAIL_URL" in each]
    assert [f"Set {name}" in each for name, each in zip(missing, said, strict=True)] == [True] * len(missing)
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert only(mails.mails()).state == "good"
    assert not [each for each in logs.start_warnings() if "EMAIL_URL" in each]


def test_the_findings_tell_each_fault_of_mail_once(server: Server, settings: Any) -> None:
    settings.PUBLIC_URL = ""
    assert [each.topic for each in checks.examine() if "EMAIL_URL" in each.text] == ["mail", "mail"]


def test_settings_that_contradict_each_other_are_told(settings: Any) -> None:
    settings.PUBLIC_URL, settings.BEHIND_TLS = "https://games.example.org/x", False
    texts = [each.text for each in checks.configuration()]
    assert "PUBLIC_URL has a path." in texts
    assert any(text.startswith("PUBLIC_URL is https") for text in texts)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """A house behind a proxy that answers with what a test says: status, body, headers."""
    settings.PUBLIC_URL, settings.BEHIND_TLS = "https://games.example.org", True
    monkeypatch.setattr(network, "_can_request", lambda: True)

    def answers(status: int, body: bytes = b"", **headers: str) -> None:
        told = SimpleNamespace(status=status, getheader=lambda name, default="": headers.get(name, default))
        monkeypatch.setattr(network, "_request", lambda path, **_: (told, body))

    return answers


@pytest.mark.parametrize(
    ("check", "status", "state"),
    [
        (network.websocket, 101, "good"),
        (network.websocket, 403, "wrong"),
        (network.websocket, 400, "wrong"),
        (network.proxy, 200, "good"),
        (network.proxy, 301, "wrong"),
        (network.proxy, 400, "wrong"),
        (network.public_address, 200, "wrong"),
    ],
)
def test_what_a_proxy_does_wrong_is_told_by_its_cause(asked: Any, check: Any, status: int, state: str) -> None:
    asked(status, b"<html>", Location="https://games.example.org/")
    assert only(check()).state == state


def test_an_older_server_and_one_that_is_away_are_told(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(200, b'{"version": "0.0.1"}')
    assert only(network.public_address()).state == "look"

    def away(path: str) -> Any:
        raise http.client.RemoteDisconnected("away")

    monkeypatch.setattr(network, "_request", away)
    assert only(network.public_address()).state == "wrong"


def test_phones_need_a_network_and_an_open_door(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.HOST, settings.BEHIND_TLS = "", False
    settings.PUBLIC_URL = ""
    for addresses, state in (
        ([], "wrong"),
        ([("wlan0", "169.254.3.4")], "wrong"),
        ([("wg0", "10.8.0.2")], "look"),
        ([("wg0", "10.8.0.2"), ("wlan0", "192.168.7.2")], "good"),
    ):
        monkeypatch.setattr(network.interfaces, "read", lambda addresses=addresses: (addresses, "10.8.0.2"))
        network.interfaces.forget()
        assert only(network.local_network()).state == state
    assert "192.168.7.2" in only(network.local_network()).text and "10.8" not in only(network.local_network()).text
    assert "else to http://192.168.7.2:" in only(network.public_address()).text
    network.interfaces.forget()
    settings.HOST = "127.0.0.1"
    assert only(network.local_network()).state == "look"


def test_the_admins_page_is_for_superusers_and_has_the_same_list(client: Client, settings: Any) -> None:
    users = get_user_model()
    boss, waiter = users.objects.create_superuser("boss"), users.objects.create_user("waiter", is_staff=True)
    client.force_login(waiter)
    assert client.get("/admin/doctor/").status_code == 403
    client.force_login(boss)
    assert "/admin/doctor/" in client.get("/admin/").content.decode()
    page = client.post("/admin/doctor/", {"address": "host@example.org"}).content.decode()
    assert "Stammtisch" in page
    assert "A test was sent to host@example.org." in page
    assert [each.to for each in mail.outbox] == [["host@example.org"]]
    client.cookies["django_language"] = "de"
    assert "Sicherungen" in client.get("/admin/doctor/").content.decode()


async def test_a_form_through_an_unnamed_tls_proxy_is_refused_with_the_cause() -> None:
    """And not with a word about cookies: no cookie and no reload would help."""
    client = AsyncClient(enforce_csrf_checks=True)
    for origin, cause in (("https://testserver", "BEHIND_TLS"), ("http://testserver", "cookies must be on")):
        answer = await client.post("/join/", {"code": "ABCDE"}, headers={"Origin": origin})
        assert answer.status_code == 403
        assert cause in answer.content.decode()


def test_a_claim_of_https_explains_and_decides_nothing(settings: Any) -> None:
    headers = [(b"x-forwarded-proto", b"https")]
    for proxies, is_hidden in (([], True), (["127.0.0.1"], False)):
        settings.PROXIES = proxies
        scope = scopes.cleaned({"type": "http", "path": "/", "headers": headers, "client": ["127.0.0.1", 1]})
        assert ((b"x-forwarded-proto", b"https") in scope["headers"]) is not is_hidden
        request: Any = RequestFactory().get("/")
        request.scope = scope
        assert scopes.is_hidden_https(request) is is_hidden
        assert not request.is_secure()


def test_staff_alone_are_told_of_a_version_that_is_half_a_year_old_unless_that_is_switched_off(
    admin_client: Client, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = timezone.localdate()

    def told(built: date | None) -> list[Finding]:
        monkeypatch.setattr(ground, "built_on", lambda: built)
        return [*ground.age()]

    assert told(None) == told(today) == told(today - timedelta(182)) == []
    assert told(today + timedelta(400)) == []  # the computer's clock was set back
    (found,) = told(today - timedelta(183))
    assert found.state == "look" and "183 days ago" in found.text
    assert "CHANGELOG.md" in found.remedy and "docs/operations.md" in found.remedy
    assert found in checks.examine()
    for address in ("/admin/", "/admin/doctor/"):
        assert "183 days ago" in admin_client.get(address).content.decode()
    for address in ("/", "/join/", "/admin/login/"):
        assert "days ago" not in client.get(address).content.decode()
    settings.OLD_AFTER_DAYS = 0
    assert told(today - timedelta(9999)) == []
