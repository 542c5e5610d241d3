"""The check of a picture: elements and attributes that a page can take as they are, and old browsers draw."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from games.kernel.pictures.svg import HEIGHT, WIDTH

TAGS = frozenset({"svg", "g", "rect", "circle", "ellipse", "line", "path", "polygon", "text", "title"})
"""The elements that a picture may have."""
ATTRIBUTES = frozenset(
    {
        *("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "d", "points"),
        *("fill", "stroke", "stroke-width", "opacity", "transform", "class", "viewBox", "text-anchor"),
        *("font-size", "font-weight", "font-family", "xmlns", "data-at"),
    }
)
"""The attributes that its elements may have: `class` and `data-at` say what a shape stands for, and have no style."""


def faults(svg: str) -> Iterator[str]:
    """Yield what is wrong with a picture, in words."""
    try:
        root = ElementTree.fromstring(svg)  # noqa: S314 (made by a game of this house, and checked here)
    except ElementTree.ParseError as error:
        yield f"it is no well-formed SVG: {error}"
        return
    if root.get("viewBox") != f"0 0 {WIDTH} {HEIGHT}" or not root.tag.endswith("}svg"):
        yield f"it is no svg with the viewBox 0 0 {WIDTH} {HEIGHT}"
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag not in TAGS:
            yield f"it has an element {tag}"
        yield from (f"{tag} has an attribute {name}" for name in set(element.attrib) - ATTRIBUTES)
