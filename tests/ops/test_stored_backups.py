"""Stored backups are looked at again: nightly by size and checksum, weekly whole, and by hand."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games.management.backups import archive, checksums, proof, schedule, stored
from games.models import StoredBackup
from games.ops import files
from games.ops.doctor import backups
from games.services import tasks
from games.services.storage import stored_backups
from tests.faults.houses import databases
from tests.ops.test_backup_schedule import FIRST, house
from tests.server import Server

pytestmark = pytest.mark.django_db
__all__ = ["house"]


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the backups that are proved, each found whole: a proof starts a house of its own."""
    found: list[str] = []

    def whole(path: Path, _going_on: Any = None) -> str:
        found.append(path.name)
        return ""

    monkeypatch.setattr(proof, "fault", whole)
    return found


def make(days: int = 0) -> Path:
    """Write the backup of a night."""
    return schedule.make(FIRST + timedelta(days=days))


def states() -> list[str]:
    return [each.state for each in backups.stored_ones()]


# Written with its checksum


def test_each_stored_backup_has_its_checksum_beside_it_and_in_the_database(house: Path) -> None:
    made = make()
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    subprocess.run(["sha256sum", "--check", "--strict", f"{made.name}.sha256"], cwd=made.parent, check=True)
    row = StoredBackup.objects.get()
    assert (row.name, row.size, row.sha256) == (made.name, made.stat().st_size, digest)
    assert checksums.file_of(made).stat().st_mode & 0o077 == 0


def test_what_is_thrown_away_leaves_no_checksum(house: Path) -> None:
    made = [make(days) for days in range(9)]
    names = {path.name for path in made[0].parent.iterdir()}
    assert f"{made[-1].name}.sha256" in names
    assert {name.removesuffix(".sha256") for name in names} == set(stored_backups.noted())
    assert len(names) == 2 * len(stored_backups.noted()) < 18


# Looked at


def _replaced(path: Path) -> None:
    content = b"another" * (path.stat().st_size // 7 + 1)
    path.write_bytes(content[: path.stat().st_size])
    checksums.file_of(path).write_text(f"{checksums.digest(path)}  {path.name}\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "cut to 30 kB": lambda path: path.write_bytes(path.read_bytes()[:300]),
    "emptied": lambda path: path.write_bytes(b""),
    "one byte": lambda path: path.write_bytes(path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1])),
    "another file with a checksum of its own": _replaced,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_backup_that_is_not_what_was_written_is_wrong_for_doctor_night_and_staff(
    house: Path, proofs: list[str], admin_client: Client, change: str
) -> None:
    make()
    made = make(1)
    assert states() == ["good"]
    CHANGES[change](made)
    (finding,) = backups.stored_ones()
    assert finding.state == "wrong" and made.name in finding.text and finding.remedy
    with pytest.raises(tasks.TaskFailed, match=made.name):
        stored.run()
    assert stored_backups.damaged() == {made.name}
    task = tasks.Task(stored.NAME, "", "", stored.run, stored.HOUR)
    assert not tasks.run(task)
    assert made.name in admin_client.get(reverse("admin:index")).content.decode()
    made.unlink()
    assert stored.run().startswith("1 looked at")
    assert states() == ["good"]


def test_the_checksum_beside_it_tells_what_the_database_has_forgotten(house: Path, proofs: list[str]) -> None:
    made = make()
    row = StoredBackup.objects.get()
    StoredBackup.objects.all().delete()
    stored.run()
    assert StoredBackup.objects.get().sha256 == row.sha256
    StoredBackup.objects.all().delete()
    made.write_bytes(made.read_bytes() + b"x")
    with pytest.raises(tasks.TaskFailed, match="checksum"):
        stored.run()


