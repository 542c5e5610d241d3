"""Fields of a past game's sheet, and the points computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class PastField:
    """A field in each player's line of a past game: one of several words, the first by default.

    `only` is the id of another field and its word without which this field means nothing in a line.
    """

    id: str
    label: Any
    words: Mapping[str, Any]
    only: tuple[str, str] | None = None


class PastSheet(Protocol):
    """A game's module that computes the points of a past game from its fields."""

    FIELDS: tuple[PastField, ...]

    def points(self, lines: Sequence[Mapping[str, str]], /) -> list[int]:
        """Return the points of each line, which has a word for every field; raises Illegal."""
