"""Backups that the house makes by itself: kept for seven days and four weeks, and never lost by a fault."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations import Migration

from games.management import preparation
from games.management.backups import archive, encryption, schedule, sqlite
from games.ops import environment
from games.ops.doctor import backups, checks, network
from games.server import background
from games.services import tasks
from tests.ops.test_backup import fill_many, spoil

pytestmark = pytest.mark.django_db
FIRST = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
"""A Monday."""


@pytest.fixture
def house(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A house's data folder with a database of its own for backups, and its backups' folder."""
    if connection.vendor != "sqlite":
        pytest.skip("the copy of SQLite")
    settings.DATA_DIR, settings.BACKUP_FOLDER, settings.BACKUP_KEY = tmp_path, tmp_path / "backups", ""
    path = tmp_path / "stammtisch.sqlite3"
    settings.DATABASES["default"]["NAME"], kept = str(path), settings.DATABASES["default"]["NAME"]
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (word)")
    database.close()
    monkeypatch.setattr(archive.connections, "close_all", lambda: None)
    yield tmp_path
    settings.DATABASES["default"]["NAME"] = kept


def days(folder: Path) -> list[date]:
    """Return the days of the nightly backups in a folder."""
    return sorted(day for _name, day in schedule._dates(folder, schedule._DAILY))


