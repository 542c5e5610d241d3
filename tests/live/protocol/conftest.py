"""Fixtures of the protocol's tests: a table with secrets and a person without a phone."""

from __future__ import annotations

import pytest

from games.models import Table
from games.services.commands import new_command_id
from games.services.hosting import kept_seats
from games.services.tables import setup


@pytest.fixture
def kept_table(open_table, host) -> Table:
    """A table with the host, a guest with a phone, and Kari without one, each with a die that they alone see."""
    found = open_table("dummygame", "hidden", seats=2)
    kept_seats.seat_person(found, host, "Kari")
    setup.start(found, host, new_command_id())
    found.refresh_from_db()
    return found
