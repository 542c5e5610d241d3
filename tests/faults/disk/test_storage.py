"""SQLite's disk is full, or its database locked for longer than the server waits."""

import asyncio

import pytest

from tests.faults.disk.storage import full_disk, locked, stands_still
from tests.faults.kills import show

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


@pytest.mark.day(parts=17, turn=15)
@pytest.mark.parametrize("trouble", [full_disk, locked])
def test_players_are_told_busy_and_nothing_is_lost(frail_laptop, trouble):
    figures = asyncio.run(stands_still(frail_laptop, trouble))
    show(figures)
    assert figures["acknowledged meanwhile"] == 0
