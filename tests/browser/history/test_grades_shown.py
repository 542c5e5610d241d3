"""Grades where people see them: on the card of a result, on the page of one's own play, beside a studied position."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from chouette.analysis import engines
from tests.browser.history.test_replay_controls import two_games
from tests.browser.pages.test_accounts import check_pages
from tests.browser.people import Person
from tests.conftest import require
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

POSITION = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
GRADE = f"""
from datetime import UTC, datetime
from games.models import GameGrades, Result
about = dict(seq=1, role="box", kind="play", xgid="{POSITION}", dice=[6, 6], cube=2, suggested=[], graded=True)
rows = [dict(about, seat=n % 2, error=0.01, counts=True, luck=0.45 if n < 2 else None) for n in range(40)]
made = dict(rows=rows, graded_at=datetime.now(UTC), engine="judge", level="deep", formula=1)
for result in Result.objects.all():
    GameGrades.objects.update_or_create(result=result, defaults=made)
"""
"""What an engine might say of every finished game: each side errs by 0.01 twenty times, and throws one lucky roll."""
ANSWER = """
from django.core.management import call_command
from games.ops.system import calls
calls.give_way = lambda niceness: None
call_command("analyser", "--once")
"""
"""Let the analyser answer at once: where others want every processor, it would give way to them for minutes."""


@pytest.mark.day(parts=17, turn=6)
def test_a_graded_evening_is_told_on_the_card_and_on_the_own_page(
    person: Callable[..., Person], server: Server
) -> None:
    require(engines.installed(), "an engine")
    host = two_games(person)
    table = re.search(r"/table/([a-z0-9]+)/", host.page.url)
    assert table
    host.page.goto(f"{host.url}/table/{table[1]}/")
    note = host.page.locator(".bt-d-note", has_text="Your game: PR 5 (20 choices) · your biggest swing: 6-6 (+0.9)")
    expect(host.page.locator(".bt-d-panel[data-kind=result]")).to_be_visible()
    expect(note).to_have_count(0)
    server.manage("shell", "-c", GRADE)
    expect(note).to_be_visible(timeout=15_000)
    host.page.set_viewport_size({"width": 360, "height": 640})
    check_pages(host, ["/me/play/", "/study/chouette/?position=" + POSITION])
    host.page.get_by_role("button", name="Ask the engine").press("Enter")
    expect(host.page.locator("#engine-says")).to_have_text("The engine thinks …")
    server.manage("shell", "-c", ANSWER)
    expect(host.page.locator("#engine-says tbody th").first).to_have_text("8/5 6/5")
    expect(host.page.locator("#engine-says code")).to_have_text(POSITION)
