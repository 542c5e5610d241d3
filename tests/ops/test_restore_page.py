"""A backup is restored from the page of a new house: sent in pieces, proved beside it, in place after a restart."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.admin.backups import restore
from games.live.servers.connection_limits import BODY_SECONDS
from games.management.backups import archive, waiting_house
from games.models import AuditEntry
from games.ops.requests import restore_address
from games.ops.requests.body_limit import LONGEST_BODY, at_most, longest_body
from tests.server import Server

PAGE = "admin:restore"


@pytest.fixture
def data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def chief(db: Any, data: Path) -> Client:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite alone")
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def signed(name: str = "chief") -> str:
    return restore_address.token(User.objects.get(username=name).pk)


def send(client: Client, content: bytes, offset: int, token: str = "") -> Any:
    where = reverse("admin:restore_piece", args=[token or signed(), offset])
    return client.post(where, content, content_type="application/octet-stream")


# The address


@pytest.mark.django_db
def test_one_address_alone_takes_a_large_body_and_only_as_the_first_admins_page_has_signed_it(
    chief: Client, settings: Any
) -> None:
    token = signed()
    where = reverse("admin:restore_piece", args=[token, 0])
    assert longest_body(where) == restore_address.PIECE
    others = [
        where.replace("/piece/", "/check/"),
        where.replace("/piece/", "/pieces/"),
        f"/x{where}",
        where.replace(token, signing.TimestampSigner(salt="another").sign("1")),
        reverse("admin:restore_piece", args=["1:aaaa:bbbb", 0]),
        reverse("admin:restore"),
        reverse("home"),
    ]
    assert {longest_body(each) for each in others} == {LONGEST_BODY}
    settings.SECRET_KEY = "another"
    assert longest_body(where) == LONGEST_BODY


@pytest.mark.django_db
def test_the_address_ends_after_an_hour(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    token = signed()
    now = time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + 3601)
    assert restore_address.account_of(token) is None
    assert send(chief, b"x", 0, token).json()["code"] == "restore_too_old"


@pytest.mark.django_db
async def test_no_more_than_a_piece_is_kept_of_a_body_there(db: Any) -> None:
    token = restore_address.token(1)
    seen: list[int] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        seen.append(len((await receive())["body"]))

    for size, kept in ((restore_address.PIECE, restore_address.PIECE), (restore_address.PIECE + 1, 0)):
        scope = {"type": "http", "headers": [], "path": f"/admin/restore/piece/{token}/0/"}

        async def receive(size: int = size) -> Any:
            return {"type": "http.request", "body": b"x" * size, "more_body": False}

        await at_most(inner, BODY_SECONDS)(scope, receive, None)
        assert seen[-1] == kept


# Rights


@pytest.mark.django_db
def test_nobody_but_the_first_admin_restores(chief: Client, data: Path) -> None:
    second = Client()
    second.force_login(User.objects.create_superuser("second", password="x"))
    clerk = Client()
    clerk.force_login(User.objects.create_user("clerk", is_staff=True))
    for other in (second, clerk):
        assert other.get(reverse(PAGE)).status_code == 403
        for name in ("chief", "second"):
            assert send(other, b"x", 0, signed(name)).status_code == 403
        assert other.post(reverse("admin:restore_check")).status_code == 403
    assert send(Client(), b"x", 0).status_code == 302
    assert send(chief, b"x", 0, signed("second")).json()["code"] == "restore_too_old"
    assert not waiting_house.incoming().exists()


@pytest.mark.django_db
def test_a_house_with_nights_takes_no_backup_and_the_demos_night_is_none(chief: Client, request: Any) -> None:
    from django.core.management import call_command

    call_command("demo", verbosity=0)
    assert "restore-form" in chief.get(reverse(PAGE)).content.decode()
    assert "Restore a backup" in chief.get(reverse("house")).content.decode()
    request.getfixturevalue("night")
    assert "restore-form" not in chief.get(reverse(PAGE)).content.decode()
    assert "Restore a backup" not in chief.get(reverse("house")).content.decode()
    answer = send(chief, b"x", 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "restore_not_empty")
    assert chief.post(reverse("admin:restore_check")).json()["code"] == "restore_not_empty"
    assert not waiting_house.incoming().exists()


@pytest.mark.django_db
def test_a_house_on_postgresql_takes_none(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_house, "why_not", lambda: "restore_sqlite_only")
    assert send(chief, b"x", 0).json()["code"] == "restore_sqlite_only"
    assert "by the command" in chief.get(reverse(PAGE)).content.decode()


# Pieces


@pytest.mark.django_db
def test_pieces_are_put_together_and_a_piece_that_is_sent_twice_counts_once(chief: Client) -> None:
    assert send(chief, b"abc", 0).json() == {"size": 3}
    assert send(chief, b"def", 3).json() == {"size": 6}
    again = send(chief, b"def", 3)
    assert (again.status_code, again.json()) == (409, {"size": 6})
    assert send(chief, b"g", 6).json() == {"size": 7}
    assert waiting_house.incoming().read_bytes() == b"abcdefg"
    assert waiting_house.incoming().stat().st_mode & 0o077 == 0
    assert send(chief, b"anew", 0).json() == {"size": 4}
    assert waiting_house.incoming().read_bytes() == b"anew"


@pytest.mark.django_db
def test_a_backup_ends_at_a_gigabyte_and_a_full_disk_is_told(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    send(chief, b"abc", 0)
    monkeypatch.setattr(restore_address, "MOST", 5)
    answer = send(chief, b"def", 3)
    assert (answer.status_code, answer.json()["code"]) == (413, "restore_too_big")
    assert waiting_house.incoming().read_bytes() == b"abc"

    def full(*_args: Any, **_options: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(restore, "_write", full)
    answer = send(chief, b"d", 3)
    assert (answer.status_code, answer.json()["code"]) == (503, "restore_no_room")


@pytest.mark.django_db
def test_checking_without_a_backup_is_refused_and_nothing_begins(chief: Client) -> None:
    assert chief.post(reverse("admin:restore_check")).json()["code"] == "no_file"
    assert not AuditEntry.objects.exists()


# What waits for the next start


@pytest.mark.django_db
def test_what_waits_is_not_put_in_place_once_nights_were_opened(data: Path, night: Any) -> None:
    (data / waiting_house.FOLDER).mkdir()
    said: list[str] = []
    waiting_house.put_in_place(said.append)
    assert "Nights were opened" in said[0]
    (kept,) = data.iterdir()
    assert kept.name.startswith("before-") and kept.is_dir()


@pytest.mark.django_db
def test_what_waits_is_left_alone_while_a_server_is_open(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / waiting_house.FOLDER).mkdir()
    monkeypatch.setattr(waiting_house.locks, "is_serving", lambda: True)
    waiting_house.put_in_place(lambda _text: None)
    assert waiting_house.is_waiting()


@pytest.mark.django_db
def test_an_archive_that_is_refused_leaves_nothing_that_waits(chief: Client, data: Path) -> None:
    (data / "bad").write_bytes(b"no archive")
    with pytest.raises(CommandError, match="is no backup"):
        waiting_house.prepare(data / "bad", lambda: None)
    assert not waiting_house.is_waiting()
    assert [path.name for path in data.iterdir()] == ["bad"]


# The whole of it


class Browser:
    """A browser of the admin at a real server."""

    def __init__(self, server: Server, session: str) -> None:
        self.server, self.cookies = server, {"sessionid": session}

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/x-www-form-urlencoded") -> str:
        """Return the text of an answer; raises HTTPError."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Content-Type": kind, "Referer": self.server.url, "Cookie": cookies}
        headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        request = urllib.request.Request(f"{self.server.url}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            for each in answer.headers.get_all("Set-Cookie", []):
                name, _equals, value = each.partition(";")[0].partition("=")
                self.cookies[name] = value
            return str(answer.read().decode())


MAKE_ADMIN = """
from django.contrib.auth.models import User
from django.test import Client
user = User.objects.create_superuser("chief", password="x")
client = Client()
client.force_login(user)
print(client.cookies["sessionid"].value)
"""
MAKE_NIGHT = """
from games.services.nights import membership
from games.services.people import players
print(membership.host_night(players.new_guest("Hanna"), "Thursday").public_id)
"""


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "new")
    server.data.mkdir()
    server.environment.pop("SECRET_KEY")
    server.migrate()
    yield server
    server.stop()


