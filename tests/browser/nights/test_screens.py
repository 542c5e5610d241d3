"""A television at /tv in a browser: its letters, the host's phone, and pages that turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, Route, expect

from games.web.assets.import_map import import_map
from tests.browser.people import TV, Person, close_context

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MakePerson = Callable[..., Person]

SITE = "http://screen.test"
PAGE = """<!doctype html><html lang="en" class="tv-page"><head><title>TV</title>{sheets}
<script type="importmap">{modules}</script></head><body><main class="bare"><div class="tv-door">{main}</div></main>
<script type="module" src="/static/games/pages/tv_turning.js"></script></body></html>"""
SHOWN = """css => [...document.querySelectorAll(`${css} > li:not([hidden])`)].map(
    (row) => [row.textContent, row.getBoundingClientRect().bottom])"""
"""The rows of a list that are shown, each with its text and its end."""


@contextmanager
def turning_page(chrome: Browser, pairs: int, places: int) -> Iterator[Page]:
    """Show a tournament's part of a big screen with so many rows; its clock is the test's."""
    two = {"one": SimpleNamespace(name="Brünhilde-Uta"), "other": SimpleNamespace(name="Ole-Petter")}
    people = [SimpleNamespace(place=n + 1, name=f"Person {n + 1}", wins=n, losses=0) for n in range(places)]
    shown = SimpleNamespace(waiting=people[:2])
    night = SimpleNamespace(name="Thursday", status="open", code="PM7KQ")
    about = {"mode": "tournament", "night": night, "is_open": True}
    about |= {"tournament": SimpleNamespace(name="Cup", status="running", public_id="t"), "shown_tournament": shown}
    rows = [(SimpleNamespace(**two, board=n + 1, id=f"m{n}"), n < 3) for n in range(pairs)]
    main = render_to_string("tables/parts/tv_main.html", about | {"pairs": rows, "places": people, "format": "Swiss"})
    names = [f"games/{name}.css" for name in ("tokens", "base", "parts", "pages", "table", "tv")]
    sheets = "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in names)
    html = PAGE.format(sheets=sheets, modules=json.dumps(import_map()), main=main)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE).split("?")[0]
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if file:
            route.fulfill(path=Path(str(file)))
        else:
            route.fulfill(content_type="text/html", body=html)

    context = chrome.new_context(viewport={"width": 1920, "height": 1080})
    context.route("**/*", answer)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{SITE}/")
    page.wait_for_selector("[data-page]")
    yield page
    close_context(context)


@pytest.mark.server
@pytest.mark.day(parts=17, turn=9)
def test_a_host_takes_a_television_in_by_its_letters_and_it_follows(person: MakePerson) -> None:
    host, screen = person("Hanna"), person("TV", screen=TV)
    host.host_a_night("Club night")
    origin = "/".join(host.page.url.split("/")[:3])
    screen.page.goto(f"{origin}/tv")
    letters = screen.page.locator(".letters")
    expect(letters).to_be_visible()
    host.open_more()
    host.page.get_by_label("Letters on the screen").fill(letters.inner_text().lower())
    host.page.get_by_label("Name, such as").fill("Over the bar")
    host.tap("Show us there")
    expect(host.page.locator("#screens")).to_contain_text("Over the bar")
    expect(screen.page.locator(".tv-greeting")).to_contain_text("Hanna shows here: Club night")
    expect(screen.page.locator(".tv-right .room-code")).to_be_visible()
    host.page.locator(".screen-row > summary").click()
    host.tap("Not here any more")
    expect(screen.page.locator(".tv-between")).to_be_visible()
    for each in (host, screen):
        assert each.faults == []


@pytest.mark.day(parts=17, turn=3)
def test_lists_that_are_longer_than_the_screen_turn_their_pages(chrome: Browser) -> None:
    """Each row is whole on one page, none is on two, and what stands below a list keeps its place."""
    with turning_page(chrome, pairs=29, places=59) as page:
        seen: dict[str, set[str]] = {".tv-pairs": set(), ".tv-places": set()}
        for _ in range(40):
            for css, rows in seen.items():
                shown = page.evaluate(SHOWN, css)
                assert all(bottom <= 1080 for _text, bottom in shown)
                rows |= {text for text, _bottom in shown}
            if [len(rows) for rows in seen.values()] == [29, 59]:
                break
            expect(page.locator(".tv-free")).to_be_in_viewport(ratio=1)
            page.clock.run_for(9000)
        assert [len(rows) for rows in seen.values()] == [29, 59]
