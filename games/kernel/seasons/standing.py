"""The standing of a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.kernel.seasons.choosing import ChosenNights, ranked, records_of
from games.kernel.seasons.rules import NightOfSeason, NightPoints, Number, SeasonRules
from games.kernel.seasons.worths import Worths, worths_of


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in a standing; `counted` and `struck` are ids of nights attended, in the season's order.

    `worths` has the weighted worth of each of these nights.
    """

    player: str
    place: int
    total: Number
    nights: int
    counted: tuple[str, ...]
    struck: tuple[str, ...]
    worths: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Unranked:
    """A player with fewer nights than the rules ask for."""

    player: str
    nights: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing: the places, best first and by name where they are shared, and the players without a place."""

    places: tuple[Place, ...]
    unranked: tuple[Unranked, ...]


def standing_of(rules: SeasonRules, nights: Sequence[NightOfSeason], carried: Sequence[NightPoints] = ()) -> Standing:
    """Return the standing after these nights, which are in the season's order.

    Points `carried` over, a row a player, are added to the total: no rule strikes them, and they are no attendance.
    """
    worths = worths_of(rules, nights)
    records = records_of(rules, nights, worths, {row.player: row for row in carried})
    placed: list[Place] = []
    for group in ranked(rules, nights, [r for r in records if r.is_ranked(rules.least_nights)]):
        first = len(placed) + 1
        placed += [_place(nights, worths, record, first) for record in group]
    few = (r for r in records if not r.is_ranked(rules.least_nights))
    return Standing(tuple(placed), tuple(Unranked(r.player, len(r.attended)) for r in few))


def _place(nights: Sequence[NightOfSeason], worths: Sequence[Worths], record: ChosenNights, place: int) -> Place:
    counted = set(record.counted)
    return Place(
        record.player,
        place,
        record.total,
        len(record.attended),
        tuple(nights[index].id for index in record.counted),
        tuple(nights[index].id for index in record.attended if index not in counted),
        {nights[index].id: worths[index][record.player] for index in record.attended},
    )