@pytest.mark.server
@pytest.mark.day(parts=17, turn=11)
@pytest.mark.timeout(240)
def test_a_backup_is_restored_into_a_new_house_by_its_page(new_house: Server, tmp_path: Path) -> None:
    old = Server(tmp_path)
    old.environment.pop("SECRET_KEY")
    old.migrate()
    public_id = old.manage("shell", "-v", "0", "-c", MAKE_NIGHT).strip()
    old.manage("backup", str(tmp_path / "old.backup"))
    backup = (tmp_path / "old.backup").read_bytes()
    session = new_house.manage("shell", "-v", "0", "-c", MAKE_ADMIN).strip()
    new_house.start()
    browser = Browser(new_house, session)
    page = browser.ask("/admin/restore/")
    piece = page.split('data-piece-url="')[1].split('"')[0]
    half = 100_000
    for at in range(0, len(backup), half):
        where = piece.replace("/0/", f"/{at}/")
        told = json.loads(browser.ask(where, backup[at : at + half], "application/octet-stream"))
        assert told["size"] == min(len(backup), at + half)
    with pytest.raises(urllib.error.HTTPError, match="413"):
        browser.ask("/admin/restore/check/", b"x" * half)
    browser.ask("/admin/restore/check/", b"")
    deadline = time.monotonic() + 120
    while json.loads(browser.ask("/admin/restore/state/"))["state"] == "checking":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert "Restart" in browser.ask("/admin/restore/"), new_house.output()
    assert "Thursday" not in new_house.manage("shell", "-v", "0", "-c", NIGHTS)
    new_house.stop()
    said = new_house.manage("prepare")
    assert "put in place" in said
    assert (new_house.data / archive.KEY).read_text() == (old.data / archive.KEY).read_text()
    assert public_id in new_house.manage("shell", "-v", "0", "-c", NIGHTS)
    assert list(new_house.data.glob("before-*.sqlite3"))


NIGHTS = """
from games.models import Night
print(list(Night.objects.values_list("public_id", "name")))
"""
