"""Equal totals: the order of a group by the criteria of the rules, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from games.kernel.seasons.choosing import ChosenNights
from games.kernel.seasons.nights import NightOfSeason
from games.kernel.seasons.rules import Number, SeasonRules, Tie

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
