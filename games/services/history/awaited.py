"""Past games and corrections that wait for somebody's consent and change sums, for sheet, owed and seasons alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.kernel.contract import JsonObject
from games.models import Night, Player, Result, ResultLine, Table
from games.services.history import consent, score_sheets

Move = tuple[Player, int]
"""A player with points."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A past game, or a correction of one, that waits for `people` at a night.

    `number` is that of the game in its sheet, None for one that is in no sheet before a second person agrees. `moves`
    are the points of everybody in it; those of `people` count for nobody yet. It `is_correction` of the result.
    """

    night: Night
    result: Result
    number: int | None
    people: tuple[Player, ...]
    moves: tuple[Move, ...]
    is_correction: bool = False


def of_nights(nights: Collection[Night]) -> list[Awaited]:
    """Return what waits at nights, in the order in which it was entered."""
    by_id = {night.pk: night for night in nights}
    games = consent.waiting_at(by_id)
    numbers = {night_id: _numbers(by_id[night_id]) for night_id in {each.table.night_id for each in games}}
    found = [_game(by_id[each.table.night_id], each, numbers[each.table.night_id]) for each in games]
    # Where all others have refused nothing is waited for.
    return [*(each for each in found if each.people or each.result.is_proposed), *_corrections(by_id)]


def _numbers(night: Night) -> dict[int, int]:
    """Return the number of each game in its sheet, by the result's id."""
    counts: dict[tuple[str, str], int] = {}
    found = {}
    rows = score_sheets.night_results(night).filter(is_correction=False).order_by("finished_at", "pk")
    for pk, game_id, unit in rows.values_list("pk", "game_id", "unit"):
        counts[game_id, unit] = found[pk] = counts.get((game_id, unit), 0) + 1
    return found


def _game(night: Night, result: Result, numbers: dict[int, int]) -> Awaited:
    lines = sorted((line for line in result.lines.all() if line.player), key=lambda line: line.seat)
    authors = {line.seat for line in lines if _is_authors(result, line)}
    waited = [line for line in lines if line.consent == ResultLine.Consent.ASKED and line.seat not in authors]
    moves = tuple((line.player, line.points) for line in lines if line.player is not None)
    people = tuple(line.player for line in waited if line.player is not None)
    return Awaited(night, result, numbers.get(result.pk), people, moves)


def _is_authors(result: Result, line: ResultLine) -> bool:
    return line.player is not None and consent.is_author(result, line.player)


def _corrections(nights: dict[int, Night]) -> list[Awaited]:
    tables = Table.objects.filter(night__in=nights).exclude(corrections=[]).defer("state", "options", "clocks")
    asked = [(table, each) for table in tables.order_by("pk") for each in table.corrections]
    results = Result.objects.prefetch_related("lines__player").in_bulk([each["result"] for _table, each in asked])
    numbers = {night_id: _numbers(nights[night_id]) for night_id in {table.night_id for table, _each in asked}}
    return [
        _correction(nights[table.night_id], results[each["result"]], each, numbers[table.night_id])
        for table, each in asked
        if each["result"] in results
    ]


def _correction(night: Night, result: Result, found: JsonObject, numbers: dict[int, int]) -> Awaited:
    people = {line.seat: line.player for line in result.lines.all() if line.player is not None}
    asked = tuple(people[seat] for seat in found["waiting"] if seat in people)
    moves = tuple((people[int(seat)], n) for seat, n in found["points"].items() if int(seat) in people)
    return Awaited(night, result, numbers.get(result.pk), asked, moves, is_correction=True)


def uncounted(found: Sequence[Awaited], game_id: str, unit: str) -> dict[int, int]:
    """Return player → points of a game and unit that count for that player once everybody has agreed."""
    sums: dict[int, int] = {}
    for each in found:
        if (each.result.game_id, each.result.unit) != (game_id, unit):
            continue
        asked = {line.player_id for line in each.result.lines.all() if line.consent == ResultLine.Consent.ASKED}
        for player, points in each.moves:
            if each.is_correction or player.pk in asked:
                sums[player.pk] = sums.get(player.pk, 0) + points
    return {player_id: points for player_id, points in sums.items() if points}
