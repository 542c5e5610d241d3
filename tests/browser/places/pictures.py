"""Pictures of the shots in a language, with the boxes of its texts: for the page that `manage.py texts` writes."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from games.management.translations import places
from games.management.translations.places import Key, ScreenShot
from tests.browser.places import pages, walk
from tests.browser.places.matching import entries, pattern_of

TALLEST = 9000
"""Pixels of a page that are drawn: a picture of WebP has 16383 at most."""
QUALITY = 45
GAP = r".{0,120}?"


def draw(browser: Browser, sent: list[pages.SentPage], language: str, folder: Path) -> int:
    """Draw each shot in which a text stands first, and write which box each text has; return how many there are."""
    read = places.read()
    first: dict[ScreenShot, list[Key]] = {}
    for key, placed in read.texts.items():
        first.setdefault(read.shots[placed.at[0].shot], []).append(key)
    said = _patterns(language)
    drawn = []
    for shot, page in walk.shots(browser, sent, language, first.__contains__):
        keys = [(key, pattern) for key in first[shot] for pattern in said.get(key, ())]
        found = page.evaluate("patterns => texts.find(patterns)", [pattern for _key, pattern in keys])
        boxes = [[*key, box] for (key, _pattern), box in zip(keys, found, strict=True) if box]
        name = f"{len(drawn)}.webp"
        width, height = _picture(page, folder / name, is_whole=":" in shot.name.split(" ")[0])
        drawn.append([shot.name, shot.screen, name, width, height, boxes])
    (folder / "pictures.json").write_text(json.dumps(drawn), encoding="utf-8")
    return len(drawn)


def _picture(page: Page, path: Path, *, is_whole: bool) -> tuple[int, int]:
    """Draw the page, a table's as the screen has it, any other down to its end; return the picture's size."""
    drawn = Image.open(io.BytesIO(page.screenshot(type="png", full_page=is_whole, animations="disabled")))
    drawn = drawn.crop((0, 0, drawn.width, min(drawn.height, TALLEST)))
    drawn.convert("RGB").save(path, "WEBP", quality=QUALITY)
    return drawn.size


def _patterns(language: str) -> dict[Key, list[str]]:
    """Return the patterns of what a language says, by its text."""
    found: dict[Key, list[str]] = {}
    for catalogue, entry in entries(language):
        forms: Iterable[str] = filter(None, entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr])
        found[catalogue, entry.msgctxt or "", entry.msgid] = [pattern_of(form, GAP) for form in forms]
    return found
