"""Keizer's standing: who beats somebody gets that player's value, which follows from the standing before the night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.kernel.seasons.nights import NightOfSeason
from games.kernel.seasons.rules import Number, SeasonRules


@dataclass(slots=True)
class _Sums:
    """The sums of the nights so far: weights won against each opponent, and the parts of one's own value."""

    won: dict[str, dict[str, Number]] = field(default_factory=dict)
    own: dict[str, Number] = field(default_factory=dict)

    def add(self, rules: SeasonRules, night: NightOfSeason) -> None:
        """Add a night."""
        for player in night.named:
            self.won.setdefault(player, {})
            self.own.setdefault(player, 0)
        for match in night.matches:
            won = self.won[match.winner]
            won[match.loser] = won.get(match.loser, 0) + night.weight
        for player, part in _parts(rules, night):
            self.own[player] += night.weight * part

    def total(self, player: str, values: Mapping[str, int]) -> Number:
        """Return the total of a player by the values."""
        won = sum((weight * values[loser] for loser, weight in self.won[player].items()), 0)
        return won + self.own[player] * values[player]


def keizer_worths(rules: SeasonRules, nights: Sequence[NightOfSeason]) -> list[dict[str, Number]]:
    """Return the weighted worths of each night, by the values before the last one."""
    sums = _Sums()
    totals: dict[str, Number] = {}
    values: dict[str, int] = {}
    for night in nights:
        known = sorted(totals, key=lambda player: (-totals[player], player))
        values = _values([*known, *sorted(night.named - totals.keys())])
        sums.add(rules, night)
        totals = {player: sums.total(player, values) for player in values}
    return [_worths(rules, night, values) for night in nights]


def _parts(rules: SeasonRules, night: NightOfSeason) -> list[tuple[str, Number]]:
    """Return (player, part of the own value) for each bye and each absence of a night."""
    return [*((player, rules.bye) for player in night.byes), *((player, rules.absent) for player in night.absences)]


def _values(ranked: Sequence[str]) -> dict[str, int]:
    """Return the values of the players, best first: ⌈3(n − 1)/2⌉ and at least 1 for the first, one less for each."""
    highest = max(1, (3 * (len(ranked) - 1) + 1) // 2)
    return {player: highest - index for index, player in enumerate(ranked)}


def _worths(rules: SeasonRules, night: NightOfSeason, values: Mapping[str, int]) -> dict[str, Number]:
    found: dict[str, Number] = dict.fromkeys(night.named, 0)
    for match in night.matches:
        found[match.winner] += night.weight * values[match.loser]
    for player, part in _parts(rules, night):
        found[player] += night.weight * part * values[player]
    return found
