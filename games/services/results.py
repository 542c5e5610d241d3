"""Results: written from the log when an event states that a game ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event, Outcome
from games.models import LogEntry, Result, ResultLine, Seat, Table
from games.services import seats, tallies


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
            is_correction=outcome.is_correction,
            note=outcome.note,
            finished_at=now,
        )
        lines = ResultLine.objects.bulk_create(_lines(result, outcome, entry))
        tallies.add(result, lines)


def _lines(result: Result, outcome: Outcome, entry: replay.Entry) -> list[ResultLine]:
    """Return the lines of a result, one for each seat that has points."""
    ranks, found = ranks_of(outcome), figures(result, outcome, entry)
    seats_in = Seat.objects.filter(table_id=result.table_id, index__in=outcome.points)
    return [
        ResultLine(
            result=result,
            seat=seat.index,
            player_id=who.player_id,
            name=seat.name,
            is_bot=who.is_bot,
            points=outcome.points[seat.index],
            rank=ranks[seat.index],
            stats=found.get(seat.index, {}),
        )
        for seat, who in _whose(result.table, list(seats_in))
    ]


def _whose(table: Table, rows: list[Seat]) -> list[tuple[Seat, seats.Sitter]]:
    """Return whose result each seat's is: who sits there, or who left it empty."""
    is_any_empty = any(seat.player_id is None and not seat.bot_level for seat in rows)
    last = seats.last_sitters(table) if is_any_empty else {}
    found = []
    for seat in rows:
        who = seats.Sitter(seat.player_id, bool(seat.bot_level))
        if who.player_id is None and not who.is_bot:
            who = replace(last[seat.index], player_id=seats.existing(last[seat.index].player_id))
        found.append((seat, who))
    return found


def figures(result: Result, outcome: Outcome, entry: replay.Entry) -> dict[int, dict[str, int]]:
    """Return every seat's figures: those of the outcome, and those that the game's log tells."""
    found = {seat: dict(outcome.stats.get(seat, {})) for seat in outcome.points}
    config = plugin.game(result.game_id)
    if config.figures is None or outcome.is_correction:
        return found
    told = config.figures(result.table.options, len(_opened_with(result.table, entry)), _since_last(result, entry))
    for seat, more in told.items():
        found.setdefault(seat, {}).update(more)
    return found


def _since_last(result: Result, entry: replay.Entry) -> list[replay.Entry]:
    """Return the entries of the game that `entry` ended, `entry` included."""
    played = Result.objects.filter(table_id=result.table_id, seq__lt=entry.seq, is_correction=False)
    last = played.order_by("-seq").values_list("seq", flat=True).first() or 0
    rows = LogEntry.objects.filter(table_id=result.table_id, seq__gt=last, seq__lt=entry.seq).order_by("seq")
    earlier = [
        replay.Entry(seq, tuple(map(Event.from_json, events))) for seq, events in rows.values_list("seq", "events")
    ]
    return [*earlier, entry]


def _opened_with(table: Table, entry: replay.Entry) -> list[Any]:
    """Return the seats that the game was opened with, as the log's first entry tells."""
    if entry.seq == 1:
        return list(entry.events[0].data["seats"])
    first = LogEntry.objects.values_list("events", flat=True).get(table=table, seq=1)
    return list(first[0]["data"]["seats"])


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
    rows = table.results.filter(seq__isnull=False).order_by("number")
    kept = list(rows.prefetch_related("lines"))
    if [seq for seq, _ in told] != [r.seq for r in kept]:
        return [f"results at {[r.seq for r in kept]}, outcomes at {[s for s, _ in told]}"]
    wrong = []
    by_seq = {entry.seq: entry for entry in log}
    for result, (seq, outcome) in zip(kept, told, strict=True):
        ranks, found = ranks_of(outcome), figures(result, outcome, by_seq[seq])
        lines = {line.seat: (line.points, line.rank, line.stats) for line in result.lines.all()}
        expected = {seat: (points, ranks[seat], found.get(seat, {})) for seat, points in outcome.points.items()}
        if lines != expected:
            wrong.append(f"result {result.number} has other lines than the log")
    return wrong
