"""The page on which a reader corrects a language in an evening: one file of HTML that needs no server.

It has each text with its translation, in the order of the screens, on pictures of them where they were drawn.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polib
from django.template import Context, Engine
from django.utils.translation import get_language_info

from games.management.translations import catalogs
from games.management.translations.places import Box, Key, ScreenShot, TextPlaces

PARTS = Path(__file__).with_name("page")
WIDE = 700
"""Pixels of a screen above which its picture has the whole width of the page."""
LETTERS_OF_LINE = 46
MOST_LINES = 12
MOST_NAMED = 2
NOWHERE = "On no screen that was looked at: what refuses, what comes rarely, what is written to files"


@dataclass(frozen=True, slots=True)
class DrawnShot:
    """A shot as it was drawn in the language: the picture, its size, and the boxes of its texts."""

    webp: bytes
    width: int
    height: int
    boxes: Mapping[Key, Box]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text, or a form of one: its number on the page, source and translation, and its box as a style."""

    number: int
    key: Key
    form: str
    source: str
    said: str
    box: str
    note: str
    leader: int
    """The number of the row before it that has the same text and translation, 0 for none: this one follows it."""

    @property
    def catalogue(self) -> str:
        """The catalogue that has it."""
        return self.key[0]

    @property
    def context(self) -> str:
        """Its context, "" for none."""
        return self.key[1]

    @property
    def text(self) -> str:
        """The text by which the catalogue knows it."""
        return self.key[2]

    @property
    def lines(self) -> int:
        """The lines of its field."""
        lines = sum(1 + len(line) // LETTERS_OF_LINE for line in (self.said or self.source).split("\n"))
        return min(MOST_LINES, lines)


@dataclass
class ScreenTexts:
    """A screen with its texts."""

    title: str
    width: int = 0
    height: int = 0
    picture: str = ""
    rows: list[TextRow] = field(default_factory=list)

    @property
    def is_wide(self) -> bool:
        """The picture needs the whole width of the page."""
        return self.width > WIDE


def read_pictures(folder: Path) -> dict[tuple[str, str], DrawnShot]:
    """Return the pictures that were drawn into a folder, by shot and screen."""
    found = {}
    for name, screen, file, width, height, boxes in json.loads((folder / "pictures.json").read_text(encoding="utf-8")):
        placed = {(catalogue, context, text): _box(box) for catalogue, context, text, box in boxes}
        found[name, screen] = DrawnShot((folder / file).read_bytes(), width, height, placed)
    return found


def write(
    path: Path, language: str, places: TextPlaces, pictures: Mapping[tuple[str, str], DrawnShot], without: str
) -> tuple[int, int]:
    """Write the page of a language; return how many texts it has, and how many of them have a place.

    `without` says why there are no pictures, "" where there are some.
    """
    sections = list(_SectionMaker(places, pictures, dict(_entries(language))).sections())
    texts = {row.key for section in sections for row in section.rows}
    context: dict[str, Any] = {
        "language": language.replace("_", "-"),
        "name": get_language_info(language.replace("_", "-").lower())["name"],
        "count": len(texts),
        "sections": sections,
        "without": without,
    }
    # The page may run this script and have this style alone, whatever a translation says.
    for tag, content in (("script", _part("texts.js")), ("style", _part("texts.css") + _rules(sections))):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        context |= {tag: f"<{tag}>{content}</{tag}>", f"{tag}_digest": f"sha256-{digest}"}
    template = Engine().from_string(_part("texts.html"))
    path.write_text(template.render(Context(context)), encoding="utf-8", newline="\n")
    return len(texts), len(texts & set(places.texts))


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


def _rules(sections: Sequence[ScreenTexts]) -> str:
    """Return the rules of style that give each picture its shape, and each box its place on it."""
    shapes = [
        f"#p{at} {{ aspect-ratio: {one.width} / {one.height}; }}" for at, one in enumerate(sections, 1) if one.width
    ]
    boxes = [f'[data-of="{row.number}"] {{ {row.box}; }}' for one in sections for row in one.rows if row.box]
    return "".join(f"{rule}\n" for rule in (*shapes, *boxes))


@dataclass
class _SectionMaker:
    """A maker of the sections of a page, with all texts numbered."""

    places: TextPlaces
    pictures: Mapping[tuple[str, str], DrawnShot]
    entries: Mapping[Key, polib.POEntry]
    number: int = 0
    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)

    def sections(self) -> Iterator[ScreenTexts]:
        """Yield the screens in their order, each with the texts that stand first there; those of no screen are last."""
        first: dict[int, list[Key]] = {}
        rest: dict[str, list[Key]] = {}
        for key in self.entries:
            if key in self.places.texts:
                first.setdefault(self.places.texts[key].at[0].shot, []).append(key)
            else:
                rest.setdefault(key[0], []).append(key)
        for at, shot in enumerate(self.places.shots):
            if keys := first.get(at):
                yield self._shot(at, shot, keys)
        for catalogue, keys in rest.items():
            section = ScreenTexts(f"{NOWHERE} ({catalogue})")
            section.rows = list(self._rows(keys, {}, section))
            yield section

    def _shot(self, at: int, shot: ScreenShot, keys: Sequence[Key]) -> ScreenTexts:
        """Return the section of a shot, with its texts as they are read: from the top, and from the left."""
        picture = self.pictures.get((shot.name, shot.screen))
        boxes = _boxes(self.places, at, keys, picture)
        section = _section(shot, picture, [box for box in boxes.values() if box])
        ordered = sorted(keys, key=lambda key: (boxes[key] is None, _reading(boxes[key])))
        section.rows = list(self._rows(ordered, boxes, section))
        return section

    def _rows(self, keys: Iterable[Key], boxes: Mapping[Key, Box | None], section: ScreenTexts) -> Iterator[TextRow]:
        for key in keys:
            entry = self.entries[key]
            box, note = _style(boxes.get(key), section), _note(key, entry, self.places)
            for form, source, said in _forms(entry):
                self.number += 1
                same = self.numbers.setdefault((key[1], key[2], form, said), self.number)
                leader = 0 if same == self.number else same
                follows = f"the same as {leader}, and changes with it" if leader else ""
                notes = " · ".join(filter(None, (follows, note)))
                yield TextRow(self.number, key, form, source, said, box, notes, leader)
                box = ""


