"""The nights that count for a player, and their total.

Equal totals: the order of a group by the criteria of the rules, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from games.kernel.seasons.rules import NightOfSeason, NightPoints, Number, SeasonRules, Tie
from games.kernel.seasons.worths import Worths


@dataclass(frozen=True, slots=True)
class ChosenNights:
    """The nights of a player by their index in the season, the total, and the best counted night's worth."""

    player: str
    attended: tuple[int, ...]
    counted: tuple[int, ...]
    total: Number
    best: Number
    is_carried: bool = False

    def is_ranked(self, least_nights: int) -> bool:
        """Tell whether the player has a place; points carried over stand in for a single night that is asked for."""
        return len(self.attended) >= least_nights or (self.is_carried and least_nights <= 1)


def records_of(
    rules: SeasonRules, nights: Sequence[NightOfSeason], worths: Sequence[Worths], carried: Mapping[str, NightPoints]
) -> list[ChosenNights]:
    """Return the records of all players, by name: those named by a night, and those with points `carried` over."""
    named = set(carried).union(*(n.named for n in nights))
    attended: dict[str, list[int]] = {player: [] for player in sorted(named)}
    for index, night in enumerate(nights):
        for player in night.attended:
            attended[player].append(index)
    found = [_record(rules, nights, worths, player, tuple(indices)) for player, indices in attended.items()]
    return [_with_carried(rules, nights, record, carried.get(record.player)) for record in found]


def _record(
    rules: SeasonRules,
    nights: Sequence[NightOfSeason],
    worths: Sequence[Worths],
    player: str,
    attended: tuple[int, ...],
) -> ChosenNights:
    """Return the record of a player who was at these nights."""
    counted, beside = _chosen(rules, nights, worths, player, attended)
    if rules.worth == "per_game":
        total = _per_game(nights, player, counted, None)
    else:
        total = sum((worths[index][player] for index in counted), beside)
    pick = min if rules.fewer_first else max
    best = pick((worths[index][player] for index in counted), default=0)
    return ChosenNights(player, attended, counted, total, best)


def _with_carried(
    rules: SeasonRules, nights: Sequence[NightOfSeason], record: ChosenNights, carried: NightPoints | None
) -> ChosenNights:
    """Return a record with what is carried over in its total."""
    if carried is None:
        return record
    total = record.total + carried.points
    if rules.worth == "per_game":
        total = _per_game(nights, record.player, record.counted, carried)
    return replace(record, total=total, is_carried=True)


def _per_game(
    nights: Sequence[NightOfSeason], player: str, counted: Sequence[int], carried: NightPoints | None
) -> Number:
    """Return all weighted points over all weighted games of the counted nights, and of what is carried over."""
    rows = [(nights[index].weight, nights[index].attended[player]) for index in counted]
    rows += [] if carried is None else [(1, carried)]
    games = sum((weight * row.games for weight, row in rows), 0)
    points = sum((weight * row.points for weight, row in rows), 0)
    return Fraction(points) / games if games else 0


def _chosen(
    rules: SeasonRules,
    nights: Sequence[NightOfSeason],
    worths: Sequence[Worths],
    player: str,
    attended: tuple[int, ...],
) -> tuple[tuple[int, ...], Number]:
    """Return the counted nights, and the worth of nights that count without having been attended."""
    sign = -1 if rules.fewer_first else 1
    number = rules.count.number
    if rules.count.kind == "all":
        return attended, _of_absences(nights, worths, player) if rules.worth == "keizer" else 0
    goodness = {index: sign * worths[index][player] for index in attended}
    if rules.count.kind == "best":
        best = sorted(attended, key=lambda index: (-goodness[index], index))[:number]
        return tuple(sorted(best)), 0
    missed = [index for index in range(len(nights)) if index not in goodness]
    if rules.missed is None:
        struck = sorted(attended, key=lambda index: (goodness[index], -index))[: max(0, number - len(missed))]
        return tuple(index for index in attended if index not in set(struck)), 0
    valued = {index: rules.missed * nights[index].weight for index in missed}
    goodness |= {index: sign * worth for index, worth in valued.items()}
    kept = sorted(goodness, key=lambda index: (goodness[index], -index))[number:]
    beside = sum((valued[index] for index in kept if index in valued), 0)
    return tuple(sorted(index for index in kept if index not in valued)), beside


def _of_absences(nights: Sequence[NightOfSeason], worths: Sequence[Worths], player: str) -> Number:
    """Return the worth of a player's absences with notice."""
    found = (of.get(player, 0) for night, of in zip(nights, worths, strict=True) if player not in night.attended)
    return sum(found, 0)


Group = list[ChosenNights]


def ranked(rules: SeasonRules, nights: Sequence[NightOfSeason], records: Sequence[ChosenNights]) -> list[Group]:
    """Return the records in groups that share a place, best first; within a group by name."""
    sign = 1 if rules.fewer_first else -1
    groups = _split(sorted(records, key=lambda record: record.player), lambda record: sign * record.total)
    for tie in rules.ties:
        groups = [part for group in groups for part in _decided(rules, nights, group, tie)]
    return groups


def _split(group: Sequence[ChosenNights], key: Callable[[ChosenNights], Number]) -> list[Group]:
    """Return a group in parts of equal keys, lowest key first; the order within a part stays."""
    return [list(part) for _, part in groupby(sorted(group, key=key), key=key)]


def _decided(rules: SeasonRules, nights: Sequence[NightOfSeason], group: Group, tie: Tie) -> list[Group]:
    """Return a group as a criterion splits it."""
    if len(group) == 1:
        return [group]
    if tie == "nights":
        return _split(group, lambda record: -len(record.attended))
    if tie == "best_night":
        sign = 1 if rules.fewer_first else -1
        return _split(group, lambda record: sign * record.best)
    duel = _matches(nights, group) if rules.is_by_matches else _common_points(rules, nights, group)
    return _split(group, lambda record: -duel[record.player])


def _matches(nights: Sequence[NightOfSeason], group: Group) -> dict[str, Number]:
    """Return the matches won minus those lost among the group."""
    found: dict[str, Number] = dict.fromkeys((record.player for record in group), 0)
    for match in (match for night in nights for match in night.matches):
        if match.winner in found and match.loser in found:
            found[match.winner] += 1
            found[match.loser] -= 1
    return found


def _common_points(rules: SeasonRules, nights: Sequence[NightOfSeason], group: Group) -> dict[str, Number]:
    """Return the points of the nights that the whole group attended, unweighted; more is better."""
    common = set(group[0].attended).intersection(*(record.attended for record in group[1:]))
    sign = -1 if rules.lower_is_better else 1
    return {
        record.player: sign * sum((nights[index].attended[record.player].points for index in common), 0)
        for record in group
    }
