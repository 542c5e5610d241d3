"""A backup is fetched from the admin's page: by superusers who say who they are, one at a time, told to all of them."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError
from django.db import connection
from django.test import Client

from games.admin.backups import fetch
from games.management import locks
from games.management.backups import archive, encryption, fetching
from games.management.processes import child
from games.models import AuditEntry, Membership, Player, Table
from games.services.nights import membership
from games.services.people import players
from tests.security.people.test_two_factor import PASSWORD, code_now, set_up
from tests.server import Server

pytestmark = pytest.mark.django_db
PAGE, INDEX = "/admin/backup/", "/admin/"
PASSPHRASE = "five words that nobody guesses"


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def made(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The keys of the backups that are made; the process that makes one is replaced by what it writes."""
    settings.DATA_DIR, settings.BACKUP_KEY = tmp_path, ""
    keys: list[str | None] = []

    def write(path: Path, key: str | None) -> None:
        keys.append(key)
        path.write_bytes(b"the house" * 300_000)

    monkeypatch.setattr(fetching, "_write", write)
    return keys


@pytest.fixture
def boss(client: Client) -> User:
    """A superuser, logged in."""
    user = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
    client.force_login(user)
    return user


def ask(client: Client, **changed: str) -> Any:
    form = {"password": PASSWORD, "key": PASSPHRASE, "key_again": PASSPHRASE, **changed}
    return client.post(PAGE, {name: value for name, value in form.items() if value})


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


# Who gets one


def test_a_superuser_gets_a_backup_under_a_name_with_the_time_and_nothing_stays(
    client: Client, boss: User, made: list[str | None], tmp_path: Path
) -> None:
    answer = ask(client)
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    assert "stammtisch-20" in answer["Content-Disposition"] and ".backup" in answer["Content-Disposition"]
    assert content(answer) == b"the house" * 300_000
    assert made == [PASSPHRASE]
    assert [path.name for path in tmp_path.iterdir()] == ["fetch.lock"]


def test_nobody_else_gets_one_and_none_by_get(client: Client, boss: User, made: list[str | None]) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("clerk", password=PASSWORD, is_staff=True))
    for other, status in ((Client(), 302), (clerk, 403)):
        assert other.get(PAGE).status_code == status
        assert ask(other).status_code == status
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(boss)
    assert ask(forged).status_code == 403
    assert client.get(PAGE, {"password": PASSWORD, "plain": "on"})["Content-Type"].startswith("text/html")
    assert made == [] and not AuditEntry.objects.filter(act=fetch.ACT).exists()


def test_the_password_is_asked_again_and_may_not_be_tried_out(
    client: Client, boss: User, made: list[str | None]
) -> None:
    for _ in range(10):
        assert ask(client, password="a guess").status_code == 403
    assert ask(client).status_code == 429
    assert made == []


def test_with_two_factor_login_a_code_is_asked_that_counts_once(
    client: Client, boss: User, made: list[str | None], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        secret = set_up(client)
    assert 'name="code"' in client.get(PAGE).content.decode()
    cache.clear()
    assert ask(client).status_code == 403
    assert ask(client, code="000000").status_code == 403
    code = code_now(secret)
    assert ask(client, code=code, password="a guess").status_code == 403
    answer = ask(client, code=code)
    assert answer.status_code == 200
    content(answer)
    assert ask(client, code=code).status_code == 403
    assert len(made) == 1


# The passphrase


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"key": "short", "key_again": "short"}, 400),
        ({"key_again": "five words that somebody guesses"}, 400),
        ({"key": "", "key_again": ""}, 400),
        ({"key": "with a zero \0 in it all", "key_again": "with a zero \0 in it all"}, 400),
        ({"key": "", "key_again": PASSPHRASE, "plain": "on"}, 400),
    ],
)
def test_without_a_passphrase_that_is_long_and_typed_twice_there_is_none(
    client: Client, boss: User, made: list[str | None], form: dict[str, str], status: int
) -> None:
    answer = ask(client, **form)
    assert answer.status_code == status and 'role="alert"' in answer.content.decode()
    assert made == []


def test_one_that_anybody_can_read_is_given_to_who_keeps_it_like_the_house(
    client: Client, boss: User, made: list[str | None], settings: Any
) -> None:
    content(ask(client, key="", key_again="", plain="on"))
    assert made == [""]
    assert AuditEntry.objects.get(act=fetch.ACT).data == {"encrypted": False}
    settings.BACKUP_KEY = "the passphrase of the house"
    content(ask(client, key="", key_again=""))
    content(ask(client))
    assert made == ["", None, PASSPHRASE]


@pytest.mark.parametrize(("key", "is_encrypted"), [(PASSPHRASE, True), ("", False), (None, True)])
def test_the_passphrase_typed_counts_before_that_of_the_house_or_its_file(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str | None, is_encrypted: bool
) -> None:
    (tmp_path / "key").write_text("the passphrase of the house")
    monkeypatch.setenv("BACKUP_KEY_FILE", str(tmp_path / "key"))
    settings.DATA_DIR = tmp_path
    program = "import sys; from games.ops import environment; import os; "
    program += "open(sys.argv[1], 'w').write(environment.read(os.environ).backup_key)"
    monkeypatch.setattr(child, "command", lambda _name, path: [sys.executable, "-c", program, path])
    found = b"".join(fetching.make(key)).decode()
    assert found == ("the passphrase of the house" if key is None else key)
    assert bool(found) == is_encrypted


# Tables at play


