"""Fields of a past game's sheet, and the points computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class PastField:
    """A field in each player's line of a past game: one of several words, the first by default."""

    id: str
    label: Any
    words: Mapping[str, Any]


class PastSheet(Protocol):
    """A game's module that computes the points of a past game from its fields."""

    FIELDS: tuple[PastField, ...]

    def points(self, lines: Sequence[Mapping[str, str]], /) -> list[int]:
        """Return the points of each line, which has a word for every field; raises Illegal."""
