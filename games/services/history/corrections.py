"""Corrections of results: a new row with a reason; existing rows are never changed.

A host's correction counts at once. A player's counts when every player whose total it lowers has agreed (if
points are not transfers: every other player of the game), and may move no one by more than the sheet's largest
result. Until then it waits in the table's row as

    {"id": str, "result": row id, "seat": the proposer's, "points": {seat as str: n}, "reason": str,
     "waiting": [seats that have not agreed]}

If the table still plays a game with a sheet of its own, it is written there (contract.CORRECT).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, Min

from games import plugin
from games.kernel.contract import CORRECT, Command, Illegal, JsonObject
from games.models import Player, Result, ResultLine, Table
from games.services import audit
from games.services.history import tallies
from games.services.people import players
from games.services.tables import log
from games.services.tables.commands import HOUSE, Request, new_command_id
from games.services.tables.commit import submit
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.publication import table_changed

LONGEST_REASON = 200
MOST_POINTS = 100_000
MOST_WAITING = 10
"""The most corrections of a table that wait at the same time."""

By = Player | AbstractBaseUser


@dataclass(frozen=True, slots=True)
class _Moves:
    """The content of a correction: signed points by seat, the reason, the proposer (None: the house)."""

    seat: int | None
    points: Mapping[int, int]
    reason: str


@transaction.atomic
def correct(result: Result, by: By, points: Mapping[int, int], reason: str) -> Result | None:
    """Correct a result by `points` (by seat, signed), as a new row.

    Returns None for a player's correction that others must agree to first. If the game's
    points are transfers between players, the row must add up to 0 as the results do. Raises
    Illegal `is_correction`, `no_reason`, `bad_points`, `no_such_seat`, `not_zero`; `not_host`
    for a player that neither hosts the night nor took part, `too_much`, `too_many_waiting`.
    """
    table = log.lock(result.table_id)
    if result.is_correction:
        raise Illegal("is_correction")
    lines = {line.seat: line for line in result.lines.all()}
    is_player = isinstance(by, Player) and table.night.host_id != by.pk
    own = next((seat for seat, line in lines.items() if isinstance(by, Player) and line.player_id == by.pk), None)
    if is_player and own is None:
        raise Illegal("not_host")
    reason = " ".join(reason.split())
    if not reason or not players.is_plain(reason) or len(reason) > LONGEST_REASON:
        raise Illegal("no_reason")
    changes = _checked(result, lines, points)
    if not is_player or own is None:
        return _write(table, result, by, _Moves(own, changes, reason))
    _check_size(table, result, changes)
    waiting = _to_agree(result, lines, own, changes)
    if not waiting:
        return _write(table, result, by, _Moves(own, changes, reason))
    if len(table.corrections) >= MOST_WAITING:
        raise Illegal("too_many_waiting", most=MOST_WAITING)
    entry = {"result": result.pk, "seat": own, "points": _by_name(changes), "reason": reason, "waiting": waiting}
    _keep(table, [*table.corrections, {"id": uuid.uuid4().hex[:12], **entry}])
    audit.note("correction_proposed", by, result, night=table.night, reason=reason, points=_by_name(changes))
    return None


@transaction.atomic
def answer(table_id: int, correction_id: str, by: Player, *, agrees: bool) -> Result | None:
    """Agree to a correction or refuse it; return its row once it counts.

    The proposer may withdraw it, and the host may answer for everybody. Raises Illegal
    `no_such_correction`, `not_asked`.
    """
    table = log.lock(table_id)
    found = next((each for each in table.corrections if each["id"] == correction_id), None)
    if found is None:
        raise Illegal("no_such_correction")
    result = table.results.get(pk=found["result"])
    owners = {line.seat: line.player_id for line in result.lines.all()}
    is_host = table.night.host_id == by.pk
    own_seats = [seat for seat in found["waiting"] if owners.get(seat) == by.pk]
    is_own = owners.get(found["seat"]) == by.pk
    if not (own_seats or is_host or (is_own and not agrees)):
        raise Illegal("not_asked")
    others = [each for each in table.corrections if each is not found]
    waiting = [] if is_host else [seat for seat in found["waiting"] if seat not in own_seats]
    about: JsonObject = {"reason": found["reason"], "points": found["points"]}
    audit.note("correction_agreed" if agrees else "correction_refused", by, result, night=table.night, **about)
    _keep(table, [*others, {**found, "waiting": waiting}] if agrees and waiting else others)
    if waiting or not agrees:
        return None
    points = {int(seat): n for seat, n in found["points"].items()}
    moves = _Moves(found["seat"], points, found["reason"])
    return _write(table, result, _author(result, found["seat"], by), moves)


def _author(result: Result, seat: int, otherwise: Player) -> Player:
    line = result.lines.select_related("player").filter(seat=seat).first()
    return otherwise if line is None or line.player is None else line.player


def _by_name(points: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): n for seat, n in points.items()}


def _keep(table: Table, waiting: list[JsonObject]) -> None:
    table.corrections = waiting
    table.save(update_fields=["corrections"])
    table_changed(table)


def _check_size(table: Table, result: Result, changes: Mapping[int, int]) -> None:
    """Raise `too_much` if any seat is moved by more than the sheet's largest result."""
    lines = ResultLine.objects.filter(result__table=table, result__unit=result.unit, result__is_correction=False)
    ends = lines.aggregate(low=Min("points"), high=Max("points"))
    most = max(abs(ends["low"] or 0), abs(ends["high"] or 0))
    if any(abs(n) > most for n in changes.values()):
        raise Illegal("too_much", most=most)


