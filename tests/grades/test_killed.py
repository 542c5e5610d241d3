"""`kill -9` of the analyser, at twenty points of its work: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]

POINTS = 20


def test_an_analyser_killed_at_any_of_twenty_points_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, DATABASE_URL="")
    server.migrate()
    points = share_of_day(range(POINTS), 4)
    act = f"from tests.grades import killed_analyser as it; it.main({points}, {POINTS})"
    told = json.loads(server.manage("shell", "-c", act).splitlines()[-1])
    assert (told["games"], told["files"]) == (2, 1)
    assert [each[1:] for each in told["killed"]] == [[-9, True, 0, True]] * len(points), told
