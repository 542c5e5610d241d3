"""The driver's own book of the year: what was played and who came, kept without the house."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass
class Book:
    """Points of each game, by name, and who owes whom how many cents, on their days."""

    evenings: dict[date, list[dict[str, int]]] = field(default_factory=lambda: defaultdict(list))
    debts: dict[date, list[tuple[str, str, int]]] = field(default_factory=lambda: defaultdict(list))

    def note(self, day: date, points: Mapping[str, int]) -> None:
        """Note a game."""
        assert sum(points.values()) == 0, points
        self.evenings[day].append(dict(points))

    def owe(self, day: date, payer: str, payee: str, cents: int) -> None:
        """Note that somebody owes somebody for a game of an evening."""
        self.debts[day].append((payer, payee, cents))

    def of_evening(self, day: date) -> Counter[str]:
        """Return the sums of an evening."""
        return _sum(self.evenings[day])

    def standing(self, first: date, last: date) -> Counter[str]:
        """Return the sums of a season: of all its days."""
        return _sum(game for day, games in self.evenings.items() if first <= day <= last for game in games)


def _sum(games: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for game in games:
        for name, points in game.items():
            found[name] += points
    return found
