"""Every control of a page can be pressed, whatever panel it stands in: the walk, and what is meant to be hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
SCREENS = ((390, 844), (1366, 768))

HIDDEN: dict[str, str] = {
    ".skip": "the link over the menus shows itself to those who come by keyboard",
    "html.js .no-js": "for browsers without scripts",
}
"""What a style hides on purpose, with the reason; a selector names the state in which it does."""


def unpressable(page: Page) -> list[str]:
    """Return the controls that cannot be pressed on the page as it stands, each with why."""
    found: list[str] = page.evaluate(_SCRIPT, list(HIDDEN))
    return found


def faults(page: Page) -> list[str]:
    """Walk over a page's folds, tabs and sheets, and return what cannot be pressed in one of them."""
    return sorted({f"{place}: {fault}" for place in _places(page) for fault in unpressable(page)})


def _places(page: Page) -> Iterator[str]:
    """Open each panel by a press of its own control, one after another, and yield what it is called."""
    yield "page"
    page.evaluate("() => document.querySelectorAll('details:not([open]):not([name])').forEach((d) => { d.open = true; })")
    yield "unfolded"
    yield from _tabs(page)
    for opener in page.locator("[data-open], #open-menu, [data-act=more], #strip").all():
        if opener.is_visible() and opener.is_enabled():
            yield from _sheet(page, opener)


def _tabs(page: Page) -> Iterator[str]:
    tabs = [tab for tab in page.locator("[role=tab]").all() if tab.is_visible()]
    for tab in tabs:
        if tab.is_visible():
            tab.click()
            yield f"tab {tab.inner_text().strip()}"
    if tabs:
        page.locator("[role=tab]:visible").first.click()


def _sheet(page: Page, opener: Locator) -> Iterator[str]:
    """Open a sheet, and close it by its own button."""
    name = opener.get_attribute("aria-label") or opener.inner_text()
    opener.click()
    sheet = page.locator("dialog[open]")
    if not sheet.count():
        return
    yield f"sheet {name.strip()}"
    sheet.locator("[data-close], .icon-button").first.click()
    expect(sheet).to_have_count(0)
