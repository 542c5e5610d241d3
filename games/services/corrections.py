"""Corrections of results from outside the table: a new row with its reason, nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Result, ResultLine
from games.services import audit, ledger, people, tallies
from games.services.tables import touched

LONGEST_REASON = 200
MOST_POINTS = 100_000


@transaction.atomic
def correct(result: Result, by: Player | AbstractBaseUser, points: Mapping[int, int], reason: str) -> Result:
    """Add `points` (by seat, signed) to what a result says, as a row of its own.

    Where the game's points are transfers between players, the row has to add up to 0 as the
    results do. Raises Illegal `is_correction`, `no_reason`, `bad_points`, `no_such_seat`,
    `not_zero`, and `not_host` for a player who does not host the night.
    """
    table = ledger.lock(result.table_id)
    if isinstance(by, Player) and table.night.host_id != by.pk:
        raise Illegal("not_host")
    if result.is_correction:
        raise Illegal("is_correction")
    reason = " ".join(reason.split())
    if not reason or not people.is_plain(reason) or len(reason) > LONGEST_REASON:
        raise Illegal("no_reason")
    lines = {line.seat: line for line in result.lines.all()}
    wanted = _checked(result, lines, points)
    row = Result.objects.create(
        table=table,
        number=table.results.count() + 1,
        game_id=result.game_id,
        preset=result.preset,
        reason="corrected",
        unit=result.unit,
        is_correction=True,
        corrects=result,
        note=reason,
        by_name=str(by)[:150],
        finished_at=datetime.now(UTC),
    )
    made = ResultLine.objects.bulk_create(_line(row, lines[s], n) for s, n in wanted.items())
    tallies.add(row, made)
    audit.note("result_corrected", by, result, night=table.night, reason=reason, points=wanted)
    touched(table)
    return row


def _checked(result: Result, lines: Mapping[int, ResultLine], points: Mapping[int, int]) -> dict[int, int]:
    """Return the points that are not 0; raises Illegal as `correct` says."""
    if any(type(n) is not int or abs(n) > MOST_POINTS for n in points.values()):
        raise Illegal("bad_points", most=MOST_POINTS)
    if not set(points) <= set(lines):
        raise Illegal("no_such_seat")
    wanted = {seat: n for seat, n in sorted(points.items()) if n}
    if not wanted:
        raise Illegal("bad_points", most=MOST_POINTS)
    is_transfer = not plugin.game(result.game_id).lower_is_better
    if is_transfer and sum(line.points for line in lines.values()) == 0 != sum(wanted.values()):
        raise Illegal("not_zero")
    return wanted


def _line(row: Result, line: ResultLine, points: int) -> ResultLine:
    return ResultLine(
        result=row,
        seat=line.seat,
        player_id=line.player_id,
        name=line.name,
        is_bot=line.is_bot,
        points=points,
        rank=line.rank,
    )
