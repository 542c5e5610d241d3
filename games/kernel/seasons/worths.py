"""The worth of a night for each player, before nights are chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

from games.kernel.seasons.keizer import keizer_worths
from games.kernel.seasons.nights import NightOfSeason, NightPoints
from games.kernel.seasons.rules import Number, SeasonRules, Worth

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
