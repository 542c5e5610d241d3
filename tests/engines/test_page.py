"""A page whose driver has ended says why, whatever is done with it after that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.engines.engines import Engine
from tests.engines.page import EngineError
from tests.engines.people import at_their_screens


def test_a_failed_evening_says_why_a_driver_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINES", str(tmp_path))
    engine = Engine("nowhere", "no browser", "nowhere", "none", {})
    engine.python.parent.mkdir(parents=True)
    engine.python.symlink_to(sys.executable)
    with (
        pytest.raises(EngineError, match=r"No module named .*nowhere"),
        at_their_screens(engine, "http://127.0.0.1/", Hanna=(390, 844)) as [host],
    ):
        host.page.version()
