"""Results: written from the log when an event states the end of a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from games import plugin
from games.kernel import replay
from games.kernel.contract import Amended, Outcome
from games.models import Player, Result, ResultLine, Table
from games.services.history import night_tallies, tallies
from games.services.point_values import own_values
from games.services.seats.seats import SeatRow, played_by
from games.services.seats.sittings import Sitting
from games.services.tables import log
from games.services.tables.decisions import Addition
from games.services.tables.log import LoggedEntry


def follow_log(added: Addition) -> None:
    """Write the results that a new entry of a table's log states."""
    if _has_result(added.after.game_id, added.entry):
        table, corrects = added.table, added.decision.corrects
        record(table.row, added.entry, added.seats, added.after.sat, table.now, corrects=corrects)


def record(
    table: Table,
    entry: replay.Entry,
    seats: Mapping[int, SeatRow],
    sat: Sequence[Sitting],
    now: datetime,
    *,
    corrects: Result | None = None,
) -> None:
    """Write a `Result` with a line per seat for each outcome in an entry.

    `seats` and `sat` are the table's after the entry. A correction of the result `corrects` is of the people who
    played that game, not of those on the seats now; of who has won, it also amends the results that it concerns.
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
            transfers=[list(each) for each in outcome.transfers],
            is_without_house=outcome.without_house,
            corrects=corrects,
        )
        if corrects is not None:
            copy_lines(corrects, result, outcome.points, ranks_of(outcome.ranking))
            _amend(table, outcome.amended)
            continue
        sitters = [played_by(seats[index], sat) for index in sorted(outcome.points) if index in seats]
        deleted = {seat.index for seat, player, _ in sitters if isinstance(player, Player) and player.deleted_at}
        _keep(result, _lines(result, outcome, entry, sitters), deleted)


def _has_result(game_id: str, entry: LoggedEntry) -> bool:
    rules = plugin.game(game_id).rules
    return any(rules.outcome(event) is not None for event in entry.events if not replay.is_house(event))


def _amend(table: Table, amended: Mapping[int, Amended]) -> None:
    """Give the lines of earlier results their right ranks and figures, and the tallies with them; no points."""
    for result in table.results.filter(seq__in=amended, is_correction=False).select_related("table__night"):
        right = amended[result.seq or 0]
        ranks = ranks_of(right.ranking)
        lines = list(result.lines.select_related("player"))
        _count(result, lines, sign=-1)
        for line in lines:
            line.rank, line.stats = ranks[line.seat], {**line.stats, **right.stats[line.seat]}
        ResultLine.objects.bulk_update(lines, ["rank", "stats"])
        _count(result, lines)


def _count(result: Result, lines: Sequence[ResultLine], *, sign: int = 1) -> None:
    """Add stored lines to the tallies, or with `sign` -1 take them off."""
    is_deleted = [line.player is not None and line.player.deleted_at is not None for line in lines]
    here = [line for line, is_gone in zip(lines, is_deleted, strict=True) if not is_gone]
    tallies.add(result, here, sign=sign)
    night_tallies.add(result, lines, sign=sign)


@dataclass(frozen=True, slots=True)
class PastGameEntry:
    """The entry of a past game: its author, the consent of each seat's person, and whether it `is_proposed`.

    `is_totals`: it is the totals of an evening.
    """

    by: Player | AbstractBaseUser
    consent: Sequence[str]
    is_proposed: bool = False
    is_totals: bool = False

    def fields(self) -> dict[str, Any]:
        """Return the fields of the result."""
        is_player = isinstance(self.by, Player)
        return {
            "by_name": str(self.by)[:150],
            "author": self.by if is_player else None,
            "author_account": None if is_player else self.by,
            "entered_at": datetime.now(UTC),
            "is_proposed": self.is_proposed,
            "is_totals": self.is_totals,
        }


def enter(table: Table, outcome: Outcome, people: Sequence[Player], entry: PastGameEntry, at: datetime) -> Result:
    """Write the `Result` of a past game, which has no log; `people` by seat."""
    result = Result.objects.create(
        table=table,
        number=1,
        game_id=table.game_id,
        preset=table.preset,
        reason=outcome.reason,
        unit=outcome.unit,
        medium=plugin.game(table.game_id).medium(table.options),
        finished_at=at,
        transfers=[],
        **entry.fields(),
    )
    ranks = ranks_of(outcome.ranking)
    values = own_values.at_time(table.night, table.game_id, at)
    lines = [
        ResultLine(
            result=result,
            seat=seat,
            player=player,
            point_value=values.get(player.pk),
            name=player.nickname,
            points=outcome.points[seat],
            rank=ranks[seat],
            stats=outcome.stats[seat],
            consent=entry.consent[seat],
        )
        for seat, player in enumerate(people)
    ]
    _keep(result, lines)
    return result


def copy_lines(
    result: Result, correction: Result, points: Mapping[int, int], ranks: Mapping[int, int] | None = None
) -> None:
    """Write the lines of a correction: `points` by seat, for the people and bots of the result's lines.

    Without `ranks` they have the ranks of the result.
    """
    found = {line.seat: line for line in result.lines.select_related("player")}
    made = [
        ResultLine(
            result=correction,
            seat=seat,
            player_id=found[seat].player_id,
            name=found[seat].name,
            is_bot=found[seat].is_bot,
            points=n,
            rank=found[seat].rank if ranks is None else ranks[seat],
            consent=found[seat].consent,
            point_value=found[seat].point_value,
        )
        for seat, n in points.items()
    ]
    deleted = {seat for seat, line in found.items() if line.player is not None and line.player.deleted_at}
    _keep(correction, made, deleted)


def _keep(result: Result, lines: list[ResultLine], deleted: Collection[int] = ()) -> None:
    """Write the lines of a result, and add them to the tallies, to players' ones without those of `deleted` seats."""
    made = ResultLine.objects.bulk_create(lines)
    tallies.add(result, [line for line in made if line.seat not in deleted])
    night_tallies.add(result, made)


