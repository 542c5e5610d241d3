"""How far text stands out from what it stands on (WCAG 2.2, 1.4.3), in every state and both themes.

4.5:1; text of 24 px, or of 18.66 px and bold, 3:1; what cannot be pressed now is readable, too: 3:1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table, told
from tests.browser.gallery.states import Shown

SCRIPT = Path(__file__).with_name("contrast.js")
THEMES = (False, True)
"""Whether it is dark."""


def faults(browser: Browser, states: Sequence[Shown], screens: Sequence[Screen] = SCREENS[:1]) -> list[str]:
    """Show the states in both themes and return a line for each kind of text that cannot be read well."""
    found: dict[tuple[str, str, str], str] = {}
    stage = Stage(browser)
    stage.context.add_init_script(path=SCRIPT)
    for group in by_table(states):
        for is_tv in sorted({screen.is_tv for screen in screens}):
            stage.open(group[0], is_tv=is_tv)
            for screen in (one for one in screens if one.is_tv == is_tv):
                for is_dark in THEMES:
                    found |= _on(stage, group, replace(screen, is_dark=is_dark))
    stage.close()
    assert stage.faults == [], stage.faults
    return [f"{theme}, {game}: {what} {how}" for (theme, game, what), how in sorted(found.items())]


def _on(stage: Stage, group: Sequence[Shown], screen: Screen) -> dict[tuple[str, str, str], str]:
    """Return what cannot be read well on a screen, by theme, game and element."""
    stage.resize(screen)
    looks = stage.page.evaluate("states => contrast.all(states)", [told(one, is_tv=screen.is_tv) for one in group])
    theme = "dark" if screen.is_dark else "light"
    return {
        (theme, group[0].game, what): f"{how} ({screen.name}, {group[0].seats} {name})"
        for name, faults in looks
        for what, how in faults
    }


def on_page(page: Page) -> list[str]:
    """Return what cannot be read well on a page as it stands, in both themes."""
    page.evaluate(f"() => {{ {SCRIPT.read_text(encoding='utf-8')} }}")
    found = []
    for is_dark in THEMES:
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        faults = page.evaluate("contrast.faults()")
        found += [f"{'dark' if is_dark else 'light'}: {what} {how}" for what, how in faults]
    return found
