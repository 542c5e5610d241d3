"""English sentences of the project on a page that is read in another language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import polib
from playwright.sync_api import Page

from games.management.translations import catalogs

TEXTS = """() => {
  const found = new Set(), plain = (text) => text.replace(/\\s+/g, " ").trim();
  const attributes = ["aria-label", "title", "placeholder", "alt", "aria-roledescription", "aria-valuetext"];
  for (const el of document.querySelectorAll("body *")) {
    if (el.closest("script, style, template, textarea, code, [translate=no]")) continue;
    for (const name of attributes) if (el.hasAttribute(name)) found.add(plain(el.getAttribute(name)));
    for (const node of el.childNodes) if (node.nodeType === Node.TEXT_NODE) found.add(plain(node.data));
    if (el.matches("p, li, h1, h2, h3, h4, label, button, a, td, th, summary, option, legend, dt, dd, small, span")) {
      found.add(plain(el.textContent));
    }
  }
  return [...found].filter((text) => /\\p{L}{3}/u.test(text) && text.length < 600);
}"""
"""The texts of a page, also of what is folded: text nodes, whole sentences with their markup, names that are heard."""

_GAP = re.compile(r"%\((?:\w+)\)[sd]|%[sd]|\{\w+\}")
_TAG = re.compile(r"<[^>]+>")


def texts_of(page: Page) -> list[str]:
    """Return the texts of a page."""
    found: list[str] = page.evaluate(TEXTS)
    return found


def english(texts: Iterable[str], language: str) -> list[str]:
    """Return the texts that are sentences of the project in English, though the language has its own."""
    literal, patterns = _sentences(language)
    return sorted({text for text in texts if text in literal or _is_filled(text, patterns)})


def _is_filled(text: str, patterns: dict[str, list[re.Pattern[str]]]) -> bool:
    """Tell whether a text is a sentence with names or numbers filled in; they are kept by one of their words."""
    words = set(re.findall(r"\w+", text))
    return any(pattern.fullmatch(text) for word in words for pattern in patterns.get(word, ()))


@cache
def _sentences(language: str) -> tuple[set[str], dict[str, list[re.Pattern[str]]]]:
    """Return the sentences without gaps, and the patterns of those with gaps by their longest word."""
    paths = [path for path in catalogs.catalog_paths() if path.parents[1].name == language]
    pairs = [pair for path in paths for pair in _pairs(polib.pofile(path))]
    own = {said for _, said in pairs}
    literal: set[str] = set()
    patterns: dict[str, list[re.Pattern[str]]] = defaultdict(list)
    for text in {text for text, said in pairs if text != said} - own:
        words = re.findall(r"\w+", _GAP.sub(" ", text))
        if not _GAP.search(text):
            literal.add(text)
        elif len(words) > 1 and any(len(word) > 3 for word in words):
            pattern = ".+".join(re.escape(part) for part in _GAP.split(text))
            patterns[max(words, key=len)].append(re.compile(pattern.replace("%%", "%")))
    return literal, patterns


def _pairs(po: polib.POFile) -> Iterable[tuple[str, str]]:
    """Yield English texts and what is said instead, without markup."""
    for entry in po.translated_entries():
        yield _plain(entry.msgid), _plain(entry.msgstr or entry.msgstr_plural.get(0, ""))
        if entry.msgid_plural:
            yield _plain(entry.msgid_plural), _plain(entry.msgstr_plural.get(1, ""))


def _plain(text: str) -> str:
    return " ".join(_TAG.sub("", text).split())
