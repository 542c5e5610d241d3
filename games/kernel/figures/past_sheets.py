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
    """A game's module that computes the points of a past game from its fields.

    `TOLD` are the ids of the fields that say, beside the winner, how a game of a real table has ended
    (contract.CORRECT_RESULT); their words are whole numbers. () for a game that lists no CORRECT_RESULT.
    """

    FIELDS: tuple[PastField, ...]
    TOLD: tuple[str, ...]

    def points(self, lines: Sequence[Mapping[str, str]], /) -> list[int]:
        """Return the points of each line, which has a word for every field; raises Illegal."""
