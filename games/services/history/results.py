"""Results: written from the log when an event states the end of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from games import plugin
from games.kernel import replay
from games.kernel.contract import Outcome
from games.models import Player, Result, ResultLine, Table
from games.services.history import tallies
from games.services.people import players
from games.services.seats import sittings
from games.services.seats.sittings import Sitting
from games.services.tables import log
from games.services.tables.sql import SeatRow


def record(
    table: Table, entry: replay.Entry, seats: Mapping[int, SeatRow], sat: Sequence[Sitting], now: datetime
) -> None:
    """Write a `Result` with a line per seat for each outcome in an entry.

    `seats` and `sat` are the table's after the entry.
    """
    config = plugin.game(table.game_id)
    for _, outcome in replay.outcomes(config.rules, [entry]):
        result = Result.objects.create(
            table=table,
            number=table.results.count() + 1,
            seq=entry.seq,
            game_id=table.game_id,
            preset=table.preset,
            reason=outcome.reason,
            unit=outcome.unit,
            medium=config.medium(table.options),
            is_correction=outcome.is_correction,
            note=outcome.note,
            finished_at=now,
        )
        sitters = [_sitter(seats[index], sat) for index in sorted(outcome.points) if index in seats]
        _keep(result, _lines(result, outcome, entry, sitters))


def enter(table: Table, outcome: Outcome, people: Sequence[Player], by_name: str, at: datetime) -> Result:
    """Write the `Result` of a past game, which has no log; `people` by seat."""
    result = Result.objects.create(
        table=table,
        number=1,
        game_id=table.game_id,
        preset=table.preset,
        reason=outcome.reason,
        unit=outcome.unit,
        medium=plugin.game(table.game_id).medium(table.options),
        by_name=by_name[:150],
        finished_at=at,
    )
    ranks = ranks_of(outcome)
    lines = [
        ResultLine(
            result=result,
            seat=seat,
            player=player,
            name=player.nickname,
            points=outcome.points[seat],
            rank=ranks[seat],
            stats=outcome.stats[seat],
        )
        for seat, player in enumerate(people)
    ]
    _keep(result, lines)
    return result


def _keep(result: Result, lines: list[ResultLine]) -> None:
    """Write the lines of a result, and add them to the tallies."""
    tallies.add(result, ResultLine.objects.bulk_create(lines))


def _lines(
    result: Result, outcome: Outcome, entry: replay.Entry, sitters: Iterable[tuple[SeatRow, int | None, bool]]
) -> list[ResultLine]:
    """Return the lines of a result, one for each seat that has points."""
    ranks, found = ranks_of(outcome), figures(result, outcome, entry)
    return [
        ResultLine(
            result=result,
            seat=seat.index,
            player_id=player_id,
            name=seat.name,
            is_bot=is_bot,
            points=outcome.points[seat.index],
            rank=ranks[seat.index],
            stats=found.get(seat.index, {}),
        )
        for seat, player_id, is_bot in sitters
    ]


def _sitter(seat: SeatRow, sat: Sequence[Sitting]) -> tuple[SeatRow, int | None, bool]:
    """Return a seat, the player of its result (the last one for an empty seat), and whether that is a bot."""
    if seat.is_taken:
        return seat, seat.player_id, bool(seat.bot_level)
    last = sittings.last_of_each(sat)[seat.index]
    player = players.current_player(last.player_id)
    return seat, None if player is None else player.pk, last.is_bot


def figures(result: Result, outcome: Outcome, entry: replay.Entry) -> dict[int, dict[str, int]]:
    """Return every seat's figures: from the outcome, and from the game's log."""
    found = {seat: dict(outcome.stats.get(seat, {})) for seat in outcome.points}
    config = plugin.game(result.game_id)
    if config.figures is None or outcome.is_correction:
        return found
    from_log = config.figures(result.table.options, len(_opened_with(result.table, entry)), _since_last(result, entry))
    for seat, more in from_log.items():
        found.setdefault(seat, {}).update(more)
    return found


def _since_last(result: Result, entry: replay.Entry) -> list[replay.Entry]:
    """Return the entries of the game that `entry` ended, `entry` included."""
    played = Result.objects.filter(table_id=result.table_id, seq__lt=entry.seq, is_correction=False)
    last = played.order_by("-seq").values_list("seq", flat=True).first() or 0
    return [*log.entries(result.table_id, upto=entry.seq - 1, after=last), entry]


def _opened_with(table: Table, entry: replay.Entry) -> list[Any]:
    """Return the seats that the game was opened with, from the log's first entry."""
    if entry.seq == 1:
        return list(entry.events[0].data["seats"])
    return list(log.opening(table.pk)["seats"])


def ranks_of(outcome: Outcome) -> dict[int, int]:
    """Return each seat's rank, from 1; seats that share a group share the rank."""
    ranks, rank = {}, 1
    for group in outcome.ranking:
        ranks.update(dict.fromkeys(group, rank))
        rank += len(group)
    return ranks


def _as_kept(figures: Mapping[str, int], line: tuple[Any, Any, Mapping[str, int]] | None) -> dict[str, int]:
    """Return figures without zeros that the stored line lacks: older results do not have newer figures."""
    kept = line[2] if line else {}
    return {name: figure for name, figure in figures.items() if figure or name in kept}


def differences(table: Table, entries: Sequence[replay.Entry]) -> list[str]:
    """Return the differences between the stored results and the log, in words."""
    rules = plugin.game(table.game_id).rules
    outcomes = replay.outcomes(rules, entries)
    rows = table.results.filter(seq__isnull=False).order_by("number")
    kept = list(rows.prefetch_related("lines"))
    if [seq for seq, _ in outcomes] != [r.seq for r in kept]:
        return [f"results at {[r.seq for r in kept]}, outcomes at {[s for s, _ in outcomes]}"]
    wrong = []
    by_seq = {entry.seq: entry for entry in entries}
    for result, (seq, outcome) in zip(kept, outcomes, strict=True):
        ranks, found = ranks_of(outcome), figures(result, outcome, by_seq[seq])
        lines = {line.seat: (line.points, line.rank, line.stats) for line in result.lines.all()}
        expected = {
            seat: (points, ranks[seat], _as_kept(found.get(seat, {}), lines.get(seat)))
            for seat, points in outcome.points.items()
        }
        if lines != expected:
            wrong.append(f"result {result.number} has other lines than the log")
    return wrong
