"""Which text of the catalogues a text in the marks of the pseudo-language is."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import polib

from games.management.translations import catalogs
from games.management.translations.places import Key
from games.management.translations.pseudo import pseudo

_GAP = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")
_TAG = re.compile(r"</?\w[^>]*>|`")
_SYNTAX = re.compile(r"[.*+?^${}()|[\]\\/]")
"""What has a meaning in regular expressions, in Python and in a browser: neither takes other signs escaped."""
_TEXTS_OF = "de"
"""The language in whose catalogues the texts are looked for; each has them all."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The texts that something shown is, and how many of its letters its placeholders hold."""

    keys: tuple[Key, ...]
    filled: int


@dataclass(frozen=True, slots=True)
class _Form:
    """A text as it is shown, with gaps: the letters between them, the longest part without one, and its pattern."""

    keys: tuple[Key, ...]
    letters: int
    part: str
    pattern: re.Pattern[str]


def entries(language: str) -> Iterator[tuple[str, polib.POEntry]]:
    """Yield the entries of the house's and the games' catalogues in a language, each with its catalogue."""
    for name, path in catalogs.of_language(language):
        yield from ((name, entry) for entry in polib.pofile(str(path)) if not entry.obsolete)


def plain(text: str) -> str:
    """Return a text as it is read: no tags, one blank in place of several."""
    return " ".join(html.unescape(_TAG.sub("", text)).replace("%%", "%").split())


def pattern_of(text: str, gap: str) -> str:
    """Return the regular expression of a text as it is read, with a `gap` in place of each placeholder."""
    parts = [_SYNTAX.sub(r"\\\g<0>", part).replace(" ", r"\s+") for part in _GAP.split(plain(text))]
    return gap.join(parts)


class Matcher:
    """Finds the texts of the catalogues by how the pseudo-language says them."""

    def __init__(self) -> None:
        forms: dict[str, list[Key]] = defaultdict(list)
        for catalogue, entry in entries(_TEXTS_OF):
            for form in filter(None, (entry.msgid, entry.msgid_plural)):
                forms[plain(pseudo(form))].append((catalogue, entry.msgctxt or "", entry.msgid))
        self._whole: dict[str, tuple[Key, ...]] = {}
        self._gapped: list[_Form] = []
        for form, keys in forms.items():
            if not _GAP.search(form):
                self._whole[form] = tuple(keys)
                continue
            pattern = re.compile(pattern_of(form, "(.*)"), re.DOTALL)
            part = max(_GAP.split(form), key=len)
            self._gapped.append(_Form(tuple(keys), len(_GAP.sub("", form)), part, pattern))
        self._gapped.sort(key=lambda form: -form.letters)
        self._known: dict[str, Matched | None] = {}

    def match(self, shown: str) -> Matched | None:
        """Return the texts that something in marks is: those with the most letters of their own; None for none."""
        shown = " ".join(shown.split())
        if found := self._whole.get(shown):
            return Matched(found, 0)
        if shown not in self._known:
            self._known[shown] = self._match_gapped(shown)
        return self._known[shown]

    def _match_gapped(self, shown: str) -> Matched | None:
        keys: list[Key] = []
        letters = 0
        for form in self._gapped:
            if form.letters < letters:
                break
            # Almost no form has its part in what is shown: a pattern costs a hundred times as much.
            if form.part not in shown:
                continue
            if (hit := form.pattern.fullmatch(shown)) and all(map(_is_whole, hit.groups())):
                keys, letters = [*keys, *form.keys], form.letters
        return Matched(tuple(keys), len(shown) - letters) if keys else None


def _is_whole(filled: str) -> bool:
    """Tell whether each part in marks that a placeholder holds is there from its beginning to its end."""
    depth = 0
    for letter in filled:
        depth += (letter == "[") - (letter == "]")
        if depth < 0:
            return False
    return depth == 0
