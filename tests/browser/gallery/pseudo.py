"""The pseudo-language for pages that are shown here, and the words on them that nobody has marked for translation."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel import Locale
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import Page

from games.management.translations import pseudo
from games.management.translations.pseudo import PLAIN
from tests.browser.gallery.states import NAMES

_NAMES = re.findall(r"\w+", " ".join(NAMES))
TYPED = {*(name[:end] for name in _NAMES for end in range(2, len(name) + 1)), "Donnerstag", "im", "Ochsen", "KR", "QF"}
"""Words that people have typed: names of players, the first letters of them, and a night with its code."""
_ENGLISH = Locale("en")
_NAMED = [names["format"][width] for names in (_ENGLISH.months, _ENGLISH.days) for width in ("wide", "abbreviated")]
OF_REGION = {"and", "or", "AM", "PM", *(name for names in _NAMED for name in names.values())}
"""What stands in lists, days and times by the region's data, of the house and of the browser."""
PROGRAM = {"Stammtisch", "Deutsch", "English", "Français", "Italiano", "Norsk"}
"""Names of the program and of languages."""
NOTATION = {"XG", "bar", "off"}
"""Notation of the games."""
WRITTEN = frozenset({*TYPED, *OF_REGION, *PROGRAM, *NOTATION})
"""The words that stand without marks."""

WORDS = """([plain, written]) => {
  const has = new RegExp(`[${plain}]`), found = new Set();
  const known = new Set(written);
  const attributes = ["aria-label", "title", "placeholder", "alt", "aria-roledescription", "aria-valuetext"];
  /** @param {string} text @param {Element} el */
  const look = (text, el) => {
    const words = text.match(/[\\p{L}\\p{M}]+/gu) ?? [];
    const bare = words.filter((one) => one.length > 1 && /^[A-Za-z]+$/.test(one) && has.test(one) && !known.has(one));
    const where = `${el.localName}${el.id ? `#${el.id}` : [...el.classList].slice(0, 2).map((c) => `.${c}`).join("")}`;
    if (bare.length) found.add(`${where} “${bare.join(" ").slice(0, 60)}”`);
  };
  for (const el of document.querySelectorAll("title, body *")) {
    if (el.closest("script, style, template, noscript, textarea, code, [translate=no]")) continue;
    for (const name of attributes) if (el.hasAttribute(name)) look(el.getAttribute(name), el);
    for (const node of el.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.data, el);
  }
  return [...found];
}"""
"""The texts of a page, also of what is folded and what is heard, that have a word without accents."""


@contextmanager
def spoken() -> Iterator[str]:
    """Make the catalogues of the pseudo-language for as long as the context is open; yield the language."""
    with tempfile.TemporaryDirectory(prefix="pseudo-") as folder:
        pseudo.write(Path(folder))
        with override_settings(LOCALE_PATHS=[folder]):
            yield settings.PSEUDO_LANGUAGE


def beside(page: Page) -> list[str]:
    """Return the texts of a page in which two parts in marks stand side by side, neither in a list nor as sentences."""
    found: list[str] = page.evaluate("texts.beside()")
    return found


def unmarked(page: Page) -> list[str]:
    """Return the texts of a page that nobody has marked for translation, each with its element."""
    found: list[str] = page.evaluate(WORDS, [PLAIN, sorted(WRITTEN)])
    return found
