"""Results: written from the log when an event states that a game ended."""

from __future__ import annotations

from datetime import datetime

from games import plugin
from games.kernel import replay
from games.kernel.contract import Outcome
from games.models import LogEntry, Player, Result, ResultLine, Seat, Table


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
            player_id=_whose(seat),
            name=seat.name,
            is_bot=bool(seat.bot_level),
            points=outcome.points[seat.index],
            rank=ranks[seat.index],
            stats=dict(outcome.stats.get(seat.index, {})),
        )
        for seat in Seat.objects.filter(table_id=result.table_id)
        if seat.index in outcome.points
    ]


def _whose(seat: Seat) -> int | None:
    """Return the player whose result a seat's is: who sits there, or who left it empty."""
    if seat.player_id is not None or seat.bot_level:
        return seat.player_id
    last: int | None = None
    rows = LogEntry.objects.filter(table_id=seat.table_id).order_by("seq")
    for event in (event for events in rows.values_list("events", flat=True) for event in events):
        if event["type"] == "table.started":
            last = event["data"]["seats"][seat.index]["player"]
        elif event["type"] == "table.substituted" and event["data"]["seat"] == seat.index:
            last = event["data"]["player"]
    # The people may have deleted themselves since.
    return last if last is not None and Player.objects.filter(pk=last).exists() else None


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
