"""The house tells systemd that it is open, that it lives and that it closes."""

from __future__ import annotations

import re
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.ops.system import service_manager
from tests.ops.test_serve import House
from tests.server import ROOT


@pytest.fixture
def manager() -> Iterator[tuple[socket.socket, str]]:
    """A socket such as systemd listens at; its name is short, as the system bounds it."""
    with tempfile.TemporaryDirectory(prefix="sd-") as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(place := f"{folder}/notify")
        line.settimeout(60)
        yield line, place


def test_without_a_manager_nothing_is_sent(settings: Any, tmp_path: Path) -> None:
    for place in ("", str(tmp_path / "nobody"), "@nobody-listens-here"):
        settings.NOTIFY_SOCKET = place
        service_manager.tell("READY=1")


def test_a_beat_is_sent_as_often_as_the_manager_wants_and_not_without_a_watchdog(
    settings: Any, manager: tuple[socket.socket, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line, settings.NOTIFY_SOCKET = manager
    monkeypatch.setattr(service_manager, "_beaten_at", float("-inf"))
    settings.WATCHDOG_USEC = 0
    service_manager.beat()
    settings.WATCHDOG_USEC = 3_600_000_000
    for _ in range(3):
        service_manager.beat()
    service_manager.tell("STOPPING=1")
    assert [line.recv(100), line.recv(100)] == [b"WATCHDOG=1", b"STOPPING=1"]


@pytest.mark.day(parts=17, turn=6)
@pytest.mark.server
def test_a_house_tells_systemd_that_it_is_open_lives_and_closes(
    tmp_path: Path, manager: tuple[socket.socket, str]
) -> None:
    line, place = manager
    house = House(tmp_path, NOTIFY_SOCKET=place, WATCHDOG_USEC="300000")
    try:
        told = [line.recv(100) for _ in range(4)]
    finally:
        code = house.end(signal.SIGTERM)
    told.append(line.recv(100))
    while told[-1] == b"WATCHDOG=1":
        told.append(line.recv(100))
    assert code == 0
    assert sorted(told[:2]) == [b"READY=1", b"WATCHDOG=1"]
    assert set(told[2:-1]) == {b"WATCHDOG=1"}
    assert told[-1] == b"STOPPING=1"


@pytest.mark.parametrize("unit", ["stammtisch.service", "stammtisch-user.service"])
def test_the_units_wait_for_the_house_and_watch_it(unit: str) -> None:
    found = dict(re.findall(r"^(\w+)=(.+)$", (ROOT / "deploy" / unit).read_text(), re.M))
    assert (found["Type"], found["Restart"]) == ("notify", "on-failure")
    assert int(found["WatchdogSec"]) >= 30
