"""The scripts' pure modules, tested one by one in the browser: tests/browser/unit/*_modules.js."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

from games.web.import_map import import_map

pytestmark = pytest.mark.browser

UNIT = Path(__file__).parent / "unit"
SITE = "http://unit.test"
PAGE = """<!doctype html><html lang="en"><script type="importmap">%s</script><script>
  window.gettext = (text) => text;
  window.pgettext = (context, text) => text;
  window.ngettext = (one, many, count) => (count === 1 ? one : many);
</script>"""
RUN = """async (module) => {
  const faults = [], tests = Object.entries(await import(module)).filter(([name]) => name.startsWith("test"));
  for (const [name, test] of tests) {
    try { await test(); } catch (error) { faults.push(`${name}: ${error.stack}`); }
  }
  return [tests.length, faults];
}"""


def answer(route: Route) -> None:
    """Serve the page, the static files and the tests themselves, without a server."""
    path = route.request.url.removeprefix(SITE)
    if path == "/":
        route.fulfill(content_type="text/html", body=PAGE % json.dumps(import_map()))
        return
    file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else UNIT / Path(path).name
    assert file, path
    route.fulfill(content_type="text/javascript", body=Path(str(file)).read_text(encoding="utf-8"))


@pytest.fixture
def page(chrome: Browser) -> Iterator[Page]:
    """A page of its own that can import every module."""
    context = chrome.new_context(reduced_motion="reduce")
    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{SITE}/")
    yield page
    context.close()


@pytest.mark.parametrize("name", sorted(path.name for path in UNIT.glob("*_modules.js")))
def test_the_modules_do_what_they_promise(page: Page, name: str) -> None:
    count, faults = page.evaluate(RUN, f"/unit/{name}")
    assert count > 4
    assert faults == []


def test_a_failing_claim_is_told(page: Page) -> None:
    module = "data:text/javascript,export function testWrong() { throw new Error('no') }"
    count, faults = page.evaluate(RUN, module)
    assert count == 1
    assert "testWrong: Error: no" in faults[0]
