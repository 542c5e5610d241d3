"""The making of `games/locale/places.json`: all screens in the pseudo-language, and what stands on them in marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser

from games.management.translations.places import Box, Key, PlacedText, ScreenShot, TextPlace, TextPlaces
from tests.browser.places import pages, walk
from tests.browser.places.matching import Matcher

MOST_PLACES = 3
MAIL = ScreenShot("mails", "", 0, 0)
"""Where texts of mails stand, which have no screen."""


@dataclass
class _Gathered:
    """The texts of all shots so far: for each its places, and the least room that it had."""

    matcher: Matcher = field(default_factory=Matcher)
    shots: list[ScreenShot] = field(default_factory=list)
    places: dict[Key, list[TextPlace]] = field(default_factory=dict)
    room: dict[Key, int] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)

    def add(self, shot: ScreenShot, found: Iterable[Sequence[Any]]) -> None:
        """Add what was found on a shot: text, box, lines, and how many times its length has room (texts.js)."""
        self.shots.append(shot)
        is_table = shot.name.partition(" ")[0] in ("chicago", "chouette")
        for text, box, lines, more in found:
            matched = self.matcher.match(text)
            if matched is None:
                self.unknown.add(text)
                continue
            # A paragraph of a page may have as many lines as it needs.
            has_room = more and (lines == 1 or is_table)
            room = max(1, int(len(text) * more) - matched.filled) if has_room else 0
            for key in matched.keys:
                self._place(key, TextPlace(len(self.shots) - 1, _box(box)), room)

    def _place(self, key: Key, place: TextPlace, room: int) -> None:
        """Keep a place of a text: one a shot, one with a box before one without."""
        known = self.places.setdefault(key, [])
        same = [one for one in known if one.shot == place.shot]
        if not same:
            known.append(place)
        elif place.box and not same[0].box:
            known[known.index(same[0])] = place
        if room:
            self.room[key] = min(room, self.room.get(key, room))

    def whole(self) -> TextPlaces:
        """Return the places with the shots that are needed, in their order."""
        kept = {key: sorted(each, key=lambda one: one.box is None)[:MOST_PLACES] for key, each in self.places.items()}
        needed = sorted({place.shot for each in kept.values() for place in each})
        number = {shot: at for at, shot in enumerate(needed)}
        texts = {
            key: PlacedText(self.room.get(key, 0), tuple(TextPlace(number[one.shot], one.box) for one in each))
            for key, each in kept.items()
        }
        return TextPlaces(tuple(self.shots[shot] for shot in needed), texts)


def _box(box: Sequence[int] | None) -> Box | None:
    return (box[0], box[1], box[2], box[3]) if box else None


def marked(text: str) -> list[str]:
    """Return the parts in marks of a text that has no page, from the outermost inwards."""
    found: list[str] = []
    opened: list[int] = []
    for at, letter in enumerate(text):
        if letter == "[":
            opened.append(at)
        elif letter == "]" and opened:
            found.append(text[opened.pop() : at + 1])
    return found[::-1]


def make(
    browser: Browser, sent: Sequence[pages.SentPage], mails: Sequence[str], language: str
) -> tuple[TextPlaces, int]:
    """Return the places of all texts that a screen shows, and how many parts in marks are no text of ours."""
    gathered = _Gathered()
    for shot, page in walk.shots(browser, sent, language, lambda _shot: True):
        gathered.add(shot, page.evaluate("texts.all()"))
    gathered.add(MAIL, [(part, None, 0, 0) for mail in mails for part in marked(mail)])
    return gathered.whole(), len(gathered.unknown)


def sent_in_marks() -> tuple[list[pages.SentPage], list[str], str]:
    """Return pages and mails in the pseudo-language, and the language; inside of `pseudo.spoken`."""
    language = settings.PSEUDO_LANGUAGE
    return *pages.all_of(language), language