def _lines(
    result: Result, outcome: Outcome, entry: replay.Entry, sitters: Iterable[tuple[SeatRow, Player | int | None, bool]]
) -> list[ResultLine]:
    """Return the lines of a result, one for each seat that has points."""
    ranks, found = ranks_of(outcome.ranking), figures(result, outcome, entry)
    values = own_values.at_beginning(result)
    return [
        ResultLine(
            result=result,
            seat=seat.index,
            player_id=player.pk if isinstance(player, Player) else player,
            name=seat.name,
            is_bot=is_bot,
            points=outcome.points[seat.index],
            rank=ranks[seat.index],
            stats=found.get(seat.index, {}),
            point_value=None if is_bot else values.get(_player_id(player)),
        )
        for seat, player, is_bot in sitters
    ]


def _player_id(player: Player | int | None) -> int:
    """Return the id of a result's player; 0 for nobody."""
    return player.pk if isinstance(player, Player) else player or 0


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


def ranks_of(ranking: Iterable[Collection[int]]) -> dict[int, int]:
    """Return each seat's rank, from 1; seats that share a group share the rank."""
    ranks, rank = {}, 1
    for group in ranking:
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
    amended = {seq: right for _, outcome in outcomes for seq, right in outcome.amended.items()}
    for result, (seq, outcome) in zip(kept, outcomes, strict=True):
        ranks, found = ranks_of(outcome.ranking), figures(result, outcome, by_seq[seq])
        if not outcome.is_correction and (right := amended.get(seq)) is not None:
            ranks = ranks_of(right.ranking)
            found = {seat: {**stats, **right.stats[seat]} for seat, stats in found.items()}
        lines = {line.seat: (line.points, line.rank, line.stats) for line in result.lines.all()}
        expected = {
            seat: (points, ranks[seat], _as_kept(found.get(seat, {}), lines.get(seat)))
            for seat, points in outcome.points.items()
        }
        if lines != expected:
            wrong.append(f"result {result.number} has other lines than the log")
        if result.transfers not in (None, [list(each) for each in outcome.transfers]):
            wrong.append(f"result {result.number} has other transfers than the log")
    return wrong
