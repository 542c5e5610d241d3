"""The faces that the events of an entry tell, as devices find them (games/static/games/dice/record.js)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from games.kernel.contract import Event

NAMES = frozenset({"dice", "die"})
"""The fields of faces, at any depth of an event's data."""
_IS_THROW = re.compile(r"(^|_)(rolled|drawn)(_|$)|(^|_)(dice|die)_thrown$")


def rolls(events: Iterable[Event], hidden: Collection[str] = ()) -> list[list[int]]:
    """Return the faces that events tell of a throw of the house, those that fell together in a list.

    `hidden` are the types of the game's events with hidden dice.
    """
    told = (event for event in events if event.type in hidden or _IS_THROW.search(event.type))
    return [roll for event in told if not event.data.get("typed") for roll in faces(event)]


def faces(event: Event) -> list[list[int]]:
    """Return the faces in an event, of whatever type, those that stand together in a list."""
    return list(_within(event.data, is_faces=False))


def _within(value: Any, *, is_faces: bool) -> Iterator[list[int]]:
    if isinstance(value, int) and not isinstance(value, bool):
        if is_faces:
            yield [value]
    elif isinstance(value, list | tuple):
        if is_faces and all(isinstance(each, int) for each in value):
            yield list(value)
        else:
            for each in value:
                yield from _within(each, is_faces=is_faces)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _within(each, is_faces=name in NAMES)


def are_told(events: Iterable[Event], drawn: Sequence[int], hidden: Collection[str] = ()) -> bool:
    """Tell whether events tell the dice that their entry drew, in the order of its rolls, and no others."""
    left = list(drawn)
    for roll in rolls(events, hidden):
        now, left = left[: len(roll)], left[len(roll) :]
        if sorted(now) != sorted(roll):
            return False
    return not left