def test_a_backup_that_cannot_be_read_is_told_and_a_folder_that_is_away_makes_none_forgotten(
    house: Path, settings: Any, proofs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make()

    def refuse(_path: Path) -> str:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(checksums, "digest", refuse)
        with pytest.raises(tasks.TaskFailed, match="can't be read: Input/output error"):
            stored.run()
    settings.BACKUP_FOLDER = house / "stick"
    with pytest.raises(tasks.TaskFailed, match="is its disk connected"):
        stored.run()
    assert set(stored_backups.noted()) == {made.name}


def test_a_damaged_one_takes_no_good_ones_place_and_goes_when_it_is_older(house: Path) -> None:
    made = [make(days) for days in range(8)]
    stored_backups.note_faults({made[7].name: "It is damaged."})
    make(8)
    there = {path.name for path in made[0].parent.glob("*.backup")}
    # Seven good days, the one damaged besides.
    assert made[7].name in there and made[1].name in there
    for days in range(9, 60):
        make(days)
    assert not made[7].exists()


def test_only_so_much_is_read_while_somebody_waits(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make(), make(1)
    os.utime(first, (1, 1))
    read: list[str] = []
    monkeypatch.setattr(
        checksums, "digest", lambda path: read.append(path.name) or stored_backups.noted()[path.name].sha256
    )
    stored.look(stored_backups.noted(), 1)
    assert read == [second.name]
    stored_backups.note_faults({first.name: "It was damaged last night."})
    assert stored.look(stored_backups.noted(), 1)[first.name] == "It was damaged last night."
    first.write_bytes(b"short")
    assert "bytes" in stored.look(stored_backups.noted(), 1)[first.name]


# Proved whole


def test_each_week_the_newest_is_proved_and_each_that_stays_once_a_week(house: Path, proofs: list[str]) -> None:
    made = [make(days) for days in range(3)]
    for number, path in enumerate(made):
        os.utime(path, (1_000 + number,) * 2)
    now = datetime.now(UTC)
    StoredBackup.objects.update(made_at=now)
    stored.run()
    assert proofs == [made[2].name]
    stored.run()
    assert proofs == [made[2].name]  # one a week is enough while none is a week old
    StoredBackup.objects.update(made_at=now - timedelta(days=8))
    stored.run()
    assert sorted(proofs[1:]) == [made[0].name, made[1].name]
    StoredBackup.objects.update(proved_at=now - timedelta(days=8))
    stored.run()
    assert len(proofs) == 3 + stored.PROOFS


def test_a_proof_that_fails_is_told_until_one_succeeds_and_is_tried_again_after_a_day(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make()
    tried: list[str] = []

    def faulty(path: Path, _going_on: Any = None) -> str:
        tried.append(path.name)
        return "3 of 9 tables have faults."

    monkeypatch.setattr(proof, "fault", faulty)
    for _hour in range(3):
        with pytest.raises(tasks.TaskFailed, match=f"{made.name} can't be restored: 3 of 9 tables have faults"):
            stored.run()
    assert tried == [made.name]
    assert states() == ["wrong"]
    made.rename(made.with_suffix(".away"))
    assert states() == []
    made.with_suffix(".away").rename(made)
    StoredBackup.objects.update(proved_at=datetime.now(UTC) - timedelta(days=2))
    monkeypatch.setattr(proof, "fault", lambda *_args: "")
    assert stored.run() == "1 looked at, 1 restored as a test"
    assert states() == ["good"]


def test_backups_of_earlier_versions_get_a_checksum_once_they_were_proved(house: Path, proofs: list[str]) -> None:
    made = [make(days) for days in range(3)]
    StoredBackup.objects.all().delete()
    for path in made:
        checksums.file_of(path).unlink()
    stored.run()
    assert len(proofs) == stored.PROOFS == len(stored_backups.noted())
    stored.run()
    assert sorted(proofs) == [path.name for path in made]
    assert all(checksums.told_by_file(path) for path in made)


def test_a_house_that_closes_leaves_the_proof(house: Path, proofs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    monkeypatch.setattr(tasks._stop, "is_set", lambda: True)
    with pytest.raises(tasks.TaskEnded):
        stored.run()
    assert proofs == []


# By hand: a house of its own, in truth


@pytest.fixture
def saved(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a whole house."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "house").mkdir()
    server = Server(folder / "house")
    server.migrate()
    server.manage("backup", str(folder / "one.backup"))
    return folder / "one.backup"


@pytest.mark.server
def test_check_backup_proves_one_whole_and_touches_nothing(saved: Path, house: Path, settings: Any) -> None:
    def content() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in house.iterdir() if path.is_file()}

    before, said = content(), io.StringIO()
    call_command("check_backup", str(saved), stdout=said)
    assert "is whole, of version" in said.getvalue()
    whole = saved.read_bytes()
    for damaged in (whole[:3000], whole[: len(whole) // 2], b"", b"no archive", gzip.compress(b"no archive")):
        saved.write_bytes(damaged)
        with pytest.raises(CommandError, match=r"is no backup|is empty|holds no database"):
            call_command("check_backup", str(saved))
    saved.write_bytes(whole)
    checksums.file_of(saved).write_text(f"{'0' * 64}  {saved.name}\n")
    with pytest.raises(CommandError, match="checksum"):
        call_command("check_backup", str(saved))
    with pytest.raises(CommandError, match="no file"):
        call_command("check_backup", str(saved.parent / "nothing"))
    assert content() == before
    assert [path.name for path in house.iterdir() if path.name.startswith(archive.UNPACKED)] == []


@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.day(parts=17, turn=3)
def test_a_dump_of_postgresql_is_proved_without_its_database(tmp_path: Path) -> None:
    with databases.fresh("pg_dump", "pg_restore", "psql") as made:
        server = Server(tmp_path, DATABASE_URL=made.url)
        server.migrate()
        server.manage("backup", str(tmp_path / "one.backup"))
        made.sql("ALTER TABLE django_migrations RENAME TO away")
        assert "is whole" in server.manage("check_backup", str(tmp_path / "one.backup"))
        whole = (tmp_path / "one.backup").read_bytes()
        (tmp_path / "one.backup").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(AssertionError, match="is no backup"):
            server.manage("check_backup", str(tmp_path / "one.backup"))
        assert made.sql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(before|incoming)_'") == [(0,)]


def test_a_proof_that_is_left_ends_its_process(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make()
    started: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def noted(_command: Any, **options: Any) -> Any:
        started.append(popen(["sleep", "600"], **options))
        return started[-1]

    monkeypatch.setattr(proof.subprocess, "Popen", noted)

    def leave() -> None:
        raise tasks.TaskEnded

    with pytest.raises(tasks.TaskEnded):
        proof.fault(made, leave)
    assert started[0].poll() is not None
    assert list(house.glob(f"{archive.UNPACKED}*")) == []


# The disk of the backups


def test_backups_on_the_disk_of_the_house_are_named_as_such_by_doctor_and_admin(
    house: Path, settings: Any, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make()
    (finding,) = backups.disk()
    assert finding.state == "look" and "same disk" in finding.text and "10 euros" in finding.remedy
    page = admin_client.get(reverse("admin:index")).content.decode()
    assert "same disk as the house" in page
    monkeypatch.setattr(schedule, "disk_of", lambda path: "stick" if path == settings.BACKUP_FOLDER else "disk")
    assert list(backups.disk()) == []
    assert "same disk" not in admin_client.get(reverse("admin:index")).content.decode()
    settings.BACKUP_FOLDER = None
    assert list(backups.disk()) == []


def test_partitions_of_one_disk_are_one_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sys_block = {1: tmp_path / "disk" / "part1", 2: tmp_path / "disk" / "part2", 3: tmp_path / "stick"}
    for place in sys_block.values():
        place.mkdir(parents=True)
    for number in (1, 2):
        (sys_block[number] / "partition").touch()

    class Found:
        def __init__(self, text: str) -> None:
            self.number = int(text.rpartition(":")[2])

        def resolve(self, *, strict: bool) -> Path:
            assert strict
            return sys_block[self.number]

    class On:
        def __init__(self, number: int) -> None:
            self.number = number

        def stat(self) -> Any:
            return type("Stat", (), {"st_dev": os.makedev(8, self.number)})

    monkeypatch.setattr(files, "Path", Found)
    disks = [files.disk_of(On(number)) for number in (1, 2, 3)]  # type: ignore[arg-type]
    assert disks[0] == disks[1] != disks[2]
