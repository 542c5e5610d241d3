"""kill -9 of the server under load (`python -m tests.faults.kills 200` for all of it)."""

import asyncio

import pytest

from tests.faults.kills import kill_often, show

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]


def test_no_acknowledged_move_is_lost_or_doubled_when_the_server_is_killed(laptop):
    show(asyncio.run(kill_often(laptop, 4, seed=1)))
