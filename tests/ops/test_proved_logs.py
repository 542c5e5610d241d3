"""What proves the logs of a server that a test closes finds a fault in them, and asks no other database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection

from games.models import Table
from tests import database
from tests.server import DATABASE, Server


@pytest.mark.django_db(transaction=True)
def test_a_fault_in_the_logs_of_a_server_is_found(start_table: Callable[..., Table], tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a server's own command proves them there")
    table, server = start_table(), Server(tmp_path)
    database.keep(Path(connection.settings_dict["NAME"]), tmp_path / DATABASE)
    assert "1 tables checked, no fault" in server.proved_logs()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as line:
        line.execute(f"UPDATE {Table._meta.db_table} SET seq = seq + 1")
        line.commit()
    with pytest.raises(CommandError, match="1 of 1 tables have faults"):
        server.proved_logs()
    table.delete()
    with pytest.raises(CommandError, match="1 of 1 tables have faults"):
        server.proved_logs()
