"""Two server processes on PostgreSQL and Redis, and what may happen to each of them.

Full length: `python -m tests.faults.outages`, `python -m tests.faults.storm 100000`.
"""

import asyncio

import pytest

from tests.faults.kills import kill_often, show
from tests.faults.outages import clocks_killed, postgres_away, redis_away
from tests.faults.storm import storm

pytestmark = [pytest.mark.server, pytest.mark.scaled, pytest.mark.timeout(300)]


@pytest.mark.day(parts=17, turn=3)
def test_no_acknowledged_move_is_lost_when_one_of_two_servers_is_killed(federation):
    show(asyncio.run(kill_often(federation, 2, seed=7)))


@pytest.mark.day(parts=17, turn=3)
def test_deadlines_happen_whoever_runs_the_clock_is_killed(federation):
    show(asyncio.run(clocks_killed(federation, 2)))


@pytest.mark.day(parts=17, turn=3)
def test_postgresql_may_crash_and_come_back(federation, cellar):
    show(asyncio.run(postgres_away(federation, cellar, 1)))


@pytest.mark.day(parts=17, turn=8)
def test_play_goes_on_while_redis_is_away(federation, cellar):
    show(asyncio.run(redis_away(federation, cellar, 1)))


@pytest.mark.day(parts=17, turn=8)
def test_a_storm_of_commands_gives_the_log_of_a_serial_run(federation):
    figures = asyncio.run(storm(federation, 1600, 2, seed=8))
    show(figures)
    assert figures["accepted"] > 100
