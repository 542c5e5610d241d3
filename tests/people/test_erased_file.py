"""What was deleted is gone from the file of the database, its WAL and its index of the WAL, within a day."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import connection

from games.models import LogEntry, Night, Player, Table
from games.server import background
from games.services import server_time, tasks
from games.services.chat import chat
from games.services.commands import new_command_id
from games.services.history import corrections
from games.services.nights import membership
from games.services.people import deletion, erasure, players
from games.services.tables import setup
from tests.tables.test_log import play_out

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="is about the file of SQLite"),
]
NAME, OLD, ACCOUNT, MAIL, REASON = "Quirinus Äpfel", "Quirin-Früher", "quirin77", "quirin@apples.example", "My Riesling"


@pytest.fixture(autouse=True)
def _never_erased() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA user_version = 0")


@pytest.fixture
def leaver(night: Night, host: Player, django_user_model: type[User], request: pytest.FixtureRequest) -> Player:
    """Somebody who has played, talked, corrected and changed their name, with an account."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA secure_delete = {getattr(request, 'param', 'ON')}")
    player = players.new_guest(OLD)
    user = django_user_model.objects.create_user(ACCOUNT, MAIL)
    EmailAddress.objects.create(user=user, email=MAIL, primary=True)
    player.user = user
    player.save()
    membership.join(night, player)
    players.rename(player, NAME)
    table = setup.open_table(night, host, "dummygame", "quick", {})
    for each in (host, player, players.new_guest("Uli")):
        membership.join(night, each)
        setup.sit(table, each, accept=True)
    setup.start(table, host, new_command_id())
    table = play_out(Table.objects.get(pk=table.pk))
    for number in range(40):
        chat.say(table.pk, player.pk, f"{NAME} says {number}.")
    corrections.correct(table.results.get(), player, {1: 1, 2: -1}, REASON)
    return player


def traces() -> list[str]:
    """Return the words of the leaver that the files of the database hold, in any spelling in which they are stored."""
    path = str(connection.settings_dict["NAME"])
    held = b"".join(Path(path + end).read_bytes() for end in ("", "-wal", "-shm") if Path(path + end).exists())
    words = [word for text in (NAME, OLD, ACCOUNT, MAIL, REASON) for word in {text, json.dumps(text)[1:-1]}]
    return [word for word in words if word.encode().lower() in held.lower()]


@pytest.mark.parametrize("leaver", ["ON", "OFF"], indirect=True, ids=["this version", "written by one before"])
def test_nothing_of_a_deleted_person_is_left_in_the_files_of_the_database(
    leaver: Player, request: pytest.FixtureRequest
) -> None:
    assert len(traces()) >= 5
    deletion.delete(leaver)
    assert erasure.run_as_task() == ""
    assert traces() != [], "somebody plays: the file is as it was"
    erasure._empty_wal()
    assert (traces() != []) == ("before" in request.node.name)
    earlier = server_time.now() - erasure.QUIET
    LogEntry.objects.update(created_at=earlier)
    Player.objects.filter(pk=leaver.pk).update(deleted_at=earlier)
    assert erasure.run_as_task() == "people=1"
    assert traces() == []
    assert erasure.run_as_task() == "", "there is nothing more to erase"


def test_it_waits_for_play_no_longer_than_a_day(leaver: Player) -> None:
    deletion.delete(leaver)
    Player.objects.filter(pk=leaver.pk).update(deleted_at=server_time.now() - erasure.LONGEST)
    assert erasure.run_as_task() == "people=1"
    assert traces() == []
    task = next(task for task in background.TASKS if task.run is erasure.run_as_task)
    assert task.every is not None and erasure.LONGEST + task.every < timedelta(days=1)


def test_another_programs_reading_puts_it_off_and_is_told(leaver: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(erasure, "_is_somebody_playing", lambda now: False)
    deletion.delete(leaver)
    with closing(sqlite3.connect(str(connection.settings_dict["NAME"]))) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM games_player").fetchone()
        with pytest.raises(tasks.TaskFailed, match="WAL"):
            erasure.run_as_task()
    assert erasure.run_as_task() == "people=1"
    assert traces() == []


def test_every_connection_overwrites_what_it_deletes() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_the_house_does_it_by_itself_on_sqlite_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    task = next(task for task in background.TASKS if task.run is erasure.run_as_task)
    assert task.is_on()
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert not task.is_on()
