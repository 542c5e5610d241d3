"""Results: written from the log when an event states that a game ended."""

from __future__ import annotations

from datetime import datetime

from games import plugin
from games.kernel import replay
from games.kernel.contract import Outcome
from games.models import Result, ResultLine, Seat, Table


def record(table: Table, entry: replay.Entry, now: datetime) -> None:
    """Write a `Result` with a line per seat for each outcome in an entry."""
    rules = plugin.game(table.game_id).rules
    for _, outcome in replay.outcomes(rules, [entry]):
        result = Result.objects.create(
            table=table,
            number=table.results.count() + 1,
            seq=entry.seq,
            game_id=table.game_id,
            preset=table.preset,
            reason=outcome.reason,
            unit=outcome.unit,
            finished_at=now,
        )
        ResultLine.objects.bulk_create(_lines(result, outcome))


def _lines(result: Result, outcome: Outcome) -> list[ResultLine]:
    """Return the lines of a result, one for each seat that has points."""
    ranks = ranks_of(outcome)
    return [
        ResultLine(
            result=result,
            seat=seat.index,
            player_id=seat.player_id,
            name=seat.name,
            is_bot=bool(seat.bot_level),
            points=outcome.points[seat.index],
            rank=ranks[seat.index],
            stats=dict(outcome.stats.get(seat.index, {})),
        )
        for seat in Seat.objects.filter(table_id=result.table_id)
        if seat.index in outcome.points
    ]


def ranks_of(outcome: Outcome) -> dict[int, int]:
    """Return each seat's rank, from 1; seats that share a group share the rank."""
    ranks, rank = {}, 1
    for group in outcome.ranking:
        ranks.update(dict.fromkeys(group, rank))
        rank += len(group)
    return ranks


def differences(table: Table, log: list[replay.Entry]) -> list[str]:
    """Return where the stored results differ from what the log says, in words."""
    rules = plugin.game(table.game_id).rules
    told = replay.outcomes(rules, log)
    kept = list(table.results.order_by("number").prefetch_related("lines"))
    if [seq for seq, _ in told] != [r.seq for r in kept]:
        return [f"results at {[r.seq for r in kept]}, outcomes at {[s for s, _ in told]}"]
    wrong = []
    for result, (_, outcome) in zip(kept, told, strict=True):
        ranks = ranks_of(outcome)
        lines = {line.seat: (line.points, line.rank, line.stats) for line in result.lines.all()}
        expected = {
            seat: (points, ranks[seat], dict(outcome.stats.get(seat, {})))
            for seat, points in outcome.points.items()
        }
        if lines != expected:
            wrong.append(f"result {result.number} has other lines than the log")
    return wrong