@pytest.fixture
def at_play(start_table: Callable[..., Table]) -> Table:
    return start_table()


@pytest.mark.parametrize("status", [Table.Status.PLAYING, Table.Status.PAUSED])
@pytest.mark.parametrize("how", ["account", "browser", "somebody without a phone"])
def test_who_has_a_seat_at_a_table_at_play_gets_none_and_the_page_says_why(
    client: Client, boss: User, made: list[str | None], at_play: Table, how: str, status: str
) -> None:
    page = client.get(PAGE).content.decode()
    assert "holds what is sealed" in page and "You have a seat" not in page
    sitter = at_play.seats.get(index=1).player
    assert sitter is not None
    Table.objects.filter(pk=at_play.pk).update(status=status)
    if how == "account":
        Player.objects.filter(pk=sitter.pk).update(user=boss)
    elif how == "browser":
        session = client.session
        session[players.SESSION_KEY] = sitter.pk
        session.save()
    else:
        own = Player.objects.create(nickname="Boss", user=boss)
        membership.join(at_play.night, own)
        Membership.objects.filter(player=sitter).update(keeper=own)
    assert "You have a seat" in client.get(PAGE).content.decode()
    assert ask(client).status_code == 403
    assert made == []
    Table.objects.filter(pk=at_play.pk).update(status=Table.Status.FINISHED)
    content(ask(client))
    assert made == [PASSPHRASE]


def test_who_has_none_gets_one_while_a_table_is_at_play(
    client: Client, boss: User, made: list[str | None], at_play: Table
) -> None:
    content(ask(client))
    assert made == [PASSPHRASE]


# One at a time, and faults


def test_one_is_fetched_at_a_time_until_it_is_sent_or_the_line_is_lost(
    client: Client, boss: User, made: list[str | None]
) -> None:
    answer = ask(client)
    assert ask(client).status_code == 409
    content(answer)
    for end in (fetching.FetchedBackup.close, lambda _lost: None):
        lost = fetching.make(PASSPHRASE)
        next(lost)
        assert ask(client).status_code == 409
        end(lost)
        del lost
        gc.collect()
    content(ask(client))
    assert len(made) == 4


def test_what_is_too_big_and_what_cannot_be_made_is_told_and_leaves_nothing(
    client: Client, boss: User, made: list[str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(fetching, "MOST", 10)
        assert ask(client).status_code == 413

    def full(*_args: Any) -> None:
        raise CommandError("The disk of /data is full: make room there.")

    def no_room(*_args: Any, **_options: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(fetching.tempfile, "TemporaryDirectory", no_room)
        answer = ask(client)
        assert answer.status_code == 503 and "is full" in answer.content.decode()
    monkeypatch.setattr(fetching, "_write", full)
    answer = ask(client)
    assert answer.status_code == 503 and "make room" in answer.content.decode()
    assert [path.name for path in tmp_path.iterdir()] == ["fetch.lock"]
    assert not AuditEntry.objects.filter(act=fetch.ACT).exists()
    with locks.fetching() as is_free:
        assert is_free


# Told to all superusers


def test_every_superuser_reads_who_fetched_one_and_gets_a_mail(
    client: Client, boss: User, made: list[str | None], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, clerk = Client(), Client()
    second = User.objects.create_superuser("second", password="x")
    other.force_login(second)
    clerk.force_login(User.objects.create_user("clerk", is_staff=True))
    EmailAddress.objects.create(user=second, email="second@example.org", verified=True, primary=True)
    EmailAddress.objects.create(user=boss, email="boss@example.org", verified=False, primary=True)
    content(ask(client))
    assert mail.outbox == []  # no mail server
    monkeypatch.setattr(fetch.mail_settings, "has_mail_server", lambda: True)
    content(ask(client))
    (message,) = mail.outbox
    assert message.bcc == ["second@example.org"] and "boss" in message.body

    def away(*_args: Any) -> None:
        raise OSError("no mail server")

    monkeypatch.setattr(fetch.EmailMessage, "send", away)
    content(ask(client))
    entries = AuditEntry.objects.filter(act=fetch.ACT)
    assert [entry.actor_name for entry in entries] == ["boss"] * 3
    assert other.get(INDEX).content.decode().count("boss fetched a backup") == 3
    assert "fetched a backup" not in clerk.get(INDEX).content.decode()


def test_a_house_on_postgresql_says_that_a_new_house_takes_it_by_command_alone(
    client: Client, boss: User, made: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ("by the command “restore” alone" in client.get(PAGE).content.decode()) == (
        connection.vendor == "postgresql"
    )
    monkeypatch.setattr(fetch, "connection", type("Connection", (), {"vendor": "postgresql"}))
    assert "by the command “restore” alone" in client.get(PAGE).content.decode()


# The whole of it


@pytest.fixture
def saved(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder of a house whose processes find it."""
    server = Server(tmp_path)
    server.migrate()
    settings.DATA_DIR, settings.BACKUP_KEY = tmp_path, ""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    yield tmp_path


@pytest.mark.server
@pytest.mark.day(parts=3, turn=1)
def test_the_file_is_a_backup_encrypted_with_the_passphrase_that_was_typed(saved: Path, settings: Any) -> None:
    path = saved / "fetched"
    path.write_bytes(b"".join(fetching.make(PASSPHRASE)))
    assert encryption.is_encrypted(path)
    with pytest.raises(CommandError, match="is encrypted"):
        archive.about(path)
    settings.BACKUP_KEY = PASSPHRASE
    assert archive.about(path).keys() == {"version", "made_at"}
