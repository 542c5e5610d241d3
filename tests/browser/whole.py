"""What is not whole on a page: it scrolls sideways, or cuts a text, by the laws of the gallery."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page

from tests.browser.gallery.stage import LAWS

SETTLES_MS = 400
"""Milliseconds after which what is on its way has come: nothing is cut that is whole then."""


def measure_in(context: BrowserContext) -> None:
    """Let the pages that a context opens from now on be measured."""
    context.add_init_script(path=LAWS)


def overflow(page: Page) -> int:
    """Return by how many pixels a page scrolls sideways."""
    return int(page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"))


def faults(page: Page) -> list[str]:
    """Return how much too wide a page is, and its texts that are cut, now and when it has settled."""
    if found := _faults(page):
        page.wait_for_timeout(SETTLES_MS)
        settled = _faults(page)
        found = [fault for fault in found if fault in settled]
    return found


def _faults(page: Page) -> list[str]:
    wide = overflow(page)
    return [*([f"{wide} px too wide"] if wide > 0 else []), *page.evaluate("laws.cutOnPage()")]
