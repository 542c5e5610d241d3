"""The places of texts on the screens: `games/locale/places.json`, which `make text-places` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from games.version import SOURCES

PATH = SOURCES / "games" / "locale" / "places.json"
_BETWEEN = "\x04"
"""The sign that gettext puts between a context and its text."""

Key: TypeAlias = tuple[str, str, str]
"""A text: its catalogue ("games/django"), its context, "" for none, and itself."""
Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height in pixels of the screen."""


@dataclass(frozen=True, slots=True)
class ScreenShot:
    """A look at a screen: a page by the name of its address and who reads it, or a table's state by its game."""

    name: str
    screen: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A place of a text: the number of a shot, and the box; None where it is heard, or has not come yet."""

    shot: int
    box: Box | None


@dataclass(frozen=True, slots=True)
class PlacedText:
    """The places of a text, and how many letters beside its placeholders have room in each; 0 for any number."""

    room: int
    at: tuple[TextPlace, ...]


@dataclass(frozen=True, slots=True)
class TextPlaces:
    """The shots in the order of the screens, and the texts that they show."""

    shots: tuple[ScreenShot, ...]
    texts: Mapping[Key, PlacedText]


def read(path: Path = PATH) -> TextPlaces:
    """Return the places; raises OSError, ValueError, KeyError, TypeError for a file that is none of ours."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    texts = {}
    for catalogue, entries in whole["texts"].items():
        for name, (room, *at) in entries.items():
            context, between, text = name.rpartition(_BETWEEN)
            places = tuple(TextPlace(shot, (box[0], box[1], box[2], box[3]) if box else None) for shot, *box in at)
            texts[catalogue, context if between else "", text] = PlacedText(room, places)
    return TextPlaces(tuple(ScreenShot(*shot) for shot in whole["shots"]), texts)


def write(places: TextPlaces, path: Path = PATH) -> None:
    """Write the places, a line for each shot and each text."""
    shots = [[shot.name, shot.screen, shot.width, shot.height] for shot in places.shots]
    catalogues: dict[str, list[str]] = {}
    for (catalogue, context, text), placed in sorted(places.texts.items()):
        value = [placed.room, *([place.shot, *(place.box or ())] for place in placed.at)]
        name = f"{context}{_BETWEEN}{text}" if context else text
        catalogues.setdefault(catalogue, []).append(f"{_line(name)}: {_line(value)}")
    texts = ",\n".join(f"{_line(name)}: {{\n{_lines(lines)}\n}}" for name, lines in catalogues.items())
    whole = f'{{"shots": [\n{_lines(map(_line, shots))}\n],\n"texts": {{\n{texts}\n}}}}\n'
    path.write_text(whole, encoding="utf-8")


def _lines(lines: Sequence[str] | map[str]) -> str:
    return ",\n".join(lines)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
