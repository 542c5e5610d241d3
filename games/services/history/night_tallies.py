"""Night tallies: a player's sums at a night, from which the standings of seasons are computed.

`add` updates them with each new result, in the same transaction; `rebuild` computes them again from the result lines,
which are the truth. Practice against bots is in none.

Sheets of drawn rounds: what each person made in each round of a game at a night, all its tables added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db import transaction
from django.db.models import Sum

from games import plugin
from games.models import Night, NightTally, Player, Result, ResultLine
from games.services.history.tallies import has_played

Key: TypeAlias = tuple[int, int, str, str, str, str]
"""Night, player, game, unit, variant, medium."""


@transaction.atomic
def add(result: Result, lines: Iterable[ResultLine], *, sign: int = 1) -> None:
    """Add lines that count of a result to its night's tallies, a new result's or those just agreed to.

    With `sign` -1 take them off before they are amended.
    """
    if result.table.night.is_practice:
        return
    sums: dict[Key, list[int]] = {}
    for line in lines:
        _sum(sums, result, line, result.table.night_id)
    kept = {_key(row): row for row in _rows([key[0] for key in sums], [key[1] for key in sums])}
    rows = []
    for key, (points, played) in sums.items():
        tally = kept.get(key) or _empty(key)
        tally.points += sign * points
        tally.played += sign * played
        rows.append(tally)
    NightTally.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["id"], update_fields=["points", "played"]
    )


def _rows(nights: Collection[int], players: Collection[int]) -> Iterable[NightTally]:
    return NightTally.objects.select_for_update().filter(night__in=nights, player__in=players).order_by("pk")


def _key(row: NightTally) -> Key:
    return row.night_id, row.player_id, row.game_id, row.unit, row.preset, row.medium


def _empty(key: Key) -> NightTally:
    night_id, player_id, game_id, unit, preset, medium = key
    fields = {"night_id": night_id, "player_id": player_id, "game_id": game_id, "unit": unit}
    return NightTally(**fields, preset=preset, medium=medium)


def _sum(sums: dict[Key, list[int]], result: Result, line: ResultLine, night_id: int) -> None:
    """Add a line; bots and forgotten guests have no tally, nor what needs consent."""
    if line.player_id is None or line.is_bot or line.consent != ResultLine.Consent.GIVEN:
        return
    key = (night_id, line.player_id, result.game_id, result.unit, result.preset, result.medium)
    found = sums.setdefault(key, [0, 0])
    found[0] += line.points
    found[1] += not result.is_correction and has_played(line)


@transaction.atomic
def rebuild(player_ids: Collection[int] | None = None) -> int:
    """Compute the tallies of some players, or of everybody, again; return their number."""
    sums = _sums_of_results(player_ids)
    old = NightTally.objects.all()
    (old if player_ids is None else old.filter(player__in=player_ids)).delete()
    rows = []
    for key, (points, played) in sums.items():
        tally = _empty(key)
        tally.points, tally.played = points, played
        rows.append(tally)
    return len(NightTally.objects.bulk_create(rows, batch_size=500))


def _sums_of_results(player_ids: Collection[int] | None = None) -> dict[Key, list[int]]:
    """Return points and games of some players, or of everybody, from the result lines."""
    lines = ResultLine.objects.filter(player__isnull=False, result__is_proposed=False)
    lines = lines.exclude(result__table__night__is_practice=True)
    if player_ids is not None:
        lines = lines.filter(player__in=player_ids)
    sums: dict[Key, list[int]] = {}
    for line in lines.select_related("result__table").iterator(chunk_size=2000):
        _sum(sums, line.result, line, line.result.table.night_id)
    return sums


def differences() -> int:
    """Return the number of tallies that are not what the results say, missing ones included."""
    kept = {_key(row): [row.points, row.played] for row in NightTally.objects.iterator(chunk_size=2000)}
    found = _sums_of_results()
    return sum(kept.get(key) != found.get(key) for key in kept.keys() | found.keys())


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


def round_sheets(night: Night) -> list[RoundSheet]:
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
