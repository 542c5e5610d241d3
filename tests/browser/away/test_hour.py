"""A part of the hour without the house (hour.py): the house is killed and started, and nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests import seeds
from tests.browser.away.devices import ChromiumDevice, Device
from tests.browser.away.hour import Hour, Plan
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(900)]


@pytest.fixture
def devices(chrome: Browser) -> Iterator[list[Device]]:
    """The devices of a test, which are closed after it."""
    made: list[Device] = []
    yield made
    for one in made:
        one.close()


def test_evenings_that_go_on_without_the_house_equal_evenings_without_a_break(
    chrome: Browser, server: Server, devices: list[Device]
) -> None:
    def device(name: str) -> Device:
        devices.append(ChromiumDevice(chrome, server.url, name))
        return devices[-1]

    figures = Hour(server, device, seeds.first_seed(), Plan(entries=24, kills=3, mats=8)).play()
    assert figures.told == 24
    assert figures.kills >= 3
