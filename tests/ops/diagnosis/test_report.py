"""The report for a fault: everything that helps, and nothing that is private."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import DatabaseError, models
from django.test import Client

from games.models import AuditEntry, Night, Player
from games.ops import logs
from games.ops.diagnosis import private_words, recent_lines, report
from games.ops.session_keys import SessionStore
from games.services.nights import membership, wifi
from games.services.people import players, tokens

pytestmark = pytest.mark.django_db

NICKNAME, HOST, NIGHT = "Hildegunst Mythenmetz", "Oddvar", "Kriemhilds Runde"
SECRETS = {
    "SECRET_KEY": "planted-secret-key-0123456789",
    "DATABASE_URL": "postgres://housekeeper:pl%40nted-db-word@db.planted.example/stammtisch",
    "REDIS_URL": "redis://:planted-redis-word@redis.planted.example/0",
    "EMAIL_URL": "smtps://mailer:planted-mail-word@mail.planted.example",
    "METRICS_TOKEN": "planted-metrics-token",
    "PUBLIC_URL": "https://games.planted.example",
}


@pytest.fixture
def keeping(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder in which the lines of this process are kept."""
    settings.DATA_DIR = tmp_path
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    settings.SECRET_KEY = SECRETS["SECRET_KEY"]
    root = logging.getLogger()
    before = list(root.handlers)
    recent_lines.start_keeping()
    yield tmp_path
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()


def planted() -> list[str]:
    """Fill the house with private things; return them, after somebody careless has logged each."""
    user = get_user_model().objects.create_user("kriemhild", "kriemhild@planted.example", "a-long-word")
    night = membership.host_night(Player.objects.create(nickname=HOST), NIGHT)
    wifi.put(night, wifi.Wifi("PlantedWifi", "planted-wifi-word"))
    night.save()
    session = SessionStore()
    session.create()
    guest = players.new_guest(NICKNAME)
    _, token = tokens.create(user, "My program", "read")
    return [
        *(NICKNAME, NICKNAME.upper(), HOST, NIGHT, "kriemhild", "kriemhild@planted.example", "PlantedWifi"),
        *(
            "planted-wifi-word",
            str(night.code),
            token,
            str(session.session_key),
            guest.nickname,
            "pl@nted-db-word",
            "db.planted.example",
        ),
        *("192.168.77.3", "fe80::1234:5678:9abc:def0", "planted-redis-word", "planted-mail-word"),
        *SECRETS.values(),
    ]


def written(folder: Path) -> str:
    file = folder / "report.txt"
    call_command("report", str(file), stdout=StringIO())
    return file.read_text()


def test_a_report_has_log_doctor_and_versions_and_none_of_what_was_planted(keeping: Path) -> None:
    private = planted()
    for word in private:
        logging.getLogger("games.planted").error("a fault with %s at /j/abcdef/%s/", word, "planted-link-token")
        try:
            raise ValueError(f"duplicate key (name)=({word})")
        except ValueError:
            logging.getLogger("games.planted").exception("it failed: %s", word)
    logs.log_event(logging.getLogger("games.planted"), logging.WARNING, "bot", "stuck", table="abcdefgh", seat=2)
    text = written(keeping)
    found = [word for word in [*private, "planted-link-token", str(keeping)] if word.casefold() in text.casefold()]
    assert found == []
    for part in ("## Settings", "## The doctor's findings", "## The log of process 0", "Django", "builtins.ValueError"):
        assert part in text
    assert "component=bot event=stuck table=abcdefgh seat=2" in text
    assert "SECRET_KEY: set" in text and "a fault with …" in text


def test_a_planted_hole_is_found(keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above looks for would be there, if nobody took it out."""
    monkeypatch.setattr(private_words, "of_house", set)
    planted()
    logging.getLogger("games.planted").error("a fault with %s", NICKNAME)
    assert NICKNAME in written(keeping)


def test_while_the_database_is_away_the_texts_of_lines_are_left_out(
    keeping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> set[str]:
        raise DatabaseError("away")

    logging.getLogger("games.planted").error("a fault with %s", NICKNAME)
    monkeypatch.setattr(private_words, "of_house", away)
    text = report.make()
    assert NICKNAME not in text
    assert '"logger": "games.planted"' in text


def test_each_text_field_of_ours_is_private_or_harmless() -> None:
    ours = ("games", "auth", "account", "usersessions", "sessions", "admin")
    texts = {
        field.name
        for model in apps.get_models()
        if model._meta.app_label in ours
        for field in model._meta.concrete_fields
        if isinstance(field, (models.CharField, models.TextField, models.JSONField)) and not field.choices
    }
    assert texts - private_words.FIELDS - private_words.HARMLESS == set(), "private or not? say it in private_words.py"
    assert set() == private_words.FIELDS & private_words.HARMLESS


def test_a_word_is_left_out_whole_and_no_part_of_another_word() -> None:
    assert private_words.without("Ann met Anna, ANN and Hannah", ["Ann", "Anna"]) == "… met …, … and Hannah"


def test_a_full_disk_loses_lines_and_disturbs_nobody(keeping: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = next(each for each in logging.getLogger().handlers if isinstance(each, recent_lines._Handler))
    handler.baseFilename = "/dev/full"
    logging.getLogger("games.planted").error("no room")
    with contextlib.suppress(OSError):  # the end of the test, with the line that found no room
        handler.close()
    assert "Traceback" not in capsys.readouterr().err


def test_the_kept_lines_are_bounded(keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4000):
        logging.getLogger("games.planted").error("line %s %s", number, "x" * 400)
    files = list(keeping.glob(recent_lines.PATTERN))
    assert len(files) == 2
    assert sum(path.stat().st_size for path in files) <= 2 * recent_lines.BYTES
    (lines,) = recent_lines.lines()
    assert str(lines[-1]["message"]).startswith("line 3999 ")
    assert json.dumps(lines[0])


def test_an_existing_file_is_not_written_over(keeping: Path) -> None:
    (keeping / "report.txt").write_text("mine")
    with pytest.raises(CommandError, match="Name another file"):
        call_command("report", str(keeping / "report.txt"))
    assert (keeping / "report.txt").read_text() == "mine"


def test_superusers_download_the_report_in_the_admin(keeping: Path, client: Client, night: Night) -> None:
    users = get_user_model()
    client.force_login(users.objects.create_user("waiter", is_staff=True))
    assert client.post("/admin/doctor/", {"act": "report"}).status_code == 403
    client.force_login(users.objects.create_superuser("boss"))
    answer = client.post("/admin/doctor/", {"act": "report"})
    assert answer["Content-Disposition"].startswith('attachment; filename="stammtisch-report-')
    assert b"## Settings" in answer.content
    assert AuditEntry.objects.get(act="report_made").actor_name == "boss"
