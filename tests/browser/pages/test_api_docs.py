"""The page that describes the API: read in both themes and tried out offline, under the house's own policy."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import contrast
from tests.browser.people import LAPTOP, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]


@pytest.mark.day(parts=17, turn=5)
def test_the_api_is_read_and_tried_out_in_the_browser(person: Callable[..., Person], server: Server) -> None:
    reader = person("Ines", screen=LAPTOP)
    page, asked = reader.page, list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/api/docs/")
    games = page.locator("#operations-games-listGames")
    games.locator(".opblock-summary-control").click()
    games.get_by_role("button", name="Try it out").click()
    games.get_by_role("button", name="Execute").click()
    expect(games.locator(".live-responses-table")).to_contain_text('"chicago"')
    faults = contrast.on_page(page)
    assert faults == [], "\n".join(faults)
    assert all(url.startswith((server.url, "data:")) for url in asked), asked
