"""The worth of a night for each player, before nights are chosen.

Keizer's standing: who beats somebody gets that player's value, which follows from the standing before the night.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from games.kernel.seasons.rules import NightOfSeason, NightPoints, Number, SeasonRules, Worth


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


Worths = dict[str, Number]
"""The weighted worth of a night by player; who is missing has none."""


def worths_of(rules: SeasonRules, nights: Sequence[NightOfSeason]) -> list[Worths]:
    """Return the weighted worths of each night; in a Keizer standing those of absences with notice, too."""
    if rules.worth == "keizer":
        return keizer_worths(rules, nights)
    value = _VALUES[rules.worth]
    return [_weighted(value(rules, night), night.weight) for night in nights]


def _weighted(worths: Worths, weight: Number) -> Worths:
    return worths if weight == 1 else {player: of * weight for player, of in worths.items()}


def _points(_: SeasonRules, night: NightOfSeason) -> Worths:
    return {player: row.points for player, row in night.attended.items()}


def _per_game(_: SeasonRules, night: NightOfSeason) -> Worths:
    rows = night.attended.items()
    return {player: _ratio(row.points, row.games) if row.games else 0 for player, row in rows}


def _ratio(number: Number, by: Number) -> Number:
    """Return an exact ratio; a whole one as an int, as sums of these are faster."""
    found = Fraction(number, by)
    return found.numerator if found.denominator == 1 else found


def _attendance(_: SeasonRules, night: NightOfSeason) -> Worths:
    return dict.fromkeys(night.attended, 1)


def _places(rules: SeasonRules, night: NightOfSeason) -> Worths:
    """Return the worths of the places of a night, from the rule's list or by the size of the field."""
    size, given = len(night.attended), rules.places

    def worth(place: int) -> Number:
        if given is None:
            return size - place
        return given[place - 1] if place <= len(given) else 0

    return _by_place(rules, night, worth)


def _won(rules: SeasonRules, night: NightOfSeason) -> Worths:
    return _by_place(rules, night, lambda place: int(place == 1))


def _by_place(rules: SeasonRules, night: NightOfSeason, worth: Callable[[int], Number]) -> Worths:
    """Return a worth by place; players of equal points share their places' worths as the rules say."""
    sign = 1 if rules.lower_is_better else -1

    def order(row: NightPoints) -> Number:
        return sign * row.points

    found: Worths = {}
    first = 1
    for _, equal in groupby(sorted(night.attended.values(), key=order), key=order):
        players = [row.player for row in equal]
        found |= dict.fromkeys(players, _shared(rules, worth, range(first, first + len(players))))
        first += len(players)
    return found


def _shared(rules: SeasonRules, worth: Callable[[int], Number], places: range) -> Number:
    """Return the worth for each of the players who share places."""
    if rules.equal == "best" or len(places) == 1:
        return worth(places[0])
    return _ratio(sum(map(worth, places)), len(places))


def _match(rules: SeasonRules, night: NightOfSeason) -> Worths:
    found: Worths = dict.fromkeys(night.attended, 0)
    for match in night.matches:
        won, lost = rules.stage_worths(match.stage)
        found[match.winner] += won
        found[match.loser] += lost
    return found


_VALUES: dict[Worth, Callable[[SeasonRules, NightOfSeason], Worths]] = {
    "points": _points,
    "per_game": _per_game,
    "places": _places,
    "won": _won,
    "attendance": _attendance,
    "match": _match,
}
