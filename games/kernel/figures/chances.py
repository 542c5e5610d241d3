"""Exact chances, as games tell them to pages and programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from games.kernel.contract import JsonObject


@dataclass(frozen=True, slots=True)
class Told:
    """A chance: of what, by a word of the game's, and in which case."""

    about: str
    chance: Fraction
    case: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Return what a program gets: the fraction in lowest terms, and its decimal."""
        num, den = self.chance.numerator, self.chance.denominator
        told = {"num": num, "den": den, "decimal": float(self.chance)}
        return {"about": self.about, "case": dict(self.case), **told}
