"""The driver's own book of the year: what was played, by whom, and who gets or owes what, kept without the house."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass
class Book:
    """Points of each game, by name, and cents that each person gets, on their days.

    `spans` are the first and last days of the seasons; `placed` has the days between two of them: the number of the
    season into which the organiser took them, None for none.
    """

    evenings: dict[date, list[dict[str, int]]] = field(default_factory=lambda: defaultdict(list))
    cents: dict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    spans: list[tuple[date, date]] = field(default_factory=list)
    placed: dict[date, int | None] = field(default_factory=dict)

    def note(self, day: date, points: Mapping[str, int], *, cents: int = 0) -> None:
        """Note a game, or a correction of one, whose points are worth so many cents."""
        assert sum(points.values()) == 0, points
        self.evenings[day].append(dict(points))
        self.cents[day].update({name: n * cents for name, n in points.items()})

    def of_evening(self, day: date) -> Counter[str]:
        """Return the sums of an evening."""
        return _sum(self.evenings[day])

    def of_person(self, name: str, days: Iterable[date]) -> list[int]:
        """Return what somebody has in each game and correction of some days, in the order of their size."""
        return sorted(game[name] for day in days for game in self.evenings[day] if game.get(name))

    def owed(self, day: date) -> dict[str, int]:
        """Return what everybody gets of an evening in cents; below zero they pay."""
        return {name: n for name, n in self.cents[day].items() if n}

    def standing(self, season: int) -> Counter[str]:
        """Return the sums of a season: of all its evenings so far."""
        return _sum(game for day, games in self.evenings.items() if self._season(day) == season for game in games)

    def days(self, season: int) -> set[date]:
        """Return the days of a season at which something was played."""
        return {day for day, games in self.evenings.items() if games and self._season(day) == season}

    def _season(self, day: date) -> int | None:
        if day in self.placed:
            return self.placed[day]
        return next((number for number, (first, last) in enumerate(self.spans) if first <= day <= last), None)


@dataclass
class CupBook:
    """The matches of a tournament in which everybody meets everybody, in their order: winner and loser.

    Who goes home after half of their matches or more loses the others; the matches of who has played less do not count.
    """

    people: list[str]
    played: list[tuple[str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def of(self, name: str) -> int:
        """Return how many matches somebody has played."""
        return sum(name in match for match in self.played)

    @property
    def struck(self) -> set[str]:
        """The people whose matches do not count."""
        return {name for name in self.gone if 2 * self.of(name) < len(self.people) - 1}

    def wins_and_losses(self) -> dict[str, tuple[int, int]]:
        """Return wins and losses of everybody at the end, by the rules about those who have gone home."""
        counted = [match for match in self.played if not self.struck & set(match)]
        won, lost = Counter(first for first, _ in counted), Counter(second for _, second in counted)
        met = {frozenset(match) for match in counted}
        for late in [name for name in self.gone if name not in self.struck]:
            for other in set(self.people) - self.struck - {late}:
                if frozenset((late, other)) not in met:
                    lost[late] += 1
                    won[other] += other not in self.gone
        return {name: (won[name], lost[name]) for name in self.people}


def _sum(games: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for game in games:
        for name, points in game.items():
            found[name] += points
    return found