def _entries(language: str) -> Iterator[tuple[Key, polib.POEntry]]:
    for name, path in catalogs.of_language(language):
        for entry in polib.pofile(str(path)):
            if not entry.obsolete:
                yield (name, entry.msgctxt or "", entry.msgid), entry


def _boxes(places: TextPlaces, at: int, keys: Iterable[Key], picture: DrawnShot | None) -> dict[Key, Box | None]:
    """Return the boxes of a shot's texts: on its picture, else where the pseudo-language had them."""
    if picture is not None:
        return {key: picture.boxes.get(key) for key in keys}
    return {key: next((one.box for one in places.texts[key].at if one.shot == at), None) for key in keys}


def _reading(box: Box | None) -> tuple[int, int]:
    """Return the line of a text, and where it begins there."""
    return (box[1] // 12, box[0]) if box else (0, 0)


def _section(shot: ScreenShot, picture: DrawnShot | None, boxes: Sequence[Box]) -> ScreenTexts:
    title = _title(shot)
    if picture is not None:
        source = f"data:image/webp;base64,{base64.b64encode(picture.webp).decode()}"
        return ScreenTexts(title, picture.width, picture.height, source)
    height = max([shot.height, *(box[1] + box[3] for box in boxes)])
    return ScreenTexts(title, shot.width, height)


def _title(shot: ScreenShot) -> str:
    return f"{shot.name}, {shot.screen}".strip(", ").replace("_", " ")


def _forms(entry: polib.POEntry) -> Iterator[tuple[str, str, str]]:
    """Yield the forms of an entry: the number, "" where there is one alone, its source and its translation."""
    if not entry.msgid_plural:
        yield "", entry.msgid, "" if entry.fuzzy else entry.msgstr
        return
    for form, said in sorted(entry.msgstr_plural.items()):
        yield str(form), entry.msgid_plural if form else entry.msgid, "" if entry.fuzzy else said


def _style(box: Box | None, section: ScreenTexts) -> str:
    if not (box and section.width and section.height):
        return ""
    parts = zip(("left", "top", "width", "height"), box, (section.width, section.height) * 2, strict=True)
    return "; ".join(f"{name}: {100 * value / whole:.2f}%" for name, value, whole in parts)


def _note(key: Key, entry: polib.POEntry, places: TextPlaces) -> str:
    """Return what a reader is told beside a text: its context, room, and where else it stands."""
    found = [key[1], entry.comment.strip()]
    if placed := places.texts.get(key):
        found.append(f"about {placed.room} letters have room" if placed.room else "")
        others = [_title(places.shots[one.shot]) for one in placed.at[1:]]
        found.append(f"also: {'; '.join(others[:MOST_NAMED])}" if others else "")
    return " · ".join(filter(None, found))


def _box(box: Sequence[Any]) -> Box:
    left, top, width, height = map(int, box)
    return left, top, width, height
