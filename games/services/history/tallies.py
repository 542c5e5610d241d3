"""Tallies: sums per player for leaderboards and player pages.

`add` updates them with each new result, in the same transaction; `rebuild` computes them again
from the result lines, which are the truth (after a merger, a correction of a name, an import).
Practice against bots is in none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from games.models import Result, ResultLine, Tally

Key = tuple[int, str, str, "int | None"]
"""Player, game, unit, venue (None: everywhere)."""
KEPT = ("played", "won", "points", "stats", "last_at")


@dataclass(slots=True)
class _Sum:
    last_at: datetime
    played: int = 0
    won: int = 0
    points: int = 0
    stats: Counter[str] = field(default_factory=Counter)


@transaction.atomic
def add(result: Result, lines: Iterable[ResultLine], *, sign: int = 1) -> None:
    """Add a new result to its players' tallies; with `sign` -1 take lines off before they are amended."""
    if result.table.night.is_practice:
        return
    venue_id = result.table.night.venue_id
    sums = _sums((result, line, venue_id) for line in lines)
    kept = _kept({key[0] for key in sums}, result.game_id, result.unit)
    rows = []
    for key, more in sums.items():
        tally = kept.get(key) or _empty(key, more.last_at)
        tally.played += sign * more.played
        tally.won += sign * more.won
        tally.points += sign * more.points
        tally.stats = _joined(tally.stats, {name: sign * n for name, n in more.stats.items()})
        tally.last_at = max(tally.last_at, more.last_at)
        rows.append(tally)
    # One statement for existing rows, one for new ones.
    Tally.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=KEPT)


def _joined(old: dict[str, int], new: dict[str, int]) -> dict[str, int]:
    return {name: old.get(name, 0) + new.get(name, 0) for name in {*old, *new}}


def _kept(player_ids: Iterable[int], game_id: str, unit: str) -> dict[Key, Tally]:
    rows = Tally.objects.select_for_update().filter(player_id__in=player_ids, game_id=game_id, unit=unit)
    return {(row.player_id, row.game_id, row.unit, row.venue_id): row for row in rows}


def _empty(key: Key, last_at: datetime) -> Tally:
    player_id, game_id, unit, venue_id = key
    return Tally(player_id=player_id, game_id=game_id, unit=unit, venue_id=venue_id, last_at=last_at)


def _sums(rows: Iterable[tuple[Result, ResultLine, int | None]]) -> dict[Key, _Sum]:
    """Add up lines, everywhere and at their venue; bots and forgotten guests have no tally, nor what needs consent."""
    sums: dict[Key, _Sum] = {}
    for result, line, venue_id in rows:
        if line.player_id is None or line.consent != ResultLine.Consent.GIVEN:
            continue
        for venue in {None, venue_id}:
            key = (line.player_id, result.game_id, result.unit, venue)
            found = sums.setdefault(key, _Sum(result.finished_at))
            found.points += line.points
            found.last_at = max(found.last_at, result.finished_at)
            if not result.is_correction:
                found.played += has_played(line)
                found.won += has_won(line)
            for name, value in line.stats.items():
                found.stats[name] += value
    return sums


def has_played(line: ResultLine) -> bool:
    """Tell whether a line's seat took part in its game: by the game's figure `played`, else yes."""
    return bool(line.stats.get("played", 1))


def has_won(line: ResultLine) -> bool:
    """Tell whether a line's seat won its game: by the game's figure `won`, else by the first rank."""
    return bool(line.stats.get("won", line.rank == 1))


@transaction.atomic
def rebuild(player_ids: Iterable[int] | None = None) -> int:
    """Compute the tallies of some players, or of everybody, again; return their number."""
    ids = None if player_ids is None else list(player_ids)
    sums = _sums_of_results(ids)
    old = Tally.objects.all()
    (old if ids is None else old.filter(player__in=ids)).delete()
    tallies = []
    for key, found in sums.items():
        tally = _empty(key, found.last_at)
        tally.played, tally.won, tally.points = found.played, found.won, found.points
        tally.stats = dict(found.stats)
        tallies.append(tally)
    Tally.objects.bulk_create(tallies, batch_size=500)
    return len(tallies)


def _sums_of_results(player_ids: Collection[int] | None = None) -> dict[Key, _Sum]:
    """Return the sums of some players, or of everybody, from the result lines."""
    lines = ResultLine.objects.filter(player__isnull=False, player__deleted_at=None, consent=ResultLine.Consent.GIVEN)
    lines = lines.exclude(result__table__night__is_practice=True)
    if player_ids is not None:
        lines = lines.filter(player__in=player_ids)
    rows = lines.select_related("result__table__night").iterator(chunk_size=2000)
    return _sums((line.result, line, line.result.table.night.venue_id) for line in rows)


def differences() -> int:
    """Return the number of tallies that are not what the results say, missing ones included."""
    kept = {
        (row.player_id, row.game_id, row.unit, row.venue_id): [row.played, row.won, row.points, row.stats, row.last_at]
        for row in Tally.objects.iterator(chunk_size=2000)
    }
    found = {
        key: [each.played, each.won, each.points, dict(each.stats), each.last_at]
        for key, each in _sums_of_results().items()
    }
    return sum(kept.get(key) != found.get(key) for key in kept.keys() | found.keys())
