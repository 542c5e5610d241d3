"""A picture of a table as it is drawn: shapes, words, dice, and the rows of a sheet.

It is WIDTH × HEIGHT in units of its own; whoever shows it gives it a size. Colours are written out, because browsers
that get pictures know no variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

WIDTH, HEIGHT = 1000, 560

INK, FAINT, PAPER, LINE, TURN = "#1c1510", "#6b5d4f", "#fffaf0", "#d8c9b0", "#f0b43c"
"""Colours that pictures of all games share: words, words beside them, the ground, lines, whose turn it is."""
BONE, PIP = "#fffdf6", "#1c1510"

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_LETTER = 0.56
"""The mean width of a letter, of its size."""


class Drawing:
    """An SVG that is being drawn; what comes later lies above."""

    def __init__(self) -> None:
        self._root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}"})
        self._into = self._root

    def group(self, kind: str, at: object = "", opacity: float = 1) -> Drawing:
        """Return a drawing into a group of this one: `kind` is what it shows, `at` where in the game."""
        given: dict[str, object] = {"class": kind, "data-at": at, "opacity": "" if opacity == 1 else opacity}
        inner = Drawing.__new__(Drawing)
        inner._root = self._root
        inner._into = ElementTree.SubElement(self._into, "g", _attributes(given))
        return inner

    def add(self, tag: str, words: str = "", /, **attributes: object) -> None:
        """Draw an element: `stroke_width` is the attribute stroke-width."""
        ElementTree.SubElement(self._into, tag, _attributes(attributes)).text = words or None

    def words(self, x: float, y: float, size: float, words: str, /, **attributes: object) -> None:
        """Write words on a line at y, which begin at x."""
        given = {"font_family": "sans-serif", "fill": INK, **attributes}
        self.add("text", _readable(words), x=x, y=y, font_size=size, **given)

    def middle(self, x: float, y: float, size: float, words: str, /, **attributes: object) -> None:
        """Write words with their middle at x, y."""
        self.words(x, y + size * 0.36, size, words, text_anchor="middle", **attributes)

    def die(
        self, x: float, y: float, size: float, face: int, *, ground: str = BONE, pip: str = PIP, opacity: float = 1
    ) -> None:
        """Draw a die with its middle at x, y."""
        die = self.group("die", face, opacity)
        corner = {"x": x - size / 2, "y": y - size / 2, "width": size, "height": size}
        die.add("rect", **corner, rx=size * 0.16, fill=ground, stroke=PIP, stroke_width=size * 0.03)
        for across, down in _PIPS[face]:
            die.add("circle", cx=x + across * size * 0.27, cy=y + down * size * 0.27, r=size * 0.09, fill=pip)

    def svg(self) -> str:
        """Return the drawing as text."""
        return ElementTree.tostring(self._root, encoding="unicode")


def _attributes(given: dict[str, object]) -> dict[str, str]:
    return {name.replace("_", "-"): _text(value) for name, value in given.items() if value != ""}


def _text(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def _readable(words: str) -> str:
    """Return words without characters that XML has not."""
    return "".join(letter for letter in words if letter.isprintable())


def shortened(words: str, size: float, room: float) -> str:
    """Return words that have room on a line, cut with an ellipsis."""
    most = max(1, int(room / (size * _LETTER)))
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of a picture's sheet: its box, the baseline of its words, and their size."""

    y: float
    height: float
    size: float

    @property
    def middle(self) -> float:
        """The middle of the row's height."""
        return self.y + self.height / 2

    @property
    def baseline(self) -> float:
        """The line on which the row's words stand."""
        return self.middle + self.size * 0.36


def sheet_rows(count: int) -> Sequence[PictureRow]:
    """Return the rows of a sheet that is as high as the picture."""
    height = min(74.0, HEIGHT / max(1, count))
    return [PictureRow(index * height, height, min(30.0, height * 0.6)) for index in range(count)]
