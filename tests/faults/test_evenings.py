"""Evenings in whose middle servers die, and people are merged and deleted (`python -m tests.faults.evenings 60`)."""

import asyncio

import pytest

from tests.faults.evenings import pass_by
from tests.faults.kills import show
from tests.seeds import first_seed

pytestmark = [pytest.mark.server, pytest.mark.long, pytest.mark.timeout(600)]


@pytest.mark.day(parts=17, turn=12)
def test_no_move_no_right_and_no_name_outlives_what_happens_on_an_evening(laptop):
    show(asyncio.run(pass_by(laptop, first_seed())))


@pytest.mark.scaled
@pytest.mark.day(parts=17, turn=1)
def test_no_move_no_right_and_no_name_outlives_it_where_there_are_two_servers(federation):
    show(asyncio.run(pass_by(federation, first_seed())))