def week(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def run_clock(now: datetime, until: datetime, act: Callable[[datetime], None] = lambda _now: None) -> None:
    """Let a false clock go on by the hour, and do what is due of the backups, as a server's clock does."""
    task = background.TASKS[0]
    while now < until:
        act(now)
        if tasks._claim(task, now):
            due = Runner(now)
            tasks.run(tasks.Task(task.name, "", "", due, task.daily), now)
        now += timedelta(hours=1)


class Runner:
    """The backup of the night, at a time of the false clock."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> str:
        """Make it."""
        try:
            return schedule.make(self.now).name
        except CommandError as error:
            raise tasks.TaskFailed(str(error)) from None


def test_over_forty_days_seven_days_and_four_weeks_are_kept(house: Path) -> None:
    folder = house / "backups"
    made: list[date] = []
    for number in range(40):
        begin = FIRST + timedelta(days=number)
        run_clock(begin, begin + timedelta(days=1))
        made.append((begin + timedelta(days=1)).date())  # at 4:00 of the next day
        found = days(folder)
        newest = made[-1]
        sundays = [week(newest) - timedelta(days=7 * n + 1) for n in range(schedule.KEEP_WEEKS)]
        assert found == sorted({*made[-schedule.KEEP_DAYS :], *(day for day in sundays if day in made)}), newest
    assert len(found) <= schedule.KEEP_DAYS + schedule.KEEP_WEEKS
    assert [path.name[17:23] for path in sorted(folder.glob("*.backup"))] == ["040000"] * len(found)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert tasks.row("backup").result == f"house-{made[-1]}-040000.backup"


def test_a_house_that_was_off_for_a_month_loses_no_backup(house: Path) -> None:
    fridays = [FIRST + timedelta(days=7 * n + 4) for n in range(9)]
    for now in fridays:
        schedule.make(now)
    assert days(house / "backups") == [now.date() for now in fridays[-7:]]
    schedule.make(fridays[-1] + timedelta(days=60))
    assert days(house / "backups") == [now.date() for now in fridays[-6:]] + [date(2027, 3, 2)]


def test_of_a_day_the_last_one_stays_and_files_of_others_are_left_alone(house: Path) -> None:
    folder = house / "backups"
    folder.mkdir()
    (folder / "mine.backup").write_text("of the operator")
    for hours in (0, 5):
        schedule.make(FIRST + timedelta(hours=hours))
    names = ["house-2026-11-02-180000.backup", "house-2026-11-02-180000.backup.sha256", "mine.backup"]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_a_clock_of_1970_deletes_nothing_and_the_new_one_stays(house: Path) -> None:
    for number in range(12):
        schedule.make(FIRST + timedelta(days=number))
    before = days(house / "backups")
    made = schedule.make(datetime(1970, 1, 2, tzinfo=UTC))
    assert made.exists()
    assert set(before) <= set(days(house / "backups"))


# Faults: the last good ones stay, and the staff is told


def test_a_full_disk_keeps_the_earlier_ones_is_told_and_is_tried_again(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_clock(FIRST, FIRST + timedelta(days=1))
    good = [path.read_bytes() for path in (house / "backups").iterdir()]
    pack = archive._packed

    def full(*_args: Any) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(archive, "_packed", full)
    run_clock(FIRST + timedelta(days=1), FIRST + timedelta(days=1, hours=20))
    assert [path.read_bytes() for path in (house / "backups").iterdir()] == good
    (finding,) = backups.last_one()
    assert finding.state == "wrong" and "make room" in finding.text
    monkeypatch.setattr(archive, "_packed", pack)
    run_clock(FIRST + timedelta(days=1, hours=20), FIRST + timedelta(days=1, hours=22))
    assert len(days(house / "backups")) == 2
    assert next(backups.last_one()).state != "wrong"


def test_a_folder_that_vanished_is_told_and_not_made_anew_on_another_disk(house: Path, settings: Any) -> None:
    settings.BACKUP_FOLDER = stick = house / "stick"
    stick.mkdir()
    run_clock(FIRST, FIRST + timedelta(days=1))
    stick.rename(house / "away")
    found = [finding for check in checks.CHECKS if check not in network.CHECKS for finding in check()]
    (finding,) = [each for each in found if str(stick) in each.text]
    assert finding.state == "wrong" and "no backup will be made" in finding.text
    run_clock(FIRST + timedelta(days=1), FIRST + timedelta(days=2))
    assert not stick.exists()
    assert "is its disk connected?" in tasks.row("backup").result
    (house / "away").rename(stick)
    run_clock(FIRST + timedelta(days=2), FIRST + timedelta(days=2, hours=2))
    assert len(days(stick)) == 2


def test_of_a_broken_database_there_is_no_backup_and_the_last_good_one_stays(house: Path) -> None:
    fill_many(house / "stammtisch.sqlite3")
    run_clock(FIRST, FIRST + timedelta(days=1))
    (good,) = (house / "backups").glob("*.backup")
    content = good.read_bytes()
    spoil(house / "stammtisch.sqlite3")
    for number in range(1, 20):
        evening = FIRST + timedelta(days=number, hours=17)
        run_clock(evening, evening + timedelta(hours=1))
    assert [path.name for path in (house / "backups").glob("*.backup")] == [good.name]
    assert good.read_bytes() == content
    assert "is broken" in tasks.row("backup").result
    archive.read(good)
    assert sqlite.fault(house / "stammtisch.sqlite3") == ""


def test_a_backup_whose_process_ends_leaves_nothing_half(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._stop, "is_set", lambda: True)
    with pytest.raises(tasks.TaskEnded):
        schedule.make(FIRST)
    assert list((house / "backups").iterdir()) == []


def test_what_a_killed_process_has_left_goes_after_a_day(house: Path) -> None:
    left = [house / "backups" / f"{archive.UNFINISHED}{name}" for name in ("old", "new")]
    for each in left:
        each.mkdir(parents=True)
    os.utime(left[0], (0, 0))
    schedule.make(FIRST)
    assert [each.exists() for each in left] == [False, True]


# Encryption


@pytest.fixture
def key(settings: Any) -> str:
    return "five words that nobody guesses"


def test_an_encrypted_backup_holds_nothing_that_can_be_read_and_comes_back_with_its_key(
    house: Path, settings: Any, key: str
) -> None:
    fill_many(house / "stammtisch.sqlite3")
    (house / "secret_key").write_text("k" * 67)
    settings.BACKUP_KEY = key
    made = schedule.make(FIRST)
    assert encryption.is_encrypted(made)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert archive.about(made).keys() == {"version", "made_at"}
    before = (house / "stammtisch.sqlite3").read_bytes()
    (house / "secret_key").write_text("another")
    archive.read(made)
    assert (house / "secret_key").read_text() == "k" * 67
    assert (house / "stammtisch.sqlite3").read_bytes()[100:] == before[100:]


@pytest.mark.parametrize("wrong", ["", "another key of some length"])
def test_an_encrypted_backup_is_refused_without_its_key(house: Path, settings: Any, key: str, wrong: str) -> None:
    settings.BACKUP_KEY = key
    made = schedule.make(FIRST)
    settings.BACKUP_KEY = wrong
    files = {path.name for path in house.iterdir()}
    with pytest.raises(CommandError, match="BACKUP_KEY"):
        archive.read(made)
    assert {path.name for path in house.iterdir()} == files


@pytest.mark.parametrize("at", [0, 40, 62, 200, -1])
def test_an_encrypted_backup_with_one_other_byte_or_cut_short_is_refused(
    house: Path, settings: Any, key: str, at: int
) -> None:
    settings.BACKUP_KEY = key
    made = schedule.make(FIRST)
    whole = bytearray(made.read_bytes())
    changed, cut = bytearray(whole), whole[: max(len(encryption.MAGIC), at)]
    changed[at] ^= 1
    for content in (changed, cut):
        made.write_bytes(content)
        with pytest.raises(CommandError, match=r"damaged|is no backup"):
            archive.read(made)


def test_a_short_key_is_refused_at_the_start() -> None:
    assert environment.backup_key("") == ""
    with pytest.raises(environment.Unusable, match="at least 16"):
        environment.backup_key("secret")


# Before an upgrade


def test_before_the_first_migration_of_a_house_with_nights_there_is_a_backup_and_two_are_kept(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "_has_nights", lambda: True)
    made = [schedule.before_upgrade(FIRST + timedelta(days=n)) for n in range(3)]
    schedule.make(FIRST)
    names = sorted(path.name for path in (house / "backups").glob("*.backup"))
    assert names == [made[1].name, made[2].name, "house-2026-11-02-130000.backup"]  # type: ignore[union-attr]


def test_a_house_without_nights_and_one_without_backups_make_none_before_an_upgrade(
    house: Path, settings: Any, request: Any
) -> None:
    assert schedule.before_upgrade() is None
    request.getfixturevalue("night")
    assert schedule._has_nights()
    settings.BACKUP_FOLDER = None
    assert schedule.before_upgrade() is None


def test_an_upgrade_does_not_begin_without_its_backup(
    house: Path, night: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_FOLDER = house / "gone"
    monkeypatch.setattr(preparation, "_missing_steps", lambda: [Migration("0099_planted", "games")])
    monkeypatch.setattr(preparation.catalogs, "is_compiled", lambda: True)
    migrated: list[str] = []
    monkeypatch.setattr(preparation, "call_command", lambda name, **_options: migrated.append(name))
    with pytest.raises(CommandError, match=r"no folder .*gone.*BACKUP_FOLDER=off"):
        preparation.prepare(lambda _text: None)
    assert migrated == []
    (house / "gone").mkdir()
    said: list[str] = []
    preparation.prepare(said.append)
    assert "migrate" in migrated and any("before-upgrade-" in text for text in said)


# The command goes on as it did


def test_the_command_makes_encrypted_backups_too(house: Path, settings: Any, key: str) -> None:
    settings.BACKUP_KEY = key
    call_command("backup", str(house / "one.backup"))
    assert encryption.is_encrypted(house / "one.backup")
