"""What a page has opened ends with it: descriptors and memory stay flat however many pages are made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import require
from tests.security.floods.servers import KINDS, asked, started, told
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]

PAGES, AT_ONCE = 120, 6
NIGHT = """
import json
from games.services.nights import membership
from games.services.people import players
night = membership.host_night(players.new_guest("Hanna"), "Thursday")
print(json.dumps({"tv": f"/tv/{night.public_id}/{night.token('tv')}/"}))
"""


def descriptors(server: Server) -> int:
    assert server.process is not None
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


@pytest.mark.day(parts=17, turn=12)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_leaves_no_connection_to_the_database_open(kind, tmp_path):
    require(Path("/proc/self/fd").exists(), "/proc")
    server = started(kind, tmp_path)
    try:
        page = told(server, NIGHT)["tv"]
        with ThreadPoolExecutor(AT_ONCE) as visitors:
            for _ in visitors.map(lambda _: asked(server, page), range(AT_ONCE)):
                pass
            before = descriptors(server)
            found = list(visitors.map(lambda _: asked(server, page).status, range(PAGES)))
        assert set(found) == {200}
        assert descriptors(server) <= before + 2 * AT_ONCE
    finally:
        server.stop()