def _is_transfer(result: Result, lines: Mapping[int, ResultLine]) -> bool:
    """Tell whether the points of a result are transfers between players."""
    return not plugin.game(result.game_id).lower_is_better and sum(line.points for line in lines.values()) == 0


def _to_agree(result: Result, lines: Mapping[int, ResultLine], own: int, changes: Mapping[int, int]) -> list[int]:
    """Return the seats whose people must agree: the losing ones, or all others if points are not transfers."""
    affected = [seat for seat, n in changes.items() if n < 0] if _is_transfer(result, lines) else list(lines)
    proposer_id = lines[own].player_id
    return sorted(seat for seat in affected if not lines[seat].is_bot and lines[seat].player_id != proposer_id)


def _write(table: Table, result: Result, by: By, moves: _Moves) -> Result:
    """Write a correction that counts."""
    row = _on_sheet(table, moves) or _beside(table, result, moves)
    row.corrects, row.by_name = result, str(by)[:150]
    row.save(update_fields=["corrects", "by_name"])
    audit.note("result_corrected", by, result, night=table.night, reason=moves.reason, points=moves.points)
    table_changed(table)
    return row


def _on_sheet(table: Table, moves: _Moves) -> Result | None:
    """Write a correction on the sheet of the running game; None if there is no such sheet."""
    if not table.is_running:
        return None
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), None)
    if not any(choice.name == CORRECT for choice in choices):
        return None
    args = {"seat": moves.seat, "points": _by_name(moves.points), "reason": moves.reason}
    receipt = submit(table.pk, HOUSE, Request(CORRECT, args, new_command_id()), decide=_corrected)
    return Result.objects.get(table=table, seq=receipt.seq)


def _corrected(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the rules' decision on a correction, also in a pause."""
    decided = table.decide(Command(CORRECT, None, args))
    return TableDecision(decided.events, decided.state)


def _beside(table: Table, result: Result, moves: _Moves) -> Result:
    """Write a correction as a row of results alone."""
    row = Result.objects.create(
        table=table,
        number=table.results.count() + 1,
        game_id=result.game_id,
        preset=result.preset,
        reason="corrected",
        unit=result.unit,
        medium=result.medium,
        is_correction=True,
        note=moves.reason,
        finished_at=datetime.now(UTC),
    )
    lines = {line.seat: line for line in result.lines.select_related("player")}
    made = ResultLine.objects.bulk_create(_line(row, lines[s], n) for s, n in moves.points.items())
    deleted = {seat for seat, line in lines.items() if line.player is not None and line.player.deleted_at}
    tallies.add(row, (line for line in made if line.seat not in deleted))
    return row


def _checked(result: Result, lines: Mapping[int, ResultLine], points: Mapping[int, int]) -> dict[int, int]:
    """Return the points that are not 0; raises Illegal as `correct`."""
    if any(type(n) is not int or abs(n) > MOST_POINTS for n in points.values()):
        raise Illegal("bad_points", most=MOST_POINTS)
    if not set(points) <= set(lines):
        raise Illegal("no_such_seat")
    changes = {seat: n for seat, n in sorted(points.items()) if n}
    if not changes:
        raise Illegal("bad_points", most=MOST_POINTS)
    if _is_transfer(result, lines) and sum(changes.values()) != 0:
        raise Illegal("not_zero")
    return changes


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
