"""Sums over results: score sheets, who pays what, highlights. No request, no HTML."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from games import plugin
from games.models import Result, ResultLine
from games.services import settling

Key = tuple[str, str]
"""A column of a score sheet: a player by id, or a bot or a forgotten guest by name."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody in a score sheet; `player_id` is None for a bot and for who was deleted."""

    key: Key
    name: str
    player_id: int | None
    is_bot: bool


@dataclass(frozen=True, slots=True)
class Game:
    """A row of a sheet: a finished game and each column's line (None: not at that table)."""

    result: Result
    lines: tuple[ResultLine | None, ...]


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays how much: to `to`, or to the table when that is None."""

    who: Who
    points: int
    to: Who | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet of one game and unit at a night: rows = games, columns = people."""

    game_id: str
    unit: str
    people: tuple[Who, ...]
    games: tuple[Game, ...]
    totals: tuple[int, ...]
    payments: tuple[Payment, ...]
    highlights: tuple[tuple[str, tuple[str, ...], int], ...]


def key_of(line: ResultLine) -> Key:
    """Return whose column a line belongs to."""
    return ("player", str(line.player_id)) if line.player_id else ("name", line.name)


def who_of(line: ResultLine) -> Who:
    """Return whose line it is; a person by their present nickname, who was deleted by no id."""
    player = line.player
    if player is None:
        return Who(key_of(line), line.name, None, line.is_bot)
    is_here = player.deleted_at is None
    return Who(key_of(line), player.shown_name, player.pk if is_here else None, line.is_bot)


def sheets(results: Iterable[Result]) -> list[Sheet]:
    """Return a sheet for each game and unit, the games in order of play.

    The results come with `lines` and their players at hand.
    """
    ordered = sorted(results, key=lambda r: (r.game_id, r.unit, r.finished_at, r.pk))
    return [sheet(list(part)) for _, part in groupby(ordered, lambda r: (r.game_id, r.unit))]


def sheet(results: Sequence[Result]) -> Sheet:
    """Return the score sheet of results of one game and unit, given oldest first."""
    game_id = results[0].game_id
    people: dict[Key, Who] = {}
    for result in results:
        for line in sorted(result.lines.all(), key=lambda ln: ln.seat):
            people.setdefault(key_of(line), who_of(line))
    games = []
    for result in results:
        mine = {key_of(line): line for line in result.lines.all()}
        games.append(Game(result, tuple(mine.get(key) for key in people)))
    totals = [_total(games, column) for column in range(len(people))]
    columns = tuple(people.values())
    return Sheet(
        game_id,
        results[0].unit,
        columns,
        tuple(games),
        tuple(totals),
        tuple(payments(game_id, columns, totals)),
        tuple(highlights(game_id, people, results)),
    )


def _total(games: Sequence[Game], column: int) -> int:
    """Return the points of a column."""
    lines = (game.lines[column] for game in games)
    return sum(line.points for line in lines if line is not None)


def payments(game_id: str, people: Sequence[Who], totals: Sequence[int]) -> list[Payment]:
    """Return who pays what.

    Where few points are good, points are what is owed to the table. Where points add up to
    nothing, the losers pay the winners in the fewest transfers.
    """
    if plugin.game(game_id).lower_is_better:
        pairs = zip(people, totals, strict=True)
        owed = [Payment(who, total) for who, total in pairs if total > 0]
        return sorted(owed, key=lambda p: -p.points)
    return transfers(people, totals) if sum(totals) == 0 else []


def transfers(people: Sequence[Who], totals: Sequence[int]) -> list[Payment]:
    """Return the fewest payments that bring everybody to nothing, the largest first."""
    balance = {who.key: total for who, total in zip(people, totals, strict=True)}
    by_key = {who.key: who for who in people}
    found = [Payment(by_key[payer], points, by_key[payee]) for payer, payee, points in settling.transfers(balance)]
    return sorted(found, key=lambda p: -p.points)


def highlights(
    game_id: str, people: Mapping[Key, Who], results: Sequence[Result]
) -> list[tuple[str, tuple[str, ...], int]]:
    """Return for each figure of the game who has most of it: (figure, names, how many)."""
    sums: dict[str, Counter[Key]] = defaultdict(Counter)
    for result in results:
        for line in result.lines.all():
            for figure, value in line.stats.items():
                sums[figure][key_of(line)] += value
    found = []
    for figure in plugin.game(game_id).stat_labels:
        counts = sums.get(figure) or Counter()
        most = max(counts.values(), default=0)
        names = tuple(people[k].name for k, v in counts.items() if v == most)
        # When everybody has the same, nobody stands out.
        if most > 0 and len(names) < len(people):
            found.append((figure, names, most))
    return found


def unit_label(sheet: Sheet) -> str:
    """Return what a sheet's games count in; in general where their house rules call it differently."""
    game = plugin.game(sheet.game_id)
    found = {str(game.unit_label(sheet.unit, row.result.table.options)) for row in sheet.games}
    return found.pop() if len(found) == 1 else str(game.units.get(sheet.unit, sheet.unit))
