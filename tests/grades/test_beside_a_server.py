"""`serve` with an engine: its analyser is started again when it is killed, and does not outlive a killed house."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from chouette.analysis import house
from games.management.processes.analyser_process import COMMAND
from tests.conftest import require
from tests.ops.test_serve import PATIENCE, House
from tests.seeds import share_of_day

pytestmark = [pytest.mark.server, pytest.mark.timeout(240), pytest.mark.day(parts=17, turn=9)]


def analysers(of: House) -> set[int]:
    """Return the processes of the house's analyser."""
    wanted = " ".join(COMMAND[1:])
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            data = (folder / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if wanted in line and f"STAMMTISCH_DATA={of.data}\0" in data:
            found.add(int(folder.name))
    return found


def one(of: House, but: frozenset[int] = frozenset()) -> int:
    """Return the process of the only analyser, once there is one that is none of these."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := analysers(of) - but:
            (pid,) = found
            return pid
        time.sleep(0.1)
    raise AssertionError(of.printed())


@pytest.mark.parametrize("how", share_of_day([signal.SIGTERM, signal.SIGKILL], 2, every=17))
def test_the_analyser_is_started_again_and_never_outlives_its_house(tmp_path: Path, how: signal.Signals) -> None:
    require(Path("/proc/self/environ").exists(), "/proc")
    require(house.has_engine(), "an engine")
    served = House(tmp_path, ANALYSER="on")
    try:
        served.wait_until(served.is_ready)
        first = one(served)
        os.kill(first, signal.SIGKILL)
        one(served, frozenset({first}))
        assert len(analysers(served)) == 1
    finally:
        served.end(how)
    until = time.monotonic() + PATIENCE
    while analysers(served) and time.monotonic() < until:
        time.sleep(0.1)
    assert analysers(served) == set()
