"""Letters of pictures: which of the house's typefaces has a letter, and text in one or several of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import regex
from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

FONTS = Path(__file__).parents[2] / "static" / "games" / "fonts"
REGULAR, BOLD = 400, 700
_MISSING = "\N{WHITE SQUARE}"
"""The sign for a letter that no typeface has."""
_NO_LETTER = "\uffff"


@lru_cache(maxsize=64)
def font(name: str, size: int, weight: int = REGULAR) -> FreeTypeFont:
    """Return a typeface of the house by its file's name, in pixels; `weight` where it has several."""
    found = ImageFont.truetype(FONTS / f"{name}.woff2", size)
    if name.startswith("sans"):
        found.set_variation_by_axes([weight])
    return found


@lru_cache(maxsize=4096)
def _file_of(grapheme: str) -> str:
    """Return the name of the first typeface that has a whole grapheme; of "letters" its first letter will do."""
    for name in ("sans", "sans-more"):
        if all(_has(name, each) for each in grapheme):
            return name
    return "letters" if _has("letters", grapheme[0]) else ""


def _has(name: str, letter: str) -> bool:
    """Tell whether a typeface has a letter: otherwise it draws the same as for no letter at all."""
    found = font(name, 24)
    return letter.isspace() or bytes(found.getmask(letter)) != bytes(found.getmask(_NO_LETTER))


def parts(text: str, size: int, weight: int = REGULAR) -> Iterator[tuple[str, FreeTypeFont]]:
    """Yield the parts of a text, each with the typeface that has its letters."""
    found = ((each, _file_of(each)) for each in regex.findall(r"\X", text))
    shown = ((each, name) if name else (_MISSING, "letters") for each, name in found)
    for name, group in groupby(shown, key=itemgetter(1)):
        yield "".join(each for each, _name in group), font(name, size, weight)


def width(text: str, size: int, weight: int = REGULAR) -> float:
    """Return the width of a text in pixels."""
    return sum(found.getlength(part) for part, found in parts(text, size, weight))


def fitted(text: str, size: int, weight: int, room: float) -> str:
    """Return a text that fits into so many pixels, cut at a grapheme and with "…" at its end where it is too wide."""
    if width(text, size, weight) <= room:
        return text
    graphemes = regex.findall(r"\X", text)
    while graphemes and width("".join(graphemes) + "…", size, weight) > room:
        graphemes.pop()
    return "".join(graphemes).rstrip() + "…"
