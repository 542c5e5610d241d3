"""Sheets of drawn rounds: what each person made in each round of a game at a night, all its tables added up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from games import plugin
from games.models import Night, Player, ResultLine


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """A person's points by round, None for one not played, and their sum."""

    name: str
    points: tuple[int | None, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """The rounds of one game and unit, by number, and the people, the best first."""

    game_id: str
    unit: str
    rounds: tuple[int, ...]
    rows: Sequence[RoundPoints]


def sheets(night: Night) -> list[RoundSheet]:
    """Return the sheet of each game and unit that has results of drawn rounds."""
    lines = ResultLine.objects.filter(result__table__drawn__round__night=night, player__isnull=False)
    fields = ("result__game_id", "result__unit", "player", "result__table__drawn__round__number")
    found: dict[tuple[str, str], dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for game_id, unit, player, number, total in lines.values_list(*fields).annotate(total=Sum("points")).order_by():
        found[game_id, unit][player][number] = total
    people = Player.objects.in_bulk({player for rows in found.values() for player in rows})
    names = {pk: player.displayed_name for pk, player in people.items()}
    return [_sheet(key, rows, names) for key, rows in sorted(found.items())]


def _sheet(key: tuple[str, str], people: dict[int, dict[int, int]], names: dict[int, str]) -> RoundSheet:
    numbers = tuple(sorted({number for points in people.values() for number in points}))
    rows = [
        RoundPoints(names[player], tuple(points.get(number) for number in numbers), sum(points.values()))
        for player, points in people.items()
    ]
    sign = 1 if plugin.game(key[0]).lower_is_better else -1
    return RoundSheet(*key, numbers, sorted(rows, key=lambda row: (sign * row.total, row.name)))
