"""A house of version 0.1.0 with a night in play: upgraded by the documented words, and back by the upgrade's backup.

`data/house-0.1.0.backup` was written by the last commit of 0.1.0 (`manage.py backup`): a night with a finished table of
Chicago, one in play, and one of backgammon in play.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.management.backups import archive
from games.version import version
from tests.server import DATABASE, ROOT, START_SECONDS, Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(300), pytest.mark.day(parts=17, turn=16)]
BACKUP = Path(__file__).parent / "data" / "house-0.1.0.backup"

# Everybody plays on at every table, by the services as the sockets do.
PLAY_ON = """
import json
from games import plugin
from games.models import Seat, Table
from games.services.tables import log
from games.services.commands import Actor, Request, new_command_id
from games.services.tables.commit import submit
def choices(table):
    table.refresh_from_db()
    rules, state = plugin.game(table.game_id).rules, log.state_of(table)
    return [c for seat in table.seats.all() for c in rules.choices(state, seat.index) if c.required]
for table in Table.objects.filter(status="playing", night__name="Thursday"):
    for _step in range(12):
        if not (found := choices(table)):
            break
        seat = Seat.objects.get(table=table, index=found[0].seat)
        command = Request(found[0].name, found[0].options[0], new_command_id(), found[0].opened_at)
        submit(table.pk, Actor(seat.player_id), command)
"""


@contextmanager
def played(house: Server) -> Iterator[str]:
    """Open a house by `play`, as the page says; yield what its health page tells."""
    log = (house.data / "play.log").open("w")
    command = [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", str(house.port)]
    process = subprocess.Popen(command, cwd=ROOT, env=house.environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 2 * START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{house.url}/healthz", timeout=2) as answer:
                    yield str(json.load(answer)["version"])
                    break
            except OSError:
                assert time.monotonic() < deadline and process.poll() is None, said(house)
                time.sleep(0.2)
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def said(house: Server) -> str:
    return (house.data / "play.log").read_text()


@pytest.fixture
def old_house(tmp_path: Path) -> Server:
    """The data folder of a house of 0.1.0."""
    house = Server(tmp_path)
    house.environment.pop("SECRET_KEY")
    house.environment |= {"BACKUP_FOLDER": "", "STAMMTISCH_DATA": str(tmp_path)}
    with tarfile.open(BACKUP) as tar:
        tar.extractall(tmp_path, filter="data")
    (tmp_path / "database.sqlite3").rename(tmp_path / DATABASE)
    return house


def rows_of(path: Path, columns: str, table: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()


def log_of(house: Server) -> list[Any]:
    return rows_of(house.data / DATABASE, "table_id, seq, command, events, dice", "games_logentry")


def tables_of(house: Server) -> dict[str, tuple[str, int]]:
    """Return status and last entry of the night's tables, by public id; the demo's are none of them."""
    rows = rows_of(house.data / DATABASE, "public_id, status, seq, night_id", "games_table")
    return {public_id: (status, seq) for public_id, status, seq, night_id in rows if night_id == 1}


def test_a_house_of_0_1_0_with_a_night_in_play_is_upgraded_and_comes_back_by_the_upgrades_backup(
    old_house: Server, tmp_path: Path
) -> None:
    key, log, tables = (tmp_path / archive.KEY).read_text(), log_of(old_house), tables_of(old_house)
    assert [status for status, _seq in tables.values()] == ["finished", "playing", "playing"]
    with played(old_house) as running:
        assert running == version()
        (kept,) = (tmp_path / "backups").iterdir()
        assert kept.name.startswith("before-upgrade-") and str(kept) in said(old_house)
        old_house.manage("shell", "-v", "0", "-c", PLAY_ON)
        after = tables_of(old_house)
        assert all(after[name][1] > seq for name, (status, seq) in tables.items() if status == "playing")
        assert log_of(old_house)[: len(log)] == log
        assert "no fault" in old_house.manage("check_logs")
    (tmp_path / archive.KEY).unlink()
    assert "no fault" in old_house.manage("restore", str(kept))
    assert (tmp_path / archive.KEY).read_text() == key
    assert (tables_of(old_house), log_of(old_house)) == (tables, log)
    with played(old_house):
        old_house.manage("shell", "-v", "0", "-c", PLAY_ON)
        assert "no fault" in old_house.manage("check_logs")
    assert len(list((tmp_path / "backups").glob("before-upgrade-*"))) == 1  # nothing was left to migrate
