"""Data folders that share one PostgreSQL, and secrets from files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from django.utils import timezone

from games.management.commands import serve
from games.models import DataFolder, LogFile, Table
from games.ops import environment
from games.ops.doctor import sharing
from games.services.clock import housekeeping
from games.services.logs import data_folders

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Go to the data folder of a name; return its id. The database is one that folders can share."""
    if connection.vendor != "postgresql":
        monkeypatch.setattr(data_folders, "is_shared", lambda: True)
        monkeypatch.setattr(data_folders, "_lock", lambda: None)
    settings.IS_SECRET_KEY_SET = True

    def go(name: str) -> str:
        settings.DATA_DIR = tmp_path / name
        settings.DATA_DIR.mkdir(exist_ok=True)
        return data_folders.own_id()

    return go


def test_a_folder_has_one_id_for_good_and_a_broken_one_is_made_anew(
    at: Callable[[str], str], settings: Any, tmp_path: Path
) -> None:
    assert at("one") == at("one") != at("two")
    (tmp_path / "one" / data_folders.FILE).write_bytes(b"\0" * 32)
    assert len(at("one").strip("\0")) == 32


def test_a_second_data_folder_is_refused_unless_compressing_is_off(at: Callable[[str], str], settings: Any) -> None:
    first = at("first")
    serve._register_folder()
    serve._register_folder()
    at("second")
    for days in (180, 0):
        settings.COMPRESS_LOGS_DAYS = days
        with pytest.raises(CommandError, match=r"COMPRESS_LOGS_DAYS=0 for all.* prepare --only-folder"):
            serve._register_folder()
    assert [each.pk for each in DataFolder.objects.all()] == [first], "a refusal writes nothing"
    at("first")
    serve._register_folder()
    at("second")
    serve._register_folder()
    settings.COMPRESS_LOGS_DAYS = 180
    with pytest.raises(CommandError):
        serve._register_folder()
    assert DataFolder.objects.count() == 2
    (finding,) = sharing.folders()
    assert (finding.state, "1 other" in finding.text) == ("look", True)


def test_a_second_data_folder_without_a_secret_key_is_refused(at: Callable[[str], str], settings: Any) -> None:
    settings.IS_SECRET_KEY_SET, settings.COMPRESS_LOGS_DAYS = False, 0
    at("first")
    serve._register_folder()
    serve._register_folder()
    at("second")
    with pytest.raises(CommandError, match="SECRET_KEY is not set"):
        serve._register_folder()


def long_ago(folder_id: str) -> None:
    DataFolder.objects.filter(pk=folder_id).update(seen_at=timezone.now() - timedelta(hours=2))


def test_a_folder_that_is_gone_gives_way_to_one_that_has_all_files(
    at: Callable[[str], str], settings: Any, start_table: Callable[..., Table]
) -> None:
    table = start_table("dummygame", "endless", seats=2)
    first = at("first")
    data_folders.register()
    second = at("second")
    long_ago(first)
    LogFile.objects.create(table=table, name="abc-0123.jsonl.gz")
    with pytest.raises(data_folders.Split):
        data_folders.register()
    assert next(sharing.folders()).state == "wrong"
    (settings.DATA_DIR / "logs").mkdir()
    (settings.DATA_DIR / "logs" / "abc-0123.jsonl.gz").touch()
    data_folders.register()
    assert DataFolder.objects.get(writes_logs=True).pk == second
    at("first")
    with pytest.raises(data_folders.Split):
        data_folders.register()
    call_command("prepare", "--only-folder", stdout=StringIO(), stderr=(told := StringIO()))
    assert "1 old logs were in another data folder" in told.getvalue()
    data_folders.register()
    assert [each.pk for each in DataFolder.objects.all()] == [first]


def test_a_clock_that_was_set_back_keeps_no_folder_for_ever(at: Callable[[str], str]) -> None:
    first = at("first")
    data_folders.register()
    DataFolder.objects.filter(pk=first).update(seen_at=timezone.now() + timedelta(days=400))
    at("second")
    data_folders.register()


@pytest.mark.django_db(transaction=True)
def test_two_first_starts_at_once_with_a_folder_each_leave_one_that_writes_logs(
    at: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("folder")
    monkeypatch.setattr(data_folders, "own_id", lambda: f"{threading.get_ident():032x}")
    gate = threading.Barrier(2)

    def start() -> bool:
        try:
            gate.wait()
            data_folders.register()
        except data_folders.Split:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(each.result() for each in [pool.submit(start) for _ in range(2)]) == [False, True]
    assert DataFolder.objects.filter(writes_logs=True).count() == DataFolder.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        DataFolder.objects.create(pk="f" * 32, seen_at=timezone.now(), writes_logs=True)


def test_housekeeping_moves_no_logs_to_a_second_folder(at: Callable[[str], str], monkeypatch: Any) -> None:
    moved: list[object] = []
    monkeypatch.setattr(housekeeping.log_files, "compress_old", lambda now: moved.append(now) or 1)
    at("first")
    data_folders.register()
    assert housekeeping._logs(timezone.now()) == 1
    at("second")
    assert housekeeping._logs(timezone.now()) == 0
    assert len(moved) == 1


def test_a_house_on_sqlite_has_its_database_in_the_folder_and_needs_no_ids(settings: Any, tmp_path: Path) -> None:
    if connection.vendor == "sqlite":
        settings.DATA_DIR = tmp_path
        data_folders.register()
        assert not DataFolder.objects.exists()
        assert list(tmp_path.iterdir()) == []


def test_a_secret_of_a_file_counts_and_a_missing_one_is_refused(tmp_path: Path) -> None:
    (file := tmp_path / "secret").write_text("from a file\n")
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "EMAIL_URL", "METRICS_TOKEN"):
        assert getattr(environment.read({f"{name}_FILE": str(file)}), name.lower()) == "from a file"
        assert getattr(environment.read({name: "given", f"{name}_FILE": ""}), name.lower()) == "given"
    with pytest.raises(environment.Unusable, match="both set"):
        environment.read({"SECRET_KEY": "given", "SECRET_KEY_FILE": str(file)})
    for content, why in (
        (b"", "empty"),
        (b" \n", "empty"),
        (b"a\0b", "no line of text"),
        (b"\xff\xfe", "can't be read"),
    ):
        file.write_bytes(content)
        with pytest.raises(environment.Unusable, match=why):
            environment.read({"SECRET_KEY_FILE": str(file)})


def test_what_is_no_secret_comes_from_no_file(tmp_path: Path) -> None:
    (file := tmp_path / "port").write_text("9000")
    assert environment.read({"PORT_FILE": str(file)}).port == 8000
