"""Every control of a page can be pressed, whatever panel it stands in: the walk, and what is meant to be hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import ElementHandle, Page, expect

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_UNFOLD = "() => { for (const fold of document.querySelectorAll('details:not([open], [name])')) fold.open = true; }"
SCREENS = ((390, 844), (1366, 768))

_NARROW, _ALWAYS = "(max-width: 599.9px)", "all"
HIDDEN: dict[tuple[str, str], str] = {
    (".skip, .skip-to-content-link", _ALWAYS): "shows itself to those who come to it by keyboard",
    ("#nav-sidebar, #toggle-nav-sidebar", "(max-width: 1024px)"): "the admin's front page has the same links",
    (".calendarbox, .clockbox", _ALWAYS): "the admin's pickers are opened by the links beside their fields",
    (".bt[data-wood] .bt-controls", _ALWAYS): "plays are made on the real board",
    (".actions :is(.question, .clear)", _ALWAYS): "the admin's script shows it where all rows of a page are chosen",
    (".add-row > [style*=none]", _ALWAYS): "the admin's script hides it where no row may be added",
    (".sortoptions", _ALWAYS): "the admin's columns show it to a mouse; a tap on the column sorts",
    ("input.hidden, .unset-password", _ALWAYS): "the admin's, for password managers, and for accounts with a password",
    ("[aria-label='Copy path to clipboard']", _ALWAYS): "the API's page shows it to a mouse on its line",
    (".side.is-elsewhere", _ALWAYS): "the game's element has places for log and chat",
    (".turn-back", _NARROW): "a phone's bar is the turn's; the menu leads to the night",
    (".bt-side > .tabs [data-tab=chat]", _NARROW): "the bar has the chat's button",
    (".bt-side > .tabs :is([data-tab=team], [data-tab=sheet])", "(min-width: 600px)"): "both are seen by the first tab",
    (".ct-dock[data-tab=play] .tabs :is([data-tab=play], [data-tab=chat])", _NARROW): "as for the chat; it is that tab",
    (".ct-dock:not([data-tab=play]) > :is(.ct-typing, .ct-ask, .ct-buttons)", _ALWAYS): "another tab is open",
    (".ct-dock:not([data-tab=play]) .ct-more > :not(.tabs)", _ALWAYS): "another tab is open",
    (".ct-dock[data-mode=ask] > :is(.ct-mid, .ct-buttons)", _ALWAYS): "something else is asked",
    (".ct-dock:is([data-mode=wait], [data-mode=type]) > .ct-buttons", _ALWAYS): "somebody else throws, or real dice do",
    (".ct-table:has(> .ct-values:not([hidden])) .ct-die", _ALWAYS): "real dice are entered over the felt",
    (".ct-table:has(> .ct-card:not([hidden])) .ct-die", _ALWAYS): "a result lies over the felt until it is tapped away",
    (".ct[data-has~=outcome] .ct-resultbtn", _ALWAYS): "the result is shown",
    (".ct-dock[data-mode=turn] .kit-forward", "(min-width: 600px)"): "what is to be done stands under each tab",
    (".bt-dock:has(> .bt-d-more[open]) > :not(.bt-d-more)", _ALWAYS): "rare acts have the dock's room until closed",
    (".option.off :is(input, .segments)", _ALWAYS): "it says which other rule it needs, and comes with that",
    ("[data-wish=keys]", "not all and (any-pointer: fine)"): "a touch screen has no keyboard",
}
"""What a style hides on purpose, on which screens, with the reason; a selector names the state in which it does."""


def unpressable(page: Page) -> list[str]:
    """Return the controls that cannot be pressed on the page as it stands, each with why."""
    found: list[str] = page.evaluate(_SCRIPT, [list(one) for one in HIDDEN])
    return found


def faults(page: Page) -> list[str]:
    """Walk over a page's folds, tabs and sheets, and return what cannot be pressed in one of them."""
    found: dict[str, str] = {}
    for place in _places(page):
        for fault in unpressable(page):
            found.setdefault(fault, place)
    return sorted(f"{fault} ({place})" for fault, place in found.items())


def _places(page: Page) -> Iterator[str]:
    """Open each panel by a press of its own control, one after another, and yield what it is called."""
    yield "page"
    page.evaluate(_UNFOLD)
    yield "unfolded"
    yield from _tabs(page)
    # Elements, not places in a list: a sheet that opens may bring openers of its own.
    for opener in page.query_selector_all("[data-open], #open-menu, [data-act=more]"):
        if opener.is_visible() and opener.get_attribute("aria-disabled") is None:
            yield from _sheet(page, opener)


def _tabs(page: Page) -> Iterator[str]:
    tabs = [tab for tab in page.locator("[role=tab]").all() if tab.is_visible()]
    for tab in tabs:
        if tab.is_visible():
            tab.click()
            yield f"tab {tab.inner_text().strip()}"
    if tabs:
        page.locator("[role=tab]:visible").first.click()


def _sheet(page: Page, opener: ElementHandle) -> Iterator[str]:
    """Open a sheet, and close it by its own button."""
    name = opener.get_attribute("aria-label") or opener.inner_text()
    opener.click()
    sheet = page.locator("dialog[open]")
    sheet.wait_for()  # its parts may come first
    yield f"sheet {name.strip()}"
    sheet.locator("[data-close]:visible, .icon-button:visible").first.click()
    expect(sheet).to_have_count(0)
