"""The texts of HTML and of plain text in the pseudo-language that have a word without accents."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from games.management.translations.pseudo import PLAIN

SILENT = {"script", "style", "template", "textarea", "code"}
"""Elements whose text is nobody's to read, or typed."""
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
HEARD = ("aria-label", "title", "placeholder", "alt", "aria-roledescription", "aria-valuetext")
"""Attributes that are read, or heard."""
CHOSEN = {"country", "time_zone"}
"""Fields whose choices are names of countries and time zones, by CLDR and the tz database."""
INLINE = {"a", "abbr", "b", "bdi", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "time", "u"}
"""Elements whose text goes on in the line; every other one ends it, and so do two links, which are a list."""
APART = {"badge", "visually-hidden", "num", "mat", "rules"}
"""Classes of elements that stand for themselves in a line, by a ground or letters of their own."""
ROWS = {"row", "stack", "feed-line"}
"""Classes of elements whose children have places of their own, as those of what is in a page's foot have."""
JOINED = re.compile(r"[\s:()+-]+")
"""What stands between two parts that are neither a list nor sentences; what has nothing between it is styled apart."""
ADDRESS = re.compile(r"https?://\S*|\S+@\S+|\btestserver\S*|\b[\w-]+\.\w+\b|/\S+/|\S*\d\S*")
"""Addresses, names of files, codes and ids."""


class _Opened(NamedTuple):
    """An open element: is its text silent, does it stand apart, do its children have places of their own."""

    tag: str
    is_silent: bool
    is_apart: bool
    is_row: bool


class _Texts(HTMLParser):
    """Collects the texts of a page with their elements, also of what is folded and what is heard."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._open: list[_Opened] = []
        self.lines: list[str] = [""]
        self._is_after_link = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read the attributes of an element; what is in a silent one is not read."""
        given = dict(attrs)
        classes = set((given.get("class") or "").split())
        is_apart = tag not in INLINE or bool(APART & classes) or bool(self._open and self._open[-1].is_row)
        if is_apart or (tag == "a" and self._is_after_link):
            self.lines.append("")
        is_chosen = tag == "select" and given.get("name") in CHOSEN
        is_silent = tag in SILENT or is_chosen or given.get("translate") == "no" or self._is_silent()
        if not is_silent:
            self.found += [(f"{tag}[{name}]", text) for name in HEARD if (text := given.get(name))]
            if tag == "input" and given.get("type") in ("submit", "button"):
                self.found.append((tag, given.get("value") or ""))
        if tag not in VOID:
            is_row = bool(ROWS & classes) or bool(self._open and self._open[-1].tag == "footer")
            self._open.append(_Opened(tag, is_silent, is_apart, is_row))

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those in it that have no end of their own."""
        self._is_after_link = tag == "a"
        if any(tag == each.tag for each in self._open):
            closed = self._open.pop()
            while closed.tag != tag:
                closed = self._open.pop()
            if closed.is_apart:
                self.lines.append("")

    def handle_data(self, data: str) -> None:
        """Read a text."""
        if not self._is_silent():
            self.found.append((self._open[-1].tag if self._open else "", data))
            self._is_after_link = self._is_after_link and not data.strip()
            # A time has no marks: it belongs into the place of a text, too.
            self.lines[-1] += f"[{data}]" if any(each.tag == "time" for each in self._open) else data

    def _is_silent(self) -> bool:
        return bool(self._open) and self._open[-1].is_silent


def of_page(html: str, written: Collection[str]) -> list[str]:
    """Return the texts of a page that have a word without accents beside those that are `written`."""
    reader = _Texts()
    reader.feed(html)
    return sorted({f"{where} “{bare}”" for where, text in reader.found for bare in of_text(text, written)})


def beside(html: str) -> list[str]:
    """Return the lines of a page in which two parts in marks stand side by side, neither in a list nor as sentences."""
    reader = _Texts()
    reader.feed(html)
    heard = [text for where, text in reader.found if where.endswith("]")]
    return sorted({line for found in (*reader.lines, *heard) if has_parts_beside(line := " ".join(found.split()))})


def has_parts_beside(text: str) -> bool:
    """Tell whether two parts in marks stand side by side: a part within the place of another one is right."""
    parts = list(_outermost(text))
    return any(
        JOINED.fullmatch(text, end, start) is not None and not text[:end].rstrip("]").endswith((".", "!", "?", "…"))
        for (_, end), (start, _) in itertools.pairwise(parts)
    )


def _outermost(text: str) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of each part in marks that is in no other one."""
    depth = start = 0
    for at, letter in enumerate(text):
        if letter == "[":
            start = start if depth else at
            depth += 1
        elif letter == "]" and depth:
            depth -= 1
            if not depth:
                yield start, at + 1


def of_text(text: str, written: Collection[str]) -> Iterator[str]:
    """Yield the words of a text without accents, if it has some beside those that are `written`."""
    words = re.findall(r"[^\W\d_]+", ADDRESS.sub(" ", text))
    bare = [
        word
        for word in words
        if len(word) > 1 and word.isascii() and any(letter in PLAIN for letter in word) and word not in written
    ]
    if bare:
        yield " ".join(bare)[:80]
