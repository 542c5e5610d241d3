"""A broken database is told when the house opens and when it closes, however it was closed before."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.management import preparation, soundness
from tests.ops.test_backup import fill_many, house, on_sqlite, spoil  # noqa: F401
from tests.ops.test_serve import House


@pytest.fixture(autouse=True)
def _not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soundness, "_sound_at", -soundness.AGAIN_SECONDS)


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize("opening", [preparation.check, lambda: preparation.prepare(print)], ids=["serve", "play"])
def test_a_broken_database_that_was_closed_in_good_order_is_not_opened(house: Path, opening) -> None:  # noqa: F811
    path = house / "stammtisch.sqlite3"
    fill_many(path)
    assert soundness.fault() == ""
    spoil(path)
    assert not Path(f"{path}-wal").exists()
    with pytest.raises(CommandError, match=r"The database is broken: .*restore the last backup"):
        opening()


@pytest.mark.usefixtures("on_sqlite")
def test_a_file_that_is_no_database_is_not_opened(house: Path) -> None:  # noqa: F811
    (house / "stammtisch.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(CommandError, match="not a database"):
        soundness.refuse_broken()


@pytest.mark.usefixtures("on_sqlite")
def test_a_large_database_delays_no_start_and_a_locked_one_is_not_called_broken(
    house: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = house / "stammtisch.sqlite3"
    fill_many(path)
    with sqlite3.connect(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(soundness, "SECONDS", 0.0)
        monkeypatch.setattr(soundness, "_INSTRUCTIONS", 1)
        assert soundness.fault() == ""
    spoil(path)
    assert soundness.fault() == "", "it was left before it came so far"


@pytest.mark.server
@pytest.mark.day(parts=17, turn=9)
def test_a_house_whose_database_broke_does_not_close_with_everything_is_kept(tmp_path: Path) -> None:
    open_house = House(tmp_path)
    open_house.wait_until(open_house.is_ready)
    spoil(tmp_path / "stammtisch.sqlite3")
    assert open_house.end(signal.SIGTERM) == 1
    assert "is kept" not in open_house.printed()
    assert "The database is broken" in open_house.printed()
