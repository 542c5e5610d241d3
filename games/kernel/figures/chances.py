"""Exact chances, as games give them to pages and programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from games.kernel.contract import JsonObject


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance: `about` is the game's word for its subject, `case` the case in which it holds."""

    about: str
    chance: Fraction
    case: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Return the chance as JSON: the fraction in lowest terms, and its decimal value."""
        num, den = self.chance.numerator, self.chance.denominator
        fraction = {"num": num, "den": den, "decimal": float(self.chance)}
        return {"about": self.about, "case": dict(self.case), **fraction}
