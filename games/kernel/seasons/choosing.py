"""The nights that count for a player, and their total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.kernel.seasons.nights import NightOfSeason, NightPoints
from games.kernel.seasons.rules import Number, SeasonRules
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
