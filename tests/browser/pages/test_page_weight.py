"""What a table's page weighs as it is served, with its modules joined."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.bench import bench_page
from tests.browser.gallery.laws import PARTS
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MOST_REQUESTS, MOST_SCRIPT, MOST_TEXTS, MOST_BYTES = 30, 60_000, 12_000, 190_000
HOSTS_PART = 2_000
"""More script than 60 kB if the host's part has come before the line was idle."""


@pytest.mark.day(parts=17, turn=14)
def test_a_table_is_seen_after_few_requests_and_a_light_load(chrome: Browser, tmp_path: Path) -> None:
    """Also that the joined modules work: a page that fails shows no board."""
    with bench_page.house(tmp_path) as server:
        host = Person(chrome, server.url, "Hanna")
        host.host_a_night("Thursday")
        night = host.page.url
        for game, parts in PARTS.items():
            host.page.goto(night)
            url = bench_page.table_page(host, game)
            cold, warm = bench_page.cold_and_warm(chrome, host, url, parts["board"], slow=False)
            assert cold.requests <= MOST_REQUESTS, game
            assert cold.script <= MOST_SCRIPT, game
            assert cold.all_script <= MOST_SCRIPT + HOSTS_PART, game
            assert cold.texts <= MOST_TEXTS, game
            assert cold.bytes <= MOST_BYTES, game
            assert warm.requests <= 2, (
                "all is kept but the page, and what has happened last if it comes before the board"
            )
            assert warm.script == warm.texts == 0
        assert host.faults == []
        host.close()
