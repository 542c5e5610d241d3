"""Contact sheets of the states: a picture for every table, screen and theme, in a folder."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table
from tests.browser.gallery.states import Shown

FOLDER = Path("var/pictures")
SHEET_WIDTH = 2400
HEIGHT_ON_SHEET = {"phone": 560, "small phone": 520, "lying phone": 260, "tablet": 560}
HEIGHT_OF_OTHERS = 340
SHEET = """<!doctype html><meta charset="utf-8"><style>
body { margin: 12px; font: 15px sans-serif; display: flex; flex-wrap: wrap; gap: 12px; background: #777; }
figure { margin: 0; background: #fff; padding: 4px; } figcaption { padding: 2px 4px; } img { display: block; }
</style>"""


def draw(
    browser: Browser,
    states: Sequence[Shown],
    screens: Sequence[Screen] = SCREENS,
    folder: Path = FOLDER,
    *,
    language: str = "de",
) -> int:
    """Draw the states into contact sheets, light and dark; return how many sheets there are."""
    folder.mkdir(parents=True, exist_ok=True)
    stage, sheets = Stage(browser, language), 0
    desk = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 800})
    for number, group in enumerate(by_table(states), 1):
        for is_tv in sorted({screen.is_tv for screen in screens}):
            stage.open(group[0], is_tv=is_tv)
            for screen in (one for one in screens if one.is_tv == is_tv):
                for is_dark in (False, True):
                    pictures = _pictures(stage, group, replace(screen, is_dark=is_dark))
                    desk.set_content(_sheet(pictures, HEIGHT_ON_SHEET.get(screen.name, HEIGHT_OF_OTHERS)))
                    desk.screenshot(path=folder / _name(number, group[0], screen, is_dark=is_dark), full_page=True)
                    sheets += 1
    stage.close()
    desk.close()
    return sheets


def _pictures(stage: Stage, group: Sequence[Shown], screen: Screen) -> list[tuple[str, bytes]]:
    """Return the states of a table on a screen: name and picture."""
    stage.resize(screen)
    found = []
    for state in group:
        stage.show(state, is_tv=screen.is_tv)
        found.append((state.name, stage.page.screenshot(type="jpeg", quality=85)))
    return found


def _sheet(pictures: Sequence[tuple[str, bytes]], height: int) -> str:
    """Return a page with the pictures at a height in pixels."""
    figures = [
        f'<figure><img height="{height}" src="data:image/jpeg;base64,{base64.b64encode(picture).decode()}">'
        f"<figcaption>{escape(name)}</figcaption></figure>"
        for name, picture in pictures
    ]
    return SHEET + "".join(figures)


def _name(number: int, state: Shown, screen: Screen, *, is_dark: bool) -> str:
    """Return the file name of a sheet, e.g. "2-chouette-4-club-phone-dark.png"."""
    where = screen.name.replace(" ", "-"), "dark" if is_dark else "light"
    return "-".join(map(str, (number, state.game, state.seats, state.preset, *where))) + ".png"
